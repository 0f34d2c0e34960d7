/* Forms about odds: each change is answered in place, and stands in the address. Without this they are plain pages. */
import { body, by, sheet } from "./table/page.js";
import { ask } from "./table/ask.js";
import { morph } from "./table/morph.js";
import "./table/steppers.js";

const kept = "winded-ahead:" + (body.dataset.at ?? "");
let asked = 0, timer;

async function fetchInto(place, address, then) {
  const mine = ++asked, answer = await ask(address);
  if (mine !== asked || !place.isConnected) return;
  if (!answer?.text.includes("data-odds")) return trouble(place);
  morph(place, answer.text);
  const now = by(place.id);
  settle(now);
  keep(now);
  then?.();
}
// What was typed before stays in a field for the browser, whatever row now stands there: all but the one in use start anew.
function settle(place) {
  for (const field of place.querySelectorAll("input, select")) {
    if (field === document.activeElement) continue;
    if (field.tagName === "INPUT") field.value = field.defaultValue;
    else for (const option of field.options) option.selected = option.defaultSelected;
  }
}
function trouble(place) {
  const told = place.querySelector(".trouble") ?? document.createElement("p");
  Object.assign(told, { className: "trouble", role: "alert", textContent: place.dataset.trouble });
  place.prepend(told);
}
function keep(place) {
  const { address } = place.dataset;
  if (!sheet?.contains(place)) return history.replaceState(null, "", address);
  sheet.dataset.url = address;
  sessionStorage[kept] = address;
  history.replaceState(null, "", "#" + address);
}
function send(form, button) {
  clearTimeout(timer);
  const data = new URLSearchParams(new FormData(form)), adds = button?.name === "add";
  if (button?.name) data.append(button.name, button.value);
  // What the board may fetch meanwhile, because the table has changed, is this already.
  if (sheet?.contains(form)) sheet.dataset.url = "ahead?" + data;
  fetchInto(form.closest("[data-odds]"), form.getAttribute("action") + "?" + data, () => {
    const steps = [...document.querySelectorAll("[data-odds] .ahead-step")];
    if (adds) steps[steps.length - 1]?.querySelector("input:not([type=hidden]), select")?.focus();
    else if (button && !button.isConnected) (steps[steps.length - 1]?.querySelector("button") ?? document.querySelector("[data-odds] button"))?.focus();
  });
}
const ours = event => event.target.closest?.("form[data-answers]") ?? event.target.form?.closest?.("form[data-answers]");
document.addEventListener("submit", event => {
  const form = ours(event);
  if (!form) return;
  event.preventDefault();
  send(form, event.submitter);
});
for (const [kind, delay] of [["input", 400], ["change", 0]]) document.addEventListener(kind, event => {
  const form = ours(event);
  if (!form) return;
  clearTimeout(timer);
  if (form.checkValidity()) timer = setTimeout(send, delay, form);
});
// The sheet of a board comes back as it was left, and is in the address as long as it is open.
const opened = () => {
  const place = sheet?.querySelector("[data-odds]");
  if (!place || location.hash.startsWith("#ahead?")) return place && keep(place);
  const before = sessionStorage[kept];
  before ? fetchInto(place, body.dataset.at + "/" + before) : keep(place);
};
sheet?.addEventListener("close", () => location.hash && history.replaceState(null, "", location.pathname + location.search));
if (sheet) new MutationObserver(() => sheet.open && opened()).observe(sheet, { attributeFilter: ["open"] });
if (sheet?.open) opened();
