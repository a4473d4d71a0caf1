package gantt_test

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestRowsAndLinksOfBarePicturesHaveNumbers(t *testing.T) {
	t.Parallel()
	p := file(t, "mspdi-mp_j30_a2_nr1.xml")
	for name, test := range map[string]struct {
		options gantt.Options
		bare    bool
	}{"bare": {gantt.Options{Bare: true, Rows: 20}, true}, "with its colours": {gantt.Options{Rows: 20}, false}} {
		rows, bars, days, links := 0, 0, 0, 0
		elements(t, draw(t, p, test.options), func(e xml.StartElement) {
			at := make(map[string]string)
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			if row, ok := at["data-row"]; ok {
				if row != fmt.Sprint(rows) {
					t.Errorf("%s: row %d has the number %s", name, rows, row)
				}
				rows++
				if at["data-bar"] != "" && at["data-start"] != "" {
					bars++
				}
			}
			if perDay, err := strconv.ParseFloat(at["data-day"], 64); err == nil && perDay > 0 {
				days++
			}
			if from, to := at["data-from"], at["data-to"]; from != "" && to != "" && from != to {
				links++
			}
		})
		if (rows == 20) != test.bare || (links > 0) != test.bare || (bars > 0) != test.bare || (days == 1) != test.bare {
			t.Errorf("%s: %d rows, %d of them with bars that can be moved, and %d links have numbers, days %d times",
				name, rows, bars, links, days)
		}
	}
}

// TestBarsThatMayBeMovedSayWhenTheyStart is about the attributes for those who drag them.
func TestBarsThatMayBeMovedSayWhenTheyStart(t *testing.T) {
	t.Parallel()
	at := worktime.Date(2026, time.March, 2, 8, 30, 0)
	p := &dated.Plan{Projects: []dated.Project{{ID: "p"}}}
	add := func(id string, kind cpm.Kind, change func(*dated.Task)) {
		task := dated.Task{ID: id, Parent: dated.None, Kind: kind}
		task.Start, task.Finish = at, at+16*worktime.Hour
		change(&task)
		p.Tasks = append(p.Tasks, task)
	}
	as := func(*dated.Task) {}
	add("to come", cpm.Work, as)
	add("a milestone", cpm.StartMilestone, func(t *dated.Task) { t.Finish = at })
	add("begun", cpm.Work, func(t *dated.Task) { t.ActualStart = at })
	add("done", cpm.Work, func(t *dated.Task) { t.ActualStart, t.ActualFinish = at, at+worktime.Hour })
	add("inactive", cpm.Work, func(t *dated.Task) { t.Inactive = true })
	add("a summary", cpm.Summary, as)
	add("a hammock", cpm.LongHammock, as)
	add("without dates", cpm.Work, func(t *dated.Task) { t.Start, t.Finish = 0, 0 })
	var got []string
	elements(t, draw(t, p, gantt.Options{Bare: true}), func(e xml.StartElement) {
		row, start, bar := "", "", false
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "data-row":
				row = a.Value
			case "data-start":
				start = a.Value
			case "data-bar":
				bar = true
			}
		}
		if i, err := strconv.Atoi(row); err == nil {
			got = append(got, strings.TrimSpace(fmt.Sprint(p.Tasks[i].ID, " ", bar, " ", start)))
		}
	})
	want := []string{
		"to come true 2026-03-02T08:30", "a milestone true 2026-03-02T08:30", "begun true", "done true", "inactive true",
		"a summary true", "a hammock true", "without dates false",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bars (-want +got)\n%s", diff)
	}
}

func TestTheSummaryCountsTasksWithoutThoseAbove(t *testing.T) {
	t.Parallel()
	p := file(t, "mspdi-mp_j30_a2_nr1.xml")
	s := gantt.SummaryOf(p)
	first, last := s.Start.String()[:10], s.Finish.String()[:10]
	if diff := cmp.Diff([]any{64, 20}, []any{s.Tasks, s.Critical}); diff != "" || first >= last {
		t.Errorf("from %s to %s (-want +got)\n%s", first, last, diff)
	}
}
