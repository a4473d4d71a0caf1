package console

import (
	"fmt"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// hourView are the requests of the last hour.
type hourView struct {
	journal.Minute // all of them

	Whose   string
	Busiest int // requests in the busiest minute
	Width   int // of the chart
	Height  int
	Label   string
	Bars    []minuteView
}

// minuteView is the bar of a minute in the chart.
type minuteView struct {
	Title string
	Parts []rectView
}

// rectView is a part of a bar.
type rectView struct {
	Class               string
	X, Y, Width, Height int
}

// Size of the chart of the last hour, in units of its picture.
const (
	minuteWidth = 10
	hourHeight  = 80
)

// lastHour are the requests of the last hour; nil where no journal is kept.
func (r *request) lastHour() *hourView {
	j := r.console.cfg.Journal
	if j == nil {
		return nil
	}
	may, whose := r.may(), "yours"
	if r.operator() {
		may, whose = nil, "of everybody"
	}
	minutes := j.Minutes(may)
	v := &hourView{Whose: whose, Width: minuteWidth * len(minutes), Height: hourHeight}
	for _, m := range minutes {
		v.Requests, v.Refused, v.Failed = v.Requests+m.Requests, v.Refused+m.Refused, v.Failed+m.Failed
		v.Busiest = max(v.Busiest, m.Requests)
	}
	v.Label = counts(v.Minute) + ", in " + strconv.Itoa(len(minutes)) + " minutes"
	for i, m := range minutes {
		if m.Requests > 0 {
			v.Bars = append(v.Bars, v.bar(i*minuteWidth, m))
		}
	}
	return v
}

func counts(m journal.Minute) string {
	return fmt.Sprintf("%d requests, %d refused, %d failed", m.Requests, m.Refused, m.Failed)
}

// Highest is how many requests the highest bar stands for.
func (v *hourView) Highest() int { return max(v.Busiest, 1) }

// bar is that of a minute: what failed at the bottom, then what was refused, then the rest.
func (v *hourView) bar(left int, m journal.Minute) minuteView {
	bar := minuteView{Title: m.Began.UTC().Format("15:04") + " UTC: " + counts(m)}
	foot := hourHeight
	for _, part := range []struct {
		class string
		n     int
	}{{"failed", m.Failed}, {"refused-part", m.Refused}, {"asked", m.Requests - m.Failed - m.Refused}} {
		if part.n <= 0 {
			continue
		}
		high := max(2, part.n*(hourHeight-4)/v.Busiest)
		foot -= high
		bar.Parts = append(bar.Parts, rectView{part.class, left + 1, max(0, foot), minuteWidth - 2, high})
	}
	return bar
}
