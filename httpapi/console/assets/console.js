"use strict";
// What pages do besides, where scripts run. Each of them works without this.
(() => {
  // <section id="…" data-live="3"> is read anew every 3 seconds, until it is paused.
  for (const region of document.querySelectorAll("[data-live]")) {
    const every = 1000 * Number(region.dataset.live);
    const button = document.createElement("button");
    const state = document.createElement("span");
    let timer = 0, asked = null, paused = false;
    button.type = "button";
    state.className = "muted small";
    state.setAttribute("role", "status");
    const show = () => {
      button.textContent = paused ? "Resume" : "Pause";
      state.textContent = paused ? "Paused" : "Live";
    };
    const stop = () => {
      clearTimeout(timer);
      timer = 0;
      if (asked) asked.abort();
      asked = null;
    };
    const start = () => {
      stop();
      if (!paused && !document.hidden) timer = setTimeout(read, every);
    };
    const read = async () => {
      const mine = asked = new AbortController();
      try {
        const answer = await fetch(location.href, {signal: mine.signal, credentials: "same-origin", cache: "no-store", redirect: "error"});
        const text = await answer.text();
        if (mine !== asked || paused) return;
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(region.id);
        if (!answer.ok || !fresh) throw new Error();
        const at = document.activeElement, focus = region.contains(at) ? at.id : "";
        region.replaceChildren(...fresh.childNodes);
        if (focus) document.getElementById(focus)?.focus({preventScroll: true});
      } catch {
        if (mine !== asked) return;
        paused = true;
        show();
        state.textContent = "Paused: the server does not answer";
      }
      asked = null;
      start();
    };
    button.addEventListener("click", () => { paused = !paused; show(); start(); });
    document.addEventListener("visibilitychange", start);
    const place = document.querySelector(`[data-live-controls="${region.id}"]`) || region.parentNode.insertBefore(document.createElement("div"), region);
    place.append(button, " ", state);
    show();
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
})();
