package plan_test

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// graph is a plan in memory.
type graph struct {
	parents map[string]string
	tasks   map[string]plan.Task
	links   []plan.Link
	fails   string // task whose links and parent cannot be read
}

var errUnreadable = errors.New("unreadable")

func (g *graph) Parent(id string) (string, error) {
	if id == g.fails {
		return "", errUnreadable
	}
	return g.parents[id], nil
}

func (g *graph) Children(id string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for child, parent := range g.parents {
			if parent == id && !yield(child) {
				return
			}
		}
	}
}

func (g *graph) Task(id string) (plan.Task, error) {
	t, ok := g.tasks[id]
	if !ok {
		return t, errUnreadable
	}
	return t, nil
}

func (g *graph) Lagged(_ plan.Link, t time.Time, lag time.Duration) (time.Time, error) {
	return plan.Shift(t, lag), nil
}

func (g *graph) From(id string) iter.Seq2[plan.Link, error] {
	return g.find(id, func(l plan.Link) bool { return l.Predecessor == id })
}

func (g *graph) To(id string) iter.Seq2[plan.Link, error] {
	return g.find(id, func(l plan.Link) bool { return l.Successor == id })
}

func (g *graph) find(id string, match func(plan.Link) bool) iter.Seq2[plan.Link, error] {
	return func(yield func(plan.Link, error) bool) {
		if id == g.fails {
			yield(plan.Link{}, errUnreadable)
			return
		}
		for _, l := range g.links {
			if match(l) && !yield(l, nil) {
				return
			}
		}
	}
}

// below is a tree from words such as "leaf<node": the leaf is below the node.
func below(words string) *graph {
	g := &graph{parents: make(map[string]string)}
	for word := range strings.FieldsSeq(words) {
		child, parent, _ := strings.Cut(word, "<")
		g.parents[child] = parent
	}
	return g
}

// links are finish to start, from words such as "a>b", whose id they are.
func links(words string) (all []plan.Link) {
	for word := range strings.FieldsSeq(words) {
		from, to, _ := strings.Cut(word, ">")
		all = append(all, plan.Link{ID: word, Predecessor: from, Successor: to, PredecessorEnd: plan.Finish, SuccessorEnd: plan.Start})
	}
	return all
}

// cycleOf is the cycle that an error names, such as "a b a at 2".
func cycleOf(t *testing.T, err error) (tasks []string, index int) {
	t.Helper()
	cycle, ok := errors.AsType[*plan.CycleError](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	if !ok {
		return nil, 0
	}
	return cycle.Tasks, cycle.Index
}

// day is the n-th of a month, at midnight.
func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
