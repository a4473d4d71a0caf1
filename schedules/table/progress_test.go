package table_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestProgressIsInHoursAndDaysByItsMeasure(t *testing.T) {
	t.Parallel()
	p := house(t)
	monday, tuesday := worktime.Date(2026, time.January, 5, 8, 0, 0), worktime.Date(2026, time.January, 6, 8, 0, 0)
	done := 5400.0
	points := []progress.Point{{From: monday, To: tuesday, Planned: 36_000, Actual: &done}}
	for measure, want := range map[progress.Measure][][]string{
		progress.Duration: {
			{"From", "To", "Planned (hours)", "Done (hours)", "Earliest (hours)", "Latest (hours)"},
			{"2026-01-05 08:00", "2026-01-06 08:00", "10", "1.5", "", ""},
		},
		progress.Count: {
			{"From", "To", "Planned (tasks)", "Done (tasks)", "Earliest (tasks)", "Latest (tasks)"},
			{"2026-01-05 08:00", "2026-01-06 08:00", "36000", "5400", "", ""},
		},
	} {
		if diff := cmp.Diff(want, lines(t, table.Curve(&progress.Curve{Measure: measure, Points: points}))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", measure, diff)
		}
	}
	h := &progress.Histogram{Resources: []progress.ResourceUse{{
		Resource: p.Resources[0],
		Periods:  []progress.Use{{From: monday, To: tuesday, Units: 7.5, AtOnce: 3, Over: true}, {From: tuesday, To: tuesday + worktime.Day}},
	}}}
	want := [][]string{
		{"K", "Kran", "h", "2026-01-05 08:00", "2026-01-06 08:00", "7.5", "3", "2", "yes"},
		{"K", "Kran", "h", "2026-01-06 08:00", "2026-01-07 08:00", "0", "0", "2", "no"},
	}
	if diff := cmp.Diff(want, lines(t, table.Histogram(h))[1:]); diff != "" {
		t.Errorf("histogram (-want +got)\n%s", diff)
	}
	l := &progress.Line{Tasks: []progress.Standing{{Place: 2, Planned: dated.Span{Start: monday, Finish: tuesday}, Done: 0.25, At: monday, Ahead: -12 * 3600}}}
	want = [][]string{{"A.1", "'=1+1", "2026-01-05 08:00", "2026-01-06 08:00", "25", "2026-01-05 08:00", "-1.5"}}
	if diff := cmp.Diff(want, lines(t, table.Line(l, p))[1:]); diff != "" {
		t.Errorf("line (-want +got)\n%s", diff)
	}
}
