/* The order of a round: by drag, or by arrow keys and Enter; a sheet then asks for the reason. */
import { $, all, body, by, make, on, sheet } from "./page.js";
import { show } from "./sheets.js";
import { hold } from "./view.js";

let dragging = false, dragged = false, restore = null;

function remember(line) {
  const before = [...line.children];
  restore ??= () => before.every(one => one.parentNode === line) && line.append(...before);
}
function putBack() {
  restore?.();
  restore = null;
}
function shift(item, back, focus) {
  const other = back ? item.previousElementSibling : item.nextElementSibling;
  if (!other || !$("[data-name]", other)) return;
  other[back ? "before" : "after"](item);
  focus.focus();
  const list = item.parentElement, names = all("[data-name]", list), { told } = list.dataset;
  const facts = { name: item.textContent.trim(), at: 1 + names.findIndex(one => item.contains(one)), all: names.length };
  if (told) by("hear").append(make("p", told.replace(/{(\w+)}/g, (_, fact) => facts[fact])));
}
const reorder = line => show("reorder?" + new URLSearchParams(all("[data-name]", line).map(one => ["order", one.dataset.name])));

on("pointerdown", event => {
  dragged = false;
  const item = event.target.closest(".line [data-name]")?.closest("li");
  if (!item || event.button) return;
  let done;
  const line = item.parentElement, { clientX, clientY } = event;
  const move = event => {
    if (!dragging) {
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) < 7) return;
      dragging = dragged = true;
      hold(new Promise(over => done = over));
      remember(line);
      item.classList.add("held");
    }
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".line li");
    if (!under || under === item || !$("[data-name]", under)) return;
    const box = under.getBoundingClientRect();
    under[event.clientX > box.left + box.width / 2 ? "after" : "before"](item);
  };
  const end = event => {
    document.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, end);
    item.classList.remove("held");
    dragging = false;
    hold(null);
    done?.();
    if (dragged && event.type === "pointerup") reorder(line);
    else putBack();
  };
  on("pointermove", move);
  on("pointerup", end);
  on("pointercancel", end);
});
// The end of a drag is no click on what was dragged.
on("click", event => {
  if (!dragged || !event.target.closest(".line")) return;
  dragged = false;
  event.stopImmediatePropagation();
}, true);
on("click", event => {
  const button = event.target.closest("[data-move]");
  if (button) shift(button.closest("li"), button.dataset.move < 0, button);
});
on("keydown", event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !target.matches(".line [data-name]") || !/^Arrow|^Enter/.test(key)) return;
  const line = target.closest(".line");
  // Enter asks for the order that the arrows have made; without one it goes to the card, as a tap does.
  if (key === "Enter" && !restore) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (key === "Enter") return reorder(line);
  remember(line);
  shift(target.closest("li"), /Left|Up/.test(key), target);
});
// An order that was moved by keys and left without Enter was never asked for: it goes back.
on("focusout", event => {
  if (dragging || !restore || !event.target.closest(".line") || event.relatedTarget?.closest(".line, dialog")) return;
  setTimeout(() => sheet?.open || dragging || document.activeElement?.closest(".line") || putBack());
});
sheet?.addEventListener("close", putBack);

// An order that is longer than its line says how many more there are, and shows the one whose turn it is.
function measure() {
  const line = $(".line"), order = line?.parentElement;
  if (!line) return;
  const edge = line.getBoundingClientRect().right, hidden = all("li", line).filter(one => one.getBoundingClientRect().right > edge + 8);
  order.classList.toggle("goes-on", hidden.length > 0);
  order.dataset.more = "+" + hidden.length;
}
function follow() {
  const line = $(".line"), now = line && $("[aria-current]", line)?.parentElement;
  if (now && !dragging) line.scrollLeft += now.getBoundingClientRect().left - line.getBoundingClientRect().left - 24;
  measure();
}
on("scroll", event => event.target.matches?.(".line") && measure(), true);
addEventListener("resize", measure);
body.addEventListener("winded:view", follow);
follow();
