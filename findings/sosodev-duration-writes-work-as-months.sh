#!/usr/bin/env bash
# github.com/sosodev/duration 1.4.0 (Go) writes working hours as days, weeks and months.
#
# Planning files say how much work a task takes as "PT40H0M0S": forty hours, five days of eight. Format and the
# marshaling of a time.Duration turn 40 hours into "P1DT16H", 600 hours into "P3W4D" and 800 hours into
# "P1M2DT22H", with a month of 730 hours. A reader that counts a day of work as eight hours, as planning tools do,
# or a month by the calendar gets another amount. The text that Parse read, printed by String, keeps its hours.
#
# Seen on 2026-11-29 with Go 1.26.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOWORK=off
cat >go.mod <<'MOD'
module example.com/work

go 1.26

require github.com/sosodev/duration v1.4.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/sosodev/duration"
)

func main() {
	for _, text := range []string{"PT40H0M0S", "PT600H0M0S", "PT800H0M0S"} {
		d, err := duration.Parse(text)
		if err != nil {
			panic(err)
		}
		fmt.Println(d, duration.Format(d.ToTimeDuration()))
	}
}
GO
go run . >seen 2>said || { cat said; exit 1; }
diff - seen <<'SEEN'
PT40H P1DT16H
PT600H P3W4D
PT800H P1M2DT22H
SEEN
echo "sosodev/duration 1.4.0 writes 800 hours of work as P1M2DT22H"
