package gantt

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const summaryKind = cpm.Summary

// Heights of the shapes of a row, from the line on which its text stands, which is 16
// pixels below the top.
const (
	textLine = 16.0
	barTop   = -10.0
	barHigh  = 12.0
	gap      = 1.5 // between done and remaining
)

// row writes the text of a row and its bar.
func (c *chart) row(i int) {
	r := c.rows[i]
	t := &c.plan.Tasks[r.task]
	c.put("<g")
	if c.options.Bare {
		c.put(` data-row="`, float64(i), `"`)
		c.places(t, c.bars[i])
	}
	c.put(` transform="translate(0 `, middle(i)-rowHeight/2+textLine, `)"><title>`)
	c.text(c.tooltip(r.task))
	c.put("</title>")
	if len(c.columns) > 0 {
		c.cells(&r, t)
	}
	if c.bars[i].there() {
		c.bar(r.task, t, c.bars[i])
	}
	c.baseline(t)
	c.put("</g>\n")
}

// places says in attributes where the bar of a task is, and when the task starts, where it may be moved.
func (c *chart) places(t *dated.Task, e extent) {
	if !e.there() {
		return
	}
	c.put(` data-bar="`, e.x0, " ", e.x1, `"`)
	if !isSummary(t) && !t.Hammock() && !t.Inactive && t.ActualStart == 0 && t.ActualFinish == 0 {
		c.put(` data-start="`, clock(t.Start).Format("2006-01-02T15:04"), `"`)
	}
}

// cells are the columns of a row.
func (c *chart) cells(r *row, t *dated.Task) {
	class, times := "", 1.0
	if isSummary(t) {
		class, times = ` class="p"`, bold
	}
	c.put("<text", class, ` x="`, c.columns[idColumn].x, `">`)
	c.text(fit(c.plan.Label(r.task), (c.columns[idColumn].width-margin)/times))
	c.put("</text>")
	name, in := clean(t.Name), indent*float64(min(r.level, maxIndent))
	x := c.columns[nameColumn].x + in
	c.put("<text", class, ` x="`, x, `"`)
	if !ascii(name) { // fonts may make it wider than expected
		c.put(` clip-path="url(#gantt-name)"`)
	}
	c.put(">")
	c.text(apart(fit(name, (c.columns[nameColumn].width-margin-in)/times)))
	c.put("</text>")
	if t.Start == 0 {
		return
	}
	number, calendar := "n", c.plan.CalendarOf(r.task)
	if class != "" {
		number = "n p"
	}
	c.cell(number, daysColumn, days(t.Duration, calendar))
	c.cell(number, startColumn, date(t.Start))
	c.cell(number, finishColumn, date(t.Finish))
	if t.HasFloat && !t.Ended() && len(c.columns) > floatColumn {
		c.cell(number, floatColumn, days(t.TotalFloat, calendar))
	}
}

// cell writes text of a class into a column, each by itself: not all programs that draw SVG move within
// a text.
func (c *chart) cell(class string, at int, s string) {
	c.put(`<text class="`, class, `" x="`, c.columns[at].x, `">`, s, "</text>")
}

// label writes text of a class that stands out from what it is on: it first writes the same
// text in the colour of the background and broader, which keeps it readable on a line. x
// and y are in pixels; without y the text is at the height of its row.
func (c *chart) label(class string, x, y float64, s string) {
	for _, class := range []string{"o" + strings.TrimPrefix(class, "m"), class} {
		c.put(`<text class="`, class, `" x="`, x)
		if y != 0 {
			c.put(`" y="`, y)
		}
		c.put(`">`)
		c.text(s)
		c.put("</text>")
	}
}

// tooltip describes a task in words: label, name, dates and state, for screen readers and a
// pointer that rests on it.
func (c *chart) tooltip(task int) string {
	t, calendar := &c.plan.Tasks[task], c.plan.CalendarOf(task)
	s := strings.TrimPrefix(clean(c.plan.Label(task))+" "+apart(clean(t.Name)), " ")
	switch {
	case t.Inactive:
		return s + ", inactive"
	case t.Start == 0:
		return s + ", no dates"
	case t.Milestone():
		s += ", " + moment(t.Start)
	default:
		s += ", " + moment(t.Start) + " to " + moment(t.Finish)
	}
	switch {
	case t.Ended():
		return s + ", done"
	case t.ActualStart != 0 && t.Duration > 0:
		s += ", " + strconv.FormatInt(100*(t.Duration-t.Remaining)/t.Duration, 10) + " % done"
	}
	if t.HasFloat {
		s += ", float " + days(t.TotalFloat, calendar) + " d"
	}
	if Critical(t) {
		s += ", critical"
	}
	return s
}

// bar draws what a task is.
func (c *chart) bar(task int, t *dated.Task, e extent) {
	switch {
	case t.Milestone():
		c.milestone(task, t, e)
	case isSummary(t):
		c.summary(e)
	case t.Hammock():
		c.put(`<path class="h" d="M`, e.x0, barTop+0.5, "H", e.x1, "v", barHigh-1, "H", e.x0, `z"/>`)
	default:
		c.work(task, t, e)
	}
	if t.HasFloat && !t.Ended() && !isSummary(t) {
		c.float(task, t, e)
	}
}

// milestone has its date next to it, where no link leaves or enters.
func (c *chart) milestone(task int, t *dated.Task, e extent) {
	c.put(`<path class="`, milestoneClass(t), `" d="M`, e.x0, " -4l7-7 7 7-7 7z\"/>")
	switch {
	case !c.busy[side{task, true}]:
		c.label("m", e.x1+3, 0, date(max(t.Start, t.Finish)))
	case !c.busy[side{task, false}] && e.x0 > c.axis.left+roomDate:
		c.label("m n", e.x0-3, 0, date(max(t.Start, t.Finish)))
	}
}

// milestoneClass returns the CSS class that colours a milestone: one that was reached, a
// critical one, or any other.
func milestoneClass(t *dated.Task) string {
	switch {
	case t.Ended():
		return "d"
	case Critical(t):
		return "c"
	}
	return "k"
}

// summary has a peg at each end, as far as there is room.
func (c *chart) summary(e extent) {
	peg := math.Min(5, (e.x1-e.x0)/2)
	c.put(`<path class="s" d="M`, e.x0, " -9H", e.x1, "v10l-", peg, "-5H", e.x0+peg, "l-", peg, ` 5z"/>`)
}

// work draws what is done of a task and what remains.
func (c *chart) work(task int, t *dated.Task, e extent) {
	class := "r"
	if Critical(t) {
		class = "c"
	}
	switch {
	case t.Ended() && len(t.Splits) > 0:
		c.pieces("d", task, t, e)
	case t.Ended():
		c.box("d", e.x0, e.x1)
	case t.ActualStart == 0 && len(t.Splits) > 0:
		c.pieces(class, task, t, e)
	case t.ActualStart == 0:
		c.box(class, e.x0, e.x1)
	default:
		c.begun(class, task, t, e)
	}
}

// begun draws a task that has begun and not ended.
func (c *chart) begun(class string, task int, t *dated.Task, e extent) {
	pieces, rest := c.progress(task, t)
	at := math.Min(math.Max(c.axis.within(rest), e.x0), e.x1)
	if e.x1-at < minBar {
		at = math.Max(e.x1-minBar, e.x0+1)
	}
	from := e.x0
	for i, p := range pieces {
		x0, x1 := math.Max(c.axis.within(p.Start), e.x0), math.Min(c.axis.within(p.Finish), at)
		if x1-x0 < 1 {
			continue
		}
		if i+1 == len(pieces) && at-x1 < gap { // what remains follows at once
			x1 = at - gap/2
		}
		c.neck(class, from, x0)
		c.box("d", x0, x1)
		from = x1
	}
	if from == e.x0 {
		at = e.x0
	} else if at-from > gap {
		c.neck(class, from, at)
	} else {
		at += gap / 2
	}
	c.rest(class, task, t, rest, extent{at, e.x1})
}

// progress is when the work on a task was done that has begun, and when what remains
// begins. Nothing was done behind the data date, and nothing while the task was suspended:
// where logic holds what remains back, there is a neck until then.
func (c *chart) progress(task int, t *dated.Task) (pieces []dated.Span, rest worktime.Time) {
	if len(t.Splits) > 0 && t.Suspend <= t.Start && t.EarlyStart <= t.Start {
		return c.worked(task, t)
	}
	done := c.plan.CalendarOf(task).Add(t.Start, max(t.Duration-t.Remaining, 0))
	until := done
	if rest = done; t.EarlyStart > t.Start {
		rest = t.EarlyStart
		if until = min(done, rest); c.plan.Options.Profile == cpm.P6 {
			until = rest // which shows until when, not how much
		}
	}
	if data := c.plan.ProjectOf(task).DataDate; data != 0 {
		until = min(until, max(data, t.Start))
	}
	if t.Suspend > t.Start && t.Suspend < until {
		pieces = append(pieces, dated.Span{Start: t.Start, Finish: t.Suspend})
		if t.Resume < t.Suspend || t.Resume >= until {
			return pieces, max(rest, t.Suspend)
		}
		return append(pieces, dated.Span{Start: t.Resume, Finish: until}), max(rest, until)
	}
	return []dated.Span{{Start: t.Start, Finish: until}}, max(rest, until)
}

// neck is the line between pieces of a bar.
func (c *chart) neck(class string, x0, x1 float64) {
	if x1-x0 < 1 {
		return
	}
	if class == "c" {
		class = "v"
	} else {
		class = "f"
	}
	c.put(`<path class="`, class, `" d="M`, x0, " -4H", x1, `"/>`)
}

// box draws a rectangle of the height of bars between two places on the axis, in pixels,
// and nothing where they leave no width.
func (c *chart) box(class string, x0, x1 float64) {
	if x1 <= x0 {
		return
	}
	c.put(`<path class="`, class, `" d="M`, x0, barTop, "H", x1, "v", barHigh, "H", x0, `z"/>`)
}

// float draws how far a task may slip, or by how much it is late.
func (c *chart) float(task int, t *dated.Task, e extent) {
	if t.LateFinish == 0 || t.TotalFloat == 0 {
		return
	}
	x := c.axis.within(t.LateFinish)
	class, from := "f", e.x1
	if t.TotalFloat < 0 {
		class = "v"
		if from = e.x0; t.Milestone() {
			from = e.x0 + halfDiamond
		}
	}
	if math.Abs(x-from) < 1 || t.TotalFloat > 0 && x < from {
		return
	}
	y := 5.0 // below text next to the bar
	if t.Baseline.Start != 0 {
		y = 0.5
	}
	if end, ok := c.labelEnds[task]; ok && y < 5 && class == "f" {
		if from = math.Max(from, end); x-from < 1 {
			return
		}
	}
	tick := "m0-3v6"
	switch { // it continues
	case t.LateFinish > c.axis.to:
		tick = "m-4-3 4 3-4 3"
	case t.LateFinish < c.axis.from:
		tick = "m4-3-4 3 4 3"
	}
	c.put(`<path class="`, class, `" d="M`, from, " ", y, "H", x, tick, `"/>`)
}

// baseline draws where a task once was planned.
func (c *chart) baseline(t *dated.Task) {
	b := &t.Baseline
	if b.Start == 0 || b.Start > c.axis.to || b.Finish < c.axis.from {
		return
	}
	x := c.axis.within(b.Start)
	c.put(`<path class="b" d="M`, x, " 4h", math.Max(c.axis.within(b.Finish)-x, minBar), "v3H", x, `z"/>`)
}
