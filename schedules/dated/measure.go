package dated

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Work is how long a task takes by its plan.
type Work struct {
	// Duration is the planned one, Remaining what of it is still to be done of a task that
	// has begun; both are working time in seconds.
	Duration, Remaining int64
	// Spans reports that the task takes the time between its dates, whatever was planned.
	Spans bool
}

// Measure returns how long the task at a place takes, and what of it remains: of what spans
// others and of what has ended that is the working time from its start to its finish, and no
// more than that remains of it. A task of P6 that has begun takes what it took until its remaining work, and that.
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
	case t.ActualStart != 0 && w.Spans: // by dates that may be others than those of which it remained
		t.Remaining = min(w.Remaining, t.Duration)
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

// SpanSummaries gives each summary the dates of what is below it, as Below has them, and the working time between these.
// A summary above nothing with dates keeps its own.
func (p *Plan) SpanSummaries() {
	for i, span := range p.Below() {
		t := &p.Tasks[i]
		if t.Kind == cpm.Summary && span.Start != 0 && (t.Start != span.Start || t.Finish != span.Finish) {
			t.Start, t.Finish = span.Start, span.Finish
			p.Measure(i, Work{Remaining: t.Remaining, Spans: true})
		}
	}
}

// Below are the dates of what is below each task at any depth, from the first start to the last finish, and zero where
// nothing there has dates. Inactive tasks do not count, as in Microsoft Project, nor do dates of summaries themselves.
func (p *Plan) Below() []Span {
	below := make([]Span, len(p.Tasks))
	for i := len(p.Tasks) - 1; i >= 0; i-- { // those below before those above
		if t := &p.Tasks[i]; t.Parent >= 0 && !t.Inactive {
			below[t.Parent].widenBy(t, below[i])
		}
	}
	return below
}

// widenBy makes a span take in a task: of a summary what is below that.
func (s *Span) widenBy(t *Task, below Span) {
	if t.Kind != cpm.Summary {
		below = Span{Start: t.Start, Finish: t.Finish}
	}
	s.Widen(below.Start, below.Finish)
}

// Widen makes a span take in another time, of which one end may be zero; its duration stays.
func (s *Span) Widen(start, finish worktime.Time) {
	start, finish = cmp.Or(start, finish), cmp.Or(finish, start)
	if start != 0 && (s.Start == 0 || start < s.Start) {
		s.Start = start
	}
	s.Finish = max(s.Finish, finish)
}
