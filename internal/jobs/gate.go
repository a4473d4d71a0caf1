package jobs

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// hold accepts work that Env.Gate wants to keep, and reports whether it does.
func (r *Runner) hold(ctx context.Context, q *request) (op twinplatform.Operation, held bool, err error) {
	if r.env.Gate == nil {
		return op, false, nil
	}
	percent, held := r.env.Gate.Hold(q.op.Kind)
	if held {
		op, err = r.holdAt(ctx, q, percent)
	}
	return op, held, err
}

// holdAt accepts work that Env.Gate keeps, as done to so many percent.
func (r *Runner) holdAt(ctx context.Context, q *request, percent int) (twinplatform.Operation, error) {
	Progress{Percent: percent}.record(&q.op)
	q.held = true
	op, err := r.accept(ctx, q)
	if err != nil {
		r.unclaim(q.op.ID)
		return op, err
	}
	r.env.Gate.Held(twinplatform.HeldOperation{
		Operation: op,
		Show:      func(ctx context.Context, percent int) error { return r.show(ctx, op.ID, percent) },
		Finish:    func(ctx context.Context, failure *twinplatform.Error) error { return r.letGo(ctx, op.ID, failure) },
	})
	return op, nil
}

// show changes the progress of work that is held.
func (r *Runner) show(ctx context.Context, id string, percent int) error {
	return r.db.Update(ctx, func(u *records.Update) error {
		j, err := pending.Value(u, r.scope, id)
		if err != nil {
			return err
		}
		return r.note(u, j, Progress{Percent: percent}.record)
	})
}

// letGo does work that was held, or fails it.
func (r *Runner) letGo(ctx context.Context, id string, failure *twinplatform.Error) error {
	defer r.unclaim(id)
	if failure != nil {
		if continues, err := r.fail(ctx, id, failure); !continues || err != nil {
			return err
		}
	}
	if _, err := r.drive(ctx, id, nil); err != nil {
		r.leave(id)
		return err
	}
	return nil
}

// Asked notifies Env.Gate that an operation is about to be read. It is called outside of
// transactions, since the gate may have it done then.
func (r *Runner) Asked(id string) {
	if r.env.Gate != nil {
		r.env.Gate.Asked(id)
	}
}
