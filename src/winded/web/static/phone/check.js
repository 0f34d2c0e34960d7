/* A Check as a moment of its own: strains to tap, the chance of each push, and on to the roll. */
import { $, all, body, by, isSeen, make, on } from "../table/page.js";
import { ask } from "../table/ask.js";
import { message } from "../table/said.js";

const asked = new WeakMap(), found = new WeakMap(), advised = new WeakMap();
let timer = 0, declared = "", byKey = false;

function put(form) {
  const chances = found.get(form) ?? {};
  for (const button of all(".amounts button", form)) {
    const place = $("span > b", button) ?? make("b"), chance = chances[button.value || 0];
    place.textContent = chance ? " · " + chance : "";
    $("span", button)?.append(place);
  }
}
async function look(form) {
  const field = form.elements.target, target = field?.value.trim() ?? "", mine = {}, told = $(".chances", form);
  told.dataset.empty ??= told.textContent;
  asked.set(form, mine);
  put(form);
  // Where the Referee keeps the target secret there is no field: the chances are against a few round targets.
  const answer = !field || target ? await ask(form.dataset.asks + "&target=" + encodeURIComponent(target)) : null;
  if (asked.get(form) !== mine) return;
  found.set(form, answer?.ok ? JSON.parse(answer.text) : {});
  put(form);
  told.textContent = answer?.ok ? found.get(form).told ?? "" : message(answer?.text ?? "")?.textContent ?? told.dataset.empty;
}
// What it costs later, where the Referee lets everyone see what is ahead.
async function advise(form) {
  const target = form.elements.target?.value.trim() ?? "", mine = {};
  advised.set(form, mine);
  const answer = await ask(form.dataset.advises + "&target=" + encodeURIComponent(target));
  const place = $(".advice", form);
  if (place && advised.get(form) === mine && answer?.ok) place.innerHTML = answer.text;
}
const lookInto = form => {
  if (form.dataset.asks) look(form);
  if (form.dataset.advises) advise(form);
};
function shut(open) {
  open.open = false;
  $("summary", open).focus();
}
on("click", event => {
  const closest = query => event.target.closest(query), strain = closest("[data-strain]"), close = closest("[data-shut]");
  if (closest("summary")) byKey = !event.detail;
  if (close) shut(close.closest("details"));
  const opens = by(closest("[data-opens]")?.dataset.opens);
  if (opens) opens.open = true;
  if (!strain) return;
  const field = strain.closest(".strains");
  $("input", field).value = strain.textContent;
  field.scrollTo({ left: 0 });
});
on("toggle", event => {
  const form = event.target.open && $("form.checking", event.target), strains = form && $(".strains span", form);
  if (!form) return;
  if (strains && !strains.firstChild) strains.append(by("strains").content.cloneNode(true));
  lookInto(form);
  // A finger has the steppers; a field that takes the focus would bring up the keyboard over the amounts.
  (byKey && form.elements.target || form).focus({ preventScroll: true });
}, true);
on("input", event => {
  const { form, name } = event.target;
  if (name !== "target" || !form.matches(".checking")) return;
  clearTimeout(timer);
  timer = setTimeout(lookInto, 150, form);
});
on("keydown", event => {
  const open = event.key === "Escape" && event.target.closest("details:has(> form.checking)");
  if (open) shut(open);
});
// The next step after declaring is the roll.
function onToTheRoll() {
  const field = declared && by("roll-" + declared);
  if (!field) return;
  declared = "";
  field.focus({ preventScroll: true });
}
on("reset", event => {
  const form = event.target;
  if (!form.matches(".checking")) return;
  declared = form.closest(".hand").id.slice(5);
  setTimeout(() => {
    onToTheRoll();
    lookInto(form);
  });
});
body.addEventListener("winded:view", () => {
  onToTheRoll();
  all("form.checking").filter(isSeen).forEach(lookInto);
});
