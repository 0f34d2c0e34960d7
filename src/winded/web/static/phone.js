// The player's phone: the tabs follow the swipe, and the screen stays awake where the browser allows it.
// What is kept of the view, the live stream and the forms are in winded.js and keep.js.
"use strict";
(() => {
  const hands = () => document.getElementById("hands");
  const shown = () => {
    const all = hands();
    const at = Math.round(Math.abs(all.scrollLeft) / (all.clientWidth || 1));
    return all.children[Math.min(at, all.children.length - 1)];
  };

  const show = (hand) => hands().scrollTo({ left: hand.offsetLeft - hands().offsetLeft });

  let now = "";
  let turn;
  let held;
  function mark() {
    // A character that was just taken up is what one wants to see.
    const ids = [...document.querySelectorAll("[data-character]")].map((hand) => hand.id);
    const taken = held && ids.find((id) => !held.includes(id));
    held = ids;
    if (taken) show(document.getElementById(taken));
    const id = shown()?.id;
    for (const tab of document.querySelectorAll("#tabs a")) {
      if (tab.hash !== `#${id}`) tab.removeAttribute("aria-current");
      else if (!tab.hasAttribute("aria-current")) tab.setAttribute("aria-current", "true");
    }
    // What was asked stands above the hands now, with the way to take it back.
    if (document.querySelector("#asks .wish")) document.querySelector("#said [data-asked]")?.parentElement.remove();
    if (now !== id) document.querySelector("#tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    now = id;
    // The order is longer than a narrow phone: whoever acts is the one to see in it.
    const acts = document.querySelector(".order [aria-current]");
    if (acts !== turn) acts?.scrollIntoView({ block: "nearest", inline: "center" });
    turn = acts;
  }

  // The scrolling box itself is swapped when a character comes or goes: listen where everything passes.
  document.addEventListener("scroll", (event) => event.target.id === "hands" && mark(), { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("#tabs a");
    const hand = tab && document.getElementById(tab.hash.slice(1));
    if (!hand) return;
    event.preventDefault();
    history.replaceState(null, "", tab.hash);
    show(hand);
    hand.focus({ preventScroll: true });
  });
  // What opens below the edge comes up, as far as what one has leaves it room.
  document.addEventListener("click", (event) => {
    const opens = event.target.closest(".sheet summary")?.parentElement;
    if (!opens || opens.open) return;
    requestAnimationFrame(() => {
      const sheet = opens.closest(".sheet");
      const room = sheet.getBoundingClientRect();
      const has = sheet.querySelector(".have");
      const top = has && getComputedStyle(has).position === "sticky" ? has.getBoundingClientRect().bottom : room.top;
      const box = opens.getBoundingClientRect();
      sheet.scrollBy({ top: Math.max(0, Math.min(box.bottom - room.bottom + 8, box.top - top - 8)) });
    });
  });
  // What was filled in has been done: the form is clean again, and is put away.
  document.addEventListener("reset", (event) => {
    const open = event.target.closest(".hand details, #making");
    if (!open) return;
    if (open.contains(document.activeElement)) open.querySelector("summary").focus();
    open.open = false;
  });
  // A swap sets the marks back to what the server knows, which is nothing of tabs.
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", mark);
  mark();

  let lock = null;
  async function stayAwake() {
    if (document.hidden || lock || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
    } catch {
      lock = null; // A low battery says no; the screen then sleeps as it always does.
    }
  }
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
