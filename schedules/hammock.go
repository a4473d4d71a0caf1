package schedules

import (
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// deriveHammocks derives the dates of the hammocks that a change has left stale,
// in the transaction of the change.
func deriveHammocks(u *records.Update, s records.Scope, stale *plan.Stale) error {
	r := readPlan(u, s)
	r.times = workingTimeOf(u, s)
	ids, err := stale.Tasks(r)
	if err != nil {
		return err
	}
	if err := declareHammocks(u, s, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := records.Interrupted(u); err != nil {
			return err
		}
		if err := r.deriveHammock(u, id); err != nil {
			return err
		}
	}
	return nil
}

// followHammocks derives the dates of hammocks.
func followHammocks(u *records.Update, s records.Scope, ids []string) error {
	r := readPlan(u, s)
	r.times = workingTimeOf(u, s)
	if err := declareHammocks(u, s, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := r.deriveHammock(u, id); err != nil {
			return err
		}
	}
	return nil
}

// deriveHammock derives the dates of a task that may be a hammock.
func (r planReader) deriveHammock(u *records.Update, id string) error {
	t, err := taskRecords.Value(u, r.scope, id)
	if missingRecord(err) {
		return nil // deleted by the change
	}
	if err != nil || !t.Type.hammock() {
		return err
	}
	start, finish, err := plan.HammockDates(r, r, r, id, t.Type.kind())
	if err != nil {
		return err
	}
	w, err := r.times.of(t)
	if err != nil {
		return err
	}
	_, err = taskRecords.Modify(u, r.scope, id, "", func(t *Task) error {
		t.span(w, twinplatform.At(start), twinplatform.At(finish))
		return nil
	})
	return err
}

// holdsAs reports whether a task is no hammock and holds those that it is linked to as it did: by its
// type, its dates, and the time in which it is done, which its lags are in.
func (t *Task) holdsAs(stored *Task) bool {
	return !t.Type.hammock() && t.Type == stored.Type &&
		t.PlannedStart.Equal(stored.PlannedStart.Time) && t.PlannedFinish.Equal(stored.PlannedFinish.Time) &&
		t.CalendarID == stored.CalendarID && t.ProjectID == stored.ProjectID && t.byResources() == stored.byResources()
}

// span sets the dates of a hammock and what follows from them. It begins and ends in its
// working time, and is empty where there is none between its anchors.
func (t *Task) span(w working, start, finish twinplatform.DateTime) {
	start, finish = w.start(start), w.finish(finish)
	t.PlannedStart, t.PlannedFinish, t.PlannedDuration = start, finish, nil
	if !start.IsZero() && !finish.IsZero() {
		if finish.Before(start.Time) {
			t.PlannedFinish = start
		}
		t.PlannedDuration = w.between(t.PlannedStart, t.PlannedFinish)
	}
	t.derive()
	t.timeIn(w)
}

// planReader reads the tasks and links of a schedule for package plan.
type planReader struct {
	model.Tree[Task]
	tx    records.Reading
	scope records.Scope
	times *workingTime // nil where no date is shifted
}

func readPlan(tx records.Reading, s records.Scope) planReader {
	return planReader{Tree: model.TreeOf(&taskRecords, (*Task).parent, tx, s), tx: tx, scope: s}
}

// Task implements plan.Tasks.
func (r planReader) Task(taskID string) (plan.Task, error) {
	t, err := taskRecords.Value(r.tx, r.scope, taskID)
	if err != nil {
		return plan.Task{}, err
	}
	return plan.Task{Kind: t.Type.kind(), Start: t.PlannedStart.Time, Finish: t.PlannedFinish.Time}, nil
}

// kind is what the plan knows of a type.
func (t TaskType) kind() plan.Kind {
	switch t {
	case StartKeyDate, FinishKeyDate:
		return plan.Milestone
	case LongHammock:
		return plan.LongHammock
	case ShortHammock:
		return plan.ShortHammock
	}
	return plan.Activity
}

// From implements plan.Links.
func (r planReader) From(taskID string) iter.Seq2[plan.Link, error] {
	return r.links("predecessor", taskID)
}

// To implements plan.Links.
func (r planReader) To(taskID string) iter.Seq2[plan.Link, error] {
	return r.links("successor", taskID)
}

func (r planReader) links(index, taskID string) iter.Seq2[plan.Link, error] {
	return func(yield func(plan.Link, error) bool) {
		if err := records.Interrupted(r.tx); err != nil {
			yield(plan.Link{}, err)
			return
		}
		for l, err := range taskLinkRecords.Find(r.tx, r.scope, index, taskID) {
			if err == nil {
				err = records.Interrupted(r.tx)
			}
			if err != nil {
				yield(plan.Link{}, err)
				return
			}
			if !yield(l.link(), nil) {
				return
			}
		}
	}
}

// Lagged implements plan.Lags: a lag without its own calendar is on that of the
// predecessor, as planning tools have it.
func (r planReader) Lagged(l plan.Link, t time.Time, lag time.Duration) (time.Time, error) {
	if lag == 0 {
		return t, nil
	}
	if l.Calendar != "" {
		w, err := r.times.in(l.Calendar)
		return w.after(twinplatform.At(t), int64(lag/time.Second)).Time, err
	}
	p, err := taskRecords.Value(r.tx, r.scope, l.Predecessor)
	if err != nil {
		return t, err
	}
	w, err := r.times.of(p)
	return w.after(twinplatform.At(t), int64(lag/time.Second)).Time, err
}

// link is what the plan knows of a task link. One of an Unknown type is taken as
// the usual one, finish to start.
func (l *TaskLink) link() plan.Link {
	p := plan.Link{
		ID: l.ID, Predecessor: l.PredecessorID, Successor: l.SuccessorID,
		PredecessorEnd: plan.Finish, SuccessorEnd: plan.Start, Lag: time.Duration(l.Lag) * time.Second,
		Calendar: string(l.CalendarID),
	}
	if l.Type == StartToStart || l.Type == StartToFinish {
		p.PredecessorEnd = plan.Start
	}
	if l.Type == FinishToFinish || l.Type == StartToFinish {
		p.SuccessorEnd = plan.Finish
	}
	return p
}
