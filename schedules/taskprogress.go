package schedules

import (
	"math"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// MaxSplits is the number of splits of a task.
const MaxSplits = 100

// TaskSplit is a pause in the work on a task, in its working time: the task ends later by it, and
// takes no longer. It moves with the start of the task.
type TaskSplit struct {
	// After is how much of the planned duration is done when the pause begins, in seconds from 1
	// on, less than the duration, and more than that of the split before.
	After    int32 `json:"after"`
	Duration int32 `json:"duration"` // for how long work pauses, in seconds from 1 on
}

func checkSplits(c *problem.Checks, name string, all []TaskSplit) {
	checkEach(c, name, all, MaxSplits, "A task has at most %d splits.", (*TaskSplit).check)
}

func (s *TaskSplit) check(c *problem.Checks, at string) {
	if s.After < 1 {
		c.Bad(at+".after", "A split begins after so many seconds of work, from 1 on.")
	}
	if s.Duration < 1 {
		c.Bad(at+".duration", "A split pauses work for so many seconds, from 1 on.")
	}
}

// describeSplits tells what splits are held to.
func describeSplits(b *schema.Book) {
	b.Has(reflect.TypeFor[TaskSplit](), schema.Need("after", schema.AtLeast(1)),
		schema.Need("duration", schema.AtLeast(1)))
}

// completeSplits holds the splits of a task to its duration, of which a type without one leaves
// none.
func (t *Task) completeSplits(c *problem.Checks, p *TaskPatch) {
	given, _ := p.Splits.Get()
	if !t.spans() || t.PlannedDuration == nil {
		if len(given) > 0 {
			c.Bad("splits", "A task without a duration has no splits.")
		}
		t.Splits = nil
	}
	if len(t.Splits) == 0 {
		t.Splits = nil
		return
	}
	for i := range t.Splits {
		if i > 0 && t.Splits[i].After <= t.Splits[i-1].After {
			c.Bad(item("splits", i)+".after",
				"The splits of a task are in their order, and each begins after more work than the one before it.")
		}
	}
	last := len(t.Splits) - 1
	switch {
	case t.Splits[last].After < *t.PlannedDuration:
	case p.Splits.Present():
		c.Bad(item("splits", last)+".after",
			"A split begins before all of the duration of its task is done, which is %d seconds.", *t.PlannedDuration)
	default:
		c.Bad("plannedDuration", "The task has a split after %d seconds of work; its duration is more than that, "+
			"unless 'splits' says otherwise.", t.Splits[last].After)
	}
}

// pauses are the splits of the task as the engine has them.
func (t *Task) pauses() []cpm.Split {
	if len(t.Splits) == 0 || t.IsWBS {
		return nil
	}
	all := make([]cpm.Split, len(t.Splits))
	for i, s := range t.Splits {
		all[i] = cpm.Split{After: int64(s.After), Pause: int64(s.Duration)}
	}
	return all
}

// paused is for how long work on the task pauses by plan.
func (t *Task) paused() int64 {
	if len(t.Splits) == 0 || t.PlannedDuration == nil {
		return 0
	}
	return cpm.Paused(t.pauses(), 1, int64(*t.PlannedDuration))
}

// PercentCompleteType is of what the percentage of a task is.
type PercentCompleteType string

// The types of percentages.
const (
	PercentOfDuration PercentCompleteType = "Duration" // and the remaining duration follows from it
	PercentOfUnits    PercentCompleteType = "Units"    // of its resources; what remains is given separately
	PercentPhysical   PercentCompleteType = "Physical" // by its looks; what remains is given separately
)

var percentCompleteTypes = []PercentCompleteType{PercentOfDuration, PercentOfUnits, PercentPhysical}

// ofDuration reports whether the percentage and what remains follow from each other.
func (t *Task) ofDuration() bool {
	return t.PercentCompleteType == "" || t.PercentCompleteType == PercentOfDuration
}

func checkShare(c *problem.Checks, name string, v float64) {
	if !(v >= 0 && v <= 100) {
		c.Bad(name, "A percentage is 0 to 100.")
	}
}

// completeProgress gives a task what remains of it and its percentage, as far as one follows
// from the other.
func (t *Task) completeProgress(c *problem.Checks, stored *Task, p *TaskPatch) {
	t.completePhysical(stored)
	moved := t.PercentComplete != stored.PercentComplete
	remaining, given := p.RemainingDuration.Get()
	same := model.EqualDuration(&remaining, stored.RemainingDuration) && stored.RemainingDuration != nil
	switch {
	case given && !same && t.Status == Started && t.PlannedDuration != nil && !t.Type.hammock():
		if remaining < 0 {
			c.Bad("remainingDuration", "The remaining duration of a task is a number of seconds from 0 on.")
		}
		t.RemainingDuration = new(remaining)
		if t.ofDuration() && !moved && *t.PlannedDuration > 0 && remaining >= 0 {
			t.PercentComplete = shareDone(*t.PlannedDuration, remaining)
		}
	case given && !same && !(t.Status == Finished && remaining == 0):
		c.Bad("remainingDuration", "The remaining duration can be set while the task is Started and has a duration.")
	case p.RemainingDuration.IsNull(), stored.Status != Started, t.ofDuration() &&
		moved, !model.EqualDuration(t.PlannedDuration, stored.PlannedDuration):
		t.RemainingDuration = nil // which follows from the percentage
	}
}

// completePhysical lets a percentage by its looks and that of a task be the same.
func (t *Task) completePhysical(stored *Task) {
	switch {
	case t.PercentCompleteType != PercentPhysical || t.Status != Started:
	case t.PhysicalPercentComplete != stored.PhysicalPercentComplete:
		t.PercentComplete = int32(math.Round(min(max(t.PhysicalPercentComplete, 0), 100)))
	case t.PercentComplete != stored.PercentComplete || stored.PercentCompleteType != PercentPhysical:
		t.PhysicalPercentComplete = float64(t.PercentComplete)
	}
}

// shareDone is the percentage of a duration that is done, in whole percent.
func shareDone(whole, remaining int32) int32 {
	return int32(min(max(100-100*float64(remaining)/float64(whole), 0), 100))
}

// deriveRemaining gives a task what remains of it, unless that is known.
func (t *Task) deriveRemaining() {
	switch {
	case t.Status == Planned || t.PlannedDuration == nil:
		t.RemainingDuration = nil
	case t.Status == Finished:
		t.RemainingDuration = new(int32(0))
	case t.RemainingDuration == nil:
		t.RemainingDuration = new(leftOf(int64(*t.PlannedDuration), t.PercentComplete))
	}
}

// leftOf is what a percentage leaves of a duration.
func leftOf(duration int64, percent int32) int32 {
	return int32(duration * int64(100-percent) / 100)
}

// startedFinish is when a Started task with a duration ends if it continues from now.
func (t *Task) startedFinish(w working) twinplatform.DateTime {
	remaining := int64(*t.PlannedDuration)
	if t.RemainingDuration != nil {
		remaining = int64(*t.RemainingDuration)
	}
	set := w.set
	if set == nil {
		set = &unscheduled
	}
	from := set.since()
	if t.resumes(set, w) && t.ResumeDate.After(from.Time) {
		from = t.ResumeDate
	}
	whole := from.IsZero()
	paused := t.pausedFrom(set, remaining, !whole && from.Equal(t.ResumeDate.Time))
	if t.ActualStart.After(from.Time) {
		from = t.ActualStart
	}
	switch {
	case set.expects() && t.ExpectedFinish.After(from.Time):
		return t.ExpectedFinish
	case whole:
		return w.after(from, max(int64(*t.PlannedDuration), remaining)+paused)
	case remaining == 0:
		return w.finish(from)
	}
	return w.after(from, remaining+paused)
}

// pausedFrom is for how long work on a Started task still pauses, as the engine counts it.
func (t *Task) pausedFrom(set *ProjectScheduling, remaining int64, resumed bool) int64 {
	if len(t.Splits) == 0 {
		return 0
	}
	c := cpm.Task{Duration: int64(*t.PlannedDuration), Remaining: remaining, ActualStart: 1}
	if resumed {
		c.Resume = 1
	}
	c.Split(t.pauses(), profiles[set.Profile])
	return c.Paused
}

// resumes reports whether what remains of a task waits for its ResumeDate.
func (t *Task) resumes(set *ProjectScheduling, w working) bool {
	if t.ResumeDate.IsZero() || set.Profile == ProfileP6 {
		return !t.ResumeDate.IsZero()
	}
	return !t.SuspendDate.IsZero() && w.seconds(t.SuspendDate, t.ResumeDate) > 0
}

// since is the date before which nothing is done that is still to be done: the data date,
// by the rules of P6.
func (p *ProjectScheduling) since() twinplatform.DateTime {
	if p.Profile != ProfileP6 {
		return twinplatform.DateTime{}
	}
	return p.DataDate
}

// expects reports whether tasks end when they are expected to.
func (p *ProjectScheduling) expects() bool {
	return p.Profile == ProfileP6 && !p.IgnoreExpectedFinish
}

// estimatesAs reports whether tasks are estimated to end as by other settings.
func (p *ProjectScheduling) estimatesAs(o *ProjectScheduling) bool {
	return p.since().Equal(o.since().Time) && p.expects() == o.expects() && p.Profile == o.Profile
}
