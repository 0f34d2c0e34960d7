/* A word that explains itself opens over the page; where that cannot be, its link leads to the page of all words. */
import { at, on, sheet } from "./page.js";
import { ask } from "./ask.js";

on("click", async event => {
  const term = event.target.closest("a[data-sheet]");
  if (!term || !sheet?.showModal || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await ask(at + "/sheet/" + term.dataset.sheet);
  if (!answer?.ok) return location.assign(term.href);
  sheet.innerHTML = answer.text;
  sheet.showModal();
});
on("click", event => event.target === sheet && sheet.close());
