/* Winded in the browser: keeps the view the newest, sends each act once, opens sheets, marks pips, listens for keys.
   What the server says is HTML and is swapped in as it is; no rule and no word of the game lives here. */
"use strict";
(() => {
  const body = document.body, words = body.dataset, at = words.at;
  const $ = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const by = id => document.getElementById(id);
  const sheet = by("sheet");
  const on = (name, then, options) => document.addEventListener(name, then, options);

  // What is said: an answer of the server, or words that stand on the page. It stays until it is put away.
  function say(what, cancel) {
    const place = (sheet?.open && $(".said", sheet)) || by("said");
    if (!place) return;
    place.replaceChildren();
    if (!what) return;
    const box = document.createElement("div"), away = document.createElement("button");
    box.append(what);
    away.type = "button";
    away.textContent = "✕";
    away.ariaLabel = words.away || "OK";
    away.onclick = () => { say(); cancel?.(); };
    box.append(away);
    place.append(box);
  }
  const message = html => $(".message", new DOMParser().parseFromString(html, "text/html"));

  // The live view. An older number is never shown over a newer one; a stream that has gone silent is replaced.
  let source, every = 10000, heard = Date.now(), behind, again, tries = 0, chain = Promise.resolve();
  const seq = () => +(by("root")?.dataset.seq ?? -1);
  const morph = (target, text) => htmx.swap({ text, target, sourceElement: target, swap: "outerMorph" });

  function status(late) {
    const place = by("status");
    body.classList.toggle("behind", late);
    const text = late
      ? words.behind.replace("{time}", new Date(heard).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" }))
      : words.on;
    if (place && place.textContent !== text) place.textContent = text;
  }
  function live() {
    heard = Date.now();
    tries = 0;
    clearTimeout(behind);
    behind = 0;
    status(false);
    clearTimeout(again);
    again = setTimeout(lost, 2.5 * every);
  }
  function lost() {
    behind ||= setTimeout(status, 700, true);
    source?.close();
    clearTimeout(again);
    if (document.hidden) return;
    if (++tries % 4 == 0) fetch(location.href).then(answer => [403, 404].includes(answer.status) && gone(), () => {});
    again = setTimeout(join, Math.min(300 * tries, 3000));
  }
  function gone() {
    leave();
    words.live = "";
    body.classList.add("behind");
    if (by("status")) by("status").textContent = words.gone;
    say(words.gone);
    dispatchEvent(new Event("winded:gone"));
  }
  function leave() {
    source?.close();
    source = null;
    clearTimeout(again);
  }
  function join() {
    leave();
    if (document.hidden || !words.live) return;
    const own = source = new EventSource(words.live + (words.live.includes("?") ? "&" : "?") + "seq=" + seq());
    const hear = (name, then) => own.addEventListener(name, event => {
      if (own !== source) return;
      live();
      then(event.data && JSON.parse(event.data));
    });
    hear("view", view => chain = chain.then(() => apply(view)));
    hear("beat", beat => { every = 1000 * (beat?.every || 10); flush(); });
    hear("gone", gone);
    own.onerror = () => own === source && lost();
    // The server speaks at once; a connection kept from before may be as dead as the one it is to replace.
    again = setTimeout(lost, Math.min(2.5 * every, 3000 + 1000 * tries));
  }
  // What happened is read aloud as it is told: each new line once, without what stands around it.
  const lineNumber = line => +line.id.slice(2);
  const newestLine = () => Math.max(0, ...all("#lines > li").map(lineNumber));
  function tell(since, changed) {
    const place = by("hear");
    if (!place) return;
    const hear = text => place.append(Object.assign(document.createElement("p"), { textContent: text.trim() }));
    for (const line of all("#lines > li").filter(line => lineNumber(line) > since).reverse())
      for (const told of all("p", line)) {
        const copy = told.cloneNode(true), rule = $("small", copy);
        rule?.remove();
        hear(copy.textContent);
        // What is taken back or put back tells no figures of its own.
        if (/^[ur][ne]do$/.test(rule?.textContent))
          for (const seat of changed) hear($("h3", seat).textContent + ": " + $(".pips", seat).ariaLabel);
      }
    while (place.children.length > 20) place.firstChild.remove();
  }
  async function apply(view) {
    if (view.number < seq()) return;
    while (drag) await drag.over;
    const told = newestLine();
    const active = document.activeElement?.id;
    if (view.root) await morph(by("root"), view.root);
    for (const [id, html] of Object.entries(view.fragments ?? {})) {
      const place = by(id), lines = by("lines");
      if (place) await morph(place, html);
      else if (id.startsWith("h-") && lines) {
        const next = all("li", lines).find(line => lineNumber(line) < +id.slice(2));
        next ? next.insertAdjacentHTML("beforebegin", html) : lines.insertAdjacentHTML("beforeend", html);
      } else {
        by("root").dataset.seq = -1;
        return join();
      }
    }
    by("root").dataset.seq = view.number;
    tell(told, all(".seat").filter(seat => seat.id in (view.fragments ?? {}) && $(".pips", seat)));
    all("#lines > li").slice(40).forEach(line => line.remove());
    if (active && document.activeElement === body) by(active)?.focus();
    $("[aria-current]", $(".line") ?? body)?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    mark();
    if (sheet?.open && !$("[data-keep]", sheet)) show(sheet.dataset.url, true);
    body.dispatchEvent(new CustomEvent("winded:view", { detail: view }));
  }

  // Acts. Each tap has a key of its own and is done once, however often it must be sent; in the order of the taps.
  const lately = new Map(), waiting = [];
  let sending = false;
  function send(url, data, form) {
    const what = url + "?" + data, now = Date.now();
    if (now - (lately.get(what) ?? 0) < 400 || waiting.some(act => act.what === what)) return;
    lately.set(what, now);
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
    waiting.push({ what, url, form, body: String(data), key, until: now + 60000 });
    flush();
  }
  async function flush() {
    if (sending) return;
    sending = true;
    while (waiting.length) {
      const act = waiting[0];
      let answer;
      try {
        answer = await fetch(act.url, {
          method: "POST", body: act.body, signal: AbortSignal.timeout(8000),
          headers: { "Content-Type": "application/x-www-form-urlencoded", "Idempotency-Key": act.key, "HX-Request": "true" },
        });
      } catch { /* no connection: kept, and said so */ }
      if (!answer || answer.status > 501) {
        if (!waiting.includes(act)) continue;
        if (Date.now() > act.until) {
          waiting.shift();
          say(words.givenUp);
          continue;
        }
        say(words.kept, () => waiting.splice(waiting.indexOf(act), 1));
        setTimeout(flush, 1500);
        break;
      }
      if (waiting[0] === act) waiting.shift();
      await answered(act, answer);
    }
    sending = false;
  }
  async function answered(act, answer) {
    const html = await answer.text(), told = message(html), inside = act.form && sheet?.contains(act.form);
    if (!answer.ok) return say(told ?? words.failed ?? answer.statusText);
    if (inside && html && !told) fill(html);
    else if (inside && act.form.hasAttribute("data-stay")) {
      act.form.reset();
      await show(sheet.dataset.url, true);
    } else if (inside) sheet.close();
    else act.form?.reset();
    say(told);
  }
  on("submit", event => {
    const form = event.target, button = event.submitter;
    if (!at || form.method !== "post" || !form.getAttribute("action").startsWith(at) || form.hasAttribute("data-plain")) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form));
    if (button?.name === "act") for (const [name, value] of new URLSearchParams(button.value)) data.set(name, value);
    else if (button?.name) data.append(button.name, button.value);
    send(form.getAttribute("action"), data, form);
  });

  // Sheets: what needs more room than a button. They follow the newest state too, and keep what is being typed.
  function fill(html) {
    sheet.innerHTML = html;
    sheet.className = sheet.firstElementChild?.dataset.looks ?? "";
    if (!sheet.open) sheet.showModal();
    ($("[autofocus]", sheet) ?? sheet).focus();
    mark();
  }
  async function show(url, anew) {
    let answer;
    try {
      answer = await fetch(at + "/sheet/" + url);
    } catch {
      return anew || say(words.kept);
    }
    const html = await answer.text();
    if (!answer.ok) return anew ? sheet.close() : say(message(html) ?? $("main p", new DOMParser().parseFromString(html, "text/html")));
    if (!anew) {
      sheet.dataset.url = url;
      fill(html);
    } else if (sheet.open && sheet.dataset.url === url) {
      await htmx.swap({ text: html, target: sheet, sourceElement: sheet, swap: "innerMorph" });
      mark();
    }
  }
  on("click", event => {
    const open = event.target.closest("[data-sheet]"), move = event.target.closest("[data-move]");
    if (open || event.target.closest("[aria-disabled=true]")) event.preventDefault();
    if (open && !dragged) show(open.dataset.sheet);
    if (event.target === sheet || event.target.closest("[data-close]")) sheet.close();
    if (move) shift(move.closest("li"), +move.dataset.move, move);
    const all_ = event.target.closest("[data-all]");
    if (all_) all("input[type=checkbox]", all_.form).forEach(box => box.checked = true);
  });
  sheet?.addEventListener("close", () => {
    sheet.replaceChildren();
    restore?.();
    restore = null;
    mark();
  });

  // The pips that what is pointed at, focused or chosen would spend.
  let over;
  function mark() {
    all(".pips .m").forEach(pip => pip.classList.remove("m"));
    const chosen = (over?.isConnected && over) || document.activeElement?.closest("[data-spend]") || (sheet?.open && $("[data-spend]:has(:checked)", sheet));
    const scope = chosen?.closest?.("dialog, .seat, .hand");
    if (scope && +chosen.dataset.spend) all(".pips b", scope).slice(-chosen.dataset.spend).forEach(pip => pip.classList.add("m"));
  }
  for (const name of ["pointerover", "pointerdown"]) on(name, event => { over = event.target.closest?.("[data-spend]"); mark(); });
  on("pointerout", event => { if (!event.relatedTarget) { over = null; mark(); } });
  on("focusin", () => { over = null; mark(); });
  on("change", mark);

  // The order: moved by drag or by arrow keys in the line of the round, or in its sheet; saved there with a reason.
  let drag, dragged = false, restore;
  const names = line => all("[data-name]", line).map(one => one.dataset.name);
  function remember(line) {
    const before = [...line.children];
    restore ??= () => line.isConnected && before.every(one => one.isConnected) && line.append(...before);
  }
  function shift(item, by, focus) {
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other || !$("[data-name]", other)) return;
    by < 0 ? other.before(item) : other.after(item);
    focus?.focus();
  }
  const reorder = line => show("reorder?" + new URLSearchParams(names(line).map(name => ["order", name])));
  on("pointerdown", event => {
    dragged = false;
    const handle = event.target.closest(".line [data-name]");
    if (!handle || event.button) return;
    let done;
    const item = handle.closest("li"), line = item.parentElement, from = event.clientX, top = event.clientY;
    const move = event => {
      if (!dragged && Math.hypot(event.clientX - from, event.clientY - top) < 7) return;
      if (!dragged) {
        dragged = true;
        drag = { over: new Promise(over => done = over) };
        remember(line);
        item.classList.add("held");
      }
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("li");
      if (!under || under === item || under.parentElement !== line || !$("[data-name]", under)) return;
      const box = under.getBoundingClientRect();
      event.clientX > box.left + box.width / 2 ? under.after(item) : under.before(item);
    };
    const end = event => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      item.classList.remove("held");
      drag = null;
      done?.();
      if (dragged && event.type === "pointerup") reorder(line);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });

  on("keydown", event => {
    const focus = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step && focus.matches(".line [data-name]")) {
      event.preventDefault();
      remember(focus.closest(".line"));
      shift(focus.closest("li"), step, focus);
      return;
    }
    if (event.key === "Enter" && focus.matches(".line [data-name]")) {
      event.preventDefault();
      return reorder(focus.closest(".line"));
    }
    if (sheet?.open || focus.matches("input:not([type=checkbox], [type=radio]), textarea, select") || event.repeat) return;
    const seat = /^[1-9]$/.test(event.key) && all(".seat")[event.key - 1];
    if (seat) {
      $("h3", seat).focus();
      seat.scrollIntoView({ block: "nearest" });
    }
    const button = all("[data-key]").find(one => one.dataset.key === event.key);
    if (button) {
      event.preventDefault();
      button.focus();
      button.click();
    }
  });

  if (words.live) {
    join();
    on("visibilitychange", () => document.hidden ? leave() : (lost(), tries = 0, join()));
    addEventListener("online", () => { join(); flush(); });
    addEventListener("pageshow", event => event.persisted && join());
  }
})();
