/* What opens over the page. It follows the newest state too, and keeps what is being typed or was chosen. */
import { $, all, at, body, by, on, sheet, shownState, words } from "./page.js";
import { ask } from "./ask.js";
import { message, say } from "./said.js";
import { morph } from "./morph.js";
import { steadily } from "./press.js";

if (sheet && !sheet.showModal) by("too-old").classList.add("found");

const covered = () => body.dispatchEvent(new Event("winded:covered"));

function fill(html) {
  sheet.innerHTML = html;
  const { looks = "", script } = sheet.firstElementChild.dataset;
  sheet.className = looks;
  if (by("keys-on")) by("keys-on").checked = !localStorage.winded;
  if (!sheet.open) sheet.showModal ? sheet.showModal() : sheet.setAttribute("open", "");
  if (script) import(script);
  ($("[autofocus]", sheet) ?? sheet).focus();
  covered();
}
export async function show(url) {
  const then = shownState(), answer = await ask(at + "/sheet/" + url);
  if (!answer) return say(words.unopened);
  if (!answer.ok) return say(message(answer.text));
  sheet.dataset.url = url;
  fill(answer.text);
  // The table has moved on while the sheet was on its way.
  if (shownState() !== then) refresh();
}
// What was chosen goes along: the sheet shows it still, also where it no longer fits.
async function refresh() {
  if (!sheet.open || $("[data-keep]", sheet)) return;
  const { url } = sheet.dataset, chosen = all("[data-spend] :checked", sheet)[0];
  const answer = await ask(at + "/sheet/" + url + (chosen?.value ? (url.includes("?") ? "&" : "?") + "chosen=" + chosen.value : ""));
  if (!answer || !sheet.open || sheet.dataset.url !== url || $("[data-keep]", sheet)) return;
  if (!answer.ok) {
    sheet.close();
    return say(message(answer.text));
  }
  steadily(() => morph(sheet, answer.text, true));
  if (document.activeElement === body) sheet.focus();
  covered();
}
on("click", event => {
  const closest = query => event.target.closest(query), open = closest("[data-sheet]"), no = closest("[aria-disabled=true]");
  if (open || no) event.preventDefault();
  // What is not possible says why when it is asked.
  if (no) say($("small", no)?.textContent);
  else if (open) show(open.dataset.sheet);
  if (closest("[data-rule]")) show("rules?of=" + event.target.textContent);
  if (event.target === sheet) sheet.close();
  if (!closest("[data-all]")) return;
  event.target.form.reset();
  covered();
});
sheet?.addEventListener("close", () => {
  sheet.replaceChildren();
  covered();
});
body.addEventListener("winded:view", refresh);
body.addEventListener("winded:sheet", event => fill(event.detail));
export const openFromAddress = () => /^#ahead/.test(location.hash) && show(location.hash.slice(1));
