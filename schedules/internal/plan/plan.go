// Package plan computes over the tasks of a schedule and the links between them:
// which order a batch is made in, what lies above and below a task, which cycle a
// link would close, which dates a hammock has.
//
// It reads through [Tree], [Links] and [Tasks], and knows nothing of how tasks and links
// are kept, or of errors for callers. Where reading fails, the computation ends with that
// error as it is.
package plan

import (
	"iter"
	"strings"
	"time"
)

// Tree reads the hierarchy of tasks, in which each has at most one parent.
type Tree interface {
	// Parent is the id of the task above a task, and empty at the top.
	Parent(taskID string) (string, error)
	// Children yields the ids of the tasks right below a task.
	Children(taskID string) iter.Seq[string]
}

// Links reads the dependencies between tasks: a directed graph.
type Links interface {
	// From yields the links that begin at a task.
	From(taskID string) iter.Seq2[Link, error]
	// To yields the links that end at a task.
	To(taskID string) iter.Seq2[Link, error]
}

// Tasks reads the planned dates of tasks.
type Tasks interface {
	Task(taskID string) (Task, error)
}

// Lags shifts dates by lags.
type Lags interface {
	// Lagged is a date later by a lag of a link, or earlier by a lead, on the calendar of
	// the link.
	Lagged(l Link, t time.Time, lag time.Duration) (time.Time, error)
}

// Task is a task as a plan has it.
type Task struct {
	Kind Kind
	// Start and Finish are zero where they are not planned. A Milestone has only
	// one of them.
	Start, Finish time.Time
}

// Kind is which dates a task has.
type Kind int

// The kinds of tasks.
const (
	Activity     Kind = iota // from a start to a finish
	Milestone                // at one instant
	LongHammock              // the longest time between its neighbours
	ShortHammock             // the shortest time between its neighbours
)

// End is one of the two ends of a task.
type End int

// The ends of a task.
const (
	Start End = iota
	Finish
)

// Link connects an end of one task to an end of another.
type Link struct {
	ID                           string
	Predecessor, Successor       string // ids of tasks
	PredecessorEnd, SuccessorEnd End
	// Lag is the least time from the one end to the other; a lead is negative.
	Lag time.Duration
	// Calendar is the id of that on which the lag is, where the link names one.
	Calendar string
}

// CycleError reports that tasks would follow, or be above, one another in a cycle.
type CycleError struct {
	// Tasks are the ids along the cycle; the last is the first again.
	Tasks []string
	// Index is the place, in its batch, of the item that closes the cycle.
	Index int
}

func (e *CycleError) Error() string { return "plan: cycle " + strings.Join(e.Tasks, " → ") }

// Around yields the links that begin or end at a task.
func Around(links Links, taskID string) iter.Seq2[Link, error] {
	return func(yield func(Link, error) bool) {
		for _, side := range []iter.Seq2[Link, error]{links.From(taskID), links.To(taskID)} {
			for l, err := range side {
				if !yield(l, err) || err != nil {
					return
				}
			}
		}
	}
}

// First and Last are the first and the last second that a date can name.
var (
	First = time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)
	Last  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// Shift is the instant so much later, or First or Last where no date can name
// it.
func Shift(t time.Time, by time.Duration) time.Time {
	switch t = t.Add(by); {
	case t.Before(First):
		return First
	case t.After(Last):
		return Last
	}
	return t
}
