package progress

import (
	"io"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/internal/spreadsheet"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// CurveCSV writes a curve in lines of fields below their names: a line for each period.
// Durations are in seconds.
func CurveCSV(w io.Writer, c *Curve) error {
	out := spreadsheet.NewWriter(w)
	_ = out.Names("from", "to", "planned", "actual", "earliest", "latest") // Flush returns a failure
	for _, x := range c.Points {
		_ = out.Write(spreadsheet.Plain(x.From.String()), spreadsheet.Plain(x.To.String()), number(&x.Planned),
			number(x.Actual), number(x.Earliest), number(x.Latest))
	}
	return out.Flush()
}

// HistogramCSV writes a histogram: a line for each resource and period.
func HistogramCSV(w io.Writer, h *Histogram) error {
	out := spreadsheet.NewWriter(w)
	_ = out.Names("resource", "name", "unit", "from", "to", "units", "atOnce", "limit", "over")
	for i := range h.Resources {
		r := &h.Resources[i]
		for _, x := range r.Periods {
			_ = out.Write(
				spreadsheet.Text(label(&r.Resource)), spreadsheet.Text(r.Resource.Name),
				spreadsheet.Text(r.Resource.Unit), spreadsheet.Plain(x.From.String()), spreadsheet.Plain(x.To.String()),
				number(&x.Units), number(&x.AtOnce), number(r.Resource.Limit),
				spreadsheet.Plain(strconv.FormatBool(x.Over)),
			)
		}
	}
	return out.Flush()
}

// LineCSV writes the progress line of a plan: a line for each task. Ahead is in seconds of
// working time.
func LineCSV(w io.Writer, l *Line, p *dated.Plan) error {
	out := spreadsheet.NewWriter(w)
	_ = out.Names("task", "name", "plannedStart", "plannedFinish", "done", "at", "ahead")
	for _, s := range l.Tasks {
		t := &p.Tasks[s.Place]
		_ = out.Write(
			spreadsheet.Text(t.Label()), spreadsheet.Text(t.Name), spreadsheet.Plain(s.Planned.Start.String()),
			spreadsheet.Plain(s.Planned.Finish.String()),
			number(&s.Done), spreadsheet.Plain(s.At.String()), spreadsheet.Plain(strconv.FormatInt(s.Ahead, 10)),
		)
	}
	return out.Flush()
}

func number(v *float64) spreadsheet.Cell {
	if v == nil {
		return spreadsheet.Plain("")
	}
	return spreadsheet.Plain(strconv.FormatFloat(*v, 'f', -1, 64))
}

func label(r *dated.Resource) string {
	if r.Code != "" {
		return r.Code
	}
	return r.ID
}
