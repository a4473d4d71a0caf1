package schedules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// TestDrivingPathSaysWhenItsTasksWereDoneAndHowMuchLaterThatIs has a task that was done a day late, one that has begun
// and one that is still held by a constraint.
func TestDrivingPathSaysWhenItsTasksWereDoneAndHowMuchLaterThatIs(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.baseline("first")
	p.patch("dig", schedules.TaskPatch{
		Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z")),
		ActualFinish: twinplatform.Set(date(t, "2026-03-03T17:00:00Z")),
	})
	p.patch("roof", schedules.TaskPatch{
		ConstraintType: twinplatform.Set(schedules.StartAfter), ConstraintEarlyDate: twinplatform.Set(date(t, "2026-03-05T09:00:00Z")),
	})
	p.reschedule()
	path := func(baseline string) (said []string) {
		t.Helper()
		of, err := scheduling.In(p.in()).DrivingPath(p.ctx, "roof", scheduling.DrivingPathQuery{BaselineID: baseline})
		if err != nil {
			t.Fatal(err)
		}
		hours := func(seconds *int64) string {
			if seconds == nil {
				return "-"
			}
			return fmt.Sprint(*seconds / 3600)
		}
		for _, x := range of.Tasks {
			at := x.PlannedStart.Format("Mon 15:04")
			if !x.ActualFinish.IsZero() {
				at = x.ActualFinish.Format("Mon 15:04")
			}
			said = append(said, fmt.Sprintf("%s %s %s %s %s %s", x.TaskID, x.Status, at, hours(x.StartVariance),
				hours(x.FinishVariance), x.ConstraintType))
		}
		return said
	}
	want := []string{
		"dig Finished Tue 17:00 0 8 NoConstraint", "pour Planned Wed 09:00 8 8 NoConstraint",
		"roof Planned Mon 09:00 8 8 StartAfter",
	}
	if diff := cmp.Diff(want, path("first")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, line := range path("") {
		if !slices.Contains([]string{
			"dig Finished Tue 17:00 - - NoConstraint", "pour Planned Wed 09:00 - - NoConstraint",
			"roof Planned Mon 09:00 - - StartAfter",
		}, line) {
			t.Errorf("without a baseline: %s", line)
		}
	}
	p.tasks("new 2026-03-02T09:00:00Z 28800")
	of, err := scheduling.In(p.in()).DrivingPath(p.ctx, "new", scheduling.DrivingPathQuery{BaselineID: "first"})
	if err != nil || len(of.Tasks) != 1 || of.Tasks[0].StartVariance != nil || !of.Tasks[0].BaselineStart.IsZero() {
		t.Errorf("of a task that the baseline does not have: %+v, %v", of.Tasks, err)
	}
	_, err = scheduling.In(p.in()).DrivingPath(p.ctx, "roof", scheduling.DrivingPathQuery{BaselineID: "none"})
	noBaseline.check(t, err)
}

// TestATypedStartThatNothingHoldsIsShownInADryRun types starts; what only follows such a task is not named.
func TestATypedStartThatNothingHoldsIsShownInADryRun(t *testing.T) {
	t.Parallel()
	later := schedules.TaskPatch{PlannedStart: twinplatform.Set(date(t, "2026-03-20T09:00:00Z"))}
	held := later
	held.ConstraintType, held.ConstraintEarlyDate = twinplatform.Set(schedules.StartAfter), later.PlannedStart
	before := later
	before.ConstraintType = twinplatform.Set(schedules.StartAfter)
	before.ConstraintEarlyDate = twinplatform.Set(date(t, "2026-03-10T09:00:00Z"))
	late := later
	late.ConstraintType = twinplatform.Set(schedules.StartAlap)
	earlier := schedules.TaskPatch{PlannedStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z"))}
	shorter := schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](14_400)}
	for name, c := range map[string]struct {
		task  string
		patch schedules.TaskPatch
		would []scheduling.WhatIf
		want  []string
	}{
		"a start that was typed":                         {"fence", later, nil, []string{"fence"}},
		"in the midst of a chain":                        {"pour", later, nil, []string{"pour"}},
		"one that a constraint holds":                    {"fence", held, nil, nil},
		"one that its links move later":                  {"roof", earlier, nil, nil},
		"what a shorter task leaves late":                {"dig", shorter, nil, []string{"pour"}},
		"one that a constraint holds at an earlier time": {"fence", before, nil, []string{"fence"}},
		"as late as possible":                            {"fence", late, nil, nil},
		"one that would lose its constraint": {
			"fence", held, []scheduling.WhatIf{{TaskID: "fence", ConstraintType: schedules.NoConstraint}}, []string{"fence"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := house(t)
			p.reschedule()
			p.patch(c.task, c.patch)
			sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{WhatIf: c.would})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range sim.Warnings {
				if w.Code == scheduling.StartNotHeld {
					got = append(got, string(w.TaskID))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestManyStartsThatNothingHoldsLeaveRoomForOtherWarnings types the starts of more tasks than have names.
func TestManyStartsThatNothingHoldsLeaveRoomForOtherWarnings(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	const many = 250
	for i := range many {
		id := fmt.Sprintf("late%03d", i)
		p.create(schedules.NewTask{
			ID: id, Name: id, Type: schedules.Work, PlannedStart: date(t, "2026-03-20T09:00:00Z"),
			PlannedDuration: new(int32(3600)),
		})
		p.links("dig FinishToStart " + id)
	}
	sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
	if err != nil {
		t.Fatal(err)
	}
	named, all := make(map[string]int), make(map[string]int)
	for _, w := range sim.Warnings {
		if all[string(w.Code)]++; w.Name != "" {
			named[string(w.Code)]++
		}
	}
	if all["StartNotHeld"] != many || named["StartNotHeld"] != scheduling.MaxNamed/2 || named["NoSuccessor"] < scheduling.MaxNamed/2-20 {
		t.Errorf("of %v these have names: %v", all, named)
	}
}

func TestRiskIsOfTasksThatHaveNotEnded(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.patch("dig", schedules.TaskPatch{
		Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z")),
		ActualFinish: twinplatform.Set(date(t, "2026-03-02T17:00:00Z")),
	})
	for top, want := range map[int][]string{0: {"pour", "roof", "done", "fence"}, 2: {"done", "pour"}} {
		r, err := analysis.In(p.in()).AnalyzeRisk(p.ctx, analysis.RiskOptions{Runs: 10, Top: top})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range r.Tasks {
			got = append(got, x.TaskID)
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d tasks (-want +got)\n%s", top, diff)
		}
	}
	for _, top := range []int{-1, analysis.MaxTop + 1} {
		_, err := analysis.In(p.in()).AnalyzeRisk(p.ctx, analysis.RiskOptions{Top: top})
		invalid("InvalidValue top").check(t, err)
	}
}
