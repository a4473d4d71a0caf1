package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Operations keeps the operations of a platform that was made with Gate from being done, so that a client meets one that is Running and one that fails:
//
//	held := controls.Operations.Hold("tasks.create")
//	… // the client creates a task, and finds its operation Running
//	held.Release()
//
// A held operation has been accepted as in background mode: what can be refused at
// once is refused, and a write that would have been answered with its record is
// answered with 202.
//
// Nothing is held for longer than a server runs: the next start does what waited.
type Operations struct {
	now func() time.Time
	// ctx is the context of what is done without another.
	ctx func() context.Context
	// helper, misused and failed call Helper, Fatalf and Errorf of the test, where there is
	// one.
	helper  func()
	misused func(format string, args ...any) // does not return
	failed  func(format string, args ...any)

	mu    sync.Mutex
	kinds map[string]bool
	holds map[string]*Hold // by kind
	held  map[string]*held // by the id of the operation
}

// held is an operation that waits.
type held struct {
	twinplatform.HeldOperation

	hold  *Hold
	since time.Time
	polls int
}

// Hold is what becomes of the operations of one kind.
type Hold struct {
	ops  *Operations
	kind string

	// What follows is guarded by ops.mu.
	percent  int
	ended    bool
	failure  *twinplatform.Error
	after    time.Duration // negative: no time ends it
	maxPolls int           // negative: no number of polls ends it
}

// halfway is how much of a held operation is shown as done unless Percent says
// otherwise.
const halfway = 50

// newOperations makes the operations of a server. There is no test that a misuse could end,
// so it panics; and what cannot be ended is left to the platform, which does it later.
func newOperations(now func() time.Time) *Operations {
	return &Operations{
		now: now, ctx: context.Background, helper: func() {},
		misused: func(format string, args ...any) { panic(fmt.Sprintf("control: "+format, args...)) },
		failed:  func(string, ...any) {},
		kinds:   make(map[string]bool), holds: make(map[string]*Hold), held: make(map[string]*held),
	}
}

// of binds the operations to a test.
func (o *Operations) of(t T) {
	o.ctx, o.helper = t.Context, t.Helper
	o.misused = func(format string, args ...any) { t.Helper(); t.Fatalf("control: "+format, args...) }
	o.failed = func(format string, args ...any) { t.Helper(); t.Errorf("control: "+format, args...) }
}

// Kinds are the ids of the operations of the API whose work can be held.
func (o *Operations) Kinds() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ofAPI []string // services have more
	for _, op := range everyOperation() {
		if o.kinds[op.ID] {
			ofAPI = append(ofAPI, op.ID)
		}
	}
	slices.Sort(ofAPI)
	return ofAPI
}

// kind is the id of an operation that can be held, which may be named by its id in the
// specification.
func (o *Operations) kind(name string) (string, error) {
	if op, err := operationIn(everyOperation(), name); err == nil {
		name = op.ID
	}
	all := o.Kinds()
	if slices.Contains(all, name) {
		return name, nil
	}
	hint := ""
	if len(all) > 0 {
		hint = fmt.Sprintf("did you mean %q? ",
			slices.MinFunc(all, func(a, b string) int { return problem.Distance(a, name) - problem.Distance(b, name) }))
	}
	return "", fmt.Errorf("there is no work of an operation %q to hold; %sthere is that of %q", name, hint, all)
}

// Hold keeps all that an operation of the API accepts, such as tasks.create, from now on.
// It is Running, half done, for the caller that asks through Go or over HTTP, until the
// hold says otherwise. An operation that is held already gets a new hold; what the former
// one keeps stays with it. It fails the test for an operation that does not exist or that
// is always done at once; [Operations.Kinds] lists them.
func (o *Operations) Hold(operation string) *Hold {
	o.helper()
	kind, err := o.kind(operation)
	if err != nil {
		o.misused("%v", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	h := &Hold{ops: o, kind: kind, percent: halfway, after: -1, maxPolls: -1}
	o.holds[kind] = h
	return h
}

// Percent reports how much of the operations is shown as done, from 0 to 99: of those
// that are held and of those to come.
func (h *Hold) Percent(percent int) *Hold {
	h.ops.helper()
	if percent < 0 || percent > 99 {
		h.ops.misused("a running operation has 0 to 99 percent, not %d", percent)
	}
	h.change(func() { h.percent = percent })
	for _, op := range h.waiting() {
		if err := op.Show(h.ops.ctx(), percent); err != nil {
			h.ops.failed("showing %d percent of the operation %s: %v", percent, op.ID, err)
		}
	}
	return h
}

// After lets each operation end once so much time has gone by on the
// clock since it was accepted.
func (h *Hold) After(d time.Duration) *Hold {
	h.ops.helper()
	if d < 0 {
		h.ops.misused("an operation cannot end %v after it was accepted", d)
	}
	h.change(func() { h.after = d })
	h.ops.end(func(op *held) bool { return op.hold == h && op.due(h.ops.now()) })
	return h
}

// AfterPolls lets each operation end once it was found Running n times: the next one
// who asks finds it done.
func (h *Hold) AfterPolls(n int) *Hold {
	h.ops.helper()
	if n < 0 {
		h.ops.misused("an operation cannot end after %d polls", n)
	}
	h.change(func() { h.maxPolls = n })
	return h
}

// FailWith lets the operations end as Failed with a documented error, such as
// ScheduleNotInitialized: when After or AfterPolls says so, or else at once, those to
// come right after they were accepted. It fails the test for a code that no operation
// fails with.
func (h *Hold) FailWith(code string) *Hold {
	h.ops.helper()
	failure, ok := h.ops.failures()[code]
	if !ok {
		h.ops.misused("no operation fails with %q; the codes are %q", code, h.ops.Codes())
	}
	h.change(func() { h.failure = failure })
	h.ops.end(func(op *held) bool { return op.hold == h && op.atOnce() })
	return h
}

// Release ends the hold: what it keeps is done before Release returns, and nothing
// more is held by it.
func (h *Hold) Release() {
	h.ops.helper()
	h.change(func() {
		h.ended, h.failure = true, nil
		if h.ops.holds[h.kind] == h {
			delete(h.ops.holds, h.kind)
		}
	})
	h.ops.end(func(op *held) bool { return op.hold == h })
}

// Held are the operations that the hold keeps, in the order in which they were
// accepted.
func (h *Hold) Held() []twinplatform.Operation {
	waiting := h.waiting()
	out := make([]twinplatform.Operation, len(waiting))
	for i, op := range waiting {
		out[i] = op.Operation
	}
	return out
}

func (h *Hold) change(set func()) {
	h.ops.mu.Lock()
	defer h.ops.mu.Unlock()
	set()
}

// waiting are the operations that the hold keeps.
func (h *Hold) waiting() []*held {
	h.ops.mu.Lock()
	defer h.ops.mu.Unlock()
	return h.ops.those(func(op *held) bool { return op.hold == h })
}

// those are held operations, the oldest first. The lock is held.
func (o *Operations) those(match func(*held) bool) (out []*held) {
	for _, id := range slices.Sorted(maps.Keys(o.held)) {
		if match(o.held[id]) {
			out = append(out, o.held[id])
		}
	}
	return out
}

// end lets those operations end that match, the oldest first.
func (o *Operations) end(match func(*held) bool) {
	o.helper()
	if err := o.finish(o.ctx(), match); err != nil {
		o.failed("%v", err)
	}
}

// Holding are the kinds of which operations are held from now on.
func (o *Operations) Holding() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.holds))
}

// Held are all operations that are held, the oldest first.
func (o *Operations) Held() []twinplatform.Operation {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.those(func(*held) bool { return true })
	out := make([]twinplatform.Operation, len(all))
	for i, op := range all {
		out[i] = op.Operation
	}
	return out
}

// Codes lists the codes with which operations can be failed, in order.
func (o *Operations) Codes() []string { return slices.Sorted(maps.Keys(o.failures())) }

// ErrNotHeld reports that an operation is not held, or no longer.
var ErrNotHeld = errors.New("the operation is not held")

// Keep holds all operations of a kind from now on, or ends that. It fails for a kind that
// cannot be held, or is not held.
func (o *Operations) Keep(kind string, hold bool) error {
	if !hold && kind != "" {
		return o.release(kind)
	}
	if _, err := o.kind(kind); err != nil {
		return err
	}
	o.Hold(kind)
	return nil
}

// End lets one held operation end, whatever its hold says of it: it is done before End
// returns, or fails with a documented error where a code is given. The id is the
// operation's, or that of the record it is about, such as a transformation, whose
// operation no client is shown. ErrNotHeld reports that it is not held.
func (o *Operations) End(ctx context.Context, id, code string) error {
	failure, ok := o.failures()[code]
	if code != "" && !ok {
		return fmt.Errorf("no operation fails with %q; the codes are %q", code, o.Codes())
	}
	o.mu.Lock()
	op := o.held[id]
	if about := o.those(func(op *held) bool { return len(op.Subjects) == 1 && op.Subjects[0] == id }); op == nil &&
		len(about) > 0 {
		op = about[0]
	}
	if op == nil {
		o.mu.Unlock()
		return ErrNotHeld
	}
	delete(o.held, op.ID)
	o.mu.Unlock()
	// A caller that has asked for it may leave before it is done.
	if err := op.Finish(context.WithoutCancel(ctx), failure); err != nil {
		return fmt.Errorf("ending the operation %s: %w", op.ID, err)
	}
	return nil
}

func (o *Operations) finish(ctx context.Context, match func(*held) bool) error {
	o.mu.Lock()
	due := o.those(match)
	failures := make([]*twinplatform.Error, len(due))
	for i, op := range due {
		failures[i] = op.hold.failure
		delete(o.held, op.ID)
	}
	o.mu.Unlock()
	for i, op := range due {
		if err := op.Finish(ctx, failures[i]); err != nil {
			return fmt.Errorf("ending the operation %s: %w", op.ID, err)
		}
	}
	return nil
}

// due reports whether the time of an operation has come.
func (op *held) due(now time.Time) bool {
	return op.hold.after >= 0 && now.Sub(op.since) >= op.hold.after
}

// atOnce reports whether an operation waits for nothing but its failure.
func (op *held) atOnce() bool {
	return op.hold.failure != nil && op.hold.after < 0 && op.hold.maxPolls < 0
}

// advanced ends what is due at the present time.
func (o *Operations) advanced() error {
	now := o.now()
	return o.finish(o.ctx(), func(op *held) bool { return op.due(now) })
}

// Forget gives up what is held, which belongs to another state of the world.
func (o *Operations) Forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.held)
}

// gate is how the platform sees Operations.
type gate struct{ ops *Operations }

var _ twinplatform.OperationGate = gate{}

// Knows implements twinplatform.OperationGate.
func (g gate) Knows(kind string) {
	g.ops.mu.Lock()
	defer g.ops.mu.Unlock()
	g.ops.kinds[kind] = true
}

// Hold implements twinplatform.OperationGate.
func (g gate) Hold(kind string) (percent int, hold bool) {
	g.ops.mu.Lock()
	defer g.ops.mu.Unlock()
	if h := g.ops.holds[kind]; h != nil {
		return h.percent, true
	}
	return 0, false
}

// Held implements twinplatform.OperationGate.
func (g gate) Held(op twinplatform.HeldOperation) {
	now := g.ops.now()
	g.ops.mu.Lock()
	h := g.ops.holds[op.Kind]
	if h == nil { // released meanwhile
		h = &Hold{ops: g.ops, kind: op.Kind, ended: true, after: -1, maxPolls: -1}
	}
	g.ops.held[op.ID] = &held{HeldOperation: op, hold: h, since: now}
	g.ops.mu.Unlock()
	g.ops.end(func(other *held) bool {
		return other.ID == op.ID && (h.ended || other.due(now) || other.atOnce())
	})
}

// Asked implements twinplatform.OperationGate.
func (g gate) Asked(id string) {
	g.ops.mu.Lock()
	op := g.ops.held[id]
	if op != nil {
		op.polls++
	}
	g.ops.mu.Unlock()
	g.ops.end(func(other *held) bool {
		return other == op && op.hold.maxPolls >= 0 && op.polls > op.hold.maxPolls
	})
}
