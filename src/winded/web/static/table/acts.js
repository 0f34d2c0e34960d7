/* Acts, in the order of the taps. Each has a key and is done once, however often it is sent. */
import { at, body, make, on, sheet, words } from "./page.js";
import { ask } from "./ask.js";
import { addressOf, deedOf, sentBy } from "./deed.js";
import { box, message, place, say } from "./said.js";

const ONE_PRESS = 400, AGAIN = 1500, SLOW = 3000, FOR = 60000;
const waiting = [];
let sending = null, last = "", lastAt = -ONE_PRESS;

const now = () => performance.now();
// A clock that stands while the device sleeps, and one that can be set: whichever says it is older is believed.
const age = act => Math.max(now() - act.begun, Date.now() - act.since);
const typed = form => [...form.elements].some(field => field.name && field.matches("select, textarea, input:not([type=hidden], [hidden])"));
const isSame = (act, form, what) => act.what === what && (typed(form) || !/\/do\?/.test(what));

function called(form, button) {
  const name = form.closest(".seat, .hand")?.querySelector("h2, h3")?.textContent, copy = button?.cloneNode(true);
  const small = copy?.querySelector("small"), price = small?.textContent.split(",")[0];
  small?.remove();
  const what = [copy?.textContent.trim(), price].filter(Boolean).join(", ");
  return what && (name ? name + ": " : "") + what;
}
export function act(form, button) {
  const data = sentBy(form, button), what = addressOf(form) + "?" + data, deed = deedOf(what);
  const again = deed === last && now() - lastAt < ONE_PRESS;
  last = deed;
  lastAt = now();
  if (again || waiting.some(act => isSame(act, form, what))) return;
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(36)).join("-");
  const headers = { "Idempotency-Key": key };
  const one = { what, url: addressOf(form), form, data, headers, name: called(form, button), begun: lastAt, since: Date.now(), late: false };
  waiting.push(one);
  if (waiting[0].late) tell(one);
  setTimeout(() => waiting.includes(one) && tell(one), SLOW);
  flush();
}
const drop = act => waiting.includes(act) && waiting.splice(waiting.indexOf(act), 1);

// What waits, each with its own way out; putting the message away leaves it waiting.
let kept = null, listed = "", away = false;
function tell(one) {
  if (one && !one.late) {
    one.late = true;
    away = false;
  }
  const acts = waiting.filter(act => act.late), list = acts.map(act => act.headers["Idempotency-Key"]).join();
  if (!acts.length || away) return kept?.remove();
  kept ??= box("kept", [make("p", words.kept), make("ul")], () => away = true);
  if (list !== listed) kept.querySelector("ul").replaceChildren(...acts.map(act => {
    const item = make("li", act.name + " ");
    item.append(make("button", words.drop, () => (drop(act), tell())));
    return item;
  }));
  listed = list;
  const where = place();
  if (kept.parentNode !== where) where?.append(kept);
}

async function flush() {
  if (sending) return;
  try {
    while (waiting.length && await sent(waiting[0]));
  } finally {
    sending = null;
  }
}
// The way is open again: what hangs on a dead connection is sent anew.
const hurry = () => sending ? sending.abort() : flush();

async function sent(one) {
  const { url, data, headers, form } = one;
  sending = new AbortController();
  const answer = await ask(url, { method: "POST", body: data, headers }, sending);
  const waits = waiting.includes(one), busy = !answer || answer.status > 501;
  if (busy && waits && age(one) < FOR) {
    tell(one);
    setTimeout(flush, AGAIN);
    return false;
  }
  drop(one);
  tell();
  if (answer) answered(form, answer);
  else if (waits) say((one.name && one.name + ": ") + words.givenUp);
  return true;
}
function answered(form, { ok, text }) {
  const told = message(text), inside = sheet?.contains(form);
  if (!ok) return say(told ?? words.failed);
  if (inside && text && !told) body.dispatchEvent(new CustomEvent("winded:sheet", { detail: text }));
  else if (inside && !form.hasAttribute("data-stay")) sheet.close();
  else form.reset();
  say(told);
}
let clicked = null;
on("click", event => clicked = event.target.closest("button"), true);
on("submit", event => {
  const form = event.target, button = event.submitter ?? (clicked?.form === form ? clicked : null);
  if (!at || form.method === "dialog" || !addressOf(form).startsWith(at) || "plain" in form.dataset || "answers" in form.dataset) return;
  event.preventDefault();
  if (!body.classList.contains("gone")) act(form, button);
});
// A message follows into the sheet that covers it, and out again.
body.addEventListener("winded:covered", () => tell());
body.addEventListener("winded:live", flush);
body.addEventListener("winded:back", hurry);
