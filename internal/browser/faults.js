// What is wrong with a page for those who cannot see it, cannot point at it, or see it on
// another screen: a list of sentences, empty for a page that is as it should be.
(() => {
  const faults = [];
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const say = (what, element) => faults.push(what + (element ? ": " + element.outerHTML.slice(0, 160) : ""));
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const named = (e) => (e.getAttribute("aria-label") || "").trim() !== "" ||
    (e.getAttribute("aria-labelledby") || "").split(/\s+/).some((id) => id && document.getElementById(id)?.textContent.trim()) ||
    (e.labels && Array.from(e.labels).some((l) => l.textContent.trim() !== ""));

  if (!document.documentElement.lang) say("the language is not told");
  if (!document.title.trim()) say("the page has no title");
  for (const one of ["main", "h1", "header"]) if (all(one).length !== 1) say(`there are ${all(one).length} of ${one}, want one`);

  const ids = new Map();
  all("[id]").forEach((e) => ids.set(e.id, (ids.get(e.id) || 0) + 1));
  ids.forEach((n, id) => n > 1 && say(`${n} elements have the id ${id}`));
  all("[style]").forEach((e) => say("a style stands in the page", e));
  all("[onclick],[onload],[onchange],[onsubmit]").forEach((e) => say("a script stands in the page", e));

  let level = 0;
  all("h1,h2,h3,h4,h5,h6").filter(shown).forEach((h) => {
    const now = Number(h.tagName[1]);
    if (now > level + 1) say(`a heading of level ${now} follows one of level ${level}`, h);
    level = now;
  });

  all("input:not([type=hidden]):not([type=submit]),select,textarea,progress,meter").forEach((e) => named(e) || say("a field has no label", e));
  all("button,a[href],summary,input[type=submit]").forEach((e) => {
    const text = e.textContent.trim() || e.value || Array.from(e.querySelectorAll("img[alt],svg title")).map((x) => x.alt || x.textContent).join("");
    if (!text.trim() && !named(e)) say("nothing says what this does", e);
  });
  all("img").forEach((e) => e.hasAttribute("alt") || say("a picture has no text", e));
  all("svg").forEach((e) => e.getAttribute("aria-hidden") === "true" || e.closest("[aria-hidden=true]") || named(e) || e.querySelector(":scope > title") || say("a drawing has no text", e));
  all("iframe,object").forEach((e) => e.title || named(e) || say("a frame has no title", e));
  all("table").forEach((e) => (e.caption && e.caption.textContent.trim()) || named(e) || say("a table has no caption", e));
  all("th").forEach((e) => e.hasAttribute("scope") || say("a head does not say what it is the head of", e));
  if (all("nav").length > 1) all("nav").forEach((e) => named(e) || say("one of several navigations has no name", e));
  all("[tabindex]").forEach((e) => e.tabIndex > 0 && say("the order of the focus is forced", e));

  const focusable = all("a[href],button,input,select,textarea,summary,[tabindex]").find((e) => e.tabIndex >= 0);
  if (focusable && !(focusable.getAttribute("href") || "").endsWith("#main")) say("the first stop is not a way to the content", focusable);
  if (document.documentElement.scrollWidth > window.innerWidth + 1) say(`the page is ${document.documentElement.scrollWidth} wide, its window ${window.innerWidth}`);

  // Targets are 24 pixels wide and high, or so far apart that circles of 24 pixels around them
  // touch no other one. Links within a sentence are as high as its lines.
  const inline = (e) => getComputedStyle(e).display === "inline" &&
    Array.from(e.parentElement.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
  const targets = all("a[href],button,input:not([type=hidden]),select,textarea,summary").filter((e) => shown(e) && !e.closest("svg,.hidden,.skip"))
    .map((e) => ({ e, box: e.getBoundingClientRect() })).filter((t) => t.box.width > 0);
  const small = (t) => t.box.width < 23.5 || t.box.height < 23.5;
  const distance = (x, y, box) => Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  for (const t of targets) {
    if (!small(t) || inline(t.e) || t.e.closest("label")) continue;
    const x = t.box.left + t.box.width / 2, y = t.box.top + t.box.height / 2;
    const near = targets.find((o) => o !== t && (small(o)
      ? Math.hypot(x - o.box.left - o.box.width / 2, y - o.box.top - o.box.height / 2) < 23.5
      : distance(x, y, o.box) < 11.5));
    if (near) say(`a target of ${t.box.width.toFixed(0)} x ${t.box.height.toFixed(0)} pixels has another one next to it`, t.e);
  }

  // Contrast, as the guidelines for accessible content measure it.
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const colour = (s) => { const m = s.match(/rgba?\(([^)]+)\)/); if (!m) return null; const v = m[1].split(/[\s,/]+/).map(Number); return v.length < 4 ? [...v, 1] : v; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // nobody can tell
      const c = colour(style.backgroundColor);
      if (c && c[3] > 0) { layers.push(c); if (c[3] === 1) break; }
    }
    return layers.reverse().reduce((below, top) => over(top, below), matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]);
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || seen.has(e) || e.closest("svg,:disabled,script,style,.hidden,.skip") || !shown(e)) continue;
    seen.add(e);
    const style = getComputedStyle(e), below = ground(e), text = colour(style.color);
    if (!below || !text) continue;
    const [a, b] = [luminance(over(text, below)), luminance(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) say(`text has a contrast of ${ratio.toFixed(2)}`, e);
  }
  return faults;
})()
