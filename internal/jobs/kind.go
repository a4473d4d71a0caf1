package jobs

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Kind is one sort of work. P is what the journal keeps of it, T the type of
// the records that it writes.
type Kind[P, T any] struct{ k *Untyped }

// Step does one transaction's worth of the work on w and says how far it has
// come. It checks all that the work needs, since the state may have changed
// after the work was accepted. It may run again in a new transaction, and it
// replaces what it changes of w.Payload instead of writing into its slices. Where it
// may meet many records it asks one records.Step before each of them, and so holds
// the store's one writer for some five milliseconds and no longer; the payload says
// where the next step goes on.
type Step[P, T any] func(u *records.Update, w *Work[P, T]) (Progress, error)

// Work is what a step is given and what it leaves.
type Work[P, T any] struct {
	Payload P
	// Records are what the step wrote, for the caller that waits for them.
	Records []twinplatform.Record[T]
}

// Define gives a runner a kind of work. Its name is kept in journals and never
// changes. All kinds are defined before the first work is started.
func Define[P, T any](r *Runner, name string, step Step[P, T]) Kind[P, T] {
	return Kind[P, T]{r.Define(name, func() any { return new(P) }, func(u *records.Update, payload any) (any, any, Progress, error) {
		w := Work[P, T]{Payload: *payload.(*P)}
		p, err := step(u, &w)
		return &w.Payload, w.Records, p, err
	})}
}

// Start accepts work. In the default mode it is done when Start returns; an
// error means that nothing was. In background mode the first step is tried
// without effect, so that what can be refused is refused at once, and the rest
// is left to Run.
func (k Kind[P, T]) Start(ctx context.Context, spec Spec, payload *P) (res twinplatform.Result[T], err error) {
	out, err := k.k.Start(ctx, spec, payload)
	return Typed[T](&out), err
}

// Do does work before it returns, in background mode too. Steps that are left
// when its caller gives up are for Run.
func (k Kind[P, T]) Do(ctx context.Context, spec Spec, payload *P) (res twinplatform.Result[T], err error) {
	out, err := k.k.Do(ctx, spec, payload)
	return Typed[T](&out), err
}

// Undone says how work goes on whose step has failed, to clear away what the steps
// before it have left: with the payload that undo returns, unless there is nothing to
// clear away, or no more. The step that ends it fails with the failure that it began
// with.
func (k Kind[P, T]) Undone(undo func(payload P, failure *twinplatform.Error) (next P, goesOn bool)) Kind[P, T] {
	k.k.undo = func(payload any, failure *twinplatform.Error) (any, bool) {
		next, goesOn := undo(*payload.(*P), failure)
		return &next, goesOn
	}
	return k
}

// Untyped is a Kind with its types erased: a domain with many sorts of work is
// compiled once, and not once for each of them.
type Untyped struct {
	r     *Runner
	name  string
	fresh func() any // points at a payload to read into
	step  UntypedStep
	undo  func(payload any, failure *twinplatform.Error) (next any, goesOn bool) // may be nil

	// Both are nil but for a kind that was made by DefineOutside.
	outside func(ctx context.Context, payload any) (next any, p Progress, err error)
	failed  func(ctx context.Context, payload any, failure *twinplatform.Error) (goesOn bool, err error)
}

// UntypedStep is a Step with its types erased. payload points at it, and is not
// changed: next points at what the next step gets. written is a slice of records, erased
// or not.
type UntypedStep func(u *records.Update, payload any) (next, written any, p Progress, err error)

// Define gives the runner a kind of work; fresh makes a pointer to a payload.
func (r *Runner) Define(name string, fresh func() any, step UntypedStep) *Untyped {
	k := &Untyped{r: r, name: name, fresh: fresh, step: guard(step)}
	r.kinds[name] = k
	if r.env.Gate != nil {
		r.env.Gate.Knows(name)
	}
	return k
}

// Start is Kind.Start.
func (k *Untyped) Start(ctx context.Context, spec Spec, payload any) (Outcome, error) {
	q := k.r.request(k, spec, payload)
	if out, held, err := k.r.hold(ctx, q); held {
		return out, err
	}
	if k.r.env.Background {
		op, err := k.r.accept(ctx, q)
		return k.r.accepted(q, op), err
	}
	return k.r.do(ctx, q)
}

// Do is Kind.Do.
func (k *Untyped) Do(ctx context.Context, spec Spec, payload any) (Outcome, error) {
	return k.r.do(ctx, k.r.request(k, spec, payload))
}

// Outcome is a twinplatform.Result with its type erased.
type Outcome struct {
	twinplatform.Operation

	written any // a slice of records, erased or not
	wait    func(context.Context) (twinplatform.Operation, error)
}

// accepted is the outcome of work that is still to be done.
func (r *Runner) accepted(q *request, op twinplatform.Operation) Outcome {
	return Outcome{Operation: op, wait: func(ctx context.Context) (twinplatform.Operation, error) {
		return r.Wait(ctx, q.Scope, op.ID)
	}}
}

// Typed gives an outcome its type back.
func Typed[T any](out *Outcome) (res twinplatform.Result[T]) {
	res = twinplatform.Pending[T](out.Operation, out.wait)
	switch w := out.written.(type) {
	case []twinplatform.Record[T]:
		res.Records = w
	case []records.Erased:
		res.Records = make([]twinplatform.Record[T], len(w))
		for i := range w {
			to := &res.Records[i]
			to.ETag, to.JSON = w[i].ETag, w[i].JSON
			if w[i].Value != nil {
				records.Assign(&to.Value, w[i].Value)
			}
		}
	}
	return res
}
