/* What a screen reader hears: each new line once, and after an undo or redo the figures as they now are. */
import { $, all, by, make } from "./page.js";

// Everyone's figures in words, by the id of their place.
export const figures = () => new Map(all("[id^=seat-]").filter(seat => $(".pips", seat)).map(seat => (
  [seat.id, $("bdi", seat).textContent + ": " + $(".pips", seat).getAttribute("aria-label")]
)));

export function tell(since, before) {
  const place = by("hear");
  if (!place) return;
  const hear = text => place.append(make("p", text.trim()));
  let back = false;
  for (const line of all("#lines > li").reverse()) if (+line.id.slice(2) > since)
    for (const told of all("p", line)) {
      const copy = told.cloneNode(true), rule = $("small, [data-rule]", copy);
      rule?.remove();
      hear(copy.textContent);
      back ||= /^(un|re)do$/.test(rule?.textContent);
    }
  if (back) for (const [id, told] of figures()) if (before.get(id) !== told) hear(told);
  while (place.children.length > 20) place.firstChild.remove();
}
