package jobs

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Kind is one sort of work. P is what the journal keeps of it, T the type of
// the records that it writes.
type Kind[P, T any] struct {
	r *Runner
	k *kind
}

// Step does one transaction's worth of the work on w and says how far it has
// come. It checks all that the work needs, since the state may have changed
// after the work was accepted. It may run again in a new transaction, and it
// replaces what it changes of w.Payload instead of writing into its slices.
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
	k := &kind{
		name:  name,
		fresh: func() any { return new(P) },
		step: guard(func(u *records.Update, w *work) (Progress, error) {
			typed := Work[P, T]{Payload: *w.payload.(*P)}
			p, err := step(u, &typed)
			w.payload, w.records = &typed.Payload, typed.Records
			return p, err
		}),
	}
	r.kinds[name] = k
	return Kind[P, T]{r: r, k: k}
}

// Start accepts work. In the default mode it is done when Start returns; an
// error means that nothing was. In background mode the first step is tried
// without effect, so that what can be refused is refused at once, and the rest
// is left to Run.
func (k Kind[P, T]) Start(ctx context.Context, spec Spec, payload P) (twinplatform.Result[T], error) {
	return result[T](k.r.start(ctx, k.r.request(k.k, spec, &payload)))
}

// Do does work before it returns, in background mode too. Steps that are left
// when its caller gives up are for Run.
func (k Kind[P, T]) Do(ctx context.Context, spec Spec, payload P) (twinplatform.Result[T], error) {
	return result[T](k.r.do(ctx, k.r.request(k.k, spec, &payload)))
}

func result[T any](op twinplatform.Operation, written any, err error) (twinplatform.Result[T], error) {
	recs, _ := written.([]twinplatform.Record[T])
	return twinplatform.Result[T]{Operation: op, Records: recs}, err
}

// kind is a Kind with its types erased: a runner is compiled once, and not once
// for each sort of work.
type kind struct {
	name  string
	fresh func() any // a payload to read into
	step  step
}

// work is a Work with its types erased.
type work struct {
	payload any // points at it
	records any
}

// step does one transaction's worth of w, whose payload it replaces.
type step func(u *records.Update, w *work) (Progress, error)
