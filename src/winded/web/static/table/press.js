/* Taps that can be trusted: a press does what stood there when it began, or nothing. */
import { all, by, on, sheet } from "./page.js";
import { CONTROL, deedsOf, meaningOf } from "./deed.js";

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

const isIn = (box, { x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom;
const overlap = (a, b) => isIn(a, b) || isIn(b, a);
function boxOf(control) {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  return { left, right, top, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
}
function places() {
  const controls = all(CONTROL, sheet?.open ? sheet : by("root")), deeds = deedsOf(controls);
  return controls.map((control, at) => ({ control, deed: deeds[at], box: boxOf(control) })).filter(({ box }) => box.right > box.left);
}

// Changes the view. A control that newly stands where another one stood does nothing for a moment.
export function steadily(change) {
  const before = places(), byDeed = new Map(), focused = before.find(one => one.control === document.activeElement);
  for (const one of before) byDeed.set(one.deed, [...byDeed.get(one.deed) ?? [], one]);
  change();
  const until = performance.now() + STILL;
  for (const { control, deed, box } of places()) {
    const refocused = focused?.control === control && focused.deed !== deed;
    const isNew = !byDeed.get(deed)?.some(one => overlap(one.box, box)) && before.some(one => overlap(one.box, box));
    if (!isNew && !refocused) continue;
    still.set(control, { until, focused: refocused });
    control.classList.add("still");
    setTimeout(() => isStill(control) || control.classList.remove("still"), STILL + 20);
  }
}
