/* What opens below the edge comes up; what was done is put away. */
import { $, on } from "../table/page.js";

on("click", event => {
  const opens = event.target.closest(".sheet summary")?.parentElement;
  if (!opens || opens.open) return;
  requestAnimationFrame(() => {
    // As far as what one has leaves it room.
    const sheet = opens.closest(".sheet"), room = sheet.getBoundingClientRect(), has = $(".have", sheet);
    const top = has && getComputedStyle(has).position === "sticky" ? has.getBoundingClientRect().bottom : room.top;
    const box = opens.getBoundingClientRect();
    sheet.scrollBy({ top: Math.max(0, Math.min(box.bottom - room.bottom + 8, box.top - top - 8)) });
  });
});
on("reset", event => {
  const open = event.target.closest(".hand details, #making");
  if (!open) return;
  if (open.contains(document.activeElement)) $("summary", open).focus();
  open.open = false;
});
