// The service worker: the network first, and what was kept where there is none. It never touches a live stream.
"use strict";
const NAME = "winded";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.endsWith("/live")) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fromKept(request));
  else if (request.mode === "navigate" && !url.search && /^\/(tables\/[a-z0-9]+)?$/.test(url.pathname)) event.respondWith(fromNetwork(request));
});

// A guest network's login page, in place of what was asked for, is none of ours.
const isOurs = answer => answer.headers.has("winded");

// Files carry a mark of their content in their address: what is kept is never stale.
async function fromKept(request) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && isOurs(answer)) {
    for (const old of await cache.keys()) {
      const url = new URL(old.url);
      if (url.pathname === new URL(request.url).pathname) await cache.delete(old);
    }
    await cache.put(request, answer.clone());
  }
  return answer;
}

async function fromNetwork(request) {
  const cache = await caches.open(NAME);
  const path = new URL(request.url).pathname;
  try {
    const answer = await fetch(request);
    // Whoever may not see the table any more keeps no copy of it.
    if (!isOurs(answer)) return answer;
    if (answer.ok && !answer.redirected) await cache.put(path, answer.clone());
    else if (answer.status < 500) await cache.delete(path);
    return answer;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}
