package schedules_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// TestTasksAreScheduledByAllThatPlannersKnowOfThem sets at a task that another precedes what
// planning tools know, in addition to what the reference has.
func TestTasksAreScheduledByAllThatPlannersKnowOfThem(t *testing.T) {
	t.Parallel()
	set := twinplatform.Set[twinplatform.DateTime]
	monday, friday := date(t, "2026-03-02T09:00:00Z"), date(t, "2026-03-06T09:00:00Z")
	tests := map[string]struct {
		patch schedules.TaskPatch
		early string // start and finish of pour, and its float in hours
		float int64
	}{
		"nothing":              {schedules.TaskPatch{}, "Tue 09:00 Tue 17:00", 0},
		"a deadline":           {schedules.TaskPatch{Deadline: set(monday)}, "Tue 09:00 Tue 17:00", -16},
		"an external start":    {schedules.TaskPatch{ExternalEarlyStart: set(friday)}, "Fri 09:00 Fri 17:00", 0},
		"an external finish":   {schedules.TaskPatch{ExternalLateFinish: set(monday)}, "Tue 09:00 Tue 17:00", -16},
		"an expected finish":   {schedules.TaskPatch{ExpectedFinish: set(date(t, "2026-03-05T17:00:00Z"))}, "Tue 09:00 Thu 17:00", 0},
		"a mandatory start":    {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartOn), ConstraintEarlyDate: set(monday), IsMandatory: twinplatform.Set(true)}, "Mon 09:00 Mon 17:00", 0},
		"a second constraint":  {schedules.TaskPatch{SecondConstraintType: twinplatform.Set(schedules.StartAfter), SecondConstraintDate: set(friday)}, "Fri 09:00 Fri 17:00", 0},
		"no date":              {schedules.TaskPatch{SecondConstraintType: twinplatform.Set(schedules.StartAfter)}, "Tue 09:00 Tue 17:00", 0},
		"not a mandatory type": {schedules.TaskPatch{IsMandatory: twinplatform.Set(true)}, "Tue 09:00 Tue 17:00", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := house(t)
			p.patch("pour", test.patch)
			p.reschedule()
			a := p.analysis("pour")
			if got := a.EarlyStart.Format("Mon 15:04") + " " + a.EarlyFinish.Format("Mon 15:04"); got != test.early || *a.DownstreamTotalFloat != test.float*3600 {
				t.Errorf("%s with a float of %d, want %s, %d", got, *a.DownstreamTotalFloat/3600, test.early, test.float)
			}
		})
	}
}

func TestInactiveTaskHoldsNothingAndAPlaceholderIsNeverCritical(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.patch("dig", schedules.TaskPatch{IsInactive: twinplatform.Set(true)})
	p.patch("pour", schedules.TaskPatch{IsPlaceholder: twinplatform.Set(true)})
	p.reschedule()
	if a := p.analysis("dig"); !a.EarlyStart.IsZero() || a.IsCritical {
		t.Errorf("the inactive task is computed: %+v", a)
	}
	if a := p.analysis("pour"); a.EarlyStart.Format("Mon 15:04") != "Mon 09:00" || a.IsCritical {
		t.Errorf("the task behind it: %+v", a)
	}
	p.patch("dig", schedules.TaskPatch{IsInactive: twinplatform.Null[bool]()})
	p.patch("pour", schedules.TaskPatch{IsPlaceholder: twinplatform.Null[bool]()})
	p.reschedule()
	if a := p.analysis("pour"); a.EarlyStart.Format("Mon 15:04") != "Tue 09:00" || !a.IsCritical {
		t.Errorf("the task behind one that is active again: %+v", a)
	}
	_, err := p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{SecondConstraintType: twinplatform.Set(schedules.StartBetween)})
	invalid("InvalidValue secondConstraintType").check(t, err)
}

func TestWhatRemainsOfAnInterruptedTaskContinuesWhenItIsResumed(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.patch("dig", schedules.TaskPatch{
		Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z")), PercentComplete: twinplatform.Set(int32(50)),
		SuspendDate: twinplatform.Set(date(t, "2026-03-02T13:00:00Z")), ResumeDate: twinplatform.Set(date(t, "2026-03-05T09:00:00Z")),
	})
	p.reschedule()
	if got := p.task("dig").EstimatedFinish.Format("Mon 15:04"); got != "Thu 13:00" {
		t.Errorf("it is estimated to end %s", got)
	}
	if got := p.analysis("pour").EarlyStart.Format("Mon 15:04"); got != "Thu 13:00" {
		t.Errorf("what follows begins %s", got)
	}
}

// analysis is the one of a task.
func (p *plan) analysis(taskID string) schedules.SchedulingAnalysis {
	p.Helper()
	all, _ := p.analyses(twinplatform.ListOptions{})
	for _, a := range all {
		if a.TaskID == taskID {
			return a
		}
	}
	p.Fatalf("%s has no analysis", taskID)
	return schedules.SchedulingAnalysis{}
}
