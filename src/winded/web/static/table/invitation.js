/* The invitation on the board itself, as long as somebody is still to come. Each device has it by its own address. */
import { at, body, by, on, sheet } from "./page.js";
import { ask } from "./ask.js";
import { message, say } from "./said.js";

let asked = 0, waits = false;
async function show(anew) {
  const place = by("invitation"), mine = asked + 1;
  if (!place || (!anew && (waits || place.firstElementChild))) return;
  asked = mine;
  waits = true;
  const answer = await ask(at + "/invitation");
  if (mine !== asked) return;
  waits = false;
  if (!answer?.ok || !place.isConnected) return;
  place.innerHTML = answer.text;
  body.dispatchEvent(new Event("winded:invitation"));
}
on("submit", async event => {
  const form = event.target;
  if (!form.closest("#invitation")) return;
  event.preventDefault();
  const answer = await ask(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (answer && !answer.ok) say(message(answer.text));
  show(true);
});
for (const name of ["winded:view", "winded:live"]) body.addEventListener(name, () => show());
// What was given out or ended in a sheet is seen here too.
body.addEventListener("winded:covered", () => sheet?.open || show(true));
show();
