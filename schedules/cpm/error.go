package cpm

import (
	"errors"
	"fmt"
	"strings"
)

// CycleError reports that links, and summaries with what is below them, go round in a
// circle.
type CycleError struct {
	// Tasks are the ids of one circle, the first of them again at its end.
	Tasks []string
	// Size is how many tasks are in circles or behind one.
	Size int
}

func (e *CycleError) Error() string {
	const most = 20
	tasks, more := e.Tasks, ""
	if n := len(tasks) - most; n > 0 {
		tasks, more = tasks[:most], fmt.Sprintf(" → and %d more", n)
	}
	return "cpm: links form a cycle: " + strings.Join(tasks, " → ") + more
}

// ErrNetwork is what a network fails with that makes no sense: negative durations,
// finishes before starts, projects and links to tasks that are not
// there, links to themselves. Its
// message names the task or the link.
var ErrNetwork = errors.New("cpm: the network makes no sense")

// ErrOptions is what options without a calendar or a start fail with.
var ErrOptions = errors.New("cpm: a calendar and a start are required")

// check fails for a network that makes no sense.
func (n *Network) check() error {
	for i := range n.tasks {
		t := &n.tasks[i]
		switch {
		case t.Project < 0 || t.Project > len(n.projects):
			return fmt.Errorf("%w: %q is of project %d", ErrNetwork, t.ID, t.Project)
		case t.Duration < 0 || t.Remaining < 0 || t.Paused < 0:
			return fmt.Errorf("%w: the duration of %q is negative", ErrNetwork, t.ID)
		case t.ActualFinish != 0 && (t.ActualStart == 0 || t.ActualFinish < t.ActualStart):
			return fmt.Errorf("%w: %q ended before it began", ErrNetwork, t.ID)
		case t.Manual && (t.Start == 0 || t.Finish == 0 || t.Finish < t.Start):
			return fmt.Errorf("%w: %q is manual and has no dates", ErrNetwork, t.ID)
		case len(t.Constraints) > 4:
			return fmt.Errorf("%w: %q has more than four constraints", ErrNetwork, t.ID)
		}
	}
	for _, l := range n.links {
		if l.Predecessor == l.Successor || min(l.Predecessor, l.Successor) < 0 ||
			max(l.Predecessor, l.Successor) >= len(n.tasks) {
			return fmt.Errorf("%w: a link from %d to %d", ErrNetwork, l.Predecessor, l.Successor)
		}
		if l.Type > StartToFinish {
			return fmt.Errorf("%w: a link of no type", ErrNetwork)
		}
	}
	return nil
}
