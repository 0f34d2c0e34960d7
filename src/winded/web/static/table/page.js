/* The page itself: what its body says of the table, and the shortest ways to its elements. */
export const body = document.body;
export const words = body.dataset;
export const at = words.at;
export const by = id => document.getElementById(id);
export const $ = (query, from = document) => from.querySelector(query);
export const all = (query, from = document) => [...from.querySelectorAll(query)];
export const on = (name, then, options) => document.addEventListener(name, then, options);
export const sheet = by("sheet");
// The state that is shown, as the server names it: by its number, and a mark that tells histories apart.
export function shownState() {
  const { seq, mark } = by("root")?.dataset ?? {};
  return (seq ?? -1) + (mark ? "-" + mark : "");
}
export const isSeen = element => element.getClientRects().length > 0;

export function make(tag, text = "", then = null) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (tag === "button") made.type = "button";
  if (then) made.onclick = then;
  return made;
}
