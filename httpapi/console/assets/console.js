"use strict";
// What pages do besides, where scripts run. Each of them works without this.
(() => {
  // <section id="…" data-live="3"> is read anew every 3 seconds, until it is paused. With
  // data-live-events it is read when that stream says that it changed. What fails is tried
  // again, each time after twice as long, up to a minute.
  for (const region of document.querySelectorAll("[data-live]")) {
    const every = 1000 * Number(region.dataset.live), events = region.dataset.liveEvents;
    const button = document.createElement("button");
    const state = document.createElement("span");
    let timer = 0, asked = null, stream = null, paused = false, failed = 0;
    const place = document.querySelector(`[data-live-controls="${region.id}"]`) ||
      region.parentNode.insertBefore(document.createElement("div"), region);
    button.type = "button";
    state.className = "muted small";
    state.setAttribute("role", "status");
    const say = (...parts) => {
      button.textContent = paused ? "Resume" : "Pause";
      if (state.textContent !== parts.map(p => p.textContent ?? p).join("")) state.replaceChildren(...parts);
    };
    const stop = () => {
      clearTimeout(timer);
      timer = 0;
      asked?.abort();
      stream?.abort();
      asked = stream = null;
    };
    const later = (then, ms) => { clearTimeout(timer); timer = setTimeout(then, ms); };
    const wait = (seconds, signedOut) => {
      if (paused || document.hidden) return;
      if (signedOut) {
        const link = document.createElement("a");
        link.href = location.href;
        link.textContent = "Sign in";
        say("Signed out ", link);
      } else {
        const left = state.querySelector("[aria-hidden]") || document.createElement("span");
        left.setAttribute("aria-hidden", "true");
        left.textContent = ` in ${seconds} s`;
        if (!left.parentNode) say("Reconnecting", left);
      }
      later(seconds > 1 ? () => wait(seconds - 1, signedOut) : read, 1000);
    };
    const fail = (status) => {
      stop();
      wait(Math.min(2 ** ++failed, 60), status === 401);
    };
    const read = async () => {
      const mine = asked = new AbortController();
      let status = 0, ended = false;
      try {
        const leads = "liveLeads" in region.dataset;
        const answer = await fetch(location.href, {
          signal: mine.signal, credentials: "same-origin", cache: "no-store", redirect: leads ? "manual" : "error",
        });
        if (answer.type === "opaqueredirect") return location.reload(); // to where it leads
        status = answer.status;
        const text = await answer.text();
        if (mine !== asked || paused) return;
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(region.id);
        if (!answer.ok || !fresh) throw new Error();
        ended = !fresh.dataset.live;
        const at = document.activeElement, focus = region.contains(at) ? at.id : "";
        for (const shown of region.querySelectorAll("details[id][open]")) {
          fresh.querySelector(`#${CSS.escape(shown.id)}`)?.setAttribute("open", "");
        }
        region.replaceChildren(...fresh.childNodes);
        if (focus) document.getElementById(focus)?.focus({preventScroll: true});
      } catch {
        if (mine === asked) fail(status);
        return;
      }
      asked = null;
      failed = 0;
      if (ended) { // it does not change any more
        stop();
        paused = true;
        return place.replaceChildren();
      }
      say("Live");
      next();
    };
    const listen = async () => {
      const mine = stream = new AbortController();
      let status = 0;
      try {
        const answer = await fetch(events, {
          signal: mine.signal, credentials: "same-origin", cache: "no-store", redirect: "error",
        });
        status = answer.status;
        if (!answer.ok) throw new Error();
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let first = true, text = "";
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          text += part.value;
          if (!text.includes("\n\n")) continue;
          if (text.includes("event: changed") && !first && !asked) read();
          first = false;
          text = "";
        }
        if (mine === stream) fail(0);
      } catch {
        if (mine === stream) status === 503 ? later(read, every) : fail(status);
      }
    };
    const next = () => {
      if (paused || document.hidden) return;
      if (!events) later(read, every);
      else if (!stream) listen();
    };
    const start = () => {
      stop();
      say(paused ? "Paused" : "Live");
      next();
    };
    button.addEventListener("click", () => { paused = !paused; start(); });
    document.addEventListener("visibilitychange", () => { start(); if (!document.hidden && !paused) read(); });
    addEventListener("online", () => { if (failed && !paused) read(); });
    place.append(button, " ", state);
    start();
  }

  // <form data-confirm="Delete it?"> asks before it sends.
  document.addEventListener("submit", event => {
    const question = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (question && !confirm(question)) event.preventDefault();
  });

  // <button type="button" data-copy="id of an element" hidden> copies its text.
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      const before = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = before; }, 1500);
    });
  }

  // <input type="file" data-most="1000"> refuses larger files before they are sent.
  document.addEventListener("change", event => {
    const most = Number(event.target.dataset.most), files = Array.from(event.target.files || []);
    if (!most) return;
    const large = files.find(file => file.size > most);
    event.target.setCustomValidity(large ? `${large.name} is larger than ${Math.floor(most / 2 ** 20)} MiB.` : "");
    event.target.reportValidity();
  });
})();
