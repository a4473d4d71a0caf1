package cpm_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestAPlanHasTheDatesThatMicrosoftProjectGaveIt compares every date, slack and critical
// flag of a plan, dates as instants of work.
func TestAPlanHasTheDatesThatMicrosoftProjectGaveIt(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/j30.txt")
	if err != nil {
		t.Fatal(err)
	}
	pieces := worktime.Hours{{From: 9 * hour, To: 13 * hour}, {From: 15 * hour, To: 19 * hour}}
	c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(pieces)})
	if err != nil {
		t.Fatal(err)
	}
	n, rows := cpm.NewNetwork(), strings.Split(strings.TrimSpace(string(text)), "\n")
	numbers := make(map[string]int)
	for _, row := range rows {
		f := strings.Fields(row)
		hours, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		task := cpm.Task{ID: f[0], Duration: hours * hour}
		if hours == 0 {
			task.Kind = cpm.FinishMilestone
		}
		numbers[f[0]] = n.Add(task)
	}
	for _, row := range rows {
		f := strings.Fields(row)
		if f[9] == "-" {
			continue
		}
		for before := range strings.SplitSeq(f[9], ",") {
			n.Join(cpm.Link{Predecessor: numbers[before], Successor: numbers[f[0]]})
		}
	}
	r, err := cpm.Schedule(n, cpm.Options{Profile: cpm.MSProject, Project: cpm.Project{Calendar: c, Start: worktime.Date(2026, time.January, 1, 9, 0, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, row := range rows {
		f := strings.Fields(row)
		for at := 2; at <= 5; at++ {
			u, err := worktime.Parse(f[at])
			if err != nil {
				t.Fatal(err)
			}
			f[at] = c.Start(u).String()
		}
		want = append(want, strings.Join(append(f[:1], f[2:9]...), " "))
		d := r.Dates(i)
		critical := "0"
		if d.Critical {
			critical = "1"
		}
		got = append(got, strings.Join([]string{
			n.ID(i), c.Start(d.EarlyStart).String(), c.Start(d.EarlyFinish).String(), c.Start(d.LateStart).String(), c.Start(d.LateFinish).String(),
			strconv.FormatInt(d.TotalFloat, 10), strconv.FormatInt(d.FreeFloat, 10), critical,
		}, " "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := r.Dates(numbers["2"]).Finish.String(); got != "2026-01-08T19:00:00" {
		t.Errorf("the second task ends %s, and not in the evening", got)
	}
}
