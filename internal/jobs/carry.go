package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// carryPatience bounds the patience of a caller with what follows a call, which is done.
const carryPatience = time.Second / 2

// Carry brings work to its end that Follow has accepted: before it returns in the default
// mode, unless ctx is done before that, and else by Run. The operation has the outcome. For a
// caller with patience (twinplatform.WithPatience) it waits half a second at most, whichever
// process does the work, and reports whether the work continues.
func (r *Runner) Carry(ctx context.Context, s records.Scope, operationID string) (op twinplatform.Operation,
	continues bool,
) {
	if r.env.Background {
		r.rouse()
		r.notify(workTopic)
		return op, false
	}
	patience := min(twinplatform.PatienceOf(ctx), carryPatience)
	if !r.tryClaim(operationID) {
		return r.waitFor(ctx, patience, s, operationID) // someone else is at it
	}
	_, err := r.driveFor(twinplatform.WithPatience(ctx, patience), time.Now(), operationID, nil)
	switch {
	case errors.Is(err, errOutlasted):
		err = r.db.View(ctx, func(v *records.View) error {
			rec, err := operations.Get(v, s, operationID)
			op = rec.Value
			return err
		})
		return op, err == nil && !op.Status.Done()
	case err != nil:
		r.leave(operationID) // it has failed, or is to be tried again
	default:
		r.unclaim(operationID)
	}
	return op, false
}

// waitFor waits for the end of an operation, or as long as a caller has patience, and reports
// whether it continues.
func (r *Runner) waitFor(
	ctx context.Context, patience time.Duration, s records.Scope, operationID string,
) (op twinplatform.Operation, continues bool) {
	waiting := ctx
	if patience > 0 {
		var stop context.CancelFunc
		waiting, stop = context.WithTimeout(ctx, patience)
		defer stop()
	}
	op, err := r.Wait(waiting, s, operationID)
	return op, err != nil && ctx.Err() == nil && waiting.Err() != nil && op.ID != ""
}
