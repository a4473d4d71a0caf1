#!/usr/bin/env bash
# @svar-ui/gantt-store 2.7.3 (npm) cuts durations to whole days of 24 hours.
#
# The store behind SVAR's Gantt charts computes a duration from start and end. Monday 08:00 to Friday 16:00, five
# days of eight hours for every planner, is 4; Monday 08:00 to 16:00, a whole working day, is 0. A task given
# by a start and a duration of 5 ends on Saturday 08:00. The two directions disagree about the same five days,
# so a plan that is stored back from the chart has shrunk.
#
# Seen on 2026-11-29 with Node 20. Whoever hands a plan over gives starts, ends and durations all three.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @svar-ui/gantt-store@2.7.3
cat >store.mjs <<'JS'
import { DataStore } from '@svar-ui/gantt-store';
const at = (day, hour) => new Date(Date.UTC(2026, 0, day, hour));
const tasks = [
  { id: 1, text: 'five days by dates', start: at(5, 8), end: at(9, 16), type: 'task', parent: 0 },
  { id: 2, text: 'one day by dates', start: at(5, 8), end: at(5, 16), type: 'task', parent: 0 },
  { id: 3, text: 'five days by duration', start: at(5, 8), duration: 5, type: 'task', parent: 0 },
];
const store = new DataStore(f => f);
store.init({
  tasks, links: [], scales: [{ unit: 'day', step: 1, format: 'd' }], start: at(1, 0), end: at(31, 0),
  lengthUnit: 'day', durationUnit: 'day', cellWidth: 100, cellHeight: 30, scaleHeight: 30, columns: [], selected: [],
  activeTask: null, baselines: false, zoom: false,
});
store.getState().tasks.forEach(t => console.log(`${t.text}: ${t.duration}, ends ${t.end.toISOString().slice(0, 16)}`));
JS
TZ=UTC node store.mjs >seen
diff - seen <<'SEEN'
five days by dates: 4, ends 2026-01-09T16:00
one day by dates: 0, ends 2026-01-05T16:00
five days by duration: 5, ends 2026-01-10T08:00
SEEN
echo "@svar-ui/gantt-store 2.7.3 counts a working day as a duration of 0"
