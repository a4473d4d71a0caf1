"use strict";
// The chart of a schedule: a task in a drawer with its links shown, zoom and folds in place,
// the picture moved by dragging it, and keys. Without this each of them is a page.
(() => {
  const chart = document.getElementById("chart");
  if (!chart) return;
  const form = document.querySelector("form.search");
  const scales = ["quarter", "month", "week", "day"];
  let drawer = null, shown = "", back = null, asked = null;

  const plain = event => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const rows = () => Array.from(chart.querySelectorAll(".plan tbody tr"));
  const links = () => Array.from(chart.querySelectorAll(".plan .to"));
  const get = async (address) => {
    asked?.abort();
    asked = new AbortController();
    const answer = await fetch(address, {
      signal: asked.signal, credentials: "same-origin", cache: "no-store", redirect: "error",
    });
    if (!answer.ok) throw new Error(answer.status);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  // show replaces the chart by that of an address, which becomes the address of the page.
  const show = async (address, focus, keep) => {
    chart.setAttribute("aria-busy", "true");
    try {
      const left = chart.querySelector(".picture")?.scrollLeft || 0;
      const fresh = (await get(address)).getElementById("chart");
      if (!fresh) throw new Error();
      chart.replaceChildren(...fresh.childNodes);
      if (!keep) history.pushState(null, "", address);
      const picture = chart.querySelector(".picture");
      if (picture) picture.scrollLeft = left;
      if (focus) document.getElementById(focus)?.focus({preventScroll: true});
      if (drawer) mark(shown);
    } catch (e) {
      if (e.name !== "AbortError") location.assign(address);
    }
    chart.removeAttribute("aria-busy");
  };
  const zoom = (value) => {
    if (form.elements.scale) form.elements.scale.value = value;
    show("?" + new URLSearchParams(new FormData(form)), document.activeElement?.id);
  };

  // mark shows which bar, which rows and which links belong to a task.
  const mark = (address) => {
    const marks = ["chosen", "linked", "choosing"];
    for (const e of chart.querySelectorAll(".chosen,.linked,.choosing")) e.classList.remove(...marks);
    const all = rows(), at = all.findIndex(row => row.querySelector(".to")?.href === address);
    if (at < 0) return;
    all[at].classList.add("chosen");
    chart.querySelector(".picture svg")?.classList.add("choosing");
    chart.querySelector(`g[data-row="${at}"]`)?.classList.add("chosen");
    for (const line of chart.querySelectorAll(`path[data-from="${at}"],path[data-to="${at}"]`)) {
      line.classList.add("chosen");
      all[line.dataset.from === String(at) ? line.dataset.to : line.dataset.from]?.classList.add("linked");
    }
  };

  const close = () => {
    if (!drawer) return;
    drawer.remove();
    drawer = null;
    mark(shown = "");
    back?.focus({preventScroll: true});
  };
  // open shows a task next to the chart, from its page.
  const open = async (address) => {
    if (!drawer) back = document.activeElement;
    try {
      const main = (await get(address)).querySelector("main");
      const title = document.createElement("h2"), button = document.createElement("button");
      const whole = document.createElement("a");
      title.textContent = main.querySelector("h1").textContent;
      title.tabIndex = -1;
      button.type = "button";
      button.textContent = "Close";
      button.addEventListener("click", close);
      whole.href = address;
      whole.className = "button";
      whole.textContent = "Open its page";
      const parts = Array.from(main.querySelectorAll(":scope > .facts, :scope > .move, :scope > .columns > section"));
      for (const part of parts) {
        for (const a of part.querySelectorAll("a")) a.href = new URL(a.getAttribute("href"), address).href;
        for (const f of part.querySelectorAll("form")) f.action = new URL(f.getAttribute("action"), address).href;
        for (const h of part.querySelectorAll("h2")) {
          const lower = document.createElement("h3");
          lower.textContent = h.textContent;
          h.replaceWith(lower);
        }
      }
      if (!drawer) {
        drawer = document.createElement("aside");
        drawer.className = "drawer";
        drawer.setAttribute("aria-label", "Task");
        chart.after(drawer);
      }
      const actions = document.createElement("p");
      actions.className = "row";
      actions.append(whole, button);
      drawer.replaceChildren(title, actions, ...parts);
      drawer.scrollTop = 0;
      mark(shown = address);
      title.focus({preventScroll: true});
    } catch (e) {
      if (e.name !== "AbortError") location.assign(address);
    }
  };

  // A drag of the picture moves it. What ends one is no click on a bar.
  let drag = null, dragged = false;
  chart.addEventListener("pointerdown", event => {
    const picture = event.target.closest(".picture");
    dragged = false;
    if (!picture || event.defaultPrevented || event.button !== 0 || event.pointerType !== "mouse") return;
    drag = {picture, x: event.clientX, left: picture.scrollLeft};
  });
  addEventListener("pointermove", event => {
    if (!drag) return;
    if (Math.abs(event.clientX - drag.x) > 4) dragged = true;
    if (dragged) {
      drag.picture.scrollLeft = drag.left - (event.clientX - drag.x);
      drag.picture.classList.add("dragged");
      getSelection()?.removeAllRanges();
    }
  });
  addEventListener("pointerup", () => {
    drag?.picture.classList.remove("dragged");
    drag = null;
  });

  document.addEventListener("click", event => {
    if (!plain(event)) return;
    const bar = event.target.closest("g[data-row]"), link = event.target.closest("a");
    if (bar && chart.contains(bar)) {
      const to = rows()[bar.dataset.row]?.querySelector(".to");
      if (to && !dragged) open(to.href);
    } else if (link && chart.contains(link) && link.matches(".fold,.folding a")) {
      event.preventDefault();
      show(link.href, link.id);
    } else if (link && drawer?.contains(link) && links().some(to => to.href === link.href)) {
      event.preventDefault();
      open(link.href);
    }
  });
  form?.addEventListener("change", event => { if (event.target.name === "scale") zoom(event.target.value); });
  addEventListener("popstate", () => show(location.href, "", true));

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,select,textarea")) return;
    if (event.key === "Escape") return close();
    if (!chart.contains(event.target)) return;
    const all = links(), at = all.indexOf(event.target.closest("tr")?.querySelector(".to"));
    const fold = at >= 0 ? all[at].closest("tr").querySelector(".fold") : null;
    const open_ = fold?.getAttribute("aria-expanded") === "true";
    const scale = scales.indexOf(form?.elements.scale?.value);
    let done = true;
    if (event.key === "ArrowDown" && at >= 0) all[at + 1]?.focus();
    else if (event.key === "ArrowUp" && at >= 0) all[at - 1]?.focus();
    else if (fold && event.key === (open_ ? "ArrowLeft" : "ArrowRight")) show(fold.href, fold.id);
    else if (event.key === " " && at >= 0) open(all[at].href);
    else if (event.key === "+") zoom(scales[Math.min(scale + 1, scales.length - 1)]);
    else if (event.key === "-") zoom(scales[Math.max(scale < 0 ? 1 : scale - 1, 0)]);
    else done = false;
    if (done) event.preventDefault();
  });
})();
