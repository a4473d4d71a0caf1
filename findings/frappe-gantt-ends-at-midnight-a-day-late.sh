#!/usr/bin/env bash
# frappe-gantt 1.2.2 (npm) draws a task that ends at midnight a whole day too long.
#
# An end without a time of day means the end of that day, so the library adds 24 hours where hour, minute and
# second are all zero. It looks at the value and not at what was written: "2026-01-06 00:00", the end of an
# evening shift from 16:00, becomes 7 January. One minute before midnight stays as it is.
# Calendars of 24 hours and night shifts in files of P6 and Microsoft Project end at 00:00.
#
# Seen on 2026-11-29 with Node 20 and jsdom 26.1.0, which stands in for the browser.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts frappe-gantt@1.2.2 jsdom@26.1.0
cat >draw.mjs <<'JS'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<svg id="chart"></svg>');
for (const name of ['document', 'SVGElement', 'HTMLElement', 'Element', 'Node']) globalThis[name] = window[name];
globalThis.window = window;
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true });
globalThis.requestAnimationFrame = () => 0;
window.SVGElement.prototype.getBBox = () => ({ x: 0, y: 0, width: 9, height: 9 });
const { default: Gantt } = await import('frappe-gantt');
const ends = ['2026-01-05 23:59', '2026-01-06 00:00', new Date('2026-01-06T00:00:00Z'), '2026-01-06 00:01'];
const tasks = ends.map((end, i) => ({ id: `t${i}`, name: String(i), start: '2026-01-05 16:00', end }));
for (const t of new Gantt('#chart', tasks, { scroll_to: null }).tasks) console.log(t._end.toISOString().slice(0, 16));
JS
TZ=UTC node draw.mjs >seen
diff - seen <<'SEEN'
2026-01-05T23:59
2026-01-07T00:00
2026-01-07T00:00
2026-01-06T00:01
SEEN
echo "frappe-gantt 1.2.2 draws an evening shift until midnight a day too long"
