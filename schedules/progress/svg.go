package progress

import (
	"fmt"
	"io"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plot"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// width is the width of each picture in pixels.
const width = 900.0

// names of the measures, with their units, and by how much values are divided.
var names = map[Measure]struct {
	title, unit string
	short       string
	by          float64
}{
	Count:    {"tasks", "Tasks that have ended", "", 1},
	Duration: {"working time", "Working time in hours", " h", 3_600},
	Units:    {"resource units", "Units of resources", "", 1},
}

// CurveSVG draws a curve: what is planned, what was done, and what is still possible by the
// early and the late dates.
func CurveSVG(w io.Writer, c *Curve, d Drawing) error {
	const height = 440.0
	k := names[c.Measure]
	about := fmt.Sprintf("%d tasks by %s", c.Tasks, k.title)
	last := Point{}
	if n := len(c.Points); n > 0 {
		last = c.Points[n-1]
		about += fmt.Sprintf(" · planned %s%s", plot.Number(round(last.Planned/k.by)), k.short)
		if done := c.done(); done != nil {
			about += fmt.Sprintf(" · done %s%s", plot.Number(round(*done/k.by)), k.short)
		}
	}
	if c.Baseline {
		about += " · planned by the baseline"
	}
	f := plot.New(title(d, c.Plan)+": S-curve", about, width, height, d.Bare)
	if len(c.Points) == 0 {
		return nothing(w, f)
	}
	r := &plot.Frame{
		Left: 72, Top: plot.HeadHeight + 40, Right: width - 24, Bottom: height - 56,
		From: c.Points[0].From, To: last.To,
	}
	for _, x := range c.Points {
		for _, v := range []*float64{&x.Planned, x.Actual, x.Earliest, x.Latest} {
			if v != nil {
				r.Max = math.Max(r.Max, *v/k.by)
			}
		}
	}
	f.Values(r, 6, c.Measure == Count, k.unit)
	f.Times(r)
	keys := []plot.Key{}
	for _, l := range []struct {
		class, meaning string
		of             func(*Point) *float64
	}{
		{"le", "earliest", func(x *Point) *float64 { return c.ahead(x, x.Earliest) }},
		{"ll", "latest", func(x *Point) *float64 { return c.ahead(x, x.Latest) }},
		{"lp", "planned", func(x *Point) *float64 { return &x.Planned }},
		{"la", "done", func(x *Point) *float64 { return x.Actual }},
	} {
		points := c.line(r, k.by, l.of)
		if len(points) > 1 {
			f.Line(l.class, points)
			keys = append(keys, plot.Key{Class: l.class, Meaning: l.meaning})
		}
	}
	if c.DataDate >= r.From && c.DataDate <= r.To && c.DataDate != 0 {
		f.Marks(r, []plot.Mark{{Line: "lz", Text: "u", At: c.DataDate, Name: "Data date " + plot.Day(c.DataDate)}})
	}
	f.Legend(r.Left, height-16, keys)
	_, err := w.Write(f.Bytes())
	return err
}

// line is a line through the points that have a value. What was done ends at the data date,
// where what is still possible begins.
func (c *Curve) line(r *plot.Frame, by float64, of func(*Point) *float64) []plot.Point {
	points := []plot.Point{{X: r.X(r.From), Y: r.Y(0)}}
	for i := range c.Points {
		x := &c.Points[i]
		if v := of(x); v != nil {
			at := x.To
			if v == x.Actual {
				at = min(at, c.DataDate)
			}
			points = append(points, plot.Point{X: r.X(at), Y: r.Y(*v / by)})
		}
	}
	return points
}

// ahead is a value by the early or the late dates in periods that end behind the data date,
// and before it what was done.
func (c *Curve) ahead(x *Point, v *float64) *float64 {
	if x.Actual != nil && v != nil {
		return x.Actual
	}
	return v
}

// done is what was done by the data date; nil where that is not known.
func (c *Curve) done() (last *float64) {
	for _, x := range c.Points {
		if x.Actual != nil {
			last = x.Actual
		}
	}
	return last
}

func round(v float64) float64 { return math.Round(v*10) / 10 }

// title is the heading of a picture.
func title(d Drawing, plan string) string {
	switch {
	case d.Title != "":
		return d.Title
	case plan != "":
		return plan
	}
	return "Plan"
}

// nothing ends a picture of a plan without dates.
func nothing(w io.Writer, f *plot.Figure) error {
	f.Text("m", plot.Margin, plot.HeadHeight+20, "There is nothing to show.")
	_, err := w.Write(f.Bytes())
	return err
}

// MaxPictured is how many resources, or tasks, one picture shows.
const MaxPictured = 200

// HistogramSVG draws a histogram: a panel for each resource, MaxPictured at most, with how many
// work at once and how many there are, or its units where that is not known.
func HistogramSVG(w io.Writer, h *Histogram, d Drawing) error {
	const panel, top = 150.0, plot.HeadHeight + 8
	shown := h.Resources[:min(len(h.Resources), MaxPictured)]
	height := math.Max(top+panel*float64(len(shown))+56, 140)
	over := 0
	for i := range shown {
		for _, x := range shown[i].Periods {
			if x.Over {
				over++
				break
			}
		}
	}
	about := fmt.Sprintf("%d resources by %s · %d at times beyond their limit", len(h.Resources), lower(h.Step), over)
	f := plot.New(title(d, h.Plan)+": resources", about, width, height, d.Bare)
	if len(shown) == 0 {
		return nothing(w, f)
	}
	for i := range shown {
		drawUse(f, &shown[i], top+panel*float64(i), panel, h.DataDate)
	}
	f.Legend(72, height-16, []plot.Key{
		{Class: "f", Meaning: "used"},
		{Class: "x", Meaning: "beyond the limit"},
		{Class: "lm", Meaning: "limit"},
		{Class: "lz", Meaning: "data date"},
	})
	_, err := w.Write(f.Bytes())
	return err
}

func lower(s Step) string {
	return map[Step]string{Day: "day", Week: "week", Month: "month", Year: "year"}[s]
}

// drawUse draws the panel of a resource.
func drawUse(f *plot.Figure, u *ResourceUse, top, height float64, data worktime.Time) {
	n := len(u.Periods)
	r := &plot.Frame{
		Left: 72, Top: top + 36, Right: width - 24, Bottom: top + height - 28, From: u.Periods[0].From,
		To: u.Periods[n-1].To,
	}
	atOnce := u.Resource.Renewable && u.Peak > 0
	unit, value := u.Resource.Unit, func(x *Use) float64 { return x.Units }
	if atOnce {
		unit, value = "at once", func(x *Use) float64 { return x.AtOnce }
	}
	if unit == "" {
		unit = "units"
	}
	for i := range u.Periods {
		r.Max = math.Max(r.Max, value(&u.Periods[i]))
	}
	limited := atOnce && u.Resource.Limit != nil
	if limited {
		r.Max = math.Max(r.Max, *u.Resource.Limit)
	}
	name := label(&u.Resource)
	if u.Resource.Name != "" && u.Resource.Name != name {
		name += "  " + u.Resource.Name
	}
	f.Text("u", r.Left, top+14, plot.Fit(name, r.Right-r.Left))
	f.Values(r, 3, false, unit)
	f.Times(r)
	for i := range u.Periods {
		x := &u.Periods[i]
		v := value(x)
		if v == 0 {
			continue
		}
		normal, meaning := v, fmt.Sprintf("%s to %s: %s %s", plot.Day(x.From), plot.Day(x.To), plot.Number(round(v)),
			unit)
		if limited && x.Over {
			normal = *u.Resource.Limit
			f.Bar("x", r.X(x.From)+0.5, r.Y(v), r.X(x.To)-0.5, r.Y(normal), meaning)
		}
		f.Bar("f", r.X(x.From)+0.5, r.Y(normal), r.X(x.To)-0.5, r.Bottom, meaning)
	}
	if limited {
		f.Line("lm", []plot.Point{{X: r.Left, Y: r.Y(*u.Resource.Limit)}, {X: r.Right, Y: r.Y(*u.Resource.Limit)}})
	}
	if data > r.From && data < r.To {
		f.Line("lz", []plot.Point{{X: r.X(data), Y: r.Top}, {X: r.X(data), Y: r.Bottom}})
	}
}

// LineSVG draws the progress line of a plan over its tasks as planned, MaxPictured at most:
// where it goes to the left a task is behind, where to the right ahead.
func LineSVG(w io.Writer, l *Line, p *dated.Plan, d Drawing) error {
	const row, top, names = 20.0, plot.HeadHeight + 30, 260.0
	shown := l.Tasks[:min(len(l.Tasks), MaxPictured)]
	height := math.Max(top+row*float64(len(shown))+68, 140)
	behind, ahead := 0, 0
	for _, s := range l.Tasks {
		if s.Ahead < 0 {
			behind++
		} else if s.Ahead > 0 {
			ahead++
		}
	}
	about := fmt.Sprintf("%d tasks · %d behind, %d ahead · data date %s", len(l.Tasks), behind, ahead,
		plot.Day(l.DataDate))
	if len(shown) < len(l.Tasks) {
		about += fmt.Sprintf(" · the first %d are shown", len(shown))
	}
	if l.Baseline {
		about += " · planned by the baseline"
	}
	f := plot.New(title(d, l.Plan)+": progress line", about, width, height, d.Bare)
	if len(shown) == 0 {
		return nothing(w, f)
	}
	var e extent
	e.add(l.DataDate)
	for _, s := range shown {
		e.add(s.Planned.Start, s.Planned.Finish, s.At)
	}
	r := &plot.Frame{
		Left: names, Top: top, Right: width - 24, Bottom: top + row*float64(len(shown)),
		From: (e.first - worktime.Day).Midnight(), To: (e.last + 2*worktime.Day).Midnight(),
	}
	f.Times(r)
	points := []plot.Point{{X: r.X(l.DataDate), Y: r.Top}}
	for i, s := range shown {
		y := r.Top + row*(float64(i)+0.5)
		t := &p.Tasks[s.Place]
		f.Text("", plot.Margin, y+4, plot.Fit(t.Label()+"  "+t.Name, names-2*plot.Margin))
		x0, x1 := r.X(s.Planned.Start), math.Max(r.X(s.Planned.Finish), r.X(s.Planned.Start)+3)
		f.Bar("p", x0, y-5, x1, y+5, fmt.Sprintf("%s, %s to %s, %.0f %% done", t.Label(), plot.Day(s.Planned.Start),
			plot.Day(s.Planned.Finish), 100*s.Done))
		switch {
		case s.Done == 1:
			f.Bar("d", x0, y-5, x1, y+5, "")
		case s.Done > 0: // as far as the line
			f.Bar("d", x0, y-5, r.X(s.At), y+5, "")
		}
		points = append(points, plot.Point{X: r.X(s.At), Y: y})
	}
	points = append(points, plot.Point{X: r.X(l.DataDate), Y: r.Bottom})
	f.Line("lm", points)
	f.Marks(r, []plot.Mark{{Line: "lz", Text: "u", At: l.DataDate, Name: "Data date " + plot.Day(l.DataDate)}})
	f.Legend(plot.Margin, height-16,
		[]plot.Key{
			{Class: "p", Meaning: "planned"},
			{Class: "d", Meaning: "done of it"},
			{Class: "lm", Meaning: "progress line: to the left of the data date is behind"},
		})
	_, err := w.Write(f.Bytes())
	return err
}
