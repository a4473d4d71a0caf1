package wire

import (
	"context"
	"sync/atomic"
)

type onlyKey struct{}

// only is a context of Only.
type only struct {
	context.Context
	wanted atomic.Bool
}

// Value implements context.Context.
func (o *only) Value(key any) any {
	if key == (onlyKey{}) {
		return o
	}
	return o.Context.Value(key)
}

// Only returns a context in which the next call of a service may leave the value of the
// record that it returns at its zero value: its caller sends the JSON on and looks at
// nothing else. Services need not know of it.
func Only(ctx context.Context) context.Context {
	o := &only{Context: ctx}
	o.wanted.Store(true)
	return o
}

// TakeOnly reports whether the caller wants the JSON alone, to the first who asks:
// whatever a service calls in the same context is to return values.
func TakeOnly(ctx context.Context) bool {
	o, _ := ctx.Value(onlyKey{}).(*only)
	return o != nil && o.wanted.Swap(false)
}
