"use strict";
// A bar of the chart is dragged to another start, and a link is drawn from the dot at an end of a bar to another
// task. A drop leads to the page that shows what follows, or to the form of the link, and changes nothing itself;
// the page of a task leads to both without a pointer. By touch a bar is held first, since a swipe moves the picture.
(() => {
  const chart = document.querySelector("#chart.changes");
  if (!chart) return;
  const day = 864e5, hour = 36e5; // milliseconds
  const still = 4, holdFor = 400, edge = 32; // pixels, milliseconds, pixels
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit",
    minute: "2-digit", hourCycle: "h23",
  });
  let act = null, held = 0, down = null, dots = [], dropped = false;

  const picture = () => chart.querySelector(".picture");
  const rows = () => Array.from(chart.querySelectorAll(".plan tbody tr"));
  const bar = group => group.dataset.bar.split(" ").map(Number);
  const task = row => rows()[row]?.querySelector(".to")?.href;
  const linkable = row => row >= 0 && task(row) && !rows()[row].classList.contains("parent");
  const draw = (name, attributes, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    if (text) e.textContent = text;
    return e;
  };
  const go = (row, page, query) => {
    const to = new URL(task(row));
    to.pathname += page;
    to.search = new URLSearchParams(query);
    location.assign(to);
  };

  // showDots puts a dot at each end of a bar, in place of those of another one.
  const showDots = group => {
    if (dots[0]?.parentNode === group) return;
    for (const dot of dots) dot.remove();
    dots = [];
    if (!linkable(Number(group.dataset.row))) return;
    const [x0, x1] = bar(group);
    dots = [["start", x0 - 7], ["finish", x1 + 7]].map(([end, x]) =>
      draw("circle", {class: "end", "data-end": end, cx: x, cy: -4, r: 5}));
    group.append(...dots);
  };

  const stop = () => {
    clearTimeout(held);
    if (!act) return;
    cancelAnimationFrame(act.scrolls);
    act.drawn?.remove();
    for (const row of chart.querySelectorAll(".target")) row.classList.remove("target");
    chart.classList.remove("dragging");
    dropped = act.drawn !== null;
    act = null;
  };

  const replaceDrawn = (drawn) => {
    act.drawn?.remove();
    act.drawn = drawn;
    act.group.append(drawn);
  };
  // moveBar shows the bar where it would be dropped: whole days from where it is, or hours with Shift.
  const moveBar = event => {
    const pixels = event.clientX - act.clientX + picture().scrollLeft - act.left;
    const unit = event.shiftKey ? hour : day, perDay = Number(picture().querySelector("svg").dataset.day);
    const by = Math.round(pixels / perDay * day / unit) * unit;
    const start = new Date(Date.parse(act.group.dataset.start + "Z") + by);
    if (Number.isNaN(start.getTime()) || start.getUTCFullYear() < 1 || start.getUTCFullYear() > 9999) return;
    act.start = by === 0 ? "" : start.toISOString().slice(0, 16);
    const [x0, x1] = bar(act.group).map(x => x + by / day * perDay);
    const ghost = draw("g", {class: "ghost"});
    ghost.append(draw("rect", {x: x0, y: -10, width: Math.max(x1 - x0, 2), height: 12}));
    const room = picture().scrollLeft + picture().clientWidth - x1 > 190; // for the text behind the bar
    for (const name of ["o", "u"]) {
      const at = room ? {x: x1 + 8} : {x: x0 - 8};
      ghost.append(draw("text", {class: room ? name : name + " n", ...at}, clock.format(start)));
    }
    replaceDrawn(ghost);
  };
  // drawLink shows the line to the pointer, and the task that it leads to.
  const drawLink = event => {
    const svg = picture().querySelector("svg").getBoundingClientRect();
    const own = act.group.transform.baseVal.consolidate()?.matrix.f || 0;
    const [x0, x1] = bar(act.group);
    const to = {x2: event.clientX - svg.left, y2: event.clientY - svg.top - own};
    replaceDrawn(draw("line", {class: "drawn", x1: act.end === "start" ? x0 : x1, y1: -4, ...to}));
    const row = rows().findIndex(r => {
      const box = r.getBoundingClientRect();
      return event.clientY >= box.top && event.clientY < box.bottom;
    });
    const box = picture().getBoundingClientRect(), inside = event.clientX >= box.left && event.clientX < box.right;
    act.to = inside && row !== act.row && linkable(row) ? row : -1;
    rows().forEach((r, i) => r.classList.toggle("target", i === act.to));
  };
  // follow shows where a drag leads. At an edge the picture moves on for as long as the pointer is there.
  const follow = event => {
    cancelAnimationFrame(act.scrolls);
    const box = picture().getBoundingClientRect(), before = picture().scrollLeft;
    if (event.clientX > box.right - edge) picture().scrollLeft += edge / 4;
    else if (event.clientX < box.left + edge) picture().scrollLeft -= edge / 4;
    if (picture().scrollLeft !== before) act.scrolls = requestAnimationFrame(() => act && follow(event));
    getSelection()?.removeAllRanges();
    if (act.end) drawLink(event);
    else moveBar(event);
  };

  const begin = (event, group) => {
    const end = event.target.dataset.end || "";
    act = {
      group, end, row: Number(group.dataset.row), pointer: event.pointerId, clientX: event.clientX,
      clientY: event.clientY, left: picture().scrollLeft, start: "", to: -1, drawn: null, scrolls: 0,
    };
    chart.classList.add("dragging");
  };
  chart.addEventListener("pointerdown", event => {
    clearTimeout(held);
    const group = event.target.closest(".picture g[data-bar]"), end = event.target.dataset.end;
    if (!group || act || event.button !== 0 || !event.isPrimary || event.ctrlKey || event.metaKey) return;
    if (!end && !group.dataset.start) return;
    if (event.pointerType === "mouse" || end) {
      begin(event, group);
      event.preventDefault(); // so that the picture stays
      return;
    }
    down = event;
    held = setTimeout(() => {
      begin(event, group);
      showDots(group);
      moveBar(event);
    }, holdFor);
  }, true);
  addEventListener("pointerdown", () => { dropped = false; }, true);
  addEventListener("pointermove", event => {
    const far = from => Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > still;
    if (!act) {
      if (down && far(down)) clearTimeout(held);
      return;
    }
    if (event.pointerId !== act.pointer) return;
    if (event.pointerType === "mouse" && event.buttons === 0) return stop(); // released elsewhere
    if (act.drawn || far(act)) follow(event);
  });
  addEventListener("pointerup", event => {
    clearTimeout(held);
    if (!act || event.pointerId !== act.pointer) return;
    const {row, start, to, end} = act;
    stop();
    if (start) go(row, "/move", {start});
    if (to < 0) return;
    const type = end === "start" ? "StartToStart" : "FinishToStart";
    const id = decodeURIComponent(new URL(task(to)).pathname.split("/").pop());
    go(row, "/links", {side: "successor", type, task: id});
  });
  addEventListener("pointercancel", stop);
  addEventListener("blur", stop);
  addEventListener("touchmove", event => { if (act) event.preventDefault(); }, {passive: false});
  addEventListener("contextmenu", event => { if (act) event.preventDefault(); });
  addEventListener("click", event => { // what ends a drag is none
    if (!dropped || event.detail === 0) return;
    dropped = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  addEventListener("keydown", event => {
    if (event.key !== "Escape" || !act) return;
    event.stopPropagation();
    stop();
  }, true);
  chart.addEventListener("pointerover", event => {
    const group = event.target.closest(".picture g[data-bar]");
    if (group && !act && event.pointerType === "mouse") showDots(group);
  });
})();
