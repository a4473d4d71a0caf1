package plan

import (
	"iter"
	"slices"
)

// detectorSteps is how many links a CycleDetector looks at for links one by one.
const detectorSteps = 10_000

// CycleDetector finds the cycles that links close in a plan that has none so far.
//
// Links are looked at one by one, from both ends, which is cheap at the ends of a
// plan. Once that has looked at many, as in the middle of a large plan, the
// rest waits for Finish: one depth-first search of all that is downstream of
// them.
type CycleDetector struct {
	links Links
	steps int // that are left for links one by one
	rest  []batchLink
}

// batchLink is a link with its place in a batch.
type batchLink struct {
	Link
	index int
}

// NewCycleDetector returns a detector for the links of one batch.
func NewCycleDetector(links Links) *CycleDetector {
	return &CycleDetector{links: links, steps: detectorSteps}
}

// Add looks at a link of the batch, which may or may not be among the links of
// the plan yet. It fails with a CycleError when the link closes a cycle.
func (d *CycleDetector) Add(l Link, index int) error {
	if l.Predecessor == l.Successor {
		return &CycleError{Tasks: []string{l.Predecessor, l.Successor}, Index: index}
	}
	if d.steps > 0 {
		cycle, ended, err := cycleThrough(d.links, l, &d.steps)
		switch {
		case err != nil:
			return err
		case cycle != nil:
			return &CycleError{Tasks: cycle, Index: index}
		case ended:
			return nil
		}
	}
	d.rest = append(d.rest, batchLink{l, index})
	return nil
}

// Finish looks at the links that are left, all of which are among the links of
// the plan by now. Any cycle goes through one of them.
func (d *CycleDetector) Finish() error {
	s := depthFirst{links: d.links, done: make(map[string]bool)}
	for _, l := range d.rest {
		cycle, err := s.from(l.Successor)
		if err != nil {
			return err
		}
		if cycle != nil {
			return d.closed(cycle)
		}
	}
	return nil
}

// closed names the last link of the batch that is in a cycle, which is given as
// its tasks, each once.
func (d *CycleDetector) closed(cycle []string) *CycleError {
	for _, l := range slices.Backward(d.rest) {
		at := slices.Index(cycle, l.Predecessor)
		if at >= 0 && cycle[(at+1)%len(cycle)] == l.Successor {
			return &CycleError{Tasks: slices.Concat(cycle[at:], cycle[:at+1]), Index: l.index}
		}
	}
	return &CycleError{Tasks: append(cycle, cycle[0]), Index: d.rest[len(d.rest)-1].index}
}

// cycleThrough returns the tasks of a cycle that a link would close, from its predecessor
// round to its predecessor, or nil. It is a bidirectional search, downstream of the
// successor and upstream of the predecessor alternately, so that it costs about twice the
// smaller side: a new task at either end is free, and so is one at a task with many links.
// ended says that there is none, and not merely that the steps were used up before that was
// known.
func cycleThrough(links Links, l Link, steps *int) (cycle []string, ended bool, err error) {
	down := newSearch(links, l, Finish)
	defer down.close()
	up := newSearch(links, l, Start)
	defer up.close()
	for *steps > 0 {
		for _, s := range []*search{down, up} {
			*steps--
			found, ended, err := s.step()
			switch {
			case err != nil || ended:
				return nil, ended, err
			case found:
				return append([]string{l.Predecessor}, s.cycle()...), false, nil
			}
		}
	}
	return nil, false, nil
}

// search walks the links from one end of a link to look for the other.
type search struct {
	links   Links
	side    End    // of the link from which it began
	goal    string // at the other end
	without string // link that is left out
	before  map[string]string
	stack   []string

	at   string // the task whose links are being looked at
	next func() (Link, error, bool)
	stop func()
}

func newSearch(links Links, l Link, side End) *search {
	from, goal := l.Successor, l.Predecessor
	if side == Start {
		from, goal = goal, from
	}
	return &search{
		links: links, side: side, goal: goal, without: l.ID,
		before: map[string]string{from: ""}, stack: []string{from},
	}
}

// step looks at the next link. found says that it leads to the goal, ended that there
// is nothing left to look at.
func (s *search) step() (found, ended bool, err error) {
	l, ok, err := s.link()
	if !ok || err != nil {
		return false, !ok, err
	}
	next := l.Successor
	if s.side == Start {
		next = l.Predecessor
	}
	if _, seen := s.before[next]; seen || l.ID == s.without {
		return false, false, nil
	}
	s.before[next] = s.at
	s.stack = append(s.stack, next)
	return next == s.goal, false, nil
}

// link returns the next link of the task at hand, or of the next one that has any.
func (s *search) link() (l Link, ok bool, err error) {
	for {
		if s.next != nil {
			if l, err, ok = s.next(); ok {
				return l, true, err
			}
			s.close()
		}
		if len(s.stack) == 0 {
			return Link{}, false, nil
		}
		s.at = s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		links := s.links.From(s.at)
		if s.side == Start {
			links = s.links.To(s.at)
		}
		s.next, s.stop = iter.Pull2(links)
	}
}

// close ends the look at the task at hand.
func (s *search) close() {
	if s.stop != nil {
		s.stop()
	}
	s.next, s.stop = nil, nil
}

// cycle are the tasks from the successor of the link to its predecessor, once the
// goal is found.
func (s *search) cycle() (ids []string) {
	for at := s.goal; at != ""; at = s.before[at] {
		ids = append(ids, at)
	}
	if s.side == Finish {
		slices.Reverse(ids)
	}
	return ids
}

// depthFirst walks downstream from one task after another and visits none twice.
type depthFirst struct {
	links Links
	done  map[string]bool // false while the task is on the path
	path  []visit
}

// visit is a task on the path with those behind it that are still to be visited.
type visit struct {
	id   string
	left []string
}

// from walks from a task and returns the tasks of the first cycle, or nil.
func (d *depthFirst) from(id string) ([]string, error) {
	if _, seen := d.done[id]; seen {
		return nil, nil
	}
	if err := d.enter(id); err != nil {
		return nil, err
	}
	for len(d.path) > 0 {
		at := &d.path[len(d.path)-1]
		if len(at.left) == 0 {
			d.done[at.id] = true
			d.path = d.path[:len(d.path)-1]
			continue
		}
		next := at.left[0]
		at.left = at.left[1:]
		switch done, seen := d.done[next]; {
		case !seen:
			if err := d.enter(next); err != nil {
				return nil, err
			}
		case !done:
			return d.since(next), nil
		}
	}
	return nil, nil
}

func (d *depthFirst) enter(id string) error {
	v := visit{id: id}
	for l, err := range d.links.From(id) {
		if err != nil {
			return err
		}
		v.left = append(v.left, l.Successor)
	}
	d.done[id] = false
	d.path = append(d.path, v)
	return nil
}

// since returns the tasks on the path from one of them on.
func (d *depthFirst) since(id string) (ids []string) {
	for _, v := range d.path {
		if v.id == id || ids != nil {
			ids = append(ids, v.id)
		}
	}
	return ids
}
