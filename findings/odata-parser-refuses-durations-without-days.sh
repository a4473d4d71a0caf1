#!/usr/bin/env bash
# @odata/parser 0.2.14 (npm) refuses a literal of a duration that has no days.
#
# OData 4 writes durations as XML Schema's dayTimeDuration: duration'PT40H' compares with forty hours. The parser
# wants a number of days first: 'PT40H', 'PT0S' and 'PT40H0M0S', as planning files have them, are an unexpected
# character, and 'P0DT40H0M0S' is taken. odata-v4-parser 0.1.29 does the same. The message points at the duration and
# does not say what is missing.
#
# Seen on 2026-11-29 with Node 20. A filter that must pass through it writes P0DT.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @odata/parser@0.2.14 odata-v4-parser@0.1.29
cat >read.mjs <<'JS'
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const parsers = [require('@odata/parser').defaultParser, require('odata-v4-parser')];
for (const text of ['P5D', 'P0DT40H0M0S', 'PT40H0M0S', 'PT0S']) {
  const answers = parsers.map(parser => {
    try {
      parser.filter(`work gt duration'${text}'`);
      return 'read';
    } catch (e) {
      return e.message;
    }
  });
  console.log(text, '|', answers.join(' | '));
}
JS
node read.mjs >seen
diff - seen <<'SEEN'
P5D | read | read
P0DT40H0M0S | read | read
PT40H0M0S | Unexpected character at 16 | Unexpected character at 16
PT0S | Unexpected character at 16 | Unexpected character at 16
SEEN
echo "@odata/parser 0.2.14 reads durations with days alone"
