/* What is said to the person stays until it is put away. What waits to be sent is said beside it. */
import { $, all, by, make, sheet, words } from "./page.js";

export const place = () => (sheet?.open && $(".said", sheet)) || by("said");

export function box(kind, what, putAway) {
  const made = make("div"), away = make("button", "✕", () => {
    made.remove();
    putAway?.();
  });
  made.className = kind;
  away.setAttribute("aria-label", words.away || "OK");
  made.append(...what, away);
  return made;
}
export function say(what) {
  all(".said > .told, #said > .told").forEach(one => one.remove());
  if (what) place()?.append(box("told", [what]));
}
export const message = html => $(".message, main p", new DOMParser().parseFromString(html, "text/html"));
