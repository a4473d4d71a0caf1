"use strict";
// Keys for the whole console: / goes to the search, Ctrl-K or Cmd-K opens a palette of pages. The
// palette is a combobox with a list box: the input keeps the focus, arrows move the choice.
(() => {
  const field = document.getElementById("everything");
  if (!field) return; // nobody is signed in
  let slash = true;
  try { slash = localStorage.getItem("slash") !== "off"; } catch { /* no storage: as at first */ }

  const typing = at => at.isContentEditable || at.matches("input, select, textarea");
  const keep = on => {
    slash = on;
    try { localStorage.setItem("slash", on ? "on" : "off"); } catch { /* it holds for this page */ }
  };

  // The pages that the navigation, the tabs and the heading of this page lead to.
  const entries = () => {
    const pages = new Map();
    for (const link of document.querySelectorAll("nav.sections a, .trail a, .tabs a, .heading a")) {
      const open = () => { location.href = link.href; };
      if (!pages.has(link.href)) pages.set(link.href, {text: link.textContent.trim(), open});
    }
    return [...pages.values(), {text: `Turn the key / ${slash ? "off" : "on"}`, open: () => keep(!slash)}];
  };

  const palette = document.createElement("dialog");
  palette.className = "palette";
  palette.setAttribute("aria-label", "Go to a page");
  palette.innerHTML = `<input role="combobox" aria-label="Page" aria-expanded="true" aria-controls="palette-pages"
    aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Go to a page"/>
    <ul id="palette-pages" role="listbox" aria-label="Pages"></ul>`;
  document.body.append(palette);
  const [input, list] = palette.children;
  let shown = [], chosen = 0;

  const choose = n => {
    chosen = (n + shown.length) % shown.length;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === chosen)));
    input.setAttribute("aria-activedescendant", `palette-${chosen}`);
    list.children[chosen].scrollIntoView({block: "nearest"});
  };
  const filter = () => {
    shown = entries().filter(entry => entry.text.toLowerCase().includes(input.value.trim().toLowerCase()));
    const text = input.value.trim(), search = () => { field.value = text; field.form.submit(); };
    if (text) shown.push({text: `Search everything for “${text}”`, open: search});
    list.replaceChildren(...shown.map((entry, i) => {
      const option = document.createElement("li");
      option.id = `palette-${i}`;
      option.setAttribute("role", "option");
      option.textContent = entry.text;
      option.addEventListener("click", () => go(i));
      return option;
    }));
    choose(0);
  };
  const go = i => { palette.close(); shown[i].open(); };

  input.addEventListener("input", filter);
  input.addEventListener("keydown", event => {
    // Home and End move the caret where something is typed.
    const move = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: shown.length - 1}[event.key];
    if (move !== undefined && !(event.key.length < 5 && input.value)) choose(move);
    else if (event.key === "Enter") go(chosen);
    else return;
    event.preventDefault();
  });
  palette.addEventListener("click", event => { if (event.target === palette) palette.close(); });

  document.addEventListener("keydown", event => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      input.value = "";
      if (!palette.open) palette.showModal();
      filter();
    } else if (event.key === "/" && plain && slash && !palette.open && !typing(event.target)) {
      field.focus();
      field.select();
    } else return;
    event.preventDefault();
  });
})();
