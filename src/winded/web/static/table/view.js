/* The newest view. An older one never covers it, unless the table has another history; what is dragged is let go of first. */
import { $, all, body, by } from "./page.js";
import { morph } from "./morph.js";
import { steadily } from "./press.js";
import { figures, tell } from "./spoken.js";

const LINES = 20;
let chain = Promise.resolve(), held = null;
export const hold = until => held = until;

const lineNumber = line => +line.id.slice(2);

// Gives false where the view lacks a place for a piece: the whole of it is needed.
export const apply = view => chain = chain.catch(() => {}).then(() => shown(view));

async function shown(view) {
  while (held) await held;
  // Of another history of the table, no number is older.
  if (!view.anew && view.number < +by("root").dataset.seq) return true;
  const told = Math.max(0, ...all("#lines > li").map(lineNumber)), before = figures();
  let isWhole = true;
  steadily(() => isWhole = swap(view));
  Object.assign(by("root").dataset, isWhole ? { seq: view.number, mark: view.mark } : { seq: -1, mark: "" });
  if (!isWhole) return false;
  tell(view.anew ? Infinity : told, before);
  all("#lines > li").slice(LINES).forEach(line => line.remove());
  body.dispatchEvent(new Event("winded:view"));
  return true;
}
function swap({ root, fragments = {} }) {
  if (root) morph(by("root"), root);
  for (const id in fragments) {
    if (by(id)) morph(by(id), fragments[id]);
    else if (id.startsWith("h-") && by("lines")) {
      const next = all("#lines > li").find(line => lineNumber(line) < +id.slice(2));
      if (next) next.insertAdjacentHTML("beforebegin", fragments[id]);
      else by("lines").insertAdjacentHTML("beforeend", fragments[id]);
    } else return false;
  }
  return true;
}
