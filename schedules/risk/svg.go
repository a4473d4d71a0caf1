package risk

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plot"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Drawing is how a picture looks.
type Drawing struct {
	// Title is the heading.
	Title string
	// Bare leaves out the <style> element, for pages that link to Style.
	Bare bool
}

// Policy is the value of the header Content-Security-Policy with which a picture may be
// served: it lets the picture's own colours through, and nothing else.
func Policy() string { return plot.Policy() }

// Style is the stylesheet of pictures, for pages that have bare ones in them.
func Style() string { return plot.Style() }

// marked are the percentiles that a picture has a line for.
var marked = []float64{50, 80, 90}

// SVG draws when the runs ended: bars for how many in which time, and a curve for the share
// that had ended by then, with the planned finish and P50, P80 and P90.
func SVG(w io.Writer, r *Result, d Drawing) error {
	const width, height = 900.0, 440.0
	title := d.Title
	if title == "" {
		title = "Plan"
	}
	about := []string{"Finish of " + plot.Number(float64(r.Runs)) + " runs"}
	for _, p := range marked {
		about = append(about, fmt.Sprintf("P%v %s", p, plot.Day(r.Percentile(p))))
	}
	about = append(about, fmt.Sprintf("planned %s, kept in %.1f %% of the runs", plot.Day(r.Planned),
		100*r.Chance(r.Planned)))
	f := plot.New(title+": when it may end", strings.Join(about, " · "), width, height, d.Bare)
	if len(r.Bins) == 0 {
		f.Text("m", plot.Margin, plot.HeadHeight+20, "Nothing has a finish.")
		_, err := w.Write(f.Bytes())
		return err
	}
	frame := &plot.Frame{
		Left: 64, Top: plot.HeadHeight + 66, Right: width - 56, Bottom: height - 56,
		From: r.Bins[0].From, To: r.Bins[len(r.Bins)-1].To,
	}
	step := frame.To - frame.From
	frame.From, frame.To = min(frame.From, r.Planned), max(frame.To, r.Planned)
	if len(r.Bins) == 1 { // which would fill all of it
		frame.From, frame.To = frame.From-3*step, frame.To+3*step
	}
	most := 0
	for _, b := range r.Bins {
		most = max(most, b.Runs)
	}
	frame.Max = float64(most)
	f.Values(frame, 5, true, "Runs")
	f.Times(frame)
	for _, b := range r.Bins {
		if b.Runs == 0 {
			continue
		}
		meaning := fmt.Sprintf("%s to %s: %d runs, %.1f %% by then", moment(b.From), moment(b.To), b.Runs,
			100*float64(b.Cumulative)/float64(r.Runs))
		f.Bar("f", frame.X(b.From)+0.5, frame.Y(float64(b.Runs)), frame.X(b.To)-0.5, frame.Bottom, meaning)
	}
	r.curve(f, frame)
	marks := []plot.Mark{{Line: "lz", Text: "u", At: r.Planned, Name: "Planned " + plot.Day(r.Planned)}}
	for _, p := range marked {
		marks = append(marks, plot.Mark{
			Line: "lq", Text: "m", At: r.Percentile(p),
			Name: fmt.Sprintf("P%v %s", p, plot.Day(r.Percentile(p))),
		})
	}
	f.Marks(frame, marks)
	f.Legend(frame.Left, height-16,
		[]plot.Key{
			{Class: "f", Meaning: "runs that ended then"},
			{Class: "la", Meaning: "share that had ended"},
			{Class: "lq", Meaning: "P50, P80, P90"},
			{Class: "lz", Meaning: "finish as planned"},
		})
	_, err := w.Write(f.Bytes())
	return err
}

// curve is the share of the runs that had ended, on its own axis to the right.
func (r *Result) curve(f *plot.Figure, frame *plot.Frame) {
	share := *frame
	share.Max = 1
	points := []plot.Point{{X: share.X(r.Bins[0].From), Y: share.Y(0)}}
	for _, b := range r.Bins {
		points = append(points, plot.Point{X: share.X(b.To), Y: share.Y(float64(b.Cumulative) / float64(r.Runs))})
	}
	f.Line("la", points)
	for _, percent := range []float64{0, 20, 40, 60, 80, 100} {
		f.Text("m", share.Right+6, share.Y(percent/100)+4, plot.Number(percent)+" %")
	}
}

func moment(t worktime.Time) string { return t.String()[:16] }
