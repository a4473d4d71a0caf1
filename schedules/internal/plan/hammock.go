package plan

import (
	"maps"
	"slices"
	"time"
)

// Stale collects the tasks that a change has touched, and says which of them may
// be hammocks whose dates no longer follow from their links. The zero value is
// ready.
type Stale struct {
	moved map[string]bool // with other dates or another type: they hold their neighbours
	tied  map[string]bool // with other links
}

// Task notes a task whose dates or type have changed.
func (s *Stale) Task(taskID string) {
	if s.moved == nil {
		s.moved = make(map[string]bool)
	}
	s.moved[taskID] = true
}

// Link notes the two tasks of a link that has come, changed or gone.
func (s *Stale) Link(predecessor, successor string) {
	if s.tied == nil {
		s.tied = make(map[string]bool)
	}
	s.tied[predecessor], s.tied[successor] = true, true
}

// Tasks returns the ids of all tasks that may be stale, in their order: those
// that were noted, deleted ones too, and the neighbours of those that have moved.
// The links of other tasks are not read: there may be many.
func (s *Stale) Tasks(links Links) ([]string, error) {
	stale := make(map[string]bool, len(s.tied)+len(s.moved))
	maps.Copy(stale, s.tied)
	for id := range s.moved {
		stale[id] = true // and what it was before may have held its neighbours
		for l, err := range Around(links, id) {
			if err != nil {
				return nil, err
			}
			stale[l.Predecessor], stale[l.Successor] = true, true
		}
	}
	return slices.Sorted(maps.Keys(stale)), nil
}

// anchors are the instants that hold one end of a hammock.
type anchors struct {
	earliest, latest time.Time
}

func (a *anchors) add(t time.Time) {
	if a.earliest.IsZero() || t.Before(a.earliest) {
		a.earliest = t
	}
	if a.latest.IsZero() || t.After(a.latest) {
		a.latest = t
	}
}

// HammockDates derives the dates of a hammock from its links: a long one reaches
// from its earliest start anchor to its latest finish anchor, a short one from its
// latest start anchor to its earliest finish anchor, and is empty where these
// cross. An end that no link holds has the zero date.
func HammockDates(tasks Tasks, links Links, lags Lags, hammockID string, kind Kind) (start, finish time.Time,
	err error,
) {
	var ends [2]anchors
	hold := func(l Link, own End, neighbour string, its End, lag time.Duration) error {
		t, err := tasks.Task(neighbour)
		if date := t.at(its); err == nil && !date.IsZero() {
			if date, err = lags.Lagged(l, date, lag); err == nil {
				ends[own].add(date)
			}
		}
		return err
	}
	for l, err := range Around(links, hammockID) {
		switch {
		case err != nil:
		case l.Successor == hammockID:
			err = hold(l, l.SuccessorEnd, l.Predecessor, l.PredecessorEnd, l.Lag)
		default:
			err = hold(l, l.PredecessorEnd, l.Successor, l.SuccessorEnd, -l.Lag)
		}
		if err != nil {
			return start, finish, err
		}
	}
	start, finish = ends[Start].earliest, ends[Finish].latest
	if kind == ShortHammock {
		start, finish = ends[Start].latest, ends[Finish].earliest
	}
	if !start.IsZero() && !finish.IsZero() && finish.Before(start) {
		finish = start
	}
	return start, finish, nil
}

// at is when an end of the task is, or the zero date. A hammock holds nothing: its
// dates are derived too.
func (t Task) at(end End) time.Time {
	switch {
	case t.Kind == LongHammock || t.Kind == ShortHammock:
		return time.Time{}
	case t.Kind == Milestone && t.Start.IsZero() || t.Kind == Activity && end == Finish:
		return t.Finish
	}
	return t.Start
}
