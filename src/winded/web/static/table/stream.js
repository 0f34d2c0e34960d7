/* The live stream. A silent one is replaced; where none can be had, the page asks now and then. The status says which. */
import { body, by, on, sheet, shownState, words } from "./page.js";
import { ask } from "./ask.js";
import { say } from "./said.js";
import { count, giveBack, hasRoom, spread, take } from "./share.js";

const PATIENCE = 2.25, FIRST_WORD = 3000, ASKING = 2000, COUNTING = 16000;
let source = null, every = 3000, heard = Date.now(), behind = 0, timer = 0, tries = 0, countAt = 0, joinAt = 0, apply;

const address = more => words.live + (words.live.includes("?") ? "&" : "?") + "seq=" + shownState() + more;

function status(text, late) {
  const place = by("status");
  body.classList.toggle("behind", late);
  if (place && place.textContent !== text) place.textContent = text;
}
const clock = time => new Date(time).toLocaleTimeString([], { timeStyle: "short" });
const late = () => status(words.behind.replace("{time}", clock(heard)), true);

function wait(milliseconds, then) {
  clearTimeout(timer);
  timer = setTimeout(then, milliseconds);
}
function live(text) {
  heard = Date.now();
  clearTimeout(behind);
  const wasBehind = behind || body.classList.contains("behind");
  behind = tries = 0;
  status(text, false);
  body.dispatchEvent(new Event(wasBehind ? "winded:back" : "winded:live"));
}
const show = view => apply(view).then(isWhole => isWhole || join(), wrong => { console.error(wrong); lost(); });

function leave() {
  source?.close();
  source = null;
  clearTimeout(timer);
}
function lost() {
  behind ||= setTimeout(late, 700);
  leave();
  if (document.hidden) return giveBack();
  tries += 1;
  // A stream that keeps failing may be all that fails.
  wait(Math.min(300 * tries, 3000), tries % 3 ? join : look);
}
function join() {
  leave();
  if (document.hidden || !words.live) return giveBack();
  joinAt = 0;
  countAt = Date.now() + COUNTING;
  if (!hasRoom()) return look();
  take();
  const own = source = new EventSource(address(""));
  const hear = (name, then) => own.addEventListener(name, event => {
    if (own !== source) return;
    const told = JSON.parse(event.data);
    every = 1000 * (told.every || every / 1000);
    live(words.on);
    wait(PATIENCE * every, lost);
    then?.(told);
  });
  hear("view", view => (show(view), spread(words.at)));
  hear("beat");
  hear("gone", gone);
  own.onerror = () => own === source && lost();
  // The server speaks at once; a connection kept from before may be as dead as the one it is to replace.
  wait(FIRST_WORD + 1000 * tries, lost);
}
async function look() {
  leave();
  giveBack();
  if (document.hidden || !words.live) return;
  // A page that was torn away never says that it has gone. Now and then those that hold a stream are asked to say so.
  if (!joinAt && Date.now() >= countAt) {
    count();
    joinAt = Date.now() + ASKING;
  }
  wait(60000, look);
  const answer = await ask(address("&once=1"));
  if (source) return;
  if (!answer || answer.status > 404) return wait(0, lost);
  if (!answer.ok) return gone();
  live(words.asking);
  if (answer.text) show(JSON.parse(answer.text));
  if (joinAt) wait(Math.max(0, joinAt - Date.now()), join);
  else wait(ASKING, look);
}
function gone() {
  leave();
  giveBack();
  words.live = "";
  clearTimeout(behind);
  status(words.gone, true);
  // Nothing here can be done any more, and nothing looks as if it could.
  sheet?.close?.();
  body.classList.add("gone");
  if (by("root")) by("root").inert = true;
  say(words.gone);
}

export function follow(show) {
  apply = show;
  if (!words.live) return;
  join();
  on("visibilitychange", () => {
    lost();
    tries = 0;
    join();
  });
  addEventListener("online", join);
  addEventListener("pageshow", event => event.persisted && join());
  addEventListener("pagehide", giveBack);
  // Whoever came later lets go, and whoever asks now and then takes the place of one that left.
  body.addEventListener("winded:room", () => {
    if (source) hasRoom() || look();
    else if (!tries && !joinAt && hasRoom()) join();
  });
  // Whoever asks now and then hears at once what another page of this table heard.
  body.addEventListener("winded:news", event => event.detail === words.at && !source && !tries && look());
}
