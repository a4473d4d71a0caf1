package schedules

import (
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A task that has others below it and no own dates has, in a baseline, the dates of those:
// from the earliest start to the latest finish. While a baseline is being made, all tasks
// with dates first widen what is above them. Behind that, each task that is copied again
// leaves what was and is above it to be spanned again, and so does each span that comes
// out otherwise. So whatever order the changes come in, all spans are those of the moment
// that the baseline shows, once nothing is left of either.

// mostStale is how many tasks are left to be spanned again before that is done.
const mostStale = 100

// unsettledSpans are the tasks of a snapshot whose dates are not yet those of what is below
// them: those that are to be widened, and by what, and those that are to be spanned again,
// and how far the first of them is.
type unsettledSpans struct {
	// Hollow reports that a task was copied which lacks dates and has others below it.
	Hollow   bool            `json:"hollow,omitempty"`
	Widening map[string]span `json:"widening,omitempty"`

	Stale []string `json:"stale,omitempty"`
	Child string   `json:"child,omitempty"` // of the first, the last that was looked at
	Span  span     `json:"span,omitzero"`   // of the first, as far as that
}

// span is a time that begins and ends; the zero span is none.
type span struct {
	Start  twinplatform.DateTime `json:"start"`
	Finish twinplatform.DateTime `json:"finish"`
}

// IsZero reports whether there is no such time.
func (s span) IsZero() bool { return s.Start.IsZero() && s.Finish.IsZero() }

func (s span) equal(other span) bool {
	return s.Start.Equal(other.Start.Time) && s.Finish.Equal(other.Finish.Time)
}

// widen makes a span take in another one, of which one end may be missing, and reports
// whether that changes it.
func (s *span) widen(by span) bool {
	if by.Start.IsZero() {
		by.Start = by.Finish
	}
	if by.Finish.IsZero() {
		by.Finish = by.Start
	}
	was := *s
	if !by.IsZero() && (s.Start.IsZero() || by.Start.Before(s.Start.Time)) {
		s.Start = by.Start
	}
	if !by.IsZero() && (s.Finish.IsZero() || by.Finish.After(s.Finish.Time)) {
		s.Finish = by.Finish
	}
	return !was.equal(*s)
}

// dates are those of a row.
func (t *BaselineTask) dates() span { return span{t.StartDate, t.FinishDate} }

// fill gives a row with nothing but what its task has of itself the dates that it lacks,
// of those below it. Milestones have their own date or none.
func (t *BaselineTask) fill(of TaskType, below span) {
	switch {
	case of.keyDate() || below.IsZero():
	case t.dates().IsZero():
		t.StartDate, t.FinishDate = below.Start, below.Finish
	case t.FinishDate.IsZero() && !below.Finish.Before(t.StartDate.Time):
		t.FinishDate = below.Finish
	}
}

// above is what is above tasks whose dates widen it.
type above struct {
	own   *BaselineTask // the row as its task has it of itself
	row   *BaselineTask // as it is
	below span
	of    TaskType
	wider bool // than the row that is stored
}

// mostWidening is how many tasks wait to be widened before that is done.
const mostWidening = 500

// widenSpans makes tasks with dates widen what is above them, in the order of their ids.
func (s *copier) widenSpans() error {
	met := make(map[string]*above)
	err := s.widenBy(met)
	for _, id := range slices.Sorted(maps.Keys(met)) {
		if a := met[id]; a != nil && a.wider {
			if _, err := baselineTasks(s.Rows).Put(s.u, s.scope, a.row); err != nil {
				return err
			}
		}
	}
	return err
}

func (s *copier) widenBy(met map[string]*above) error {
	for {
		if !s.Hollow {
			s.Phase = catchUp
			return nil
		}
		if err := s.widenAll(met); err != nil {
			return err
		}
		whole, err := s.lookForDates()
		if err != nil {
			return err
		}
		if whole && len(s.Widening) == 0 {
			s.Phase, s.After = catchUp, ""
			return nil
		}
	}
}

// lookForDates notes with what tasks widen those above them, until many are noted, and
// reports whether it has seen all.
func (s *copier) lookForDates() (whole bool, err error) {
	for t, err := range taskRecords.From(s.u, s.scope, s.After) {
		if err != nil {
			return false, err
		}
		if more, err := s.step.Next(0); !more || err != nil {
			return false, fullUnless(err)
		}
		if t.ParentID != "" {
			own, err := t.baseline(s.ID, s.times)
			if err != nil {
				return false, err
			}
			s.widens(t.parent(), own.dates())
		}
		if s.After = t.ID; len(s.Widening) >= mostWidening {
			return false, nil
		}
	}
	return true, nil
}

// widens notes that a task is to be widened by dates.
func (s *copier) widens(id string, by span) {
	if id == "" || by.IsZero() {
		return
	}
	if s.Widening == nil {
		s.Widening = make(map[string]span)
	}
	dates := s.Widening[id]
	dates.widen(by)
	s.Widening[id] = dates
}

func fullUnless(err error) error {
	if err == nil {
		err = errFull
	}
	return err
}

// widenAll widens all that is to be, one level after the other.
func (s *copier) widenAll(met map[string]*above) error {
	for len(s.Widening) > 0 {
		ids := slices.Sorted(maps.Keys(s.Widening))
		if err := s.ahead(ids, true); err != nil {
			return err
		}
		for _, id := range ids {
			if more, err := s.step.Next(rowBytes); !more || err != nil {
				return fullUnless(err)
			}
			by := s.Widening[id]
			delete(s.Widening, id)
			a, known := met[id]
			if !known {
				var err error
				if a, err = s.above(id); err != nil {
					return err
				}
				met[id] = a
			}
			if a != nil && a.widen(by) {
				s.widens(a.row.parent, a.row.dates())
			}
		}
	}
	return nil
}

// widen takes dates below a task into its row, and reports whether that changes it.
func (a *above) widen(by span) bool {
	a.below.widen(by)
	filled := *a.own
	filled.fill(a.of, a.below)
	if filled.dates().equal(a.row.dates()) {
		return false
	}
	a.row, a.wider = &filled, true
	return true
}

// ahead reads the rows of tasks, and the tasks, in one journey where the store is far.
func (s *copier) ahead(ids []string, tasks bool) error {
	if !records.Remote(s.u) {
		return nil
	}
	rows := baselineTasks(s.Rows).Table()
	needs := make([]records.Need, 0, 2*len(ids))
	for _, id := range ids {
		needs = append(needs, rows.Need(s.scope, records.Join(s.Rows, id)))
		if tasks {
			needs = append(needs, taskRecords.Table().Need(s.scope, id))
		}
	}
	return records.Prefetch(s.u, needs...)
}

// above finds a task that others are below; nil where it has its own dates.
func (s *copier) above(id string) (*above, error) {
	t, err := taskRecords.Lookup(s.u, s.scope, id)
	if t == nil || err != nil {
		return nil, err
	}
	row, err := s.rowOf(id)
	if row == nil || err != nil {
		return nil, err
	}
	own, err := t.baseline(s.ID, s.times)
	if err != nil || t.Type.keyDate() || !own.StartDate.IsZero() && !own.FinishDate.IsZero() {
		return nil, err
	}
	a := &above{own: row.withDates(own.dates()), row: row, of: t.Type}
	a.below.widen(span{Finish: row.FinishDate})
	if own.StartDate.IsZero() {
		a.below.widen(row.dates())
	}
	return a, nil
}

// withDates is the row with other dates.
func (t *BaselineTask) withDates(d span) *BaselineTask {
	other := *t
	other.StartDate, other.FinishDate = d.Start, d.Finish
	return &other
}

// copyAgain copies a task that was written since the copying began.
func (s *copier) copyAgain(t *Task) error {
	was, err := s.rowOf(t.ID)
	if err != nil {
		return err
	}
	if err := s.copyTask(t); err != nil {
		return err
	}
	is, err := s.rowOf(t.ID)
	if err != nil {
		return err
	}
	// One that is on its way takes its own dates when it is through.
	if t.IsWBS && !slices.Contains(s.Stale, t.ID) {
		s.Stale = append(s.Stale, t.ID)
	}
	if err := s.moved(was, is); err != nil {
		return err
	}
	return s.spanMany()
}

// eraseTask erases the copy of a task that is gone.
func (s *copier) eraseTask(id string) error {
	was, err := s.rowOf(id)
	if err != nil {
		return err
	}
	if err := baselineTasks(s.Rows).Erase(s.u, s.scope, records.Join(s.Rows, id)); err != nil {
		return err
	}
	if err := s.moved(was, nil); err != nil {
		return err
	}
	return s.spanMany()
}

// rowOf is the copy of a task, nil where there is none.
func (s *copier) rowOf(id string) (*BaselineTask, error) {
	return baselineTasks(s.Rows).Lookup(s.u, s.scope, records.Join(s.Rows, id))
}

// moved leaves what a row was and is below to be spanned again, as far as that may come
// out otherwise. Either row may be nil.
func (s *copier) moved(was, is *BaselineTask) error {
	switch {
	case was == nil && is == nil:
		return nil
	case was == nil:
		return s.movedBelow(is.parent, is.TaskID, span{}, is.dates())
	case is == nil:
		return s.movedBelow(was.parent, was.TaskID, was.dates(), span{})
	case was.parent == is.parent:
		return s.movedBelow(is.parent, is.TaskID, was.dates(), is.dates())
	}
	if err := s.movedBelow(was.parent, was.TaskID, was.dates(), span{}); err != nil {
		return err
	}
	return s.movedBelow(is.parent, is.TaskID, span{}, is.dates())
}

// movedBelow leaves a task to be spanned again when a child has other dates, unless it is
// certain to come out the same. Without that, those who keep writing below a task with more
// children than a step looks at would keep it from ever being spanned.
func (s *copier) movedBelow(id, child string, from, to span) error {
	var was, is span
	was.widen(from)
	is.widen(to)
	if id == "" || was.equal(is) {
		return nil
	}
	if s.Child != "" && s.Stale[0] == id {
		switch {
		case comesBehind(child, s.Child): // and is still to be looked at
		case s.Span.around(was):
			s.Span.widen(is)
		default:
			s.leaveStale(id)
		}
		return nil
	}
	row, err := s.rowOf(id)
	if err != nil {
		return err
	}
	if row != nil {
		dates := row.dates()
		if wider := dates; dates.around(was) && !wider.widen(is) {
			return nil
		}
	}
	s.leaveStale(id)
	return nil
}

// comesBehind reports whether a child is certain to be looked at after another one. What
// long ids with the same beginning are ordered by is not known here.
func comesBehind(id, last string) bool {
	const beginning = 64
	return id[:min(len(id), beginning)] > last[:min(len(last), beginning)]
}

// around reports whether a span begins before another one and ends after it, so that it is
// the same without that; it is around none.
func (s span) around(other span) bool {
	return other.IsZero() || s.Start.Before(other.Start.Time) && s.Finish.After(other.Finish.Time)
}

// leaveStale leaves a task to be spanned again. The first of those that are is on its way
// already, and may have passed what has changed.
func (s *copier) leaveStale(id string) {
	waiting := s.Stale
	if s.Child != "" {
		waiting = waiting[1:]
	}
	if id != "" && !slices.Contains(waiting, id) {
		s.Stale = append(s.Stale, id)
	}
}

// spanMany spans tasks again once many are left to be, so that the journal of the
// snapshot stays short.
func (s *copier) spanMany() error {
	if len(s.Stale) < mostStale {
		return nil
	}
	return s.spanAgain()
}

// spanAgain spans all tasks that are left to be.
func (s *copier) spanAgain() error {
	for len(s.Stale) > 0 {
		id := s.Stale[0]
		was, is, err := s.spanOne(id)
		if err != nil {
			return err
		}
		s.Stale, s.Child, s.Span = s.Stale[1:], "", span{}
		if err := s.moved(was, is); err != nil {
			return err
		}
	}
	s.Stale = nil
	return nil
}

// spanOne spans a task again. It returns its row as it was and as it is, where that
// changes.
func (s *copier) spanOne(id string) (was, is *BaselineTask, err error) {
	t, err := taskRecords.Lookup(s.u, s.scope, id)
	if t == nil || err != nil {
		return nil, nil, err
	}
	row, err := s.rowOf(id)
	if row == nil || err != nil {
		return nil, nil, err
	}
	own, err := t.baseline(s.ID, s.times)
	if err != nil {
		return nil, nil, err
	}
	filled := row.withDates(own.dates())
	if !t.Type.keyDate() && (filled.StartDate.IsZero() || filled.FinishDate.IsZero()) {
		if err := s.spanChildren(id); err != nil {
			return nil, nil, err
		}
		filled.fill(t.Type, s.Span)
	}
	if filled.dates().equal(row.dates()) {
		return nil, nil, nil
	}
	if more, err := s.step.Next(rowBytes); !more || err != nil {
		return nil, nil, fullUnless(err)
	}
	_, err = baselineTasks(s.Rows).Put(s.u, s.scope, filled)
	return row, filled, err
}

// spanChildren takes the dates of the children of a task into its span, behind the last
// that was looked at.
func (s *copier) spanChildren(id string) error {
	for {
		some := make([]string, 0, mostWidening)
		for child := range taskRecords.IDsFrom(s.u, s.scope, "parent", id, s.Child) {
			if some = append(some, child); len(some) == mostWidening {
				break
			}
		}
		if err := s.takeIn(some); err != nil || len(some) < mostWidening {
			return err
		}
	}
}

// takeIn takes the dates of some of the children into the span.
func (s *copier) takeIn(children []string) error {
	if err := s.ahead(children, false); err != nil {
		return err
	}
	for _, child := range children {
		if more, err := s.step.Next(0); !more || err != nil {
			return fullUnless(err)
		}
		row, err := s.rowOf(child)
		if err != nil {
			return err
		}
		if row != nil {
			s.Span.widen(row.dates())
		}
		s.Child = child
	}
	return nil
}
