/* The start page: another row for a character; with house rules, their dice to choose from. */
"use strict";
document.getElementById("another").onclick = () => {
  const rows = document.getElementById("rows"), row = rows.lastElementChild.cloneNode(true);
  for (const field of row.querySelectorAll("input, select")) field.id = field.name + "-" + (rows.children.length + 1);
  row.querySelector("input").value = "";
  rows.append(row);
  row.querySelector("input").focus();
};
const rules = document.getElementById("toml"), file = document.getElementById("file"), wrong = document.getElementById("rules-trouble");
let asked = 0;
rules.onchange = file.onchange = async () => {
  const data = new FormData(), mine = ++asked;
  data.set("toml", rules.value);
  if (file.files[0]) data.set("file", file.files[0]);
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
