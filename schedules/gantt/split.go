package gantt

import (
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// pieces draws a split task that is done, or of which nothing is, with necks between its pieces.
func (c *chart) pieces(class string, task int, t *dated.Task, e extent) {
	c.segments(class, task, t.Start, t.Duration, t.Splits, e)
}

// segments draws work of a duration from a time on, within an extent.
func (c *chart) segments(class string, task int, start worktime.Time, duration int64, splits []cpm.Split, e extent) {
	at := e.x0
	for from, to := range cpm.Segments(c.plan.CalendarOf(task), start, duration, splits) {
		x0, x1 := math.Max(c.axis.within(from), at), math.Min(c.axis.within(to), e.x1)
		if x1-x0 < 1 {
			continue
		}
		if at == e.x0 { // which it begins with
			x0 = e.x0
		}
		c.neck(class, at, x0)
		c.box(class, x0, x1)
		at = x1
	}
	c.box(class, at, e.x1) // where its dates leave more time than its segments
}

// rest draws what remains of a task from a time on.
func (c *chart) rest(class string, task int, t *dated.Task, from worktime.Time, e extent) {
	done := max(t.Duration-t.Remaining, 0)
	var splits []cpm.Split
	for _, s := range t.Splits {
		if s.After > done {
			splits = append(splits, cpm.Split{After: s.After - done, Pause: s.Pause})
		}
	}
	if len(splits) == 0 {
		c.box(class, e.x0, e.x1)
		return
	}
	c.segments(class, task, from, t.Remaining, splits, e)
}

// worked is progress of a split task that continues where it stands by plan.
func (c *chart) worked(task int, t *dated.Task) (pieces []dated.Span, rest worktime.Time) {
	calendar, done := c.plan.CalendarOf(task), max(t.Duration-t.Remaining, 0)
	rest = calendar.StartAt(calendar.Worked(t.Start) + done + cpm.Paused(t.Splits, 1, done+1))
	// What is done was done before the data date, so its pieces end there, even if the plan
	// has the work later.
	until := rest
	if data := c.plan.ProjectOf(task).DataDate; data != 0 {
		until = min(until, max(data, t.Start))
	}
	if done == 0 {
		return nil, rest
	}
	for from, to := range cpm.Segments(calendar, t.Start, done, t.Splits) {
		if from < until {
			pieces = append(pieces, dated.Span{Start: from, Finish: min(to, until)})
		}
	}
	return pieces, rest
}
