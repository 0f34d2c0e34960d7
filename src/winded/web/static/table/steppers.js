/* Figures up and down: by the buttons beside a field, or by the arrow keys in it. What is typed, the server reads. */
import { $, on } from "./page.js";

function step(box, by) {
  const field = $("input", box), { least, most, start } = box.dataset;
  const now = parseInt(field.value.trim().replace(/^[\u2212\u2013]/, "-"), 10);
  const next = isNaN(now) ? +(start ?? Math.max(least, Math.min(by, most))) : now + by;
  field.value = Math.max(least, Math.min(next, most));
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
}
on("click", event => {
  const button = event.target.closest("[data-step]");
  if (!button || event.defaultPrevented) return;
  event.preventDefault();
  step(button.parentElement, +button.dataset.step);
});
on("keydown", event => {
  const box = event.target.closest(".step"), by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!box || !by || event.defaultPrevented) return;
  event.preventDefault();
  step(box, by);
});
