package cpm

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Split is a pause in the work on a task, which counts in its finish and not in its duration.
// It moves with the start of the task.
type Split struct {
	// After is how much of the duration is done when the pause begins, and Pause how long
	// it is, both in seconds of the task's working time.
	After, Pause int64
}

// Paused is for how long work pauses at the splits that begin when so much of a duration is
// done: from the first figure on, and below the second.
func Paused(all []Split, from, below int64) (seconds int64) {
	for _, s := range all {
		if s.After >= from && s.After < below {
			seconds += s.Pause
		}
	}
	return seconds
}

// Split lets work on the task pause at its splits, as far as it has come. Once it has begun
// P6 counts those that are still to come, and so does Microsoft Project from Resume on, at
// which the one ends that had begun; without that it counts all of them.
func (t *Task) Split(all []Split, p Profile) {
	if len(all) == 0 {
		return
	}
	from, done := int64(1), max(t.Duration-t.Remaining, 0)
	switch {
	case t.ActualStart == 0:
	case t.Resume != 0:
		from = done + 1
	case p == P6:
		from = max(done, 1)
	}
	t.Paused = Paused(all, from, t.Duration)
}

// Segments yields from when until when there is work on a task that begins at a time and
// takes so many seconds of a calendar, which is in one piece without splits. The splits are
// in their order, and those that would begin or end outside of the duration count for nothing.
func Segments(c *worktime.Calendar, start worktime.Time, duration int64, all []Split) iter.Seq2[worktime.Time,
	worktime.Time] {
	return func(yield func(from, to worktime.Time) bool) {
		at, done := c.Worked(start), int64(0)
		for _, s := range all {
			if s.After <= done || s.After >= duration || s.Pause <= 0 {
				continue
			}
			from := at
			at += s.After - done
			if !yield(c.StartAt(from), c.FinishAt(at)) {
				return
			}
			at, done = at+s.Pause, s.After
		}
		yield(c.StartAt(at), c.FinishAt(at+duration-done))
	}
}
