/* Chances shown where a Check is declared: asked for when they come into sight, the target is typed or the table changes. */
import { $, all, body, isSeen, on } from "./page.js";
import { ask } from "./ask.js";
import { morph } from "./morph.js";

const asked = new WeakMap();
let timer = 0;

async function look(place) {
  const target = $("[name=target]", place.closest("form"))?.value ?? "", mine = {};
  asked.set(place, mine);
  const answer = await ask(place.dataset.asks + "&target=" + encodeURIComponent(target));
  // What is wrong with a target is said in the same place.
  if (answer?.status < 500 && asked.get(place) === mine) morph(place, answer.text, true);
}
const lookAround = scope => all("[data-asks]", scope).filter(place => isSeen(place.parentElement)).forEach(look);

on("toggle", event => event.target.open && lookAround(event.target), true);
on("input", event => {
  if (event.target.name !== "target") return;
  clearTimeout(timer);
  timer = setTimeout(lookAround, 250, event.target.form);
});
for (const name of ["winded:view", "winded:covered"]) body.addEventListener(name, () => lookAround(document));
