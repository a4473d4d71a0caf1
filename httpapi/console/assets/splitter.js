"use strict";
// The line between the table of a chart and its picture moves: by dragging it, and by the arrow keys. Where it is stays
// in this browser.
(() => {
  const chart = document.getElementById("chart"), kept = "width of the chart's table", step = 24, least = 120;
  if (!chart) return;
  const sheet = new CSSStyleSheet(); // no element of a page has a style of its own
  document.adoptedStyleSheets.push(sheet);
  let width = 0;
  try {
    width = Number(localStorage.getItem(kept));
  } catch { /* it is forbidden: the table is as wide as its style says */ }

  const place = (plan, line, to) => {
    const most = Math.max(plan.clientWidth - least, least);
    width = Math.round(Math.min(Math.max(to, least), most));
    sheet.replaceSync(`.plan.split { --table: ${width}px; }`);
    line.setAttribute("aria-valuemax", most);
    line.setAttribute("aria-valuenow", width);
    line.setAttribute("aria-valuetext", `The table is ${width} pixels wide`);
  };
  const keep = () => {
    try {
      localStorage.setItem(kept, width);
    } catch { /* it lasts as long as the page */ }
  };
  // fit keeps the line within a chart that became narrower or wider. What was chosen is kept, and comes back with room.
  const fit = () => {
    const plan = chart.querySelector(".plan.split"), line = plan?.querySelector(".splitter"), chosen = width;
    if (!line) return;
    if (width) {
      place(plan, line, width);
      width = chosen;
      return;
    }
    line.setAttribute("aria-valuemax", Math.max(plan.clientWidth - least, least));
    line.setAttribute("aria-valuenow", plan.querySelector(".rows").clientWidth);
  };
  const resized = new ResizeObserver(fit);
  const split = () => {
    const plan = chart.querySelector(".plan"), table = plan?.querySelector(".rows");
    if (!table || plan.querySelector(".splitter")) return;
    const line = document.createElement("div");
    line.className = "splitter";
    line.tabIndex = 0;
    table.id ||= "rows";
    for (const [name, value] of Object.entries({
      role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the table", "aria-controls": table.id,
      "aria-valuemin": least,
    })) line.setAttribute(name, value);
    table.after(line);
    plan.classList.add("split");
    fit();
    line.addEventListener("keydown", event => {
      const by = event.shiftKey ? 4 * step : step, now = table.getBoundingClientRect().width;
      const to = {ArrowLeft: now - by, ArrowRight: now + by, Home: least, End: Infinity}[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      place(plan, line, to);
      keep();
    });
    line.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
      line.focus({preventScroll: true});
    });
    line.addEventListener("pointermove", event => {
      if (line.hasPointerCapture(event.pointerId)) place(plan, line, event.clientX - plan.getBoundingClientRect().left);
    });
    line.addEventListener("lostpointercapture", keep);
    resized.disconnect();
    resized.observe(plan);
  };
  new MutationObserver(split).observe(chart, {childList: true});
  split();
})();
