package schedules

import (
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

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
		PredecessorEnd: plan.Finish, SuccessorEnd: plan.Start, Lag: time.Duration(l.Lag) * time.Second, Calendar: string(l.CalendarID),
	}
	if l.Type == StartToStart || l.Type == StartToFinish {
		p.PredecessorEnd = plan.Start
	}
	if l.Type == FinishToFinish || l.Type == StartToFinish {
		p.SuccessorEnd = plan.Finish
	}
	return p
}
