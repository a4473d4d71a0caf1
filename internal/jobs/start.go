package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Spec describes a piece of work to start.
type Spec struct {
	// Scope is where the operation is kept.
	Scope records.Scope
	// Subjects are the ids of the records that the work is about.
	Subjects []string
	// Keep asks for a record of the operation even when the work is done at
	// once.
	Keep bool
	// AtOnce does the work before its call returns, in background mode too, and whatever the
	// patience of its caller. Steps that are left when its caller gives up are for Run.
	AtOnce bool
	// Open, when given, finds in the transaction that accepts the work, before anything
	// else, where the operation is kept: it takes the place of Scope. It reports whether
	// the caller may have the work done, and its error refuses it; and it may complete
	// the payload. As all that runs in a transaction it may run again.
	Open func(*records.Update) (records.Scope, error)
	// Contention is the key by which the transactions of the work contend with others, from
	// the one that accepts it to its last step, in any process: see storage.WithContention.
	// When empty, it is the caller's for as long as the caller waits, and then that of the
	// scope.
	Contention string
}

// contending reports of the transactions made with the context what they contend by.
func (s *Spec) contending(ctx context.Context, db *records.DB) context.Context {
	if s.Contention == "" {
		return ctx
	}
	return db.WithContention(ctx, s.Contention)
}

// request is work that someone asks for.
type request struct {
	Spec

	of       *worker
	work     *asked
	op       twinplatform.Operation // as it is before the first step
	began    time.Time
	progress Progress                                              // that the first step has made
	shown    twinplatform.Operation                                // what shows it
	held     bool                                                  // by Env.Gate: no one takes it up
	outlasts bool                                                  // the patience of its caller
	wait     func(context.Context) (twinplatform.Operation, error) // nil for work that is done
}

// asked is what a caller waits for, whatever its types.
type asked struct {
	step     stepper                // it hands over what it writes
	discard  func()                 // forgets that of a transaction that is to run again
	accepted func() ([]byte, error) // what the journal is to hold of work of which no step is done
}

// open asks Open, and gives what is to be done its id: what is refused has none.
func (r *Runner) open(u *records.Update, q *request) (err error) {
	if q.Open != nil {
		q.Scope, err = q.Open(u)
	}
	if q.of.deletes {
		u.MakesRoom() // once the work is done
	}
	if err == nil && q.op.ID == "" {
		q.op.ID = r.env.NewID()
	}
	return err
}

// request makes a request for work of a kind, with the operation that will show it.
func (r *Runner) request(of *worker, operation string, spec Spec, work *asked) *request {
	now := r.now()
	return &request{Spec: spec, of: of, work: work, op: twinplatform.Operation{
		Kind: operation, Subjects: spec.Subjects,
		Status: twinplatform.OperationNotStarted, SubStatus: twinplatform.OperationNotStarted, CreatedAt: now,
		UpdatedAt: now,
	}}
}

var errTried = errors.New("jobs: tried")

// accept tries the first step without effect and leaves all to Run.
func (r *Runner) accept(ctx context.Context, q *request) (op twinplatform.Operation, err error) {
	ctx = q.contending(ctx, r.db)
	var tried effort.Spent
	err = r.db.Update(ctx, func(u *records.Update) (err error) {
		defer recovered(&err)
		if err := r.open(u, q); err != nil {
			return err
		}
		_, _, err = q.work.step(u, nil)
		q.work.discard()
		if tried = u.Spent(); err != nil {
			return err
		}
		if err := u.Fits(); err != nil {
			return err
		}
		return errTried
	})
	if !errors.Is(err, errTried) {
		return op, err
	}
	err = r.db.Update(ctx, func(u *records.Update) error {
		if err := r.open(u, q); err != nil {
			return err
		}
		var l *lease // no one's
		if q.held {
			r.claim(q.op.ID)
			l = r.lease(heldLease)
		}
		payload, err := q.work.accepted()
		if err != nil {
			return err
		}
		return r.journal(u, q, q.op, payload, l)
	})
	if err != nil {
		return op, err
	}
	r.paidBy(q.op.ID, effort.MeterOf(ctx), tried)
	q.waitFor(r, q.op.ID)
	r.rouse()
	if !q.held {
		r.notify(workTopic)
	}
	return q.op, nil
}

// later accepts work that Env.Gate holds, or that background mode leaves to Run, and reports
// whether it is such.
func (r *Runner) later(ctx context.Context, q *request) (op twinplatform.Operation, later bool, err error) {
	if op, held, err := r.hold(ctx, q); held {
		return op, true, err
	}
	if r.env.Background {
		op, err := r.accept(ctx, q)
		return op, true, err
	}
	return op, false, nil
}

// begun notes what the first step of work has come to, in its transaction. next is what the
// journal is to hold unless the work is done.
func (r *Runner) begun(u *records.Update, q *request, next []byte, p Progress) (err error) {
	q.progress, q.shown = p, q.op
	p.record(&q.shown)
	switch {
	case !p.Done:
		return r.journal(u, q, q.shown, next, r.lease(r.env.Lease))
	case q.Keep:
		_, err = operations.Append(u, q.Scope, &q.shown)
		return err
	}
	q.shown.ID = "" // there is no record of it to ask for
	return nil
}

// first does the first step of work, in the transaction that accepts it.
func (q *request) first(u *records.Update) (err error) {
	defer recovered(&err)
	r := q.of.r
	if err := r.open(u, q); err != nil {
		return err
	}
	r.claim(q.op.ID)
	next, p, err := q.work.step(u, nil)
	if err != nil {
		return err
	}
	return r.begun(u, q, next, p)
}

// outcome is what comes of work whose first step has failed, or is begun: then the steps
// that are left are done.
func (r *Runner) outcome(ctx context.Context, q *request, failed error) (op twinplatform.Operation, err error) {
	defer func() {
		if !q.outlasts {
			r.unclaim(q.op.ID)
		}
	}()
	if failed != nil {
		return op, failed
	}
	if q.progress.Done {
		return q.shown, nil
	}
	if op = r.finish(ctx, q, q.shown); op.Err() != nil {
		return twinplatform.Operation{}, op.Err()
	}
	return op, nil
}

// finish does the steps that are left of work, with the caller waiting, and returns what
// has come of it. From the first step on the work is accepted and will be done, whatever
// keeps this caller from its end: its time or its patience that runs out, or a store that
// cannot be reached. Then the operation is returned as it continues, and is waited for as
// one in the background.
func (r *Runner) finish(ctx context.Context, q *request, op twinplatform.Operation) twinplatform.Operation {
	end, err := r.driveFor(ctx, q.began, op.ID, q.work)
	if errors.Is(err, errOutlasted) {
		q.outlasts = true
		q.waitFor(r, op.ID)
		return op
	}
	if err != nil {
		r.leave(op.ID)
		return r.continues(ctx, q, op, err)
	}
	ended := op
	err = r.db.View(ctx, func(v *records.View) error {
		rec, err := operations.Get(v, q.Scope, op.ID)
		if errors.Is(err, records.ErrNotFound) { // it went with what it was about
			ended.Failure = end.failure
			end.record(&ended)
			return nil
		}
		ended = rec.Value
		return err
	})
	if err != nil {
		return r.continues(ctx, q, op, err)
	}
	return ended
}

// continues is an operation whose caller does not come to its end.
func (r *Runner) continues(ctx context.Context, q *request, op twinplatform.Operation,
	err error,
) twinplatform.Operation {
	r.env.Logger.WarnContext(ctx, "an operation continues without the caller that waited for it", "operation", op.ID,
		"error", err)
	q.work.discard()
	q.waitFor(r, op.ID)
	return op
}

// waitFor makes the caller wait for work that is not done.
func (q *request) waitFor(r *Runner, id string) {
	q.wait = func(ctx context.Context) (twinplatform.Operation, error) { return r.Wait(ctx, q.Scope, id) }
}

// drive does the steps of a job that are left, and waits where the job does. It
// returns what the last of them has come to. work is whose caller waits; nil: no one's.
func (r *Runner) drive(ctx context.Context, id string, work *asked) (p Progress, err error) {
	ctx = records.WithPace(ctx)
	for !p.Done {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		if p, err = r.advance(ctx, id, work); err != nil {
			return p, err
		}
		if !p.Waits {
			continue
		}
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-changed:
		case <-time.After(another):
		}
	}
	return p, nil
}

// claim keeps Run away from work that its caller drives.
func (r *Runner) claim(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed[id] = struct{}{}
}

func (r *Runner) unclaim(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.claimed, id)
}

// leave releases work that its caller gave up to Run or the next call that starts work.
// It is free to take before any process is notified.
func (r *Runner) leave(id string) {
	r.mu.Lock()
	delete(r.claimed, id)
	delete(r.inside, id)
	r.left++
	r.mu.Unlock()
	r.rouse()
	r.notify(workTopic)
}

// resumeOnce does what an earlier process has left, before the first new work,
// and what a caller has left since, before the next. In background mode, and where several
// processes share a store, that is for Run: what one of them has left may be as much as all they do.
func (r *Runner) resumeOnce(ctx context.Context) error {
	if r.env.Background || r.shared() {
		return nil
	}
	r.mu.Lock()
	left, resumed := r.left, r.resumed
	r.mu.Unlock()
	if resumed == left {
		return nil
	}
	if _, err := r.drain(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resumed = max(r.resumed, left) // what was left meanwhile may have been missed
	return nil
}

// tryClaim claims work unless it is claimed already.
func (r *Runner) tryClaim(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, claimed := r.claimed[id]; claimed {
		return false
	}
	r.claimed[id] = struct{}{}
	return true
}
