#!/usr/bin/env bash
# frappe-gantt 1.2.2 (npm) reads a duration of minutes as months.
#
# A task may be given by its start and a duration such as "2d" or "45min". The units are tried in the order
# y, m, d, h, min: "m" matches first, and stands for months. A pour of 45 minutes ends three years and nine
# months later; "1h 30min" ends two and a half years later. No message says so.
#
# Seen on 2026-11-29 with Node 20 and jsdom 26.1.0, which stands in for the browser.
# Whoever draws tasks with it gives an end, or hours and days alone.
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
const start = '2026-01-05 08:00';
const tasks = ['2d', '6h', '45min', '1h 30min'].map((d, i) => ({ id: `t${i}`, name: d, start, duration: d }));
for (const t of new Gantt('#chart', tasks, { scroll_to: null }).tasks)
  console.log(`${t.name} ends ${t._end.toISOString().slice(0, 16)}`);
JS
TZ=UTC node draw.mjs >seen
diff - seen <<'SEEN'
2d ends 2026-01-07T08:00
6h ends 2026-01-05T14:00
45min ends 2029-10-05T08:00
1h 30min ends 2028-07-05T09:00
SEEN
echo "frappe-gantt 1.2.2 takes 45min for 45 months"
