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
	w    *worker
	step Step[P, T]
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

// Define gives a runner a kind of work. Its name is kept in journals and never changes.
// operations are the operations of the API that ask for it, such as tasks.delete. Records
// of the work and Env.Gate name the one that twinplatform.WithOperationKind chose, or the
// first where it chose none of them. Without operations they use the name of the kind. All
// kinds are defined before the first work is started.
func Define[P, T any](r *Runner, name string, step Step[P, T], operations ...string) Kind[P, T] {
	k := Kind[P, T]{w: r.define(name, operations), step: step}
	k.w.step = stepping(step, nil, nil)
	return k
}

// define makes a kind of work, without its step.
func (r *Runner) define(name string, operations []string) *worker {
	if len(operations) == 0 {
		operations = []string{name}
	}
	w := &worker{r: r, name: name, operations: operations}
	w.deletes = !slices.ContainsFunc(operations, func(o string) bool { return !strings.Contains(o, ".delete") })
	r.kinds[name] = w
	return w
}

// Holdable asks Env.Gate about the operations that ask for the work: it is accepted by
// Start, which may leave it unfinished.
func (k Kind[P, T]) Holdable() Kind[P, T] {
	if gate := k.w.r.env.Gate; gate != nil {
		for _, operation := range k.w.operations {
			gate.Knows(operation)
		}
	}
	return k
}

// worker is a kind of work without its types, so that it is compiled once for all of them.
type worker struct {
	r          *Runner
	name       string
	operations []string
	step       stepper
	deletes    bool // all operations that ask for it are deletions
	// undo reports how failed work continues; nil: it does not.
	undo func(payload []byte, failure *twinplatform.Error) (next []byte, continues bool, err error)

	// Both are nil but for a kind that was made by DefineOutside.
	outside func(ctx context.Context, payload []byte) (next []byte, p Progress, err error)
	failed  func(ctx context.Context, payload []byte, failure *twinplatform.Error) (continues bool, err error)
	alone   bool // one process at a time does it in a scope
}

// stepper does a step of work on what the journal holds of it, and returns what the journal is to hold
// next; nil when the work is done.
type stepper func(u *records.Update, payload []byte) (next []byte, p Progress, err error)

// stepping is a step of a kind of work for a caller, who gave the payload of the first, and gets what
// the last one writes. Both are nil where no one waits.
func stepping[P, T any](step Step[P, T], given *P, written *[]twinplatform.Record[T]) stepper {
	return func(u *records.Update, payload []byte) (next []byte, p Progress, err error) {
		w := new(Work[P, T])
		if payload == nil {
			w.Payload = *given
		} else if err := json.Unmarshal(payload, &w.Payload); err != nil {
			return nil, p, err
		}
		if written != nil {
			*written = nil
		}
		switch p, err = step(u, w); {
		case err == nil && !p.Done:
			next, err = json.Marshal(&w.Payload)
		case err == nil && written != nil:
			*written = w.Records
		}
		return next, p, err
	}
}

// request makes a request for work of the kind, which is called by the operation that ctx
// is about.
func (w *worker) request(ctx context.Context, spec Spec, work *asked) *request {
	operation := twinplatform.OperationKindOf(ctx)
	if !slices.Contains(w.operations, operation) {
		operation = w.operations[0]
	}
	return w.r.request(w, operation, spec, work)
}

// Start accepts work. In the default mode, and with Spec.AtOnce, it is done when Start returns,
// unless ctx ends, the caller's patience (twinplatform.WithPatience) does while Run is called,
// or the store is lost behind the first step: then it continues, as its operation shows. An
// error means that nothing was done. In background mode the first step is tried without
// effect, so that what can be refused is refused at once, and the rest is left to Run.
func (k Kind[P, T]) Start(ctx context.Context, spec Spec, payload *P) (res twinplatform.Result[T], err error) {
	var written []twinplatform.Record[T]
	q := k.w.request(ctx, spec, &asked{
		step:     stepping(k.step, payload, &written),
		discard:  func() { written = nil },
		accepted: func() ([]byte, error) { return json.Marshal(payload) },
	})
	op, ctx, now, err := k.w.begin(ctx, q)
	if now {
		op, err = k.w.r.outcome(ctx, q, k.w.r.db.Update(ctx, q.first))
	}
	if err != nil {
		return res, err
	}
	res = twinplatform.Pending[T](op, q.wait)
	if !q.outlasts { // else it is another's
		res.Records = written
	}
	return res, nil
}

// begin accepts work that is left to Run or held, or reports that its first step is to be done now, in
// transactions with the context.
func (w *worker) begin(ctx context.Context, q *request) (
	op twinplatform.Operation, working context.Context, now bool, err error,
) {
	if q.AtOnce {
		ctx = twinplatform.WithPatience(ctx, 0)
	} else if op, later, err := w.r.later(ctx, q); later {
		return op, ctx, false, err
	}
	// What is left may want the space that a deletion makes.
	if err := w.r.resumeOnce(ctx); err != nil && !(w.deletes && errors.Is(err, twinplatform.Unavailable)) {
		return op, ctx, false, err
	}
	q.began = time.Now()
	return op, q.contending(ctx, w.r.db), true, nil
}

// Follow accepts work in a transaction that does something else, and returns the id of
// its operation: it is done if that is. Once the transaction is committed, its maker
// calls Carry.
func (k Kind[P, T]) Follow(u *records.Update, spec Spec, payload *P) (operationID string, err error) {
	q := k.w.request(context.Background(), spec, nil) // it has no operation
	q.op.ID = k.w.r.env.NewID()
	next, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	return q.op.ID, k.w.r.journal(u, q, q.op, next, nil)
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
