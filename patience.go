package twinplatform

import (
	"context"
	"time"
)

type patienceKey struct{}

// WithPatience says in a context how long calls made with it wait for long-running work that
// has begun. Work that takes longer continues, and the call returns its [Operation] as it is
// by then: one who asks over a network loses neither the work nor its id. It counts where
// operations do not wait for Run anyway, and while Run is called, which continues with the
// work; else a call waits for the end, as it does with a patience of 0.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// PatienceOf is what WithPatience set; 0 where it did not.
func PatienceOf(ctx context.Context) time.Duration {
	d, _ := ctx.Value(patienceKey{}).(time.Duration)
	return d
}
