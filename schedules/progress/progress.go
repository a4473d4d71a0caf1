// Package progress shows how far a plan has come: curves over time of what is planned, done
// and still possible (S-curve), the use of each resource over time and its limit (resource
// histogram), and how far each task is ahead or behind (progress line). It needs no store,
// and gives the same result for the same plan.
//
//	curve, err := progress.CurveOf(plan, progress.Options{Measure: progress.Duration})
//	err = progress.CurveSVG(w, curve, progress.Drawing{})
//
// Only tasks that are done count: no summaries, hammocks or inactive tasks, and milestones
// where the measure is Count. What is planned is the baseline where the plan has one, and
// else the plan. What was done is known until the data date, and without one until the last
// actual date.
package progress

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plot"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Measure is what of tasks is added up.
type Measure string

// The measures.
const (
	// Count is how many tasks have ended.
	Count Measure = "Count"
	// Duration is working time, in seconds, spread evenly over that of each task.
	Duration Measure = "Duration"
	// Units counts the hours or amounts of assigned resources, spread over the task in the
	// same way.
	Units Measure = "Units"
)

// Measures are all of them.
func Measures() []Measure { return []Measure{Count, Duration, Units} }

// Step is how long periods are.
type Step string

// The steps. Weeks begin on Mondays.
const (
	Day   Step = "Day"
	Week  Step = "Week"
	Month Step = "Month"
	Year  Step = "Year"
)

// Steps are all of them.
func Steps() []Step { return []Step{Day, Week, Month, Year} }

// MaxPeriods is how many periods there are at most, usualPeriods how many where the step is
// not given.
const (
	MaxPeriods   = 2_000
	usualPeriods = 120
)

// Options select what is reported. The zero value counts tasks.
type Options struct {
	// Measure is Count when empty.
	Measure Measure
	// Step is, when empty, the shortest that makes up to 120 periods.
	Step Step
}

var (
	// ErrMeasure is what a measure fails with that is none.
	ErrMeasure = errors.New("progress: a measure is Count, Duration or Units")
	// ErrStep is what a step fails with that is none, or that makes more than MaxPeriods.
	ErrStep = fmt.Errorf("progress: a step is Day, Week, Month or Year, and there are at most %d of them", MaxPeriods)
)

// Drawing is how a picture looks.
type Drawing struct {
	// Title is the heading; the name of the plan when empty.
	Title string
	// Bare leaves out the <style> element, for pages that link to Style.
	Bare bool
}

// Policy is the value of the header Content-Security-Policy with which a picture may be
// served: it lets the picture's own colours through, and nothing else.
func Policy() string { return plot.Policy() }

// counted reports whether a task is one that is done, and has a date.
func counted(t *dated.Task) bool {
	return t.Kind != cpm.Summary && !t.Hammock() && !t.Inactive && t.Finish != 0
}

// known is until when it is known what was done of the plan: zero is nothing.
func known(p *dated.Plan) (last worktime.Time) {
	for _, x := range p.Projects {
		if x.DataDate != 0 && (last == 0 || x.DataDate > last) {
			last = x.DataDate
		}
	}
	if last != 0 {
		return last
	}
	for i := range p.Tasks {
		if t := &p.Tasks[i]; counted(t) {
			if at := cmp.Or(t.ActualFinish, t.ActualStart); at != 0 && (last == 0 || at > last) {
				last = at
			}
		}
	}
	return last
}

// extent is from when until when something is.
type extent struct{ first, last worktime.Time }

func (e *extent) add(times ...worktime.Time) {
	for _, t := range times {
		if t == 0 {
			continue
		}
		if e.first == 0 || t < e.first {
			e.first = t
		}
		if e.last == 0 || t > e.last {
			e.last = t
		}
	}
}

// periods are the ends of periods, the beginning of the first before them: of those that an
// extent takes.
func periods(e extent, step Step) ([]worktime.Time, Step, error) {
	if e.first == 0 {
		return nil, cmp.Or(step, Day), nil
	}
	steps, most := []Step{step}, MaxPeriods
	switch step {
	case "":
		steps, most = Steps(), usualPeriods
	case Day, Week, Month, Year:
	default:
		return nil, "", ErrStep
	}
	for i, s := range steps {
		if i == len(steps)-1 {
			most = MaxPeriods
		}
		if ends := s.ends(e, most); ends != nil {
			return ends, s, nil
		}
	}
	return nil, "", ErrStep
}

// ends are the ends of the periods of an extent, nil where there are more than so many.
func (s Step) ends(e extent, most int) []worktime.Time {
	at := time.Unix(int64(e.first.Midnight()), 0).UTC()
	years, months, days := 0, 0, 1
	switch s {
	case Week:
		days, at = 7, at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
	case Month:
		days, months, at = 0, 1, time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	case Year:
		days, years, at = 0, 1, time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	all := []worktime.Time{worktime.Time(at.Unix())}
	for all[len(all)-1] < e.last || len(all) == 1 {
		if len(all) > most {
			return nil
		}
		at = at.AddDate(years, months, days)
		all = append(all, worktime.Time(at.Unix()))
	}
	return all
}
