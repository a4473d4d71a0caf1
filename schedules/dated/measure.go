package dated

import "github.com/seed-933f9a09/twinplatform/schedules/cpm"

// Work is how long a task takes by its plan.
type Work struct {
	// Duration is the planned one, Remaining what of it is still to be done of a task that
	// has begun; both are working time in seconds.
	Duration, Remaining int64
	// Spans reports that the task takes the time between its dates, whatever was planned.
	Spans bool
}

// Measure returns how long the task at a place takes, and what of it remains: of what spans
// others and of what has ended that is the working time from its start to its finish. A task
// of P6 that has begun takes what it took until its remaining work, and that.
func (p *Plan) Measure(task int, w Work) {
	t, c := &p.Tasks[task], p.CalendarOf(task)
	switch {
	case t.Milestone():
		return
	case w.Spans || t.Ended():
		t.Duration = max(c.Between(t.Start, t.Finish)-cpm.Paused(t.Splits, 1, w.Duration), 0)
	case t.ActualStart != 0 && t.EarlyStart != 0 && p.Options.Profile == cpm.P6:
		t.Duration = w.Remaining + max(c.Between(t.ActualStart, t.EarlyStart), 0)
		t.Splits = later(t.Splits, w.Duration-w.Remaining, t.Duration-w.Duration)
	default:
		t.Duration = w.Duration
	}
	switch {
	case t.Ended():
		t.Remaining = 0
	case t.ActualStart != 0:
		t.Remaining = w.Remaining
	default:
		t.Remaining = t.Duration
	}
}

// later are the splits from one point of a duration on, which that is longer before.
func later(all []cpm.Split, from, longer int64) (out []cpm.Split) {
	for _, s := range all {
		if s.After >= from {
			out = append(out, cpm.Split{After: s.After + longer, Pause: s.Pause})
		}
	}
	return out
}
