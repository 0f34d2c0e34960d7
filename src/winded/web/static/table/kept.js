/* Keeps the newest view for a reload without a connection. Browsers allow it on this machine and over https only. */
import { body, by, shownState, words } from "./page.js";

const WAIT = 500;
let kept = "", waiting = 0;

function keep() {
  waiting = 0;
  const state = shownState();
  if (!by("root") || state === kept) return;
  kept = state;
  const page = new Response("<!doctype html>" + document.documentElement.outerHTML, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
  caches.open("winded").then(cache => cache.put(location.pathname, page)).catch(() => {});
}
if ("serviceWorker" in navigator && "caches" in window) {
  navigator.serviceWorker.register("/worker.js").catch(() => {});
  const soon = () => waiting ||= setTimeout(keep, WAIT);
  new MutationObserver(soon).observe(body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-seq", "data-mark"] });
  soon();
  // Where there is no stream to follow any more, the table or the link is gone, and so is the copy.
  const forget = () => words.live || caches.open("winded").then(cache => cache.delete(location.pathname));
  new MutationObserver(forget).observe(body, { attributes: true, attributeFilter: ["data-live"] });
}
