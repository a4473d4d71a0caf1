package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Kind is one kind of work. P is what the journal keeps of it, T the type of the records
// that it writes.
type Kind[P, T any] struct {
	r          *Runner
	name       string
	operations []string
	step       Step[P, T]
	w          *worker
}

// Step does one transaction's worth of the work on w and says how far it has come. It
// checks all that the work needs, since the state may have changed after the work was
// accepted. It may run again in a new transaction, and it replaces what it changes of
// w.Payload instead of writing into its slices. Where it may meet many records it asks
// one records.Step before each of them, and so holds the store's one writer for some five
// milliseconds and no longer; the payload says where the next step continues.
type Step[P, T any] func(u *records.Update, w *Work[P, T]) (Progress, error)

// Work is what a step is given and what it leaves.
type Work[P, T any] struct {
	Payload P
	// Records are what the step wrote, for the caller that waits for them.
	Records []twinplatform.Record[T]
}

// Define gives a runner a kind of work. Its name is kept in journals and never
// changes. operations are those of the API that ask for it, such as tasks.delete: records of
// the work and Env.Gate call it by the one that twinplatform.WithOperationKind names, and by
// the first where that names none of them; the name stands for all where none is given.
// All kinds are defined before the first work is started.
func Define[P, T any](r *Runner, name string, step Step[P, T], operations ...string) Kind[P, T] {
	if len(operations) == 0 {
		operations = []string{name}
	}
	k := Kind[P, T]{r: r, name: name, operations: operations, step: step, w: new(worker)}
	k.w.deletes = !slices.ContainsFunc(operations, func(o string) bool { return !strings.Contains(o, ".delete") })
	k.w.step = func(u *records.Update, payload []byte) ([]byte, Progress, error) {
		return (&call[P, T]{kind: k}).resume(u, payload)
	}
	r.kinds[name] = k.w
	return k
}

// Holdable asks Env.Gate about the operations that ask for the work: it is accepted by
// Start, which may leave it unfinished.
func (k Kind[P, T]) Holdable() Kind[P, T] {
	if k.r.env.Gate != nil {
		for _, operation := range k.operations {
			k.r.env.Gate.Knows(operation)
		}
	}
	return k
}

// worker is what a runner knows of a kind of work: how it continues with what the journal
// holds of it.
type worker struct {
	step    stepper
	deletes bool // all operations that ask for it are deletions
	// undo reports how failed work continues; nil: it does not.
	undo func(payload []byte, failure *twinplatform.Error) (next []byte, continues bool, err error)

	// Both are nil but for a kind that was made by DefineOutside.
	outside func(ctx context.Context, payload []byte) (next []byte, p Progress, err error)
	failed  func(ctx context.Context, payload []byte, failure *twinplatform.Error) (continues bool, err error)
	alone   bool // one process at a time does it in a scope
}

// stepper does a step of work on what the journal holds of it, and returns what the
// journal is to hold next, unless the work is done.
type stepper func(u *records.Update, payload []byte) (next []byte, p Progress, err error)

// call is work of a kind with a caller who waits for what its last step writes.
type call[P, T any] struct {
	kind    Kind[P, T]
	payload *P
	written []twinplatform.Record[T]
}

// first does the first step, on the payload that the caller gave.
func (c *call[P, T]) first(u *records.Update) (next []byte, p Progress, err error) {
	defer recovered(&err)
	w := Work[P, T]{Payload: *c.payload}
	if p, err = c.kind.step(u, &w); err != nil {
		return nil, p, err
	}
	next, err = c.left(&w, p)
	return next, p, err
}

// left is what the journal is to hold of work behind a step, unless the work is done: then
// what the step wrote is for the caller.
func (c *call[P, T]) left(w *Work[P, T], p Progress) (next []byte, err error) {
	if p.Done {
		c.written = w.Records
		return nil, nil
	}
	return json.Marshal(&w.Payload)
}

// resume does a step on what the journal holds.
func (c *call[P, T]) resume(u *records.Update, payload []byte) ([]byte, Progress, error) {
	c.payload = new(P)
	if err := json.Unmarshal(payload, c.payload); err != nil {
		return nil, Progress{}, err
	}
	return c.first(u)
}

// discard forgets what was written in a transaction that is to run again.
func (c *call[P, T]) discard() { c.written = nil }

// accepted is what the journal is to hold of work of which no step is done.
func (c *call[P, T]) accepted() ([]byte, error) { return json.Marshal(c.payload) }

// result is what a caller learns of work.
func (c *call[P, T]) result(q *request, op twinplatform.Operation, err error) (res twinplatform.Result[T], _ error) {
	if err != nil {
		return res, err
	}
	res = twinplatform.Pending[T](op, q.wait)
	if !q.outlasts { // else c is another's
		res.Records = c.written
	}
	return res, nil
}

// request makes a request for work of the kind, which is called by the operation that ctx
// is about.
func (k Kind[P, T]) request(ctx context.Context, spec Spec, c *call[P, T]) *request {
	operation := twinplatform.OperationKindOf(ctx)
	if !slices.Contains(k.operations, operation) {
		operation = k.operations[0]
	}
	return k.r.request(k.name, operation, spec, c)
}

// Start accepts work. In the default mode, and with Spec.AtOnce, it is done when Start returns,
// unless ctx ends, the caller's patience (twinplatform.WithPatience) does while Run is called,
// or the store is lost behind the first step: then it continues, as its operation shows. An
// error means that nothing was done. In background mode the first step is tried without
// effect, so that what can be refused is refused at once, and the rest is left to Run.
func (k Kind[P, T]) Start(ctx context.Context, spec Spec, payload *P) (res twinplatform.Result[T], err error) {
	c := &call[P, T]{kind: k, payload: payload}
	q := k.request(ctx, spec, c)
	if spec.AtOnce {
		ctx = twinplatform.WithPatience(ctx, 0)
	} else if op, later, err := k.r.later(ctx, q); later {
		return c.result(q, op, err)
	}
	// What is left may want the space that a deletion makes.
	if err := k.r.resumeOnce(ctx); err != nil && !(k.w.deletes && errors.Is(err, twinplatform.Unavailable)) {
		return res, err
	}
	q.began, ctx = time.Now(), q.contending(ctx, k.r.db)
	defer func() {
		if !q.outlasts {
			k.r.unclaim(q.op.ID)
		}
	}()
	err = k.r.db.Update(ctx, func(u *records.Update) (err error) {
		defer recovered(&err)
		if err := k.r.open(u, q); err != nil {
			return err
		}
		k.r.claim(q.op.ID)
		w := Work[P, T]{Payload: *payload}
		p, err := k.step(u, &w)
		if err != nil {
			return err
		}
		next, err := c.left(&w, p)
		if err != nil {
			return err
		}
		return k.r.begun(u, q, next, p)
	})
	op, err := k.r.outcome(ctx, q, err)
	return c.result(q, op, err)
}

// Follow accepts work in a transaction that does something else, and returns the id of
// its operation: it is done if that is. Once the transaction is committed, its maker
// calls Carry.
func (k Kind[P, T]) Follow(u *records.Update, spec Spec, payload *P) (operationID string, err error) {
	q := k.request(context.Background(), spec, &call[P, T]{kind: k, payload: payload}) // it has no operation
	q.op.ID = k.r.env.NewID()
	next, err := q.work.accepted()
	if err != nil {
		return "", err
	}
	return q.op.ID, k.r.journal(u, q, q.op, next, nil)
}

// Compensate sets how work continues whose step has failed, to remove what the steps
// before it have left: with the payload that undo returns, unless nothing is left to
// remove. The step that ends it fails with the failure that it began with.
func (k Kind[P, T]) Compensate(undo func(payload P, failure *twinplatform.Error) (next P, continues bool)) Kind[P, T] {
	k.w.undo = func(payload []byte, failure *twinplatform.Error) (next []byte, continues bool, err error) {
		var p P
		if err := json.Unmarshal(payload, &p); err != nil {
			return nil, false, err
		}
		left, continues := undo(p, failure)
		if continues {
			next, err = json.Marshal(&left)
		}
		return next, continues, err
	}
	return k
}
