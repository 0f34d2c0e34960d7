/* What a control does: the identity of its command, and what a press of it would send, price and all. */
export const CONTROL = "button, summary, a[href]";

export const addressOf = form => form.getAttribute("action") || document.body.dataset.at + "/do";

export function sentBy(form, button) {
  const data = new URLSearchParams(new FormData(form));
  if (button?.name === "act") for (const [name, value] of new URLSearchParams(button.value)) data.set(name, value);
  else if (button?.name) data.append(button.name, button.value);
  return data;
}
// In full: a press counts only if this is what it was when the press began.
export function meaningOf(control) {
  const { dataset, form } = control;
  if (control.getAttribute("aria-disabled") === "true") return "";
  if (dataset.sheet ?? dataset.to) return "open " + (dataset.sheet ?? dataset.to);
  if (control.tagName === "A") return control.getAttribute("href");
  if (control.tagName === "SUMMARY") return "open " + control.parentElement.id;
  return form && control.type === "submit" ? addressOf(form) + "?" + sentBy(form, control) : "";
}
// The same command at another price, or aimed at another moment, is the same deed.
const MOMENT = /[?&](cost|at|expect)=[^&]*/g;
export const deedOf = meaning => meaning.replace(MOMENT, "");

// The deeds of many controls at once, each told apart from any other without reading what is typed.
export function deedsOf(controls) {
  const forms = new Map();
  const given = form => {
    const hidden = [...form.elements].filter(field => field.type === "hidden" || field.hidden);
    return addressOf(form) + hidden.map(field => field.name !== "at" && field.name + field.value).join();
  };
  return controls.map(control => {
    const { form } = control;
    if (!form || control.type !== "submit") return meaningOf(control);
    if (!forms.has(form)) forms.set(form, given(form));
    return forms.get(form) + control.name + deedOf(control.value);
  });
}
