package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/effort"
)

// What a request takes from the allowance of its caller, in an operation that is paid by
// what it reads and writes: one request for as many records as these, and one in any case.
const (
	RecordsWrittenPerRequest = 50
	RecordsReadPerRequest    = 1_000
)

// RateCharger is a [RateLimiter] that takes more for requests that turn out to be worth
// several: batches, clones, imports, analyses. With one that is none, each request counts
// one.
type RateCharger interface {
	RateLimiter
	// Charge takes so many requests more from the allowance of a principal, once the
	// work is done. It never fails, and may bring the principal into debt, of which a
	// limiter says how large it may become; Take fails until it is paid.
	Charge(ctx context.Context, id string, requests int)
}

// cost is what the requests for a row are paid by.
type cost int

const (
	_ cost = iota
	// byRequest counts each as one: what it takes is bounded by a record, a page or a
	// stream of bytes.
	byRequest
	// byWork counts the records that it reads and writes.
	byWork
)

// paid notes what the requests for the row are paid by.
func (r *row) paid(by cost) *row {
	r.cost = by
	return r
}

// measured is a context in which the work of the request is measured; the meter is nil
// where no caller asks.
func (x *exchange) measured(ctx context.Context) (context.Context, *effort.Meter) {
	if _, charges := x.h.limit.(RateCharger); !charges || x.row.cost != byWork || x.principal.ID == "" {
		return ctx, nil
	}
	return effort.With(ctx)
}

// charge takes what the request was worth beyond the one that it was let in for, and what
// the operation takes that goes on behind it.
func (x *exchange) charge(m *effort.Meter) {
	if m == nil {
		return
	}
	limit, ctx, caller, paid := x.h.limit.(RateCharger), context.WithoutCancel(x.r.Context()), x.principal.ID, 1
	m.Bill(func(s effort.Spent) {
		if n := worth(s); n > paid {
			limit.Charge(ctx, caller, n-paid)
			paid = n
		}
	})
}

// worth is how many requests it counts for to read and write so much.
func worth(s effort.Spent) int {
	const each = RecordsReadPerRequest / RecordsWrittenPerRequest // how much dearer it is to write
	return (s.Read + s.Written*each) / RecordsReadPerRequest
}
