/* The start page: another row for a character; with house rules, their dice to choose from. */
"use strict";
document.getElementById("another").onclick = () => {
  const rows = document.getElementById("rows"), row = rows.lastElementChild.cloneNode(true);
  for (const field of row.querySelectorAll("input, select")) field.id = field.name + "-" + (rows.children.length + 1);
  row.querySelector("input").value = "";
  rows.append(row);
  row.querySelector("input").focus();
};
const rules = document.getElementById("rules"), wrong = document.getElementById("rules-trouble");
let asked = 0;
rules.onchange = async () => {
  const data = new FormData(rules.form), mine = ++asked;
  const answer = await fetch("/tables/dice", { method: "POST", body: data }).catch(() => {});
  if (!answer?.ok || mine !== asked) return;
  const { dice, trouble } = await answer.json();
  wrong.textContent = trouble ?? "";
  wrong.hidden = !trouble;
  if (dice) for (const choice of document.querySelectorAll("[name=con]")) {
    const chosen = dice.includes(choice.value) ? choice.value : dice[0];
    choice.replaceChildren(...dice.map(die => new Option(die, die, false, die === chosen)));
  }
};
document.getElementById("trouble")?.scrollIntoView({ block: "center" });
