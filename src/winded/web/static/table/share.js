/* Browsers hold six connections to one server for all their pages together. So only the first few pages of a browser
   keep a stream; the others ask now and then, at once when one of the first has heard something, and never block. */
import { body } from "./page.js";

const MOST = 4;
const channel = "BroadcastChannel" in window ? new BroadcastChannel("winded") : null;
const own = Math.random(), others = new Map();
let since = null;

const tell = what => channel?.postMessage({ from: own, since, ...what });
const isBefore = ([other, at]) => since === null || at < since || (at === since && other < own);

// Whether this page may hold a stream: it is asked for now, or was.
export const hasRoom = () => [...others].filter(isBefore).length < MOST;
export function take() {
  since ??= performance.timeOrigin + performance.now();
  tell({ asks: true });
}
export function giveBack() {
  if (since === null) return;
  since = null;
  tell({});
}
export function count() {
  others.clear();
  tell({ asks: true });
}
export const spread = news => since === null || tell({ news });

if (channel) channel.onmessage = ({ data }) => {
  if (data.since === null) others.delete(data.from);
  else others.set(data.from, data.since);
  if (data.asks && since !== null) tell({});
  if (data.news) body.dispatchEvent(new CustomEvent("winded:news", { detail: data.news }));
  body.dispatchEvent(new Event("winded:room"));
};
