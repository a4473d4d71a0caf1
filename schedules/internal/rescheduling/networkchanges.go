package rescheduling

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// networkChanges are what is read of the changes of a plan before the numbers of its tasks are
// known again.
type networkChanges struct {
	*Network
	added   []networkTask
	removed map[int]bool
	above   map[string]string // what tasks are below now, by their ids
	work    bool              // resources may work at another time than before
}

// changesAhead is how many changes of each collection are read in one journey.
const changesAhead = 512

// follow reads what has changed of a plan.
func (n *Network) follow(v *records.View) error {
	c := &networkChanges{Network: n, removed: make(map[int]bool), above: make(map[string]string)}
	for _, t := range []*records.Table{core.Tasks.Table(), core.TaskLinks.Table(), core.Analyses.Table()} {
		if records.Remote(v) {
			records.Declare(v, t.NeedsOfChanges(n.Scope, n.revision, changesAhead)...)
		}
	}
	if err := eachChange(v, n.Scope, core.Tasks, n.revision, c.task); err != nil {
		return err
	}
	c.number()
	n.nest(c.above)
	if err := n.followLinks(v); err != nil {
		return err
	}
	err := eachChange(v, n.Scope, core.Analyses, n.revision, func(id string, is *schedules.SchedulingAnalysis) {
		var a networkAnalysis
		if is != nil {
			a = keepAnalysis(is)
		}
		n.analyze(id, a)
	})
	if err != nil {
		return err
	}
	changed, err := n.workChanged(v, n.revision)
	if err != nil {
		return err
	}
	return n.configure(v, c.work || changed)
}

// task takes over what has become of a task; nil is that it is gone.
func (c *networkChanges) task(id string, is *schedules.Task) {
	number, there := c.Find(id)
	var was networkTask
	if there {
		was = c.Tasks[number]
		c.count(&was, -1)
	}
	if is == nil {
		c.work = c.work || there && was.byResources()
		if there {
			c.removed[number] = true
		}
		return
	}
	k := c.keep(is, &was, nil)
	c.count(&k, 1)
	c.work = c.work || k.byResources() != (there && was.byResources())
	if !there {
		c.added = append(c.added, k)
		c.above[k.TaskID()] = core.ParentOfTask(is)
		return
	}
	parent := ""
	if was.parent != none {
		parent = c.Tasks[was.parent].TaskID()
	}
	if k.parent = was.parent; core.ParentOfTask(is) != parent {
		c.above[k.TaskID()] = core.ParentOfTask(is)
	}
	if core.ParentOfTask(is) != parent || was.project != k.project ||
		core.IsHammock(was.taskType()) != core.IsHammock(is.Type) {
		c.solution = nil
	}
	c.Tasks[number] = k
	if c.solution != nil {
		c.dirty[number] = true
		c.look(number)
	}
}

// number gives the tasks other numbers where some were added or are gone, in all that names
// tasks by them. A link of a task that is gone goes with it.
func (c *networkChanges) number() {
	if len(c.added) == 0 && len(c.removed) == 0 {
		return
	}
	n := c.Network
	n.solution = nil
	for number := range c.removed {
		if a := n.analyses[number]; a.known {
			n.strays[n.Tasks[number].TaskID()] = a
		}
	}
	tasks, places := merged(n.Tasks, c.added, c.removed, (*networkTask).TaskID)
	analyses := make([]networkAnalysis, len(tasks))
	for was, is := range places {
		if is != none {
			analyses[is] = n.analyses[was]
		}
	}
	for i := range tasks {
		if above := tasks[i].parent; above != none {
			tasks[i].parent = places[above]
		}
	}
	n.Tasks, n.analyses = tasks, analyses
	for id, a := range n.strays {
		if number, ok := n.Find(id); ok {
			n.analyses[number] = a
			delete(n.strays, id)
		}
	}
	n.Links = slices.DeleteFunc(n.Links, func(l networkLink) bool {
		l.Predecessor, l.Successor = places[l.Predecessor], places[l.Successor]
		if l.Predecessor != none && l.Successor != none {
			return false
		}
		n.use(l.calendar, -1)
		return true
	})
	for i := range n.Links {
		l := &n.Links[i]
		l.Predecessor, l.Successor = places[l.Predecessor], places[l.Successor]
	}
}

// followLinks reads what has changed of the links.
func (n *Network) followLinks(v *records.View) error {
	var added []networkLink
	removed := make(map[int]bool)
	err := eachChange(v, n.Scope, core.TaskLinks, n.revision, func(id string, is *schedules.TaskLink) {
		n.solution = nil
		if number, there := slices.BinarySearchFunc(n.Links, id, compareLink); there {
			n.use(n.Links[number].calendar, -1)
			removed[number] = true
		}
		if is == nil {
			return
		}
		if k, ok := n.keepLink(is, nil); ok {
			n.use(k.calendar, 1)
			added = append(added, k)
		}
	})
	if err == nil && len(added)+len(removed) > 0 {
		n.Links, _ = merged(n.Links, added, removed, func(k *networkLink) string { return k.ID })
	}
	return err
}

// merged are values in the order of their ids without those at some places and with others, and
// at which place each is that there was; none is at no place.
func merged[V any](all, added []V, removed map[int]bool, id func(*V) string) (now []V, places []int32) {
	added = inOrder(added, id)
	now, places = make([]V, 0, len(all)+len(added)-len(removed)), make([]int32, len(all))
	for i := range all {
		for len(added) > 0 && id(&added[0]) <= id(&all[i]) {
			now, added = append(now, added[0]), added[1:]
		}
		if places[i] = none; !removed[i] {
			places[i] = int32(len(now))
			now = append(now, all[i])
		}
	}
	return append(now, added...), places
}

// look reports that a task may have dates or an analysis which are not what was found.
func (n *Network) look(number int) {
	if n.solution == nil || n.unwritten == nil {
		return
	}
	n.unwritten[number] = true
	n.staged.doubt(number)
}

// eachChange calls fn with each record that is not as it was at a revision, nil for one that is
// gone. fn keeps nothing of it.
func eachChange[T any](v *records.View, s records.Scope, c *records.Collection[T], since uint64,
	fn func(id string, is *T),
) error {
	changes := records.Together(v, 0, c.Changes(v, s, since), func(next []records.Change) error {
		for _, change := range next {
			records.Declare(v, c.Needs(s, change.ID)...)
		}
		return nil
	})
	for change, err := range changes {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		is, err := c.Lookup(v, s, change.ID)
		if err != nil {
			return err
		}
		fn(change.ID, is)
	}
	return nil
}
