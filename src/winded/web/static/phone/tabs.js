/* The tabs follow the swipe; whoever acts, and whom one has just taken up, is in sight. */
import { $, all, body, by, on } from "../table/page.js";

const hands = () => by("hands");
function shown() {
  const box = hands(), at = Math.round(Math.abs(box.scrollLeft) / (box.clientWidth || 1));
  return box.children[Math.min(at, box.children.length - 1)];
}
const goTo = hand => hands().scrollTo({ left: hand.offsetLeft - hands().offsetLeft });

let current = "", turn, held;
function follow() {
  const ids = all("[data-character]").map(hand => hand.id), taken = held && ids.find(id => !held.includes(id));
  held = ids;
  if (taken) goTo(by(taken));
  const id = shown()?.id;
  for (const tab of all("#tabs a")) {
    if (tab.hash !== "#" + id) tab.removeAttribute("aria-current");
    else if (!tab.hasAttribute("aria-current")) tab.setAttribute("aria-current", "true");
  }
  if (current !== id) $("#tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  current = id;
  // What was asked stands above the hands now, with the way to take it back.
  if ($("#asks .wish")) $("#said [data-asked]")?.parentElement.remove();
  // The order is longer than a narrow phone: whoever acts is the one to see in it.
  const acts = $(".order [aria-current]");
  if (acts !== turn) acts?.scrollIntoView({ block: "nearest", inline: "center" });
  turn = acts;
  goesOn();
}
// Whoever reads the order sees whether there is more of it.
function goesOn() {
  const line = $(".order"), rest = line ? line.scrollWidth - line.clientWidth - Math.abs(line.scrollLeft) : 0;
  line?.parentElement.classList.toggle("goes-on", rest > 1);
}
// The scrolling box itself is swapped when a character comes or goes: listen where everything passes.
on("scroll", event => {
  if (event.target.id === "hands") follow();
  if (event.target.className === "order") goesOn();
}, { capture: true, passive: true });
on("click", event => {
  const tab = event.target.closest("#tabs a"), hand = tab && by(tab.hash.slice(1));
  if (!hand) return;
  event.preventDefault();
  history.replaceState(null, "", tab.hash);
  goTo(hand);
  hand.focus({ preventScroll: true });
});
// A swap sets the marks back to what the server knows, which is nothing of tabs.
new MutationObserver(follow).observe(body, { childList: true, subtree: true });
addEventListener("resize", follow);
follow();
