// Keeps the newest view for a reload without a connection. Browsers allow it on this machine and over https only.
"use strict";
(() => {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return;
  navigator.serviceWorker.register("/worker.js").catch(() => {});

  let kept = "";
  let waiting = 0;
  function keep() {
    waiting = 0;
    const root = document.getElementById("root");
    const seq = root?.dataset.seq;
    if (!root || seq === kept) return;
    kept = seq;
    const page = new Response(`<!doctype html>${document.documentElement.outerHTML}`, {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
    caches.open("winded").then((cache) => cache.put(location.pathname, page)).catch(() => {});
  }
  const soon = () => (waiting ||= setTimeout(keep, 500));
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-seq"] });
  soon();

  // Where there is no stream to follow any more, the table or the link is gone, and so is the copy.
  const forget = () => document.body.dataset.live || caches.open("winded").then((cache) => cache.delete(location.pathname));
  new MutationObserver(forget).observe(document.body, { attributes: true, attributeFilter: ["data-live"] });
})();
