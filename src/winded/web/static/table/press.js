/* Taps that can be trusted: a press does what stood there when it began, or nothing. */
import { $, all, by, isSeen, on, sheet } from "./page.js";
import { CONTROL, deedOf, meaningOf } from "./deed.js";

const STILL = 600, LINGER = 400;
const still = new WeakMap();
const isStill = (control, byKey) => {
  const held = still.get(control);
  return held && held.until > performance.now() && (held.focused || !byKey);
};
let press = null;

function begin(event) {
  const control = event.target.closest?.(CONTROL);
  press = control && { control, meaning: meaningOf(control), byKey: event.type === "keydown" };
}
on("pointerdown", begin, true);
on("keydown", event => (event.key === "Enter" || event.key === " ") && begin(event), true);
for (const name of ["pointerup", "pointercancel"]) on(name, () => {
  const ended = press;
  setTimeout(() => press === ended && (press = null), LINGER);
}, true);

on("click", event => {
  const control = event.target.closest?.(CONTROL), begun = press;
  press = null;
  if (!control) return;
  const changed = begun && (begun.control !== control || begun.meaning !== meaningOf(control));
  if (!changed && !isStill(control, !begun || begun.byKey)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

const within = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
const overlap = (a, b) => within(a, (b.left + b.right) / 2, (b.top + b.bottom) / 2) || within(b, (a.left + a.right) / 2, (a.top + a.bottom) / 2);
const places = () => all(CONTROL, sheet?.open ? sheet : by("root")).filter(isSeen).map(control => (
  { control, deed: deedOf(meaningOf(control)), box: control.getBoundingClientRect() }
));

// Changes the view. A control that newly stands where another one stood does nothing for a moment.
export function steadily(change) {
  const before = places(), focused = document.activeElement;
  change();
  const until = performance.now() + STILL;
  for (const { control, deed, box } of places()) {
    const there = before.filter(one => overlap(one.box, box) || (control === focused && one.control === focused));
    if (!there.length || there.some(one => one.deed === deed)) continue;
    still.set(control, { until, focused: control === focused });
    control.classList.add("still");
    setTimeout(() => isStill(control) || control.classList.remove("still"), STILL + 20);
  }
}
