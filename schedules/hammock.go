package schedules

import (
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// touched collects what a change has done to the anchors of hammocks, so that
// their dates are derived anew in the same transaction.
type touched struct {
	moved map[string]bool // tasks with other dates or another type: they anchor their neighbours
	tied  map[string]bool // tasks with other links
}

func newTouched() *touched {
	return &touched{moved: make(map[string]bool), tied: make(map[string]bool)}
}

func (t *touched) task(id string) { t.moved[id] = true }

func (t *touched) link(l *TaskLink) {
	t.tied[l.PredecessorID] = true
	t.tied[l.SuccessorID] = true
}

// refresh derives the dates of every touched hammock and of every hammock that
// is linked to a moved task. The links of other tasks are not read: there may be
// many.
func (t *touched) refresh(u *records.Update, s records.Scope) error {
	perhaps := maps.Clone(t.tied)
	for id := range t.moved {
		perhaps[id] = true // and what it was before may have held its neighbours
		for l, err := range linksOf(u, s, id) {
			if err != nil {
				return err
			}
			perhaps[l.PredecessorID] = true
			perhaps[l.SuccessorID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(perhaps)) {
		if err := deriveHammock(u, s, id); err != nil {
			return err
		}
	}
	return nil
}

// anchors are the instants that hold one end of a hammock.
type anchors struct {
	earliest, latest twinplatform.DateTime
}

func (a *anchors) add(d twinplatform.DateTime) {
	if a.earliest.IsZero() || d.Before(a.earliest.Time) {
		a.earliest = d
	}
	if a.latest.IsZero() || d.After(a.latest.Time) {
		a.latest = d
	}
}

// deriveHammock derives the dates of a task, if it is there and a hammock.
func deriveHammock(u *records.Update, s records.Scope, id string) error {
	h, err := taskRecords.Value(u, s, id)
	if missingRecord(err) {
		return nil // deleted by the change
	}
	if err != nil {
		return err
	}
	if !h.Type.hammock() {
		return nil
	}
	var start, finish anchors
	for l, err := range linksOf(u, s, id) {
		if err != nil {
			return err
		}
		if err := l.anchor(u, s, id, &start, &finish); err != nil {
			return err
		}
	}
	_, err = taskRecords.Modify(u, s, id, "", func(t *Task) error {
		t.span(start, finish)
		t.derive()
		return nil
	})
	return err
}

// span sets the dates of a hammock: a long one reaches from its earliest start
// anchor to its latest finish anchor, a short one from its latest start anchor
// to its earliest finish anchor, and is empty where these cross.
func (t *Task) span(start, finish anchors) {
	t.PlannedStart, t.PlannedFinish = start.earliest, finish.latest
	if t.Type == ShortHammock {
		t.PlannedStart, t.PlannedFinish = start.latest, finish.earliest
	}
	t.PlannedDuration = nil
	if t.PlannedStart.IsZero() || t.PlannedFinish.IsZero() {
		return
	}
	if t.PlannedFinish.Before(t.PlannedStart.Time) {
		t.PlannedFinish = t.PlannedStart
	}
	t.PlannedDuration = between(t.PlannedStart, t.PlannedFinish)
}

// anchor adds what a link says of the hammock at one of its ends. A link to
// another hammock says nothing: its dates are derived too.
func (l *TaskLink) anchor(tx records.Reading, s records.Scope, hammockID string, start, finish *anchors) error {
	incoming := l.SuccessorID == hammockID
	otherID, lag := l.SuccessorID, -int64(l.Lag)
	if incoming {
		otherID, lag = l.PredecessorID, int64(l.Lag)
	}
	other, err := taskRecords.Value(tx, s, otherID)
	if err != nil || other.Type.hammock() {
		return err
	}
	predecessorEnd, successorEnd := l.Type.ends()
	otherEnd, ownEnd := predecessorEnd, successorEnd
	if !incoming {
		otherEnd, ownEnd = successorEnd, predecessorEnd
	}
	date := other.PlannedStart
	if otherEnd == finishEnd {
		date = other.PlannedFinish
	}
	if other.Type == StartKeyDate {
		date = other.PlannedStart // a milestone has one date for both ends
	} else if other.Type == FinishKeyDate {
		date = other.PlannedFinish
	}
	if date.IsZero() {
		return nil
	}
	if ownEnd == startEnd {
		start.add(after(date, lag))
	} else {
		finish.add(after(date, lag))
	}
	return nil
}

// taskEnd is one of the two ends of a task.
type taskEnd bool

const (
	startEnd  taskEnd = false
	finishEnd taskEnd = true
)

// ends are the ends of predecessor and successor that a link ties. An Unknown
// link is taken as the usual one, finish to start.
func (t TaskLinkType) ends() (predecessor, successor taskEnd) {
	switch t {
	case StartToFinish:
		return startEnd, finishEnd
	case StartToStart:
		return startEnd, startEnd
	case FinishToFinish:
		return finishEnd, finishEnd
	}
	return finishEnd, startEnd
}
