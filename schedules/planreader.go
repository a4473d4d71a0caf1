package schedules

import (
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// planReader reads the tasks and links of a schedule for package plan.
type planReader struct{ tree[Task] }

func readPlan(tx records.Reading, s records.Scope) planReader {
	return planReader{tree[Task]{&taskRecords, (*Task).parent, tx, s}}
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

// link is what the plan knows of a task link. One of an Unknown type is taken as
// the usual one, finish to start.
func (l *TaskLink) link() plan.Link {
	p := plan.Link{
		ID: l.ID, Predecessor: l.PredecessorID, Successor: l.SuccessorID,
		PredecessorEnd: plan.Finish, SuccessorEnd: plan.Start, Lag: time.Duration(l.Lag) * time.Second,
	}
	if l.Type == StartToStart || l.Type == StartToFinish {
		p.PredecessorEnd = plan.Start
	}
	if l.Type == FinishToFinish || l.Type == StartToFinish {
		p.SuccessorEnd = plan.Finish
	}
	return p
}

// after is the instant so many seconds later, as far as a date can name it.
func after(d twinplatform.DateTime, seconds int64) twinplatform.DateTime {
	return twinplatform.At(plan.Shift(d.Time, time.Duration(seconds)*time.Second))
}
