package schedules

import (
	"bytes"
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

// MaxChartRows is how many tasks one page of a chart has.
const MaxChartRows = gantt.MaxRows

// ChartQuery says what a chart shows. The zero value is the first page of all of it.
type ChartQuery struct {
	BaselineID string // a baseline to show beside the plan
	Page       int    // from 1 on; 0 is the first
	Rows       int    // of a page, up to MaxChartRows; 0 is 200
	Levels     int    // how deep the tree of tasks is shown; 0 is all of it
	Scale      string // fit, day, week, month or quarter; empty is fit
	// From and To are the first and the last time that is shown; null is what the rows
	// need.
	From, To twinplatform.DateTime
	// WithoutLinks leaves the links out.
	WithoutLinks bool
}

// options are those of the picture.
func (q *ChartQuery) options() (gantt.Options, error) {
	var c problem.Checks
	for _, n := range []struct {
		name  string
		value int
	}{{"page", q.Page}, {"rows", q.Rows}, {"levels", q.Levels}} {
		if n.value < 0 {
			c.Bad(n.name, "The value of '%s' is a whole number from 1 on.", n.name)
		}
	}
	if q.Rows > MaxChartRows {
		c.Bad("rows", "A page has at most %d rows.", MaxChartRows)
	}
	o := gantt.Options{Page: q.Page, Rows: q.Rows, Levels: q.Levels, WithoutLinks: q.WithoutLinks}
	if q.Scale != "" {
		scale, err := gantt.ParseScale(q.Scale)
		if err != nil {
			c.Bad("scale", "The scale is fit, day, week, month or quarter.")
		}
		o.Scale = scale
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The time that is shown ends before it begins.")
	}
	return o, c.Err(InvalidRequest)
}

// Chart is a picture of a plan.
type Chart struct {
	Text      []byte
	MediaType string
	Pages     int // that the plan has
	// Policy is the value of the header Content-Security-Policy with which it may be
	// served: it lets the picture's own colours through and nothing else.
	Policy string
}

// GanttSVG draws a schedule as a Gantt chart (GET …/gantt.svg): the tree of its tasks
// where they stand, with what is critical and what floats, as package gantt says. A
// schedule that cannot be scheduled is drawn without that.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or InvalidValue (page, rows, levels, scale, from, to); ScheduleNotFound;
// BaselineNotFound.
func (s *Service) GanttSVG(ctx context.Context, scheduleID string, q ChartQuery) (Chart, error) {
	return s.chart(ctx, scheduleID, &q, "image/svg+xml", func(b *bytes.Buffer, p *dated.Plan, o gantt.Options) error { return gantt.SVG(b, p, o) })
}

// GanttMermaid writes a schedule as a Gantt diagram of Mermaid (GET …/gantt.mmd), which
// many tools show within Markdown: without links, float and baselines.
//
// Errors: as GanttSVG.
func (s *Service) GanttMermaid(ctx context.Context, scheduleID string, q ChartQuery) (Chart, error) {
	return s.chart(ctx, scheduleID, &q, "text/plain; charset=utf-8", func(b *bytes.Buffer, p *dated.Plan, o gantt.Options) error { return gantt.Mermaid(b, p, o) })
}

func (s *Service) chart(ctx context.Context, scheduleID string, q *ChartQuery, mediaType string, draw func(*bytes.Buffer, *dated.Plan, gantt.Options) error) (c Chart, err error) {
	o, err := q.options()
	if err != nil {
		return c, err
	}
	c.MediaType, c.Policy = mediaType, gantt.Policy()
	var plan *dated.Plan
	err = s.datedPlan(ctx, scheduleID, scheduleMissing, func(v *records.View, sc *Schedule, p *dated.Plan) error {
		plan = p
		calendars, err := allCalendars(v, sc.scope())
		if err != nil {
			return err
		}
		o.From, o.To = calendars.local(q.From), calendars.local(q.To)
		if q.BaselineID == "" {
			return nil
		}
		baseline, err := datedBaseline(v, sc, q.BaselineID, p)
		if err == nil {
			p.SetBaseline(baseline)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	if c.Pages, err = gantt.Pages(plan, o); err == nil {
		var b bytes.Buffer
		err = draw(&b, plan, o)
		c.Text = b.Bytes()
	}
	switch {
	case errors.Is(err, gantt.ErrPage):
		return c, invalid(problem.BadValue("page", "There is no such page."))
	case errors.Is(err, gantt.ErrSpan):
		return c, invalid(problem.BadValue("to", "The time that is shown ends before it begins."))
	}
	return c, err
}
