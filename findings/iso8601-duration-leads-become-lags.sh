#!/usr/bin/env bash
# iso8601-duration 2.1.4 (npm) reads a negative duration as a positive one.
#
# XML Schema and ISO 8601-2 write a negative duration with a sign in front: "-PT8H0M0S", a lead of a day or work that
# is ahead of its baseline in a file of a planning tool. parse() takes the text without an error and drops the sign,
# and toSeconds() gives 28,800 instead of -28,800. tinyduration 3.4.1 keeps it.
#
# Seen on 2026-11-29 with Node 20.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts iso8601-duration@2.1.4 tinyduration@3.4.1
cat >read.mjs <<'JS'
import { parse, toSeconds } from 'iso8601-duration';
import { parse as tiny } from 'tinyduration';
for (const text of ['PT8H0M0S', '-PT8H0M0S', '-P1D'])
  console.log(text, toSeconds(parse(text)), tiny(text).negative === true ? 'negative' : 'positive');
JS
node read.mjs >seen
diff - seen <<'SEEN'
PT8H0M0S 28800 positive
-PT8H0M0S 28800 negative
-P1D 86400 negative
SEEN
echo "iso8601-duration 2.1.4 makes a lag of a lead"
