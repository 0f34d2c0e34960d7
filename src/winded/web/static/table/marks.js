/* The pips that would be spent by what is pressed, hovered, focused by keyboard, or chosen in a sheet. */
import { $, all, body, on, sheet } from "./page.js";

let over = null;
export function mark() {
  named();
  all(".pips .m").forEach(pip => pip.classList.remove("m"));
  const focused = $(":focus-visible"), checked = sheet?.open && all(":checked", sheet).find(one => one.closest("[data-spend]"));
  const chosen = (over?.isConnected && over) || focused?.closest("[data-spend]") || (checked && checked.closest("[data-spend]"));
  const scope = chosen && chosen.closest("dialog, .seat, .hand");
  if (scope && +chosen.dataset.spend) for (const pips of all(".pips", scope)) all("b", pips).slice(-chosen.dataset.spend).forEach(pip => pip.classList.add("m"));
}
// A button that acts on whoever is ticked names them.
function named() {
  if (!sheet?.open) return;
  const ticked = all("th :checked + span bdi", sheet).map(one => one.textContent);
  for (const one of all("[data-chosen]", sheet)) {
    one.dataset.chosen ||= one.textContent;
    one.textContent = ticked.slice(0, 5).join(", ") + (ticked[5] ? " …" : "") || one.dataset.chosen;
  }
}
function point(event) {
  over = event.target.closest?.("[data-spend]");
  mark();
}
const away = () => {
  over = null;
  mark();
};
on("pointerover", point);
on("pointerdown", point);
on("pointerout", event => event.relatedTarget || away());
// A finger that was lifted points at nothing; a mouse still does.
for (const name of ["pointerup", "pointercancel"]) on(name, event => event.pointerType !== "mouse" && away());
on("focusin", away);
on("focusout", away);
on("change", mark);
for (const name of ["winded:view", "winded:covered"]) body.addEventListener(name, mark);
