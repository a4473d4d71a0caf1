// Package effort counts the records that a call reads and writes, so that the caller that made
// it can be asked for what it took.
package effort

import (
	"context"
	"sync"
)

// Spent is what a call took so far.
type Spent struct{ Read, Written int }

// Meter adds up what is spent in the contexts made by [With]. It is safe for concurrent
// use.
type Meter struct {
	mu    sync.Mutex
	spent Spent
	payer func(Spent)
}

// Spent is what has been added.
func (m *Meter) Spent() Spent {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// Bill has payer called with all that has been spent, at once and whenever more is: by work
// that continues when the call has returned. The calls come one at a time.
func (m *Meter) Bill(payer func(Spent)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.payer = payer
	payer(m.spent)
}

func (m *Meter) add(s Spent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent.Read += s.Read
	m.spent.Written += s.Written
	if m.payer != nil {
		m.payer(m.spent)
	}
}

// GiveBack takes off what was added for work that is going to be done once more.
func (m *Meter) GiveBack(s Spent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent.Read -= s.Read
	m.spent.Written -= s.Written
}

type meterKey struct{}

// With returns a context that knows a meter, and the meter.
func With(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return Within(ctx, m), m
}

// MeterOf is the meter that a context knows; nil without one.
func MeterOf(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Within returns a context that knows a meter, for work that someone asked for earlier. A
// nil meter is none.
func Within(ctx context.Context, m *Meter) context.Context {
	if m == nil {
		return ctx
	}
	return context.WithValue(ctx, meterKey{}, m)
}

// Add adds to the meter of a context, if it knows one.
func Add(ctx context.Context, s Spent) {
	if s == (Spent{}) {
		return
	}
	if m := MeterOf(ctx); m != nil {
		m.add(s)
	}
}
