/* Whether any phone has come: asked now and then as long as an invitation is shown and none has. */
import { $, body, sheet } from "./page.js";
import { ask } from "./ask.js";
import { morph } from "./morph.js";

const EVERY = 3000;
let timer = 0;

async function look() {
  const place = $("[data-asks-again]", sheet) ?? $("[data-asks-again]");
  if (!place || !$("[data-nobody]", place)) return;
  const answer = document.hidden ? null : await ask(place.dataset.asksAgain);
  if (answer?.ok && place.isConnected) morph(place, answer.text, true);
  wait();
}
function wait() {
  clearTimeout(timer);
  timer = setTimeout(look, EVERY);
}
for (const name of ["winded:covered", "winded:invitation"]) body.addEventListener(name, wait);
