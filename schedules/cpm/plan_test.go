package cpm_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const (
	hour = worktime.Hour
	day  = 8 * hour
)

// begin is a Monday, 9:00.
var begin = worktime.Date(2026, time.January, 5, 9, 0, 0)

func office(tb testing.TB) *worktime.Calendar {
	tb.Helper()
	c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 9 * hour, To: 17 * hour}})})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// plan is a network whose tasks are known by their ids.
type plan struct {
	*cpm.Network
	tb  testing.TB
	ids map[string]int
}

func newPlan(tb testing.TB) *plan {
	tb.Helper()
	return &plan{Network: cpm.NewNetwork(), tb: tb, ids: make(map[string]int)}
}

// task adds one that takes some days.
func (p *plan) task(id string, days float64, with ...func(*cpm.Task)) *plan {
	t := cpm.Task{ID: id, Duration: int64(days * day)}
	for _, fn := range with {
		fn(&t)
	}
	p.ids[id] = p.Add(t)
	return p
}

// link adds one written as "a FS b" with a lag in days behind it.
func (p *plan) link(s string) *plan {
	p.tb.Helper()
	var a, typ, b string
	var lag float64
	if n, _ := fmt.Sscan(s, &a, &typ, &b, &lag); n < 3 {
		p.tb.Fatalf("no link: %s", s)
	}
	l := cpm.Link{Predecessor: p.ids[a], Successor: p.ids[b], Lag: int64(lag * day)}
	l.Type = map[string]cpm.LinkType{"FS": cpm.FinishToStart, "SS": cpm.StartToStart, "FF": cpm.FinishToFinish, "SF": cpm.StartToFinish}[typ]
	p.Join(l)
	return p
}

func (p *plan) nest(child, below string) *plan {
	p.Nest(p.ids[child], p.ids[below])
	return p
}

func (p *plan) schedule(o cpm.Options) *cpm.Result {
	p.tb.Helper()
	if o.Calendar == nil {
		o.Calendar = office(p.tb)
	}
	o.Start = begin
	r, err := cpm.Schedule(p.Network, o)
	if err != nil {
		p.tb.Fatal(err)
	}
	return r
}

// dates are the dates of a task as "early start, early finish, late start, late finish,
// total float, free float", floats in days.
func (p *plan) dates(r *cpm.Result, id string) string {
	d := r.Dates(p.ids[id])
	clock := func(t worktime.Time) string {
		if t == 0 {
			return "-"
		}
		return strings.TrimPrefix(t.String(), "2026-")[:11]
	}
	s := fmt.Sprintf("%s..%s %s..%s", clock(d.EarlyStart), clock(d.EarlyFinish), clock(d.LateStart), clock(d.LateFinish))
	if d.HasFloat {
		s += fmt.Sprintf(" %v %v", float64(d.TotalFloat)/day, float64(d.FreeFloat)/day)
	}
	return s
}
