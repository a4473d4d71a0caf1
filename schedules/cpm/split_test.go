package cpm_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestTheFinishOfASplitTaskCountsItsPausesAndItsDurationDoesNot schedules a task of three
// days that pauses for two behind its first, as far as it has come.
func TestTheFinishOfASplitTaskCountsItsPausesAndItsDurationDoesNot(t *testing.T) {
	t.Parallel()
	const day = 8 * hour
	splits := []cpm.Split{{After: day, Pause: 2 * day}}
	for name, c := range map[string]struct {
		profile cpm.Profile
		task    cpm.Task
		want    string
	}{
		"not begun":                       {cpm.MSProject, cpm.Task{}, "2026-01-05T09:00:00 to 2026-01-09T17:00:00"},
		"not begun, by P6":                {cpm.P6, cpm.Task{}, "2026-01-05T09:00:00 to 2026-01-09T17:00:00"},
		"before a weekend":                {cpm.MSProject, cpm.Task{Constraints: []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: begin + 3*86400}}}, "2026-01-08T09:00:00 to 2026-01-14T17:00:00"},
		"begun":                           {cpm.MSProject, cpm.Task{ActualStart: begin, Remaining: 2*day + 1}, "2026-01-05T09:00:00 to 2026-01-09T17:00:00"},
		"begun, by P6":                    {cpm.P6, cpm.Task{ActualStart: begin, Remaining: 2 * day}, "2026-01-05T09:00:00 to 2026-01-08T17:00:00"},
		"begun and interrupted before":    {cpm.MSProject, cpm.Task{ActualStart: begin, Resume: begin + 86400, Remaining: 2*day + 4*hour}, "2026-01-05T09:00:00 to 2026-01-12T13:00:00"},
		"all of its pauses are behind it": {cpm.P6, cpm.Task{ActualStart: begin, Remaining: day}, "2026-01-05T09:00:00 to 2026-01-05T17:00:00"},
	} {
		if c.task.Duration = 3 * day; c.task.ActualStart == 0 {
			c.task.Remaining = c.task.Duration
		}
		c.task.Split(splits, c.profile)
		n := cpm.NewNetwork()
		n.Add(c.task)
		r, err := cpm.Schedule(n, cpm.Options{Profile: c.profile, Project: cpm.Project{Calendar: office(t), Start: begin}})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Dates(0).Start, " to ", r.Dates(0).Finish); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestALagInPercentIsOfTheDurationWithoutPauses(t *testing.T) {
	t.Parallel()
	n := cpm.NewNetwork()
	a, b := n.Add(cpm.Task{Duration: 16 * hour, Paused: 16 * hour}), n.Add(cpm.Task{Duration: hour})
	n.Join(cpm.Link{Predecessor: a, Successor: b, Type: cpm.StartToStart, Lag: 50, Percent: true})
	r, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Dates(b).Start.String(); got != "2026-01-06T09:00:00" {
		t.Errorf("the successor begins %s", got)
	}
}

func TestSegmentsLieBetweenThePausesInWorkingTime(t *testing.T) {
	t.Parallel()
	const day = 8 * hour
	for name, c := range map[string]struct {
		splits []cpm.Split
		want   []string
	}{
		"none":       {nil, []string{"2026-01-05T09:00:00 2026-01-07T17:00:00"}},
		"one":        {[]cpm.Split{{After: day, Pause: 4 * day}}, []string{"2026-01-05T09:00:00 2026-01-05T17:00:00", "2026-01-12T09:00:00 2026-01-13T17:00:00"}},
		"two":        {[]cpm.Split{{After: day, Pause: day}, {After: day + hour, Pause: hour}}, []string{"2026-01-05T09:00:00 2026-01-05T17:00:00", "2026-01-07T09:00:00 2026-01-07T10:00:00", "2026-01-07T11:00:00 2026-01-09T10:00:00"}},
		"beyond":     {[]cpm.Split{{After: 3 * day, Pause: day}}, []string{"2026-01-05T09:00:00 2026-01-07T17:00:00"}},
		"at the top": {[]cpm.Split{{Pause: day}}, []string{"2026-01-05T09:00:00 2026-01-07T17:00:00"}},
	} {
		var got []string
		for from, to := range cpm.Segments(office(t), begin, 3*day, c.splits) {
			got = append(got, fmt.Sprint(from, " ", to))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	for range cpm.Segments(worktime.Continuous, begin, 3, []cpm.Split{{After: 1, Pause: 1}}) {
		break
	}
}
