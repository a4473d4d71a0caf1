package rescheduling

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Network is the plan of a schedule as package cpm schedules it, and what it found, as of
// one revision of the schedule. It goes from one revision to the next by the changes
// between them, and what is found again is what they reach.
type Network struct {
	mu       sync.Mutex // held while it is read or changed
	Scope    records.Scope
	revision uint64
	size     int  // tasks and links, as networks has it
	wanted   bool // a caller looks at the plan, or changes it by what is found
	// rests reports that all was let go when the analyses of the plan were those that it finds
	// at its revision.
	rests bool

	Calendars *schedules.Calendars
	uses      map[string]int // how many tasks and links name each calendar
	Settings  schedules.ProjectScheduling
	loaded    bool              // the plan is there
	Tasks     []networkTask     // by their numbers
	Links     []networkLink     // by their numbers
	analyses  []networkAnalysis // of the tasks
	// strays are analyses of tasks that are not there.
	strays map[string]networkAnalysis
	names  names // of calendars and projects
	work   resourceWork

	solution *Solution    // nil when all is to be found again
	dirty    map[int]bool // tasks that have changed since it was found
	// unwritten reports of the tasks, by their numbers, that they may have dates or an
	// analysis which are not what was found; nil says it of all.
	unwritten []bool
	staged    staged
	hammocks  int // how many tasks are
	// placed is the plan as it was last looked at, while it is kept.
	placed weak.Pointer[placed]
}

// keptTasks is how many tasks and links there are in the networks that are kept, and
// runsPerTask how many runs of calendars take as much memory as one. heldAtOnce is how many are
// kept however large they are, since the plans are being rescheduled.
//
// shownTasks is how many tasks and links are kept as they are shown, which takes some 200 bytes
// for each.
const (
	keptTasks   = 1_000_000
	runsPerTask = 4
	heldAtOnce  = 4
	shownTasks  = 64_000
)

// networks are those of the schedules that were asked for last.
type networks struct {
	mu     sync.Mutex
	recent []*Network // the last one at the end
	shown  []*placed  // the plan that was looked at last at the end
	// baseline is the one that was looked at last, of as many tasks and links as shown at most.
	baseline keptBaseline
	// most and mostShown are in place of keptTasks and shownTasks; 0 is that.
	most, mostShown int

	held []records.Scope // those being rescheduled, the last one at the end
}

// at calls fn with the network of a schedule as a transaction sees it, brought up to
// date. It is for transactions that write nothing: what they see is there.
func (k *networks) at(v *records.View, sc *model.Schedule, fn func(*Network) error) error {
	return k.lend(v, sc, func(n *Network) error {
		n.wanted = true
		return fn(n)
	})
}

// lend is at for a caller that needs the network once, and releases it afterwards.
func (k *networks) lend(v *records.View, sc *model.Schedule, fn func(*Network) error) error {
	if records.Remote(v) {
		records.Declare(v, k.needs(sc.Scope)...)
	}
	revision, err := sc.Scope.Revision(v)
	if err != nil {
		return err
	}
	n := k.take(sc.Scope)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.revision > revision {
		n = &Network{Scope: n.Scope} // someone saw more of it already
		n.mu.Lock()
		defer n.mu.Unlock()
	}
	if err := n.advance(v, revision); err != nil {
		n.loaded = false // whatever it has become
		return err
	}
	k.keep(n, len(n.Tasks)+len(n.Links)+int(n.Calendars.Runs)/runsPerTask)
	return fn(n)
}

// rest lets go what was lent of the network of a scope, whose analyses are all written,
// unless another caller wants it.
func (k *networks) rest(s records.Scope) {
	n := k.take(s)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.wanted && n.loaded && n.staged.stage == 0 {
		k.keep(&Network{Scope: s, revision: n.revision, rests: true}, 1)
	}
}

// rested reports whether the network of a schedule rests and would find no other analyses
// than there are.
func (k *networks) rested(v *records.View, sc *model.Schedule) (bool, error) {
	revision, err := sc.Scope.Revision(v)
	n := k.take(sc.Scope)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil || !n.rests || n.revision > revision {
		return false, err
	}
	changed, err := planChanged(v, n.Scope, n.revision)
	if err == nil && !changed {
		changed, err = changedSince(v, n.Scope, core.Analyses.Table(), n.revision)
	}
	if errors.Is(err, records.ErrDeltaExpired) {
		return false, nil
	}
	if err != nil || changed {
		return false, err
	}
	n.revision = revision
	return true, nil
}

// needs are what is read of a schedule to see its plan: its revision, what it is scheduled
// by and who works on it, and all of it where nothing of it is kept.
func (k *networks) needs(s records.Scope) []records.Need {
	needs := slices.Concat(
		[]records.Need{s.Need()}, core.Settings.Needs(s, core.SettingsID), core.Calendars.NeedsAll(s),
		core.Assignments.NeedsFrom(s), core.Resources.NeedsFrom(s),
	)
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.ContainsFunc(k.recent, func(n *Network) bool { return n.Scope == s }) {
		return needs
	}
	return slices.Concat(needs, core.Tasks.NeedsWhole(s), core.TaskLinks.NeedsWhole(s), core.Analyses.NeedsWhole(s))
}

// take is the network of a scope that is kept, or a new one.
func (k *networks) take(s records.Scope) *Network {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range k.recent {
		if n.Scope == s {
			return n
		}
	}
	n := &Network{Scope: s}
	k.recent = append(k.recent, n)
	return n
}

// keep makes a network the one that was asked for last, and forgets those that are too much in
// addition to it, and it itself where it is.
func (k *networks) keep(n *Network, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n.size = size
	recent := slices.DeleteFunc(slices.Clone(k.recent), func(o *Network) bool { return o.Scope == n.Scope })
	recent = append(recent, n)
	all := 0
	for i, o := range slices.Backward(recent) {
		if all+o.size > cmp.Or(k.most, keptTasks) && !slices.Contains(k.held, o.Scope) {
			recent = slices.Delete(recent, i, i+1)
			continue
		}
		all += o.size
	}
	k.recent = recent
}

// hold keeps the network of a scope however large it is, until it is released or others are held.
func (k *networks) hold(s records.Scope) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held = append(without(k.held, s), s); len(k.held) > heldAtOnce {
		k.held = k.held[1:]
	}
}

func (k *networks) release(s records.Scope) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held = without(k.held, s)
}

func without(all []records.Scope, s records.Scope) []records.Scope {
	return slices.DeleteFunc(all, func(o records.Scope) bool { return o == s })
}

// advance brings a network to a revision.
func (n *Network) advance(v *records.View, revision uint64) (err error) {
	if n.loaded && n.revision == revision {
		return nil
	}
	if n.loaded {
		if err = n.follow(v); !errors.Is(err, records.ErrDeltaExpired) {
			n.revision = revision
			return err
		}
	}
	if err = n.load(v); err == nil {
		n.revision = revision
	}
	return err
}

// load reads the whole of a plan.
func (n *Network) load(v *records.View) (err error) {
	n.solution, n.dirty, n.rests = nil, nil, false
	n.Tasks, n.Links, n.names, n.strays = nil, nil, names{}, make(map[string]networkAnalysis)
	n.uses, n.hammocks, n.work = make(map[string]int), 0, resourceWork{}
	var x texts
	if err := n.loadTasks(v, &x); err != nil {
		return err
	}
	err = eachOf(v, n.Scope, core.TaskLinks, func(l *schedules.TaskLink) {
		if k, ok := n.keepLink(l, &x); ok {
			n.Links = append(n.Links, k)
			n.use(k.calendar, 1)
		}
	})
	if err != nil {
		return err
	}
	n.Links = inOrder(n.Links, func(k *networkLink) string { return k.ID })
	n.analyses = make([]networkAnalysis, len(n.Tasks))
	err = eachOf(v, n.Scope, core.Analyses, func(a *schedules.SchedulingAnalysis) {
		n.analyze(a.TaskID,
			keepAnalysis(a))
	})
	if err != nil {
		return err
	}
	n.loaded = true
	return n.configure(v, true)
}

// loadTasks reads the tasks.
func (n *Network) loadTasks(v *records.View, x *texts) error {
	above := make(map[string]string)
	err := eachOf(v, n.Scope, core.Tasks, func(t *schedules.Task) {
		k := n.keep(t, nil, x)
		n.Tasks = append(n.Tasks, k)
		n.count(&k, 1)
		if t.ParentID != "" {
			above[k.TaskID()] = core.ParentOfTask(t)
		}
	})
	n.Tasks = inOrder(n.Tasks, (*networkTask).TaskID)
	n.nest(above)
	return err
}

// nest puts tasks below others.
func (n *Network) nest(above map[string]string) {
	for id, parent := range above {
		if number, ok := n.Find(id); ok {
			n.Tasks[number].parent = none
			if at, ok := n.Find(parent); ok {
				n.Tasks[number].parent = int32(at)
			}
		}
	}
}

// analyze keeps the analysis of a task, or that there is none.
func (n *Network) analyze(taskID string, a networkAnalysis) {
	number, ok := n.Find(taskID)
	switch {
	case ok:
		n.analyses[number] = a
		n.look(number)
	case a.known:
		n.strays[strings.Clone(taskID)] = a
	default:
		delete(n.strays, taskID)
	}
}

// inOrder are values in the order of their ids, in no more memory than they take.
func inOrder[V any](all []V, id func(*V) string) []V {
	if cap(all) > len(all)+len(all)/16 {
		all = slices.Clone(all)
	}
	compare := func(a, b V) int { return cmp.Compare(id(&a), id(&b)) }
	if !slices.IsSortedFunc(all, compare) {
		slices.SortFunc(all, compare)
	}
	return all
}

// count counts a task, or takes it back.
func (n *Network) count(k *networkTask, more int) {
	n.use(k.calendar, more)
	if core.IsHammock(k.taskType()) {
		n.hammocks += more
	}
	if k.byResources() {
		n.work.tasks += more
	}
}

// use counts what names a calendar.
func (n *Network) use(calendar int32, more int) {
	if id := string(n.names.at(calendar)); id != "" {
		if n.uses[id] += more; n.uses[id] == 0 {
			delete(n.uses, id)
		}
	}
}

// eachOf calls fn with each record of a schedule, of which it keeps nothing.
func eachOf[T any](v *records.View, s records.Scope, c *records.Collection[T], fn func(*T)) error {
	for r, err := range c.From(v, s, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		fn(r)
	}
	return nil
}

// ReadAll reads the records of a schedule by their ids.
func ReadAll[T any](v *records.View, s records.Scope, c *records.Collection[T], into map[string]*T) error {
	return eachOf(v, s, c, func(r *T) { into[c.ID(r)] = r })
}

// configure reads by what the plan is scheduled. work reports that resources may work at
// another time than before.
func (n *Network) configure(v *records.View, work bool) error {
	settings, err := core.ProjectScheduling(v, n.Scope)
	if err != nil {
		return err
	}
	if !core.SameSettings(&settings.Value, &n.Settings) {
		n.solution, work = nil, true
	}
	n.Settings = settings.Value
	if work {
		n.solution = nil
		if err := n.readWork(v); err != nil {
			return err
		}
	}
	calendars, err := core.ReadCalendars(v, n.Scope, maps.Keys(n.uses))
	if err != nil {
		return err
	}
	if !calendars.Equal(n.Calendars) {
		n.solution, n.work.combined, n.work.spent = nil, nil, 0
	}
	n.Calendars = calendars
	return nil
}

// Dates finds the dates of the network, and keeps them.
//
// Errors: what scheduled refuses.
func (n *Network) Dates(ctx context.Context) (*Solution, error) {
	if n.solution != nil && len(n.dirty) > 0 && !n.revise() {
		n.solution = nil
	}
	if n.solution == nil {
		// What is kept was read for another, and is worked through for this one.
		effort.Add(ctx, effort.Spent{Read: len(n.Tasks) + len(n.Links)})
		f, err := n.Builder(nil).Build()
		if err != nil {
			return nil, err
		}
		n.solution, n.unwritten, n.staged = f, nil, staged{}
	}
	n.dirty = make(map[int]bool)
	return n.solution, ctx.Err()
}

// revise finds the dates again that the changed tasks reach, and reports false where
// that takes all of them.
func (n *Network) revise() bool {
	b, f := n.Builder(nil), n.solution
	b.start = f.Begin
	changes := make(map[int]cpm.Task, len(n.dirty))
	for number := range n.dirty {
		t := n.Fill(&b.filled, number)
		changes[number] = b.task(t, f.driven[number])
		if f.anchors != nil {
			f.anchors[number] = b.anchor(t, f.driven[number])
		}
	}
	if b.startOf(f.anchors) != f.Begin {
		return false
	}
	touched, ok, err := f.Revise(changes)
	if n.unwritten != nil {
		for _, number := range touched {
			n.unwritten[number] = true
			n.staged.doubt(number)
		}
	}
	return ok && err == nil
}

// Sorted are the keys of a map in their order.
func Sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// errUnscheduled is what a plan fails with that has nothing to begin with.
var errUnscheduled = model.Invalid(twinplatform.Detail{
	Code: "MissingRequiredProperty", Target: "startDate",
	Message: "It is not known when the schedule begins: it has no start date, no data date and no task with a date.",
})
