package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// outcome is what a file says in the end: when its tasks are, and what it warns of.
func outcome(t *testing.T, p *planner.Plan) []string {
	t.Helper()
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range p.Tasks {
		if task := &p.Tasks[i]; !strings.HasPrefix(task.ID, "wbs-") {
			d := s.Dates(i)
			lines = append(lines, fmt.Sprintf("%s %v to %v", task.Name, d.Start, d.Finish))
		}
	}
	for _, w := range append(p.Warnings, s.Warnings...) {
		lines = append(lines, w.What+": "+w.Text)
	}
	return lines
}

// TestOddFilesAreReadOrWarnedOf reads the smallest forms of what files of others held.
func TestOddFilesAreReadOrWarnedOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"exception-without-day.xer": {
			"A 2026-01-07T07:00:00 to 2026-01-07T17:00:00",
			`calendar 1: An exception of it is left out: "" is no number of a day.`,
		},
		"clock-of-twelve-hours.xer": {"A 2026-01-05T08:00:00 to 2026-01-06T08:00:00"},
		"link-type-with-number.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-16T16:00:00", "B 2026-01-15T08:00:00 to 2026-01-16T16:00:00",
		},
		"link-type-unknown.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-16T16:00:00", "B 2026-01-19T08:00:00 to 2026-01-20T16:00:00",
			`link 500: Its pred_type "PR_XX" is no type of link that is known: it is taken as finish to start.`,
		},
		"dates-of-other-locales.xer": {"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00"},
		"line-ends-of-old-macs.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
		},
		"one-odd-value.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
			`task 100: Its phys_complete_pct "n/a" is no number: it is left out.`,
		},
		"number-with-blanks.xer": {"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00"},
		"msp-booleans-in-words.xml": {
			"A 1970-01-01T00:00:00 to 1970-01-01T00:00:00", "B 2026-01-05T08:00:00 to 2026-01-09T17:00:00",
			"C 2026-01-05T08:00:00 to 2026-01-05T08:00:00", "D 2026-02-02T08:00:00 to 2026-02-06T17:00:00",
		},
		"msp-times-with-fractions.xml": {"A 2026-01-05T08:00:00 to 2026-01-09T17:00:00"},
		"msp-control-character.xml": {
			"Pourslab 2026-01-05T08:00:00 to 2026-01-09T17:00:00", "B 2026-01-05T08:00:00 to 2026-01-09T17:00:00",
			"line 1: The character U+0002 is left out: XML does not allow it.",
		},
		"p6-control-character.xml": {
			"Pourslab 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
			"line 1: The character U+001F is left out: XML does not allow it.",
		},
		"msp-duration-with-comma.xml": {"A 2026-01-05T08:00:00 to 2026-01-05T16:30:00"},
		"msp-duration-in-weeks.xml": {
			"A 2026-01-05T08:00:00 to 2026-02-02T17:00:00",
			`task 1: Its Duration "P1W" counts in days or more: it is taken as 168 hours.`,
		},
		"msp-work-over-midnight.xml": {"A 2026-01-05T08:00:00 to 2026-01-06T02:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, outcome(t, read(t, "values/"+name, planner.Options{}))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
