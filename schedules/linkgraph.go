package schedules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// linksOf yields the links that begin or end at a task.
func linksOf(tx records.Reading, s records.Scope, taskID string) iter.Seq2[*TaskLink, error] {
	return func(yield func(*TaskLink, error) bool) {
		for _, index := range []string{"predecessor", "successor"} {
			for l, err := range taskLinkRecords.Find(tx, s, index, taskID) {
				if !yield(l, err) || err != nil {
					return
				}
			}
		}
	}
}

// checkTaskLink checks a link that is to be written against the tasks of the
// schedule. list and i are how targets name the request.
func checkTaskLink(tx records.Reading, s records.Scope, l *TaskLink, list string, i int) error {
	var c refuse.Checks
	c.At(list, i)
	if l.PredecessorID == l.SuccessorID {
		c.Bad("successorId", "A task cannot be linked to itself.")
		return c.Err(InvalidRequest)
	}
	for _, end := range []struct{ target, id, other string }{
		{"predecessorId", l.PredecessorID, l.SuccessorID},
		{"successorId", l.SuccessorID, l.PredecessorID},
	} {
		above, err := ancestors(tx, s, end.id)
		switch {
		case missingRecord(err):
			c.Bad(end.target, "The schedule has no task with the id '%s'.", end.id)
		case err != nil:
			return err
		case above[end.other]:
			c.Bad(end.target, "A task cannot be linked to its ancestor.")
		}
	}
	return c.Err(InvalidRequest)
}

// describeCircle names the tasks of a circle, the middle of a long one left out.
func describeCircle(ids []string) string {
	if len(ids) > 12 {
		ids = slices.Concat(ids[:6], []string{fmt.Sprintf("… %d more …", len(ids)-11)}, ids[len(ids)-5:])
	}
	return strings.Join(ids, " → ")
}

// circleThrough returns the tasks of a circle that a link would close, from its
// predecessor round to its predecessor, or nil. It searches downstream of the
// successor and upstream of the predecessor by turns, so that the cost is that
// of the smaller side: a new task at either end is free. ended says that there is
// none, and not merely that the steps were used up before that was known.
func circleThrough(tx records.Reading, s records.Scope, l *TaskLink, steps *int) (circle []string, ended bool, err error) {
	down := search{tx: tx, s: s, index: "predecessor", goal: l.PredecessorID, without: l.ID}
	up := search{tx: tx, s: s, index: "successor", goal: l.SuccessorID, without: l.ID}
	down.begin(l.SuccessorID)
	up.begin(l.PredecessorID)
	for *steps > 0 {
		for _, side := range []*search{&down, &up} {
			*steps--
			found, ended, err := side.step()
			switch {
			case err != nil || ended:
				return nil, ended, err
			case found && side == &down:
				return append([]string{l.PredecessorID}, reversed(down.path(l.PredecessorID))...), false, nil
			case found:
				return append([]string{l.PredecessorID}, up.path(l.SuccessorID)...), false, nil
			}
		}
	}
	return nil, false, nil
}

// search walks the links from a task in one direction.
type search struct {
	tx      records.Reading
	s       records.Scope
	index   string // of the end at which links are found
	goal    string
	without string // link that is left out
	from    map[string]string
	stack   []string
}

func (w *search) begin(id string) {
	w.from = map[string]string{id: ""}
	w.stack = []string{id}
}

// step looks at the links of one task. found says that one of them leads to the
// goal, ended that there is nothing left to look at.
func (w *search) step() (found, ended bool, err error) {
	if len(w.stack) == 0 {
		return false, true, nil
	}
	at := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	for l, err := range taskLinkRecords.Find(w.tx, w.s, w.index, at) {
		if err != nil {
			return false, false, err
		}
		next := l.SuccessorID
		if w.index == "successor" {
			next = l.PredecessorID
		}
		if _, seen := w.from[next]; seen || l.ID == w.without {
			continue
		}
		w.from[next] = at
		if next == w.goal {
			return true, false, nil
		}
		w.stack = append(w.stack, next)
	}
	return false, false, nil
}

// path is the way from the goal back to where the search began.
func (w *search) path(goal string) (ids []string) {
	for at := goal; at != ""; at = w.from[at] {
		ids = append(ids, at)
	}
	return ids
}

// unique is a list of ids without repetitions.
func unique(ids []string) []string {
	if len(ids) < 2 {
		return ids
	}
	seen := make(map[string]bool, len(ids))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		was := seen[id]
		seen[id] = true
		return was
	})
}
