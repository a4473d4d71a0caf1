package series

import (
	"fmt"
	"io"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plot"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Drawing says how to draw a series.
type Drawing struct {
	Title string // the heading
	// Bare leaves out the <style> element, for pages that have it.
	Bare bool
}

// Sizes of a picture, in pixels.
const (
	width     = 1080.0
	rowHeight = 26.0
	nameWidth = 150.0
	sideWidth = 270.0 // of what is said of each update
)

// SVG draws a series, one update below the other: from its data date until it was to end, with a line from
// finish to finish, by how much it slipped, and how many tasks were added and removed.
//
// Errors: ErrMany for no points; what the writer fails with.
func SVG(w io.Writer, points []Point, d Drawing) error {
	if len(points) == 0 {
		return ErrMany
	}
	first, last := points[0], points[len(points)-1]
	about := fmt.Sprintf("%d updates · %s to %s · finish %s, was %s", len(points), plot.Day(first.DataDate),
		plot.Day(last.DataDate), plot.Day(last.Finish), plot.Day(first.Finish))
	if last.Late != 0 {
		about += " · " + Days(last.Late)
	}
	bottom := plot.HeadHeight + 20 + rowHeight*float64(len(points))
	f := plot.New(d.Title, about, width, bottom+56, d.Bare)
	r := &plot.Frame{Left: nameWidth, Top: plot.HeadHeight + 20, Right: width - sideWidth, Bottom: bottom}
	for _, p := range points {
		if from := p.DataDate; r.From == 0 || from < r.From {
			r.From = from
		}
		r.To = max(r.To, p.DataDate, p.Finish)
	}
	r.To += worktime.Day
	f.Times(r)
	var ends []plot.Point
	for i, p := range points {
		y := r.Top + rowHeight*(float64(i)+0.5)
		f.Text("m n", r.Left-8, y+4, plot.Fit(p.Name, nameWidth-2*plot.Margin))
		from, to := r.X(p.DataDate), r.X(p.Finish)
		if p.Finish != 0 {
			f.Bar("f", math.Min(from, to-1), y-5, math.Max(to, from+1), y+5, said(&p))
			ends = append(ends, plot.Point{X: to, Y: y})
		}
		f.Bar("z", from-1, y-8, from+1, y+8, "data date "+plot.Day(p.DataDate))
		f.Text("m", r.Right+10, y+4, note(&p, i == 0))
	}
	f.Line("lm", ends)
	f.Legend(r.Left, bottom+44, []plot.Key{
		{Class: "z", Meaning: "data date"},
		{Class: "f", Meaning: "until it was to end"},
		{Class: "lm", Meaning: "finish"},
	})
	_, err := w.Write(f.Bytes())
	return err
}

// note is what stands next to an update.
func note(p *Point, first bool) string {
	s := plot.Day(p.Finish)
	if first {
		return s
	}
	s += " · " + Days(p.Slipped)
	if p.Added > 0 {
		s += fmt.Sprintf(" · %d added", p.Added)
	}
	if p.Removed > 0 {
		s += fmt.Sprintf(" · %d removed", p.Removed)
	}
	return plot.Fit(s, sideWidth-10)
}

// said is an update in words, for screen readers and a pointer that rests on it.
func said(p *Point) string {
	s := fmt.Sprintf("%s: finish %s, %s since the update before", p.Name, plot.Day(p.Finish), Days(p.Slipped))
	if cause := p.CauseWords(); cause != "" {
		s += ", most of it by " + cause
	}
	return s
}

// CauseWords is the cause for people, such as "duration of A1000 Dig (+4 d)", empty where there is none.
func (p *Point) CauseWords() string {
	c := &p.Cause
	if c.Reason == "" {
		return ""
	}
	of := c.Code + " " + c.Name
	if c.PredecessorID != "" {
		of = c.PredecessorCode + " → " + c.Code
	}
	return fmt.Sprintf("%s: %s (%s)", c.Reason.Words(), of, Days(p.CauseBy))
}

// Days is a number of working days with its sign, such as "+4.5 d".
func Days(n float64) string {
	if n = math.Round(100*n) / 100; n == 0 {
		return "0 d"
	}
	return fmt.Sprintf("%+g d", n)
}
