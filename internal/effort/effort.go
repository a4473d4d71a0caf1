// Package effort counts the records that a call reads and writes, so that whoever made
// it can be asked for what it took.
package effort

import (
	"context"
	"sync/atomic"
)

// Spent is what a call took so far.
type Spent struct{ Read, Written int }

// Meter adds up what is spent in the contexts made by [With]. It is safe for concurrent
// use.
type Meter struct{ read, written atomic.Int64 }

// Spent is what has been added.
func (m *Meter) Spent() Spent { return Spent{int(m.read.Load()), int(m.written.Load())} }

type meterKey struct{}

// With returns a context that knows a meter, and the meter.
func With(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return context.WithValue(ctx, meterKey{}, m), m
}

// Add adds to the meter of a context, if it knows one.
func Add(ctx context.Context, s Spent) {
	if s == (Spent{}) {
		return
	}
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		m.read.Add(int64(s.Read))
		m.written.Add(int64(s.Written))
	}
}
