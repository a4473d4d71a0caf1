package analysis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxChartRows is how many tasks one page of a chart has.
const MaxChartRows = gantt.MaxRows

// Limits of what a chart is asked for.
const (
	MaxToggled = 1_000
	MaxSearch  = 200
)

// ChartQuery selects what a chart shows. The zero value is the first page of all of it.
type ChartQuery struct {
	BaselineID string // a baseline to show next to the plan
	Page       int    // from 1 on; 0 is the first
	Rows       int    // of a page, up to MaxChartRows; 0 is 200
	Levels     int    // how deep the tree of tasks is shown; 0 is all of it
	Scale      string // fit, day, week, month or quarter; empty is fit
	// OrderBy is the order of the tasks below one: outline, start or plan, as gantt.Order has
	// them; empty is outline.
	OrderBy string
	// From and To are the first and the last time that is shown; null is what the rows
	// need.
	From, To twinplatform.DateTime
	// WithoutLinks leaves the links out.
	WithoutLinks bool
	// Toggled are the ids of tasks that are folded although Levels shows what is below
	// them, or unfolded although it does not: MaxToggled at most.
	Toggled []string
	// Search shows only tasks whose name, code or id has this text, whatever the case of
	// its letters, with those that they are below: MaxSearch bytes at most.
	Search string
	// Critical shows only what is critical, with what it is below.
	Critical bool
	// WithoutTable leaves the columns next to the bars out, Bare the colours, for pages
	// that have them.
	WithoutTable, Bare bool
}

// options checks the query and makes the options of the picture from it. It reports all
// faults at once.
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
	if len(q.Toggled) > MaxToggled {
		c.Bad("toggled", "At most %d tasks are folded or unfolded.", MaxToggled)
	}
	if len(q.Search) > MaxSearch {
		c.Bad("search", "The text that is searched for has at most %d bytes.", MaxSearch)
	}
	o := gantt.Options{
		Page: q.Page, Rows: q.Rows, Levels: q.Levels, WithoutLinks: q.WithoutLinks,
		Search: q.Search, Critical: q.Critical, WithoutTable: q.WithoutTable, Bare: q.Bare,
	}
	if q.Scale != "" {
		scale, err := gantt.ParseScale(q.Scale)
		if err != nil {
			c.Bad("scale", "The scale is fit, day, week, month or quarter.")
		}
		o.Scale = scale
	}
	if q.OrderBy != "" {
		order, err := gantt.ParseOrder(q.OrderBy)
		if err != nil {
			c.Bad("orderBy", "The order is outline, start or plan.")
		}
		o.Order = order
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The time that is shown ends before it begins.")
	}
	return o, c.Err(model.InvalidRequest)
}

// Chart is a picture of a plan.
type Chart struct {
	Text      []byte
	MediaType string
	Pages     int // that the plan has
	Replaced  int // letters of a PDF that are question marks
	// Policy is the value of the header Content-Security-Policy with which it may be
	// served: it lets the picture's own colours through and nothing else.
	Policy string
}

// GanttSVG draws a schedule as a Gantt chart (GET …/gantt.svg): the tree of its tasks
// where they stand, with what is critical and what floats, as package gantt says. A
// schedule that cannot be scheduled is drawn without that.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or InvalidValue (page, rows, levels, scale, orderBy, from, to, toggled, search); ScheduleNotFound;
// BaselineNotFound; LimitExceeded, as of CriticalPath.
func (p Plan) GanttSVG(ctx context.Context, q ChartQuery) (Chart, error) {
	return p.chart(ctx, &q, "image/svg+xml", (*gantt.Page).SVG)
}

// GanttMermaid writes a schedule as a Gantt diagram of Mermaid (GET …/gantt.mmd), which
// many tools show within Markdown: without links, float and baselines.
//
// Errors: as GanttSVG.
func (p Plan) GanttMermaid(ctx context.Context, q ChartQuery) (Chart, error) {
	return p.chart(ctx, &q, "text/plain; charset=utf-8", (*gantt.Page).Mermaid)
}

// GanttPDF draws a schedule on paper (GET …/gantt.pdf), all pages unless the query asks for one, as gantt.PDF does. Pages
// are those of the PDF.
//
// Errors: as GanttSVG; more than gantt.MaxPaper pages are InvalidValue (rows).
func (p Plan) GanttPDF(ctx context.Context, q ChartQuery) (c Chart, err error) {
	o, err := q.options()
	if err != nil {
		return c, err
	}
	c.MediaType, c.Policy = "application/pdf", gantt.Policy()
	var b bytes.Buffer
	err = p.planned(ctx, &q, &o, func(plan *dated.Plan, _ model.Clock) error {
		paper, err := gantt.PDF(&b, plan, o)
		c.Text, c.Pages, c.Replaced = b.Bytes(), paper.Pages, paper.Replaced
		return refused(err)
	})
	return c, err
}

// GanttRows returns the rows of a page of a chart (GET …/gantt.json), for clients that
// show them as a table next to the picture.
//
// Errors: as GanttSVG.
func (p Plan) GanttRows(ctx context.Context, q ChartQuery) (c ChartRows, err error) {
	err = p.charted(ctx, &q, func(shown *dated.Plan, cal model.Clock, page *gantt.Page) error {
		c.Summary, c.PageCount = summaryOf(shown, cal), page.Pages()
		rows := page.Rows()
		c.Rows = make([]ChartRow, len(rows))
		for i, r := range rows {
			c.Rows[i] = chartRow(shown, cal, r)
		}
		return nil
	})
	return c, err
}

// ChartRows are the rows of a page of a chart.
type ChartRows struct {
	PageCount int        `json:"pageCount"`
	Rows      []ChartRow `json:"rows"`
	// Summary is of all tasks of the schedule, whatever part of it the chart shows.
	Summary ChartSummary `json:"summary"`
}

// ChartSummary is what the tasks of a schedule come to. WBS tasks are not counted. Dates
// are local to the time zone of the schedule.
type ChartSummary struct {
	CriticalCount int                   `json:"criticalCount"`
	Finish        twinplatform.DateTime `json:"finish"`     // of the last task, null where there is none
	FinishDate    string                `json:"finishDate"` // such as 2026-03-02, empty where there is none
	Start         twinplatform.DateTime `json:"start"`      // of the first task, null where there is none
	StartDate     string                `json:"startDate"`
	TaskCount     int                   `json:"taskCount"`
}

func summaryOf(p *dated.Plan, cal model.Clock) ChartSummary {
	s := gantt.SummaryOf(p)
	return ChartSummary{
		CriticalCount: s.Critical, TaskCount: s.Tasks, Start: cal.Global(s.Start), Finish: cal.Global(s.Finish),
		StartDate: dayOf(s.Start), FinishDate: dayOf(s.Finish),
	}
}

// ChartRow is a task as a chart has it. Days are working days of the calendar of the task;
// dates are local to the time zone of the schedule.
type ChartRow struct {
	DurationDays   float64                 `json:"durationDays"`
	Finish         twinplatform.DateTime   `json:"finish"`
	FinishDate     string                  `json:"finishDate"` // such as 2026-03-02, empty where there is none
	IsCompleted    bool                    `json:"isCompleted"`
	IsCritical     bool                    `json:"isCritical"`
	IsFolded       bool                    `json:"isFolded"` // what is below it is not shown
	IsMatch        bool                    `json:"isMatch"`  // of the search; true where there is none
	IsParent       bool                    `json:"isParent"`
	Level          int                     `json:"level"` // 0 is the top
	Name           string                  `json:"name"`
	Start          twinplatform.DateTime   `json:"start"`
	StartDate      string                  `json:"startDate"`
	TaskID         string                  `json:"taskId"`         // empty for the row of a project
	TotalFloatDays *float64                `json:"totalFloatDays"` // null where it has none
	UserDefinedID  twinplatform.NullString `json:"userDefinedId"`
}

func chartRow(p *dated.Plan, cal model.Clock, r gantt.Row) ChartRow {
	if r.Task == dated.None { // of a whole project
		x := &p.Projects[r.Project]
		return ChartRow{
			Name: cmp.Or(x.Name, x.Code), UserDefinedID: twinplatform.NullString(x.Code), Level: r.Level,
			IsParent: r.Parent, IsFolded: r.Folded, IsMatch: r.Found,
		}
	}
	t := &p.Tasks[r.Task]
	day := float64(p.CalendarOf(r.Task).Day())
	c := ChartRow{
		TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code),
		Level: r.Level, IsParent: r.Parent, IsFolded: r.Folded, IsMatch: r.Found,
		Start: cal.Global(t.Start), Finish: cal.Global(t.Finish), StartDate: dayOf(t.Start),
		FinishDate:   dayOf(t.Finish),
		DurationDays: float64(t.Duration) / day, IsCompleted: t.Ended(), IsCritical: gantt.Critical(t),
	}
	if t.HasFloat && !t.Ended() {
		days := float64(t.TotalFloat) / day
		c.TotalFloatDays = &days
	}
	return c
}

// dayOf is the day of a time, in the time of calendars.
func dayOf(t worktime.Time) string {
	if t == 0 {
		return ""
	}
	return t.String()[:len(time.DateOnly)]
}

func (p Plan) chart(ctx context.Context, q *ChartQuery, mediaType string,
	draw func(*gantt.Page, io.Writer) error,
) (c Chart, err error) {
	c.MediaType, c.Policy = mediaType, gantt.Policy()
	err = p.charted(ctx, q, func(_ *dated.Plan, _ model.Clock, page *gantt.Page) error {
		var b bytes.Buffer
		err = draw(page, &b)
		c.Text, c.Pages = b.Bytes(), page.Pages()
		return err
	})
	return c, err
}

// charted hands over the plan that a query asks for, and the page of its chart.
func (p Plan) charted(ctx context.Context, q *ChartQuery,
	show func(*dated.Plan, model.Clock, *gantt.Page) error,
) error {
	o, err := q.options()
	if err != nil {
		return err
	}
	return p.planned(ctx, q, &o, func(plan *dated.Plan, cal model.Clock) error {
		page, err := gantt.NewPage(plan, o)
		if err != nil {
			return refused(err)
		}
		return show(plan, cal, page)
	})
}

// planned hands over the plan that a query asks for, and completes the options of its picture.
func (p Plan) planned(ctx context.Context, q *ChartQuery, o *gantt.Options,
	show func(*dated.Plan, model.Clock) error,
) error {
	var plan *dated.Plan
	var cal model.Clock
	err := p.look(ctx, model.ScheduleMissing, func(l model.Look) (err error) {
		plan = l.Plan()
		if cal, err = l.Clock(); err != nil {
			return err
		}
		o.From, o.To = cal.Local(q.From), cal.Local(q.To)
		o.Today = cal.Local(l.Now()).Midnight()
		if q.BaselineID == "" {
			return nil
		}
		baseline, err := l.Baseline(q.BaselineID)
		if err == nil {
			plan.SetBaseline(baseline)
		}
		return err
	})
	if err != nil {
		return err
	}
	o.Toggled = placesOf(plan, q.Toggled)
	return show(plan, cal)
}

// refused says what is wrong with a query in the words of the API.
func refused(err error) error {
	switch {
	case errors.Is(err, gantt.ErrPage):
		return model.Invalid(problem.BadValue("page", "There is no such page."))
	case errors.Is(err, gantt.ErrSpan):
		return model.Invalid(problem.BadValue("to", "The time that is shown ends before it begins."))
	case errors.Is(err, gantt.ErrPaper):
		return model.Invalid(problem.BadValue("rows",
			"A PDF has at most %d pages: choose one, more rows or fewer levels.", gantt.MaxPaper))
	}
	return err
}

// placesOf are the places of the tasks of some ids; those that are none are left out.
func placesOf(p *dated.Plan, ids []string) (places []int) {
	if len(ids) == 0 {
		return nil
	}
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	for i := range p.Tasks {
		if wanted[p.Tasks[i].ID] {
			places = append(places, i)
		}
	}
	return places
}
