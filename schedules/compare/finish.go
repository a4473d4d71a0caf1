package compare

import (
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// FinishMove is why a plan ends at another time than its baseline: what changed on the
// path that drives the finish. The contributions of the causes and the remainder add up to
// the move.
//
// Where the finish is later, the path drives the finish of the plan, and the causes made it
// longer. Where the finish is earlier, the path drove the finish of the baseline, and the
// causes made it shorter.
//
// All of it is in seconds of the working time of the plan's first project, so that the
// parts can be added; FinishMove.Day is how many of them a working day has.
type FinishMove struct {
	BaselineFinish, Finish worktime.Time // of the last task; zero where no task has a date
	Move                   int64
	Causes                 []Cause // along the path, from its beginning; none contributes zero
	// Remainder is what no change on the path explains: how much earlier than the finish
	// the path ended in the other of the two plans, where something else held the finish.
	// Where that has no task of the path, it is from its finish to the beginning of the path.
	Remainder int64
	Day       int64
}

// Reason is what changed on a path.
type Reason string

// The reasons.
const (
	// MovedStart is of the first task of the path, which starts at another time.
	MovedStart Reason = "Start"
	// ChangedDuration is of a task that takes more or less working time, ChangedSpan of one
	// that takes the same in more or less time: it was interrupted, or its calendar differs.
	ChangedDuration Reason = "Duration"
	ChangedSpan     Reason = "Span"
	AddedTask       Reason = "AddedTask"
	RemovedTask     Reason = "RemovedTask"
	// ChangedLink is of a link with another type or lag.
	ChangedLink Reason = "Link"
	AddedLink   Reason = "AddedLink"
	RemovedLink Reason = "RemovedLink"
	// ChangedWait is of a link that is as it was, between tasks that are further apart or
	// closer together: by a constraint, the data date, a calendar, or float that was there
	// and is used up.
	ChangedWait Reason = "Wait"
)

// Words is the reason for people, such as "link added".
func (r Reason) Words() string {
	return map[Reason]string{
		MovedStart: "starts at another time", ChangedDuration: "duration", ChangedSpan: "same work in another time",
		AddedTask: "task added", RemovedTask: "task removed", ChangedLink: "type or lag", AddedLink: "link added",
		RemovedLink: "link removed", ChangedWait: "time between",
	}[r]
}

// Cause is a task or a link of the path that moves the finish.
type Cause struct {
	Reason Reason
	// TaskID, Code and Name identify the task, or the successor of the link.
	TaskID, Code, Name string
	// LinkID is empty for a task, as is its predecessor.
	LinkID                                          string
	PredecessorID, PredecessorCode, PredecessorName string
	// By is how much later the finish is for it, in working time; below zero is earlier.
	By int64
}

// Finish reports why a plan ends at another time than its baseline. Tasks are found in the
// baseline as by dated.Match. Summaries and hammocks, which follow from other tasks, are
// no part of it.
//
// Where the links of a plan do not say which of them drive, as those of baselines do not,
// a link drives its successor that leaves it no room.
func Finish(baseline, plan *dated.Plan) *FinishMove {
	calendar := worktime.Continuous
	if len(plan.Projects) > 0 && plan.Projects[0].Calendar != nil {
		calendar = plan.Projects[0].Calendar
	}
	m := &FinishMove{Day: calendar.Day()}
	was, is := newPaths(baseline), newPaths(plan)
	if was.last == dated.None || is.last == dated.None {
		return m
	}
	m.BaselineFinish, m.Finish = baseline.Tasks[was.last].Finish, plan.Tasks[is.last].Finish
	m.Move = calendar.Between(m.BaselineFinish, m.Finish)
	w := walk{from: was, to: is, calendar: calendar}
	if m.Move < 0 {
		w.from, w.to, w.back = is, was, true
	}
	w.places, w.placed = dated.Match(w.to.plan, w.from.plan), dated.Match(w.from.plan, w.to.plan)
	w.run()
	m.Causes, m.Remainder = w.causes, m.Move
	for _, c := range m.Causes {
		m.Remainder -= c.By
	}
	return m
}

// walk follows the path that drives one of two plans, to, and measures what of it is
// otherwise in the other one, from. back says that from is the plan and to its baseline.
type walk struct {
	from, to       *paths
	back           bool
	places, placed []int // of the tasks of to in from, and of those of from in to
	calendar       *worktime.Calendar
	causes         []Cause
}

// run collects the causes. Between two stops that both plans have, what lies between them
// in one is set off against what lies between them in the other.
func (w *walk) run() {
	stops := w.to.stops(stop{task: w.to.last, finish: true}, func(int) bool { return false })
	before, any := stop{}, false // the last stop that both have, as from has it
	for i, s := range stops {
		length := int64(0)
		if i > 0 {
			length = w.calendar.Between(w.to.at(stops[i-1]), w.to.at(s))
		}
		other, ok := w.known(s)
		switch {
		case ok && any:
			length -= w.passed(before, other)
		case ok:
			w.add(MovedStart, w.to, stop{task: s.task, link: dated.None},
				w.calendar.Between(w.from.at(other), w.to.at(stops[0])))
		}
		if i > 0 {
			w.add(w.reason(s), w.to, s, length)
		}
		if ok {
			before, any = other, true
		}
	}
	if last := w.from.last; any && w.placed[last] == dated.None {
		w.passed(before, stop{task: last, finish: true, link: dated.None})
	}
}

// known is where from has a stop of to. ok is false where it has no such task, or no dates
// of it.
func (w *walk) known(s stop) (other stop, ok bool) {
	at := w.places[s.task]
	if at == dated.None || w.from.plan.Tasks[at].Start == 0 {
		return stop{}, false
	}
	return stop{task: at, finish: s.finish, link: dated.None}, true
}

// passed is what lies between two stops of from, but for the tasks there that to does not
// have, and their links: each of them becomes a cause.
func (w *walk) passed(a, b stop) int64 {
	between := w.calendar.Between(w.from.at(a), w.from.at(b))
	if a.task == b.task {
		return between
	}
	chain := w.from.stops(b, func(task int) bool { return w.placed[task] != dated.None })
	if chain[0].task != a.task || chain[0].finish != a.finish {
		return between
	}
	for i, s := range chain[1:] {
		reason := RemovedTask
		switch before := chain[i].task; {
		case s.link == dated.None && w.placed[s.task] != dated.None:
			continue
		case s.link != dated.None && w.placed[s.task] != dated.None && w.placed[before] != dated.None:
			continue
		case s.link != dated.None:
			reason = RemovedLink
		}
		length := w.calendar.Between(w.from.at(chain[i]), w.from.at(s))
		w.add(reason, w.from, s, -length)
		between -= length
	}
	return between
}

// reason is what differs of what leads to a stop of to.
func (w *walk) reason(s stop) Reason {
	if s.link == dated.None {
		switch at := w.places[s.task]; {
		case at == dated.None || w.from.plan.Tasks[at].Start == 0:
			return AddedTask
		case w.from.plan.Tasks[at].Duration != w.to.plan.Tasks[s.task].Duration:
			return ChangedDuration
		}
		return ChangedSpan
	}
	l, reason := &w.to.plan.Links[s.link], AddedLink
	predecessor, successor := w.places[l.Predecessor], w.places[l.Successor]
	if predecessor == dated.None || successor == dated.None {
		return reason
	}
	for _, i := range w.from.into[successor] {
		switch other := &w.from.plan.Links[i]; {
		case other.Predecessor != predecessor:
		case *linkState(other) == *linkState(l):
			return ChangedWait
		default:
			reason = ChangedLink
		}
	}
	return reason
}

// turned are the reasons of one who looks from the other plan.
var turned = map[Reason]Reason{
	AddedTask: RemovedTask, RemovedTask: AddedTask, AddedLink: RemovedLink,
	RemovedLink: AddedLink,
}

// add adds a cause at a stop of one of the two, unless it contributes nothing.
func (w *walk) add(reason Reason, of *paths, s stop, by int64) {
	if by == 0 {
		return
	}
	if w.back {
		by = -by
		if other, ok := turned[reason]; ok {
			reason = other
		}
	}
	c := Cause{Reason: reason, By: by}
	task := s.task
	if s.link != dated.None {
		l := &of.plan.Links[s.link]
		p := w.shown(of, l.Predecessor)
		c.LinkID, c.PredecessorID, c.PredecessorCode, c.PredecessorName = l.ID, p.ID, p.Code, p.Name
		task = l.Successor
	}
	t := w.shown(of, task)
	c.TaskID, c.Code, c.Name = t.ID, t.Code, t.Name
	w.causes = append(w.causes, c)
}

// shown is a task as the plan has it, or else the baseline.
func (w *walk) shown(of *paths, task int) *dated.Task {
	other, places := w.from, w.places
	if of == w.from {
		other, places = w.to, w.placed
	}
	if isPlan := (of == w.to) != w.back; !isPlan && places[task] != dated.None {
		return &other.plan.Tasks[places[task]]
	}
	return &of.plan.Tasks[task]
}
