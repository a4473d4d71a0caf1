package progress

import (
	"cmp"
	"container/list"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxOverTasks is of how many of its tasks an Overallocation tells.
const MaxOverTasks = 20

// Overallocation is a time in which tasks use more of a renewable resource at once than there is of it.
type Overallocation struct {
	// From is when they begin to, To when they end: both in working time of the tasks.
	From, To worktime.Time
	// AtOnce is the most that is used at any one time, Over by how much that is beyond the limit.
	AtOnce, Over float64
	// Tasks are the places of those that use the resource then, MaxOverTasks at most and the first to start first. More
	// reports that others do, too.
	Tasks []int
	More  bool
}

// Tasks with different calendars need not work on the same days. That is looked at for up to so many of them at a time,
// over up to so many days; beyond, they are taken to work together while any of them works.
const (
	mostMixed = 200
	mostDays  = 4_000
)

// tolerance is what sums of shares of a resource may be wrong by.
const tolerance = 1e-9

// shift is a task that uses something from a time to another.
type shift struct {
	task     int
	atOnce   float64
	from, to worktime.Time
	calendar *worktime.Calendar
}

// rota is what uses a resource at a time.
type rota struct {
	now       *list.List // of *shift, the first to start first
	sum       float64
	calendars map[*worktime.Calendar]int
	limit     float64
	over      []Overallocation
}

// overallocations are the times in which uses of a resource are beyond its limit, the earliest first. Times with no
// working time between them are one.
func overallocations(p *dated.Plan, r *dated.Resource, uses []dated.Assignment) []Overallocation {
	if !r.Renewable || r.Limit == nil {
		return nil
	}
	var shifts []*shift
	var ends []worktime.Time
	for _, a := range uses {
		t := &p.Tasks[a.Task]
		s := &shift{a.Task, a.AtOnce, cmp.Or(t.Start, t.Finish), t.Finish, p.CalendarOf(a.Task)}
		if s.atOnce > 0 && s.from < s.to {
			shifts, ends = append(shifts, s), append(ends, s.from, s.to)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	slices.SortStableFunc(shifts, func(a, b *shift) int { return cmp.Compare(a.from, b.from) })
	at := rota{now: list.New(), calendars: make(map[*worktime.Calendar]int), limit: *r.Limit}
	ending := make(map[worktime.Time][]*list.Element)
	for i, from := range ends {
		for _, e := range ending[from] {
			at.leave(e)
		}
		for ; len(shifts) > 0 && shifts[0].from == from; shifts = shifts[1:] {
			ending[shifts[0].to] = append(ending[shifts[0].to], at.join(shifts[0]))
		}
		if i+1 < len(ends) && at.now.Len() > 0 && at.sum > at.limit+tolerance {
			at.look(from, ends[i+1])
		}
	}
	return at.over
}

func (r *rota) join(s *shift) *list.Element {
	r.sum += s.atOnce
	r.calendars[s.calendar]++
	return r.now.PushBack(s)
}

func (r *rota) leave(e *list.Element) {
	s := r.now.Remove(e).(*shift)
	if r.sum -= s.atOnce; r.now.Len() == 0 {
		r.sum = 0
	}
	if r.calendars[s.calendar]--; r.calendars[s.calendar] == 0 {
		delete(r.calendars, s.calendar)
	}
}

// look finds when the same shifts are beyond the limit from a time to another.
func (r *rota) look(from, to worktime.Time) {
	if len(r.calendars) == 1 || r.now.Len() > mostMixed || to-from > mostDays*worktime.Day {
		r.lookTogether(from, to)
		return
	}
	for at := from; at < to; {
		end := min(at.Midnight()+worktime.Day, to)
		r.lookAt(at, end)
		at = end
	}
}

// lookTogether takes the shifts to work at the same times, from when on the first of them works until the last does.
func (r *rota) lookTogether(from, to worktime.Time) {
	x := Overallocation{From: to, To: from, AtOnce: r.sum}
	for c := range r.calendars {
		if c.Between(from, to) > 0 {
			x.From, x.To = min(x.From, c.Start(from)), max(x.To, c.Finish(to))
		}
		if x.From == from && x.To == to {
			break
		}
	}
	if x.From < x.To {
		for e := r.now.Front(); e != nil && !x.More; e = e.Next() {
			x.by(e.Value.(*shift).task)
		}
		r.add(x)
	}
}

// lookAt finds when the shifts that work from a time to another, within a day, are beyond the limit.
func (r *rota) lookAt(from, to worktime.Time) {
	var changes []change
	hours := make(map[*worktime.Calendar]worktime.Hours, len(r.calendars))
	for c := range r.calendars {
		hours[c] = c.Hours(from)
	}
	day := from.Midnight()
	for e := r.now.Front(); e != nil; e = e.Next() {
		s := e.Value.(*shift)
		for _, h := range hours[s.calendar] {
			begin, end := max(from, day+worktime.Time(h.From)), min(to, day+worktime.Time(h.To))
			if begin < end {
				changes = append(changes, change{begin, s.atOnce}, change{end, -s.atOnce})
			}
		}
	}
	for _, x := range beyond(changes, r.limit) {
		for e := r.now.Front(); e != nil && !x.More; e = e.Next() {
			if s := e.Value.(*shift); s.calendar.Between(x.From, x.To) > 0 {
				x.by(s.task)
			}
		}
		r.add(x)
	}
}

// add adds an overallocation, or makes the last one longer where none of those who are there works between them.
func (r *rota) add(x Overallocation) {
	x.Over = x.AtOnce - r.limit
	last := len(r.over) - 1
	if last < 0 || r.works(r.over[last].To, x.From) {
		r.over = append(r.over, x)
		return
	}
	was := &r.over[last]
	was.To, was.AtOnce, was.Over = max(was.To, x.To), max(was.AtOnce, x.AtOnce), max(was.Over, x.Over)
	for _, task := range x.Tasks {
		was.by(task)
	}
	was.More = was.More || x.More
}

// works reports whether any of those who are there works from a time to another.
func (r *rota) works(from, to worktime.Time) bool {
	for c := range r.calendars {
		if c.Between(from, to) > 0 {
			return true
		}
	}
	return false
}

// by adds a task, unless it is known or there are many.
func (x *Overallocation) by(task int) {
	switch {
	case slices.Contains(x.Tasks, task):
	case len(x.Tasks) == MaxOverTasks:
		x.More = true
	default:
		x.Tasks = append(x.Tasks, task)
	}
}

// beyond are the times in which changes are beyond a limit, and the most that is used at once in each.
func beyond(changes []change, limit float64) (all []Overallocation) {
	inOrder(changes)
	now, over := 0.0, false
	for i, c := range changes {
		now += c.by
		switch is := now > limit+tolerance; {
		case i+1 < len(changes) && changes[i+1].at == c.at: // it is not so for any time
		case is && !over:
			all, over = append(all, Overallocation{From: c.at, AtOnce: now}), true
		case is:
			x := &all[len(all)-1]
			x.AtOnce = max(x.AtOnce, now)
		case over:
			all[len(all)-1].To, over = c.at, false
		}
	}
	return all
}

// Unlimited are the resources of which it is not known how many there are at a time, so that it is not known either when
// too much of them is used.
func (h *Histogram) Unlimited() (all []*dated.Resource) {
	for i := range h.Resources {
		if r := &h.Resources[i].Resource; r.Renewable && r.Limit == nil {
			all = append(all, r)
		}
	}
	return all
}
