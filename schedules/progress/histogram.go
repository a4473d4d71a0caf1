package progress

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Histogram is how much of each resource is used when, and how much there is.
type Histogram struct {
	Plan      string // its name
	Step      Step
	DataDate  worktime.Time
	Resources []ResourceUse
}

// ResourceUse is what tasks use of one resource.
type ResourceUse struct {
	Resource dated.Resource
	// Peak is the most that is used at any one time.
	Peak float64
	// Periods begin with the first in which anything of the plan is used, and are the same
	// for all resources.
	Periods []Use
	// Overallocations are the times in which more is used than there is, whatever the periods are.
	Overallocations []Overallocation
}

// Use is what is used in a period.
type Use struct {
	From, To worktime.Time
	// Units are spread evenly over the working time of the tasks, in the unit of the resource.
	Units float64
	// AtOnce is the most that is used at any one time of the period.
	AtOnce float64
	// Over reports that this is more than there is of a renewable resource.
	Over bool
}

// HistogramOf returns what is used of the resources of a plan to which tasks are assigned,
// in their order. Tasks use them from their start to their finish in the plan, while their
// calendars have working time.
//
// Errors: ErrStep.
func HistogramOf(p *dated.Plan, o Options) (*Histogram, error) {
	h := &Histogram{Plan: p.Name, DataDate: known(p)}
	var e extent
	uses := make(map[int][]dated.Assignment)
	for _, a := range p.Assignments {
		if t := &p.Tasks[a.Task]; counted(t) {
			e.add(cmp.Or(t.Start, t.Finish), t.Finish)
			uses[a.Resource] = append(uses[a.Resource], a)
		}
	}
	ends, step, err := periods(e, o.Step)
	if h.Step = step; err != nil {
		return nil, err
	}
	for i, r := range p.Resources {
		if len(uses[i]) > 0 {
			u := useOf(p, r, uses[i], ends)
			u.Overallocations = overallocations(p, &r, uses[i])
			h.Resources = append(h.Resources, u)
		}
	}
	return h, nil
}

// change is when a task begins or ends to use something.
type change struct {
	at worktime.Time
	by float64
}

func useOf(p *dated.Plan, r dated.Resource, uses []dated.Assignment, ends []worktime.Time) ResourceUse {
	u := ResourceUse{Resource: r, Periods: make([]Use, len(ends)-1)}
	changes := make([][]change, len(u.Periods))
	for i := range u.Periods {
		u.Periods[i].From, u.Periods[i].To = ends[i], ends[i+1]
	}
	var units ledger
	for _, a := range uses {
		t, c := &p.Tasks[a.Task], p.CalendarOf(a.Task)
		from := cmp.Or(t.Start, t.Finish)
		units = append(units, piece{c, from, t.Finish, a.Units})
		first, _ := slices.BinarySearch(ends[1:], from)
		for i := first; i < len(changes) && ends[i] < t.Finish; i++ {
			begin, end := max(from, ends[i]), min(t.Finish, ends[i+1])
			if a.AtOnce > 0 && c.Between(begin, end) > 0 {
				// From when on and until when it works, which the ends of days are not.
				changes[i] = append(changes[i], change{c.Start(begin), a.AtOnce}, change{c.Finish(end), -a.AtOnce})
			}
		}
	}
	before := 0.0
	for i, sum := range units.sums(ends) {
		u.Periods[i].Units, before = sum-before, sum
	}
	for i := range u.Periods {
		x := &u.Periods[i]
		x.AtOnce = peak(changes[i])
		x.Over = r.Renewable && r.Limit != nil && x.AtOnce > *r.Limit+tolerance
		u.Peak = max(u.Peak, x.AtOnce)
	}
	return u
}

// peak is the most that is used at any one time. What ends when something begins is free.
func peak(changes []change) (most float64) {
	inOrder(changes)
	now := 0.0
	for _, x := range changes {
		now += x.by
		most = max(most, now)
	}
	return most
}

// inOrder sorts changes by time, what ends before what begins.
func inOrder(changes []change) {
	slices.SortStableFunc(changes,
		func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
}
