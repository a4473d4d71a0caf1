package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Kind is one sort of work. P is what the journal keeps of it, T the type of
// the records that it writes.
type Kind[P, T any] struct {
	r    *Runner
	name string
	step Step[P, T]
}

// Step does one transaction's worth of the work on w and says how far it has
// come. It checks all that the work needs, since the state may have changed
// after the work was accepted. It may run again in a new transaction, and it
// replaces what it changes of w.Payload instead of writing into its slices.
type Step[P, T any] func(u *records.Update, w *Work[P, T]) (Progress, error)

// Work is what a step is given and what it leaves.
type Work[P, T any] struct {
	// ID is the id of the operation; empty when none is kept.
	ID      string
	Payload P
	// Records are what the step wrote, for the caller that waits for them.
	Records []twinplatform.Record[T]
}

// Define gives a runner a kind of work. Its name is kept in journals and never
// changes. All kinds are defined before the first work is started.
func Define[P, T any](r *Runner, name string, step Step[P, T]) Kind[P, T] {
	k := Kind[P, T]{r: r, name: name, step: step}
	r.steps[name] = func(u *records.Update, payload []byte) ([]byte, Progress, error) {
		next, p, _, err := k.resume(u, payload)
		return next, p, err
	}
	return k
}

// Spec says how a piece of work is to be started.
type Spec struct {
	// Scope is where the operation is kept.
	Scope records.Scope
	// Subjects are the ids of the things that the work is about.
	Subjects []string
	// Keep asks for a record of the operation even when the work is done at
	// once.
	Keep bool
	// Judge, when given, says in the transaction that accepts the work, before
	// anything else, whether the caller may have it done. Its error refuses the
	// work. As all that runs in a transaction it may run again.
	Judge func(*records.Update) error
}

// judge asks Judge.
func (s *Spec) judge(u *records.Update) error {
	if s.Judge == nil {
		return nil
	}
	return s.Judge(u)
}

// Start accepts work. In the default mode it is done when Start returns; an
// error means that nothing was. In background mode the first step is tried
// without effect, so that what can be refused is refused at once, and the rest
// is left to Run.
func (k Kind[P, T]) Start(ctx context.Context, spec Spec, payload P) (twinplatform.Result[T], error) {
	if k.r.env.Background {
		return k.accept(ctx, spec, payload)
	}
	return k.Do(ctx, spec, payload)
}

// Do does work before it returns, in background mode too. Steps that are left
// when its caller gives up are for Run.
func (k Kind[P, T]) Do(ctx context.Context, spec Spec, payload P) (twinplatform.Result[T], error) {
	if !k.r.env.Background {
		if err := k.r.resumeOnce(ctx); err != nil {
			return twinplatform.Result[T]{}, err
		}
	}
	return k.perform(ctx, spec, payload)
}

var errTried = errors.New("jobs: tried")

func (k Kind[P, T]) accept(ctx context.Context, spec Spec, payload P) (res twinplatform.Result[T], err error) {
	res.Operation = k.operation(spec, twinplatform.OperationNotStarted)
	err = k.r.db.Update(ctx, func(u *records.Update) error {
		if err := spec.judge(u); err != nil {
			return err
		}
		w := Work[P, T]{ID: res.ID, Payload: payload}
		if _, err := k.step(u, &w); err != nil {
			return err
		}
		return errTried
	})
	if !errors.Is(err, errTried) {
		return twinplatform.Result[T]{}, err
	}
	err = k.r.db.Update(ctx, func(u *records.Update) error {
		if err := spec.judge(u); err != nil {
			return err
		}
		return k.journal(u, spec.Scope, res.Operation, payload)
	})
	if err != nil {
		return twinplatform.Result[T]{}, err
	}
	k.r.rouse()
	return res, nil
}

func (k Kind[P, T]) perform(ctx context.Context, spec Spec, payload P) (res twinplatform.Result[T], err error) {
	op := k.operation(spec, twinplatform.OperationRunning)
	defer k.r.attend(op.ID)()
	var w Work[P, T]
	var p Progress
	err = k.r.db.Update(ctx, func(u *records.Update) (err error) {
		if err := spec.judge(u); err != nil {
			return err
		}
		w = Work[P, T]{Payload: payload}
		if spec.Keep {
			w.ID = op.ID
		}
		res.Operation = op
		if p, err = k.step(u, &w); err != nil {
			return err
		}
		if !p.Done {
			res.PercentComplete = min(p.Percent, 99)
			return k.journal(u, spec.Scope, res.Operation, w.Payload)
		}
		if !spec.Keep {
			res.Operation = twinplatform.Operation{}
			return nil
		}
		res.Status, res.PercentComplete = twinplatform.OperationSucceeded, 100
		res.SubStatus = res.Status
		_, err = operations.Insert(u, spec.Scope, &res.Operation)
		return err
	})
	if err != nil {
		return twinplatform.Result[T]{}, err
	}
	res.Records = w.Records
	if !p.Done {
		return k.finish(ctx, spec, res)
	}
	return res, nil
}

// finish does the steps that are left, with the caller waiting.
func (k Kind[P, T]) finish(ctx context.Context, spec Spec, res twinplatform.Result[T]) (twinplatform.Result[T], error) {
	attended := func(u *records.Update, payload []byte) (next []byte, p Progress, err error) {
		next, p, res.Records, err = k.resume(u, payload)
		return next, p, err
	}
	for done := false; !done; {
		var err error
		if done, err = k.r.advance(ctx, res.ID, attended); err != nil {
			k.r.leave(res.ID)
			return twinplatform.Result[T]{}, err
		}
	}
	err := k.r.db.View(ctx, func(v *records.View) error {
		rec, err := operations.Get(v, spec.Scope, res.ID)
		if errors.Is(err, records.ErrNotFound) {
			return nil // it went with what it was about
		}
		res.Operation = rec.Value
		return err
	})
	if err != nil {
		return twinplatform.Result[T]{}, err
	}
	if res.Failure != nil {
		return twinplatform.Result[T]{}, res.Failure
	}
	return res, nil
}

// resume does a step on what the journal holds.
func (k Kind[P, T]) resume(u *records.Update, payload []byte) (next []byte, p Progress, recs []twinplatform.Record[T], err error) {
	var w Work[P, T]
	if err := json.Unmarshal(payload, &w.Payload); err != nil {
		return nil, p, nil, err
	}
	if p, err = k.step(u, &w); err != nil {
		return nil, p, nil, err
	}
	next, err = json.Marshal(w.Payload)
	return next, p, w.Records, err
}

// journal accepts work: the operation and what it will do, in one transaction.
func (k Kind[P, T]) journal(u *records.Update, s records.Scope, op twinplatform.Operation, payload P) error {
	b, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	if _, err := operations.Insert(u, s, &op); err != nil {
		return err
	}
	return k.r.put(u, &job{ID: op.ID, Kind: k.name, Scope: s}, b)
}

func (k Kind[P, T]) operation(spec Spec, status twinplatform.OperationStatus) twinplatform.Operation {
	now := k.r.now()
	return twinplatform.Operation{
		ID: k.r.env.NewID(), Kind: k.name, Subjects: spec.Subjects,
		Status: status, SubStatus: status, CreatedAt: now, UpdatedAt: now,
	}
}

// attend keeps Run away from work that its caller drives, until the returned
// function is called.
func (r *Runner) attend(id string) func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attended[id] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.attended, id)
	}
}

// leave hands work that its caller gave up to whoever comes next: Run, or the
// next call that starts work. It is free to take before anybody is told of it.
func (r *Runner) leave(id string) {
	r.mu.Lock()
	delete(r.attended, id)
	r.left++
	r.mu.Unlock()
	r.rouse()
}

// resumeOnce does what an earlier process has left, before the first new work,
// and what a caller has left since, before the next.
func (r *Runner) resumeOnce(ctx context.Context) error {
	r.mu.Lock()
	left, resumed := r.left, r.resumed
	r.mu.Unlock()
	if resumed == left {
		return nil
	}
	if err := r.drain(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resumed = max(r.resumed, left) // what was left meanwhile may have been missed
	return nil
}
