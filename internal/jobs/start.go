package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Spec says how a piece of work is to be started.
type Spec struct {
	// Scope is where the operation is kept.
	Scope records.Scope
	// Subjects are the ids of the things that the work is about.
	Subjects []string
	// Keep asks for a record of the operation even when the work is done at
	// once.
	Keep bool
	// Open, when given, finds in the transaction that accepts the work, before
	// anything else, where the operation is kept: it takes the place of Scope.
	// It says whether the caller may have the work done, and its error refuses
	// it; and it may complete the payload. As all that runs in a transaction it
	// may run again.
	Open func(*records.Update) (records.Scope, error)
}

// request is work that somebody asks for.
type request struct {
	Spec

	kind    *Untyped
	payload any
	op      twinplatform.Operation
	held    bool // by Env.Gate: nobody takes it up
}

// about is the context of transactions about the subjects of a request.
func (q *request) about(ctx context.Context) context.Context {
	return records.WithSubjects(ctx, q.kind.name, q.Subjects...)
}

// open asks Open, and gives what is to be done its id: what is refused has none.
func (r *Runner) open(u *records.Update, q *request) (err error) {
	if q.Open != nil {
		q.Scope, err = q.Open(u)
	}
	if err == nil && q.op.ID == "" {
		q.op.ID = r.env.NewID()
	}
	return err
}

// request makes a request, with the operation that will tell of it.
func (r *Runner) request(k *Untyped, spec Spec, payload any) *request {
	now := r.now()
	return &request{Spec: spec, kind: k, payload: payload, op: twinplatform.Operation{
		Kind: k.name, Subjects: spec.Subjects,
		Status: twinplatform.OperationNotStarted, SubStatus: twinplatform.OperationNotStarted, CreatedAt: now, UpdatedAt: now,
	}}
}

var errTried = errors.New("jobs: tried")

// accept tries the first step without effect and leaves all to Run.
func (r *Runner) accept(ctx context.Context, q *request) (twinplatform.Operation, error) {
	ctx = q.about(ctx)
	var tried effort.Spent
	err := r.db.Update(ctx, func(u *records.Update) error {
		if err := r.open(u, q); err != nil {
			return err
		}
		_, _, _, err := q.kind.step(u, q.payload)
		if tried = u.Spent(); err != nil {
			return err
		}
		if err := u.Fits(); err != nil {
			return err
		}
		return errTried
	})
	if !errors.Is(err, errTried) {
		return twinplatform.Operation{}, err
	}
	err = r.db.Update(ctx, func(u *records.Update) error {
		if err := r.open(u, q); err != nil {
			return err
		}
		var l *lease // nobody's
		if q.held {
			r.attend(q.op.ID)
			l = r.lease(heldLease)
		}
		return r.journal(u, q, q.op, q.payload, l)
	})
	if err != nil {
		return twinplatform.Operation{}, err
	}
	r.paidBy(q.op.ID, effort.MeterOf(ctx), tried)
	r.rouse()
	if !q.held {
		r.tell(workTopic)
	}
	return q.op, nil
}

// do does the first step in one transaction with what accepts the work, and then
// those that are left.
func (r *Runner) do(ctx context.Context, q *request) (out Outcome, err error) {
	if !r.env.Background {
		if err := r.resumeOnce(ctx); err != nil {
			return out, err
		}
	}
	defer func() { r.unattend(q.op.ID) }()
	var p Progress
	err = r.db.Update(q.about(ctx), func(u *records.Update) error {
		if err := r.open(u, q); err != nil {
			return err
		}
		r.attend(q.op.ID)
		next, written, progress, err := q.kind.step(u, q.payload)
		if err != nil {
			return err
		}
		p, out = progress, Outcome{Operation: q.op, written: written}
		p.tell(&out.Operation)
		switch {
		case !p.Done:
			return r.journal(u, q, out.Operation, next, r.lease(r.env.Lease))
		case q.Keep:
			_, err = operations.Append(u, q.Scope, &out.Operation)
			return err
		}
		out.ID = "" // there is no record of it to ask for
		return nil
	})
	if err != nil {
		return Outcome{}, err
	}
	if !p.Done {
		return r.finish(ctx, q.Scope, out)
	}
	return out, nil
}

// finish does the steps that are left, with the caller waiting.
func (r *Runner) finish(ctx context.Context, s records.Scope, out Outcome) (Outcome, error) {
	end, written, err := r.drive(ctx, out.ID)
	if err != nil {
		r.leave(out.ID)
		return Outcome{}, err
	}
	out.written = written
	err = r.db.View(ctx, func(v *records.View) error {
		rec, err := operations.Get(v, s, out.ID)
		if errors.Is(err, records.ErrNotFound) { // it went with what it was about
			out.Failure = end.failure
			end.tell(&out.Operation)
			return nil
		}
		out.Operation = rec.Value
		return err
	})
	if err == nil && out.Failure != nil {
		err = out.Failure
	}
	if err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// drive does the steps of a job that are left, and waits where the job does. It
// returns what the last of them has come to and wrote.
func (r *Runner) drive(ctx context.Context, id string) (p Progress, written any, err error) {
	for !p.Done {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		if p, written, err = r.advance(ctx, id); err != nil {
			return p, nil, err
		}
		if !p.Waits {
			continue
		}
		select {
		case <-ctx.Done():
			return p, nil, ctx.Err()
		case <-changed:
		case <-time.After(another):
		}
	}
	return p, written, nil
}

// attend keeps Run away from work that its caller drives.
func (r *Runner) attend(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attended[id] = struct{}{}
}

func (r *Runner) unattend(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.attended, id)
}

// leave hands work that its caller gave up to whoever comes next: Run, or the
// next call that starts work. It is free to take before anybody is told of it.
func (r *Runner) leave(id string) {
	r.mu.Lock()
	delete(r.attended, id)
	delete(r.inside, id)
	r.left++
	r.mu.Unlock()
	r.rouse()
	r.tell(workTopic)
}

// resumeOnce does what an earlier process has left, before the first new work,
// and what a caller has left since, before the next. Where several processes share a
// store, that is for Run: what one of them has left may be as much as all they do.
func (r *Runner) resumeOnce(ctx context.Context) error {
	if r.shared() {
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

// Follow accepts work in a transaction that does something else, and returns the id of
// its operation: it is done if that is. Once the transaction is through, whoever made it
// calls Carry.
func (k Kind[P, T]) Follow(u *records.Update, spec Spec, payload *P) (operationID string, err error) {
	q := k.k.r.request(k.k, spec, payload)
	q.op.ID = k.k.r.env.NewID()
	return q.op.ID, k.k.r.journal(u, q, q.op, payload, nil)
}

// Carry brings work to its end that Follow has accepted: before it returns in the default
// mode, unless ctx is done before that, and else by Run. What came of it tells the
// operation.
func (r *Runner) Carry(ctx context.Context, s records.Scope, operationID string) {
	if r.env.Background {
		r.rouse()
		r.tell(workTopic)
		return
	}
	if !r.claim(operationID) {
		_, _ = r.Wait(ctx, s, operationID) // somebody else is at it
		return
	}
	if _, _, err := r.drive(ctx, operationID); err != nil {
		r.leave(operationID) // it has failed, or is to be tried again
		return
	}
	r.unattend(operationID)
}

// claim attends to work unless somebody does.
func (r *Runner) claim(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, attended := r.attended[id]; attended {
		return false
	}
	r.attended[id] = struct{}{}
	return true
}
