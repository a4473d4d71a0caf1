// Package jobs runs the operations of a domain: work that is accepted once, done
// exactly once, and resumed after a restart.
//
// A domain defines its kinds of work with [Define] and starts them with
// [Kind.Start]. By default the work is done before Start returns; with
// Env.Background it is journaled and left to [Runner.Run].
package jobs

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/steady"
)

// ErrOperationNotFound reports that there is no such operation.
var ErrOperationNotFound = records.ErrNotFound

// operations are kept in the scope that the work is about.
var operations = records.Collection[twinplatform.Operation]{
	Name: records.Operations, Untracked: true, Upkeep: true,
	ID: func(o *twinplatform.Operation) string { return o.ID },
	Hidden: func(o *twinplatform.Operation) any {
		return &hidden{&o.Kind, &o.Subjects, records.OmitZero[*twinplatform.Error]{Of: &o.Failure}}
	},
	Ended: func(o *twinplatform.Operation) (at time.Time) {
		if o.Status.Done() {
			at = o.UpdatedAt.Time
		}
		return at
	},
}

// hidden is the part of an operation that is not on the wire.
type hidden struct {
	Kind     *string                               `json:"kind"`
	Subjects *[]string                             `json:"subjects"`
	Failure  records.OmitZero[*twinplatform.Error] `json:"failure,omitzero"`
}

// Runner works off the operations of one domain. It is safe for concurrent use.
type Runner struct {
	db    *records.DB
	env   twinplatform.Env
	scope records.Scope // of the journal
	owner string        // of leases; empty where no other process may work on the journal
	clock *steady.Clock // of leases
	kinds map[string]*worker
	// outside reports that there is a kind of work whose steps make their own
	// transactions.
	outside bool
	gc      []GC
	timed   []timed
	wake    chan struct{} // holds one token when there may be work

	mu      sync.Mutex
	runs    int                 // calls of Run that are under way
	changed chan struct{}       // closed and made again when an operation ends
	left    int                 // how often work was left to the next process
	resumed int                 // the last of these times that is dealt with
	claimed map[string]struct{} // work that its caller drives itself
	inside  map[string]struct{} // work under way whose steps are known to be transactions
	payers  map[string]*payer   // who did not wait for their work
	// outlasting is the work that continues behind the patience of those who asked for
	// it.
	outlasting map[string]*outlasting
}

// Progress is what a step has come to.
type Progress struct {
	Done    bool
	Percent int // 0 to 99 while not done
	// Waits reports that nothing can be done before other work has come to its end.
	Waits bool

	failure *twinplatform.Error // of work that is done with, and has failed
}

// Done is the progress of the last step.
var Done = Progress{Done: true, Percent: 100}

// record puts the progress into the record of an operation.
func (p Progress) record(o *twinplatform.Operation) {
	o.Status, o.PercentComplete = twinplatform.OperationRunning, min(p.Percent, 99)
	if p.Done {
		o.Status, o.PercentComplete = twinplatform.OperationSucceeded, 100
	}
	o.SubStatus = o.Status
}

// NewRunner returns the runner of a domain, whose name never changes.
func NewRunner(db *records.DB, env twinplatform.Env, domain string) *Runner {
	env = env.WithDefaults()
	db.Clock(env)
	r := &Runner{
		db: db, env: env, scope: records.Scope("jobs-" + domain),
		kinds:   make(map[string]*worker),
		wake:    make(chan struct{}, 1),
		changed: make(chan struct{}),
		claimed: make(map[string]struct{}),
		inside:  make(map[string]struct{}),
		payers:  make(map[string]*payer),

		outlasting: make(map[string]*outlasting),
		left:       1, // by an earlier process, perhaps
	}
	if db.Epoch() == "" {
		r.owner, r.clock = crand.Text(), steady.Shared(env, db.Time())
	}
	return r
}

// GC does one short step of removing what only the domain knows to be unused, and reports
// whether there are more.
type GC func(context.Context) (more bool, err error)

// AddGC makes Run call a step of gc as often as it forgets what has ended, but no more
// than once a second. All are added before Run.
func (r *Runner) AddGC(step GC) { r.gc = append(r.gc, step) }

// Operation returns the record of an operation, or ErrOperationNotFound.
func (r *Runner) Operation(tx records.Reading, s records.Scope, id string) (twinplatform.Record[twinplatform.Operation],
	error,
) {
	return operations.Get(tx, s, id)
}

// Operations lists the records of operations.
func (r *Runner) Operations(tx records.Reading, s records.Scope,
	q records.Query[twinplatform.Operation],
) (twinplatform.Page[twinplatform.Operation], error) {
	return operations.List(tx, s, q)
}

// patience is how long Wait looks on, twice, while no one works off operations: Run may
// be about to be called, in another goroutine.
const patience = 5 * time.Second

// errNotRunning reports why an operation will not come to its end.
var errNotRunning = &twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: "OperationsNotRunning",
	Message: "No process works the operation off: call Run of the service, which Env.Background leaves operations to.",
}

// Wait blocks until the operation is done and returns it. It gives up on one that no one
// works off.
func (r *Runner) Wait(ctx context.Context, s records.Scope, id string) (twinplatform.Operation, error) {
	patience := patience
	if r.shared() {
		patience *= 6 // another process may hold the work, behind other work
	}
	idle := time.NewTimer(patience)
	defer idle.Stop()
	watching, stop := context.WithCancel(ctx)
	defer stop()
	notices := r.notices(watching, endedTopic)
	pause := another / 64
	for seen := (twinplatform.DateTime{}); ; {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		driven := r.driven(id) // before the look at it, which would find what was driven to its end
		var op twinplatform.Operation
		err := r.db.View(ctx, func(v *records.View) error {
			rec, err := operations.Get(v, s, id)
			op = rec.Value
			return err
		})
		if err != nil || op.Status.Done() {
			return op, err
		}
		var elsewhere <-chan time.Time // when it may have been ended by another process
		if r.shared() {
			elsewhere, pause = time.After(pause), min(2*pause, another)
		}
		select {
		case <-ctx.Done():
			return op, ctx.Err()
		case <-changed:
		case <-notices:
		case <-elsewhere:
		case <-idle.C:
			// Another process may be at it: it comes forward then.
			if op.UpdatedAt == seen && !driven && !r.driven(id) {
				r.env.Logger.WarnContext(ctx, "Run is not called: background operations do not run", "operation", id)
				return op, errNotRunning
			}
			seen = op.UpdatedAt
			idle.Reset(patience)
		}
	}
}

// driven reports whether someone in this process works on an operation, or would take it
// up.
func (r *Runner) driven(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, claimed := r.claimed[id]
	return claimed || r.runs > 0
}

// running counts a call of Run, or its end.
func (r *Runner) running(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs += n
}

// Run works off what is accepted, in its order, does what is due in time, and forgets what
// is old, until ctx is done. It returns nil then, and an error only when the store does. Work
// that a full or failing store interrupts is tried again.
func (r *Runner) Run(ctx context.Context) error {
	r.running(1)
	defer r.endOutlasting()
	defer r.running(-1)
	working, stop := context.WithCancel(ctx)
	defer stop()
	background := []func() error{func() error { return Forget(working, r.db, r.env, r.gc...) }}
	for _, t := range r.timed {
		background = append(background, func() error { return t.keep(working, r) })
	}
	ended := make(chan error, len(background))
	for _, run := range background {
		go func() {
			defer stop()
			ended <- run()
		}()
	}
	err := r.work(working)
	stop()
	for range background {
		err = errors.Join(err, <-ended)
	}
	return err
}

// work is Run without its background tasks.
func (r *Runner) work(ctx context.Context) error {
	backoff := time.NewTimer(0)
	defer backoff.Stop()
	notices := r.notices(ctx, workTopic)
	var late <-chan time.Time // when the process that announced work has had its head start
	for delay := time.Second; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-r.wake:
		case <-backoff.C:
			if waiting, err := r.waiting(ctx); err == nil && !waiting {
				backoff.Reset(r.poll())
				continue
			}
		case <-notices:
			if late == nil {
				late = time.After(headStart/2 + rand.N(headStart)) //nolint:gosec // chance, not secrecy
			}
			continue
		case <-late:
			late = nil
		}
		waits, err := r.drain(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case waits:
			backoff.Reset(another)
			delay = time.Second
		case err == nil:
			delay = time.Second
			if r.shared() {
				backoff.Reset(r.poll())
			}
		case errors.Is(err, twinplatform.Unavailable):
			r.env.Logger.WarnContext(ctx, "operations wait for the store", "error", twinplatform.Cause(err))
			backoff.Reset(delay)
			delay = min(2*delay, time.Minute)
		default:
			return err
		}
	}
}

// waiting polls whether other processes may have left work; without other processes it is
// true.
func (r *Runner) waiting(ctx context.Context) (found bool, err error) {
	if !r.shared() {
		return true, nil
	}
	err = r.db.Poll(ctx, func(v *records.View) error {
		found = false
		for _, err := range pending.From(v, r.scope, "") {
			found = err == nil
			return err
		}
		return nil
	})
	return found, err
}

// another is after how long work that waits for other work is looked at again: it may be
// another process that ends that.
const another = time.Second

// drain does everything that the journal holds and no one attends to, and reports whether
// some of it waits for other work.
func (r *Runner) drain(ctx context.Context) (waits bool, err error) { return r.drainBefore(ctx, "") }

// drainBefore is drain for the jobs before one. An empty id sets no end: then more jobs may
// be accepted for as long as it works. So it looks again, as often as an idle process looks
// for work, at the jobs it has passed because another process had them or they waited.
func (r *Runner) drainBefore(ctx context.Context, end string) (waits bool, err error) {
	looked := time.Now()
	for at := ""; ; {
		j, err := r.between(ctx, at, end)
		if err != nil || j == nil {
			return waits && err == nil, err
		}
		at = j.ID
		w, err := r.carryOn(ctx, j)
		if err == nil && end == "" && time.Since(looked) >= r.env.Lease/5 {
			waits, err = r.drainBefore(ctx, at)
			looked = time.Now()
		}
		if waits = waits || w; err != nil {
			return false, err
		}
	}
}

// carryOn does the steps of a job to its end, or until it waits.
func (r *Runner) carryOn(ctx context.Context, j *job) (waits bool, err error) {
	working := records.WithPace(effort.Within(j.contending(ctx), r.payerOf(j.ID)))
	for p := (Progress{}); !p.Done; {
		if p, err = r.advance(working, j.ID, nil); err != nil {
			if ctx.Err() != nil {
				r.giveBack(context.WithoutCancel(ctx), j.ID)
			}
			return false, err
		}
		if p.Waits {
			return true, nil
		}
	}
	return false, nil
}

// between is the first job between two that no one attends to; nil when there is none. An
// empty id sets no bound on that side.
func (r *Runner) between(ctx context.Context, after, before string) (next *job, err error) {
	err = r.db.View(ctx, func(v *records.View) error {
		next = nil
		for j, err := range pending.From(v, r.scope, after) {
			if err != nil {
				return err
			}
			if before != "" && j.ID >= before {
				return nil
			}
			if !r.isClaimed(j.ID) && !r.taken(j) {
				next = j
				return nil
			}
		}
		return nil
	})
	return next, err
}

// advance does the next step of a job and returns how far the job has come. work is
// whose caller waits; nil: no one's.
func (r *Runner) advance(ctx context.Context, id string, work *asked) (p Progress, err error) {
	if p, err = r.step(ctx, id, work); err == nil {
		if p.Done {
			r.ended(id)
		}
		return p, nil
	}
	if ctx.Err() != nil || errors.Is(err, twinplatform.Unavailable) {
		return Progress{}, err
	}
	failure := twinplatform.AsError(err)
	continues, err := r.fail(ctx, id, err)
	if continues {
		return Progress{}, err
	}
	return Progress{Done: true, Percent: 100, failure: failure}, err
}

// step does the next step of a job in a transaction, or outside of one where the kind
// of work makes its own.
func (r *Runner) step(ctx context.Context, id string, work *asked) (p Progress, err error) {
	if r.outside && !r.isInside(id) {
		if found, p, err := r.stepOutside(ctx, id); found || err != nil {
			return p, err
		}
	}
	err = r.db.Update(ctx, func(u *records.Update) (err error) {
		defer recovered(&err)
		if p = Done; work != nil {
			work.discard()
		}
		j, k, payload, err := r.load(u, id)
		if j == nil || err != nil {
			return err
		}
		if r.taken(j) {
			p = Progress{Waits: true}
			return nil
		}
		if k.deletes {
			u.MakesRoom()
		}
		step := k.step
		if work != nil {
			step = work.step
		}
		next, progress, err := step(u, payload)
		if err != nil {
			return err
		}
		p = progress
		return r.keep(u, j, next, progress)
	})
	return p, err
}

// load reads a job with its payload; it is nil where someone has come to its end.
func (r *Runner) load(tx records.Reading, id string) (j *job, k *worker, payload []byte, err error) {
	if j, err = pending.Lookup(tx, r.scope, id); j == nil || err != nil {
		return nil, nil, nil, err
	}
	records.Declare(tx, operations.NeedsOfChange(j.Scope, j.ID)...) // in which the step is noted
	if k = r.kinds[j.Kind]; k == nil {
		return nil, nil, nil, fmt.Errorf("jobs: no such kind of work: %q", j.Kind)
	}
	payload, err = r.payload(tx, j)
	return j, k, payload, err
}

// keep writes down what a step has come to, in the step's own transaction.
func (r *Runner) keep(u *records.Update, j *job, payload []byte, p Progress) (err error) {
	if p.Done {
		err = r.erase(u, j)
	} else {
		j.Lease = r.lease(r.env.Lease)
		err = r.put(u, j, payload)
	}
	if err != nil {
		return err
	}
	return r.note(u, j, p.record)
}

// note changes the record of a job's operation. It may be gone with what it was
// about.
func (r *Runner) note(u *records.Update, j *job, change func(*twinplatform.Operation)) error {
	_, err := operations.Modify(u, j.Scope, j.ID, "", func(o *twinplatform.Operation) error {
		change(o)
		o.UpdatedAt = r.now()
		return nil
	})
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	return err
}

// fail ends a job with the error that its step returned, unless it continues.
func (r *Runner) fail(ctx context.Context, id string, cause error) (continues bool, err error) {
	failure := recordable(twinplatform.AsError(cause))
	if failure.Kind == twinplatform.Internal {
		r.env.Logger.ErrorContext(ctx, "operation failed", "operation", id, "error", twinplatform.Cause(cause))
	}
	if continues, err = r.recordFailure(ctx, id, failure); continues || err != nil {
		return continues, err
	}
	err = r.db.Update(ctx, func(u *records.Update) error {
		j, err := pending.Value(u, r.scope, id)
		if errors.Is(err, records.ErrNotFound) {
			return nil // another process ended and reported it
		}
		if err != nil {
			return err
		}
		if continues = r.taken(j); continues {
			return nil // it is another's, who will see for itself
		}
		if continues, err = r.undo(u, j, failure); continues || err != nil {
			return err
		}
		if err := r.erase(u, j); err != nil {
			return err
		}
		return r.note(u, j, func(o *twinplatform.Operation) {
			o.Status, o.PercentComplete = twinplatform.OperationFailed, 100
			o.SubStatus, o.Failure = o.Status, failure
			o.FailureDescription = twinplatform.NullString(Describe(failure))
		})
	})
	if continues && err == nil {
		return true, nil
	}
	r.ended(id)
	return false, err
}

// undo makes failed work clear away what it has left, and reports whether there is such.
func (r *Runner) undo(u *records.Update, j *job, failure *twinplatform.Error) (continues bool, err error) {
	k := r.kinds[j.Kind]
	if k == nil || k.undo == nil {
		return false, nil
	}
	payload, err := r.payload(u, j)
	if err != nil {
		return false, err
	}
	next, continues, err := k.undo(payload, failure)
	if !continues || err != nil {
		return false, err
	}
	j.Lease = r.lease(r.env.Lease)
	return true, r.put(u, j, next)
}

// recovered turns a panic of a step into an error, so that one bad job stops neither
// the others nor its caller. It is deferred.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("jobs: panic: %v\n%s", v, debug.Stack())
	}
}

// now is the present also where the clock gives records no date.
func (r *Runner) now() twinplatform.DateTime {
	now := r.env.Now()
	if now.IsZero() {
		now = time.Now()
	}
	return twinplatform.At(now)
}

// isInside reports whether the steps of work are known to be transactions: it need not be
// looked up.
func (r *Runner) isInside(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.inside[id]
	return ok
}

// rouse notifies Run that there may be work.
func (r *Runner) rouse() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *Runner) isClaimed(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.claimed[id]
	return ok
}
