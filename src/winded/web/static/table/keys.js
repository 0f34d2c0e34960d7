/* Single keys: a figure goes to a character, as its name in the order does; a letter does what its button does. */
import { $, all, by, on, sheet } from "./page.js";

function goTo(seat) {
  const name = $("h3", seat);
  name.tabIndex = -1;
  name.focus();
}
on("click", event => {
  const to = event.target.closest("[data-to]"), seat = to && by(to.dataset.to);
  if (seat) goTo(seat);
});
on("keydown", event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || sheet?.open) return;
  if (target.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  if (localStorage.winded && key !== "?") return;
  const seat = +key && all(".seat")[key - 1], button = all("[data-key]").find(one => one.dataset.key === key);
  if (seat) goTo(seat);
  if (!button) return;
  event.preventDefault();
  button.focus();
  button.click();
});
on("change", event => {
  if (event.target.id === "keys-on") localStorage.winded = event.target.checked ? "" : "no keys";
});
