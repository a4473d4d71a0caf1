package wire

import (
	"context"
	"sync/atomic"
)

type onlyKey struct{}

// Only returns a context in which the next call of a service may leave the value of the
// record that it returns at its zero value: its caller sends the JSON on and looks at
// nothing else. Services need not know of it.
func Only(ctx context.Context) context.Context {
	wanted := new(atomic.Bool)
	wanted.Store(true)
	return context.WithValue(ctx, onlyKey{}, wanted)
}

// TakeOnly reports whether the caller wants the JSON alone, to the first who asks:
// whatever a service calls in the same context is to return values.
func TakeOnly(ctx context.Context) bool {
	wanted, _ := ctx.Value(onlyKey{}).(*atomic.Bool)
	return wanted != nil && wanted.Swap(false)
}
