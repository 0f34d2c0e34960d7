/* Brings an element to newer HTML and keeps what the person has done to it: what is typed, ticked, open or focused. */
import { $ } from "./page.js";

function isOwn(name, node) {
  if (name === "open") return true;
  if (name === "checked") return node.checked !== node.defaultChecked;
  if (name === "selected") return node.selected !== node.defaultSelected;
  return name === "value" && node.matches("input, textarea") && (node === document.activeElement || node.value !== node.defaultValue);
}
// A field that the person has changed keeps that, and learns what it would go back to.
function settle(node, next) {
  if (node.tagName === "OPTION") node.defaultSelected = next.defaultSelected;
  if (node.tagName !== "INPUT") return;
  node.defaultValue = next.defaultValue;
  node.defaultChecked = next.defaultChecked;
}
const callbacks = {
  afterNodeMorphed: settle,
  beforeAttributeUpdated: (name, node) => !isOwn(name, node),
  beforeNodeMorphed: node => !(node.dataset && "mine" in node.dataset),
};

export function morph(element, html, inner = false) {
  const id = document.activeElement?.id;
  Idiomorph.morph(element, html, { morphStyle: inner ? "innerHTML" : "outerHTML", callbacks });
  if (id && document.activeElement === document.body) $("#" + CSS.escape(id))?.focus({ preventScroll: true });
}
