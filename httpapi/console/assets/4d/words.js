// What the page says in words.

const dates = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric",
});

// dateOf is a time as the clocks of the schedule show it.
export function dateOf(time) {
  const clock = new Date(time).toISOString().slice(11, 16);
  return dates.format(time).replace(",", "") + (clock === "00:00" ? "" : " " + clock);
}

// doing is what an object does at a time.
export function doing(state) {
  const comes = state.phase === "Before" ? "waits" : "gone";
  if (!state.present) return comes;
  if (state.growth && state.growth.share < 1) return state.growth.removing ? "shrinks" : "grows";
  if (state.moving) return "moves";
  return state.phase === "During" ? "worked" : "stands";
}

const verbs = [
  ["grows", "grows", "grow"], ["shrinks", "shrinks", "shrink"], ["moves", "moves", "move"],
  ["worked", "is worked on", "are worked on"], ["stands", "stands", "stand"],
  ["waits", "is not there yet", "are not there yet"], ["gone", "is gone", "are gone"],
];

// verbOf says what happens to one object in a state.
export function verbOf(state) {
  const [, verb] = verbs.find(([kind]) => kind === doing(state));
  const far = state.growth ? `, ${Math.round(100 * state.growth.share)} %` : "";
  return verb + (state.present ? far : "") + (state.critical ? ", marked critical" : "");
}

// sumOf says what objects do: "3 objects grow, 12 stand, 1 is gone".
export function sumOf(states) {
  const counts = new Map();
  for (const s of states) counts.set(doing(s), (counts.get(doing(s)) || 0) + 1);
  const parts = [];
  for (const [kind, one, many] of verbs) {
    const n = counts.get(kind);
    if (n) parts.push(`${n} ${parts.length ? "" : n === 1 ? "object " : "objects "}${n === 1 ? one : many}`);
  }
  return parts.join(", ") || "there are no objects";
}
