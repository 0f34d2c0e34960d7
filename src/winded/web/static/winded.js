/* Keeps the view the newest, sends each act once, opens sheets, marks pips, hears keys. Knows no rule of the game. */
"use strict";
(() => {
  const body = document.body, words = body.dataset, at = words.at;
  const $ = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const by = id => document.getElementById(id);
  const on = (name, then) => document.addEventListener(name, then);
  const sheet = by("sheet");

  // What is said stays until it is put away.
  function say(what, cancel) {
    const place = (sheet?.open && $(".said", sheet)) || by("said");
    place?.replaceChildren();
    if (!place || !what) return;
    const box = document.createElement("div"), away = document.createElement("button");
    away.type = "button";
    away.textContent = "✕";
    away.ariaLabel = words.away || "OK";
    away.onclick = () => { say(); cancel?.(); };
    box.append(what, away);
    place.append(box);
  }
  const message = html => $(".message, main p", new DOMParser().parseFromString(html, "text/html"));

  // The stream. A silent one is replaced; an older view never covers a newer one.
  let source, every = 10000, heard = Date.now(), behind, again, tries = 0, chain = Promise.resolve();
  const seq = () => +(by("root")?.dataset.seq ?? -1);
  const swap = (target, text, style) => htmx.swap({ text, target, sourceElement: target, swap: style + "Morph" });

  function status(text, late) {
    const place = by("status");
    body.classList.toggle("behind", late);
    if (place && place.textContent !== text) place.textContent = text;
  }
  const late = () => status(words.behind.replace("{time}", new Date(heard).toLocaleTimeString([], { timeStyle: "short" })), true);
  function live() {
    heard = Date.now();
    tries = behind = clearTimeout(behind) || 0;
    status(words.on, false);
    watch();
  }
  function watch(patience = Infinity) {
    clearTimeout(again);
    again = setTimeout(lost, Math.min(2.5 * every, patience));
  }
  function lost() {
    behind ||= setTimeout(late, 700);
    leave();
    if (document.hidden) return;
    if (++tries % 4 == 0) fetch(location.href).then(answer => [403, 404].includes(answer.status) && gone(), () => {});
    again = setTimeout(join, Math.min(300 * tries, 3000));
  }
  function leave() {
    source?.close();
    source = null;
    clearTimeout(again);
  }
  function gone() {
    leave();
    words.live = "";
    clearTimeout(behind);
    status(words.gone, true);
    // Nothing here can be done any more, and nothing looks as if it could.
    sheet?.close();
    body.classList.add("gone");
    if (by("root")) by("root").inert = true;
    say(words.gone);
    dispatchEvent(new Event("winded:gone"));
  }
  function join() {
    leave();
    if (document.hidden || !words.live) return;
    const own = source = new EventSource(words.live + (words.live.includes("?") ? "&" : "?") + "seq=" + seq());
    const hear = (name, then) => own.addEventListener(name, event => {
      if (own !== source) return;
      live();
      then(JSON.parse(event.data));
    });
    hear("view", view => chain = chain.then(() => apply(view)).catch(wrong => { console.error(wrong); lost(); }));
    hear("beat", beat => { every = 1000 * (beat.every || 10); watch(); flush(); });
    hear("gone", gone);
    own.onerror = () => own === source && lost();
    // The server speaks at once; a connection kept from before may be as dead as the one it is to replace.
    watch(3000 + 1000 * tries);
  }

  const lineNumber = line => +line.id.slice(2);
  async function apply(view) {
    if (view.number < seq()) return;
    while (drag) await drag;
    const parts = view.fragments ?? {}, active = document.activeElement?.id, lines = by("lines");
    const told = Math.max(0, ...all("#lines > li").map(lineNumber));
    if (view.root) await swap(by("root"), view.root, "outer");
    for (const id in parts) {
      if (by(id)) await swap(by(id), parts[id], "outer");
      else if (id.startsWith("h-") && lines) {
        const next = all("li", lines).find(line => lineNumber(line) < +id.slice(2));
        next ? next.insertAdjacentHTML("beforebegin", parts[id]) : lines.insertAdjacentHTML("beforeend", parts[id]);
      } else {
        by("root").dataset.seq = -1;
        return join();
      }
    }
    by("root").dataset.seq = view.number;
    tell(told, all(".seat").filter(seat => seat.id in parts && $(".pips", seat)));
    all("#lines > li").slice(20).forEach(line => line.remove());
    if (active && document.activeElement === body) by(active)?.focus();
    mark();
    body.dispatchEvent(new Event("winded:view"));
    all("[hx-get]").forEach(one => one.checkVisibility() && htmx.trigger(one, "anew"));
    if (sheet?.open && !$("[data-keep]", sheet)) show(sheet.dataset.url, true);
  }
  // Each new line is read aloud once. Taking back tells no figures: whom it changed is told too.
  function tell(since, changed) {
    const place = by("hear");
    if (!place) return;
    const hear = text => place.append(Object.assign(document.createElement("p"), { textContent: text.trim() }));
    for (const line of all("#lines > li").reverse()) if (lineNumber(line) > since)
      for (const told of all("p", line)) {
        const copy = told.cloneNode(true), rule = $("small, [data-rule]", copy);
        rule?.remove();
        hear(copy.textContent);
        if (/^[ur][ne]do$/.test(rule?.textContent))
          for (const seat of changed) hear($("h3", seat).textContent + ": " + $(".pips", seat).ariaLabel);
      }
    while (place.children.length > 20) place.firstChild.remove();
  }

  // Acts, in the order of the taps. Each has a key and is done once, however often it is sent.
  const waiting = [];
  let sending = false, last, lastAt = 0;
  function send(url, data, form) {
    const what = url + data, now = Date.now();
    if ((what === last && now - lastAt < 400) || waiting.some(act => act.what === what)) return;
    last = what;
    lastAt = now;
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(36)).join("-");
    waiting.push({ what, url, form, data, key, until: now + 60000 });
    flush();
  }
  async function flush() {
    if (sending) return;
    sending = true;
    try {
      while (waiting.length && await sent(waiting[0]));
    } finally {
      sending = false;
    }
  }
  async function sent(act) {
    const { url, data, key, form } = act;
    const answer = await fetch(url, {
      method: "POST", body: data, signal: AbortSignal.timeout(8000), headers: { "Idempotency-Key": key, "HX-Request": "true" },
    }).catch(() => {});
    const waits = waiting.includes(act), drop = () => waiting.splice(waiting.indexOf(act), waiting.includes(act) ? 1 : 0);
    const again = (!answer || answer.status > 501) && waits && Date.now() < act.until;
    if (again) {
      say(words.kept, drop);
      setTimeout(flush, 1500);
      return false;
    }
    drop();
    if (answer && answer.status < 502) await answered(form, answer);
    else if (waits) say(words.givenUp);
    return true;
  }
  async function answered(form, answer) {
    const html = await answer.text(), told = message(html), inside = form && sheet?.contains(form);
    if (!answer.ok) return say(told ?? answer.statusText);
    if (inside && html && !told) fill(html);
    else if (inside && !form.hasAttribute("data-stay")) sheet.close();
    else form?.reset();
    say(told);
  }
  on("submit", event => {
    const form = event.target, button = event.submitter, url = form.getAttribute("action") ?? at + "/do";
    if (!at || form.method === "dialog" || !url.startsWith(at) || "plain" in form.dataset || "answers" in form.dataset) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form));
    if (button?.name === "act") for (const [name, value] of new URLSearchParams(button.value)) data.set(name, value);
    else if (button?.name) data.append(button.name, button.value);
    send(url, data, form);
  });

  // Sheets follow the newest state too, and keep what is being typed.
  function fill(html) {
    sheet.innerHTML = html;
    sheet.className = sheet.firstElementChild.dataset.looks ?? "";
    if (by("keys-on")) by("keys-on").checked = !localStorage.winded;
    if (!sheet.open) sheet.showModal();
    htmx.process(sheet);
    const script = sheet.firstElementChild.dataset.script;
    if (script) import(script);
    ($("[autofocus]", sheet) ?? sheet).focus();
    mark();
  }
  async function show(url, anew) {
    const answer = await fetch(at + "/sheet/" + url).catch(() => {});
    if (!answer) return anew || say(words.kept);
    const html = await answer.text();
    if (!answer.ok) return anew ? sheet.close() : say(message(html));
    if (!anew) {
      sheet.dataset.url = url;
      fill(html);
    } else if (sheet.open && sheet.dataset.url === url && !$("[data-keep]", sheet)) {
      // What is shown once, such as a link, may have come in the meantime.
      await swap(sheet, html, "inner");
      if (document.activeElement === body) sheet.focus();
      mark();
    }
  }
  on("click", event => {
    const closest = query => event.target.closest(query), open = closest("[data-sheet]"), move = closest("[data-move]");
    if (open || closest("[aria-disabled=true]")) event.preventDefault();
    if (open && !dragged) show(open.dataset.sheet);
    if (closest("[data-rule]")) show("rules?of=" + event.target.textContent);
    if (event.target === sheet) sheet.close();
    if (move) shift(move.closest("li"), move.dataset.move < 0, move);
    if (closest("[data-all]")) {
      event.target.form.reset();
      mark();
    }
  });
  sheet?.addEventListener("close", () => {
    sheet.replaceChildren();
    restore?.();
    restore = null;
    mark();
  });

  // The pips that would be spent by what is pointed at, focused or chosen.
  let over;
  function mark() {
    // A button that acts on whoever is ticked names them.
    const ticked = sheet?.open && all("th :checked + span bdi", sheet).map(one => one.textContent);
    for (const one of ticked ? all("[data-chosen]", sheet) : []) {
      one.dataset.chosen ||= one.textContent;
      one.textContent = ticked.slice(0, 5).join(", ") + (ticked[5] ? " …" : "") || one.dataset.chosen;
    }
    all(".pips .m").forEach(pip => pip.classList.remove("m"));
    const chosen = (over?.isConnected && over) || document.activeElement?.closest("[data-spend]") || (sheet?.open && $("[data-spend]:has(:checked)", sheet));
    const scope = chosen && chosen.closest("dialog, .seat, .hand");
    if (scope && +chosen.dataset.spend) all(".pips b", scope).slice(-chosen.dataset.spend).forEach(pip => pip.classList.add("m"));
  }
  const point = event => { over = event.target.closest?.("[data-spend]"); mark(); };
  on("pointerover", point);
  on("pointerdown", point);
  on("pointerout", event => event.relatedTarget || point({ target: body }));
  on("focusin", () => point({ target: body }));
  on("change", event => {
    if (event.target.id === "keys-on") localStorage.winded = event.target.checked ? "" : "no keys";
    mark();
  });

  // The order: by drag, or by arrow keys and Enter; a sheet then asks for the reason.
  let drag, dragged = false, restore;
  function remember(line) {
    const before = [...line.children];
    restore ??= () => before.every(one => one.parentNode === line) && line.append(...before);
  }
  function shift(item, back, focus) {
    const other = back ? item.previousElementSibling : item.nextElementSibling;
    if (!other || !$("[data-name]", other)) return;
    other[back ? "before" : "after"](item);
    focus.focus();
  }
  const reorder = line => show("reorder?" + new URLSearchParams(all("[data-name]", line).map(one => ["order", one.dataset.name])));
  on("pointerdown", event => {
    dragged = false;
    const item = event.target.closest(".line [data-name]")?.closest("li");
    if (!item || event.button) return;
    let done;
    const line = item.parentElement, { clientX, clientY } = event;
    const move = event => {
      if (!dragged) {
        if (Math.hypot(event.clientX - clientX, event.clientY - clientY) < 7) return;
        dragged = true;
        drag = new Promise(over => done = over);
        remember(line);
        item.classList.add("held");
      }
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".line li");
      if (!under || under === item || !$("[data-name]", under)) return;
      const box = under.getBoundingClientRect();
      under[event.clientX > box.left + box.width / 2 ? "after" : "before"](item);
    };
    const end = event => {
      for (const name of ["pointermove", "pointerup", "pointercancel"]) document.removeEventListener(name, name === "pointermove" ? move : end);
      item.classList.remove("held");
      drag = null;
      done?.();
      if (dragged && event.type === "pointerup") reorder(line);
      else restore = restore?.();
    };
    on("pointermove", move);
    on("pointerup", end);
    on("pointercancel", end);
  });

  // An order that was moved by keys and left without Enter was never asked for: it goes back.
  on("focusout", event => {
    if (drag || !restore || !event.target.closest(".line") || event.relatedTarget?.closest(".line, dialog")) return;
    setTimeout(() => sheet?.open || drag || document.activeElement?.closest(".line") || (restore = restore?.()));
  });

  on("keydown", event => {
    const focus = event.target, key = event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (focus.matches(".line [data-name]") && /^Arrow|^Enter/.test(key)) {
      const line = focus.closest(".line");
      event.preventDefault();
      if (key === "Enter") return reorder(line);
      remember(line);
      return shift(focus.closest("li"), /Left|Up/.test(key), focus);
    }
    if (sheet?.open || event.repeat || focus.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    if (localStorage.winded && key !== "?") return;
    const seat = +key && all(".seat")[key - 1], button = all("[data-key]").find(one => one.dataset.key === key);
    if (seat) $("h3", seat).focus();
    if (!button) return;
    event.preventDefault();
    button.focus();
    button.click();
  });

  if (words.live) {
    join();
    if (/^#ahead/.test(location.hash)) show(location.hash.slice(1));
    on("visibilitychange", () => {
      lost();
      tries = 0;
      join();
    });
    addEventListener("online", () => { join(); flush(); });
    addEventListener("pageshow", event => event.persisted && join());
  }
})();
