package schedules

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// circleSteps is how many tasks the links of a request may take to be checked
// one by one.
const circleSteps = 10_000

// circles looks for circles that the links of a request close. They are checked
// one by one, which is cheap at the ends of a plan; once that has taken long, as
// in the middle of a large one, the rest is left to one look at all that is
// downstream of them.
type circles struct {
	tx    records.Reading
	s     records.Scope
	list  string // how targets name the request
	steps int    // that are left for links one by one
	rest  []listed
}

// listed is a link with its place in a request.
type listed struct {
	link *TaskLink
	i    int
}

func newCircles(tx records.Reading, s records.Scope, list string) *circles {
	return &circles{tx: tx, s: s, list: list, steps: circleSteps}
}

// check checks a link, or leaves it to finish.
func (c *circles) check(l *TaskLink, i int) error {
	if c.steps > 0 {
		circle, ended, err := circleThrough(c.tx, c.s, l, &c.steps)
		if circle != nil {
			return c.refuse(circle, i)
		}
		if ended || err != nil {
			return err
		}
	}
	c.rest = append(c.rest, listed{l, i})
	return nil
}

// finish checks the links that are left, all of which are written by now. Any
// circle goes through one of them.
func (c *circles) finish() error {
	w := wander{tx: c.tx, s: c.s, done: make(map[string]bool)}
	for _, l := range c.rest {
		circle, err := w.from(l.link.SuccessorID)
		if err != nil {
			return err
		}
		if circle != nil {
			return c.blame(circle)
		}
	}
	return nil
}

// blame refuses the last link of the request that is in a circle, which is given
// as its tasks, each once.
func (c *circles) blame(circle []string) error {
	next := make(map[string]string, len(circle))
	for i, id := range circle {
		next[id] = circle[(i+1)%len(circle)]
	}
	for _, l := range slices.Backward(c.rest) {
		if next[l.link.PredecessorID] == l.link.SuccessorID {
			at := slices.Index(circle, l.link.PredecessorID)
			return c.refuse(slices.Concat(circle[at:], circle[:at+1]), l.i)
		}
	}
	return c.refuse(append(circle, circle[0]), c.rest[len(c.rest)-1].i)
}

func (c *circles) refuse(circle []string, i int) error {
	var checks refuse.Checks
	checks.At(c.list, i)
	checks.Bad("successorId", "The link would close the circle %s.", describeCircle(circle))
	return checks.Err(InvalidRequest)
}

// wander walks downstream from one task after another and visits none twice.
type wander struct {
	tx   records.Reading
	s    records.Scope
	done map[string]bool // false while the way leads through the task
	way  []bend
}

// bend is a task on the way with the tasks behind it that are still to be
// visited.
type bend struct {
	id   string
	left []string
}

// from walks from a task and returns the tasks of the first circle, or nil.
func (w *wander) from(id string) ([]string, error) {
	if _, seen := w.done[id]; seen {
		return nil, nil
	}
	if err := w.enter(id); err != nil {
		return nil, err
	}
	for len(w.way) > 0 {
		at := &w.way[len(w.way)-1]
		if len(at.left) == 0 {
			w.done[at.id] = true
			w.way = w.way[:len(w.way)-1]
			continue
		}
		next := at.left[0]
		at.left = at.left[1:]
		switch done, seen := w.done[next]; {
		case !seen:
			if err := w.enter(next); err != nil {
				return nil, err
			}
		case !done:
			return w.since(next), nil
		}
	}
	return nil, nil
}

func (w *wander) enter(id string) error {
	b := bend{id: id}
	for l, err := range taskLinkRecords.Find(w.tx, w.s, "predecessor", id) {
		if err != nil {
			return err
		}
		b.left = append(b.left, l.SuccessorID)
	}
	w.done[id] = false
	w.way = append(w.way, b)
	return nil
}

// since returns the tasks on the way from one of them on.
func (w *wander) since(id string) (ids []string) {
	for _, b := range w.way {
		if b.id == id || ids != nil {
			ids = append(ids, b.id)
		}
	}
	return ids
}
