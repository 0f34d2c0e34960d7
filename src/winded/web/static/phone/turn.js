/* One's turn: in the page's title, read aloud, and felt where the phone can, unless one does not want that. */
import { $, all, body, by, make, on } from "../table/page.js";

const title = document.title;
let told = null;
function look() {
  const yours = $("[data-yours]")?.dataset.yours ?? "", before = told;
  told = yours;
  document.title = yours ? "▸ " + yours + " – " + title : title;
  const buzz = by("buzz");
  if (buzz) {
    buzz.checked = !localStorage.windedStill;
    buzz.parentElement.hidden = !navigator.vibrate;
  }
  for (const one of all(".answer")) one.hidden = sessionStorage.getItem(one.id + location.pathname) !== null;
  if (!yours || before === yours || before === null) return;
  by("hear")?.append(make("p", yours));
  if (!localStorage.windedStill) navigator.vibrate?.([150, 80, 150]);
}
on("change", event => {
  if (event.target.id === "buzz") localStorage.windedStill = event.target.checked ? "" : "1";
});
on("click", event => {
  const answer = event.target.closest("[data-put-away]")?.parentElement;
  if (!answer) return;
  sessionStorage.setItem(answer.id + location.pathname, "");
  answer.hidden = true;
});
body.addEventListener("winded:view", look);
look();
