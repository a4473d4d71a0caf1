package cycle

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/effort"
)

// How many records are worth one request.
const (
	RecordsWritten = 50
	RecordsRead    = 1_000
)

// Cost is what the requests for a route are paid by.
type Cost int

const (
	_ Cost = iota
	// ByRequest counts each as one: what it takes is bounded by a record, a page or a
	// stream of bytes.
	ByRequest
	// ByWork counts the records that it reads and writes.
	ByWork
)

// Paid notes what the requests for the route are paid by.
func (r *Route) Paid(by Cost) *Route {
	r.PaidBy = by
	return r
}

// measured is a context in which the work of the request is measured, where a caller asks
// for it.
func (x *Exchange) measured(ctx context.Context) context.Context {
	if _, charges := x.server.Limit.(Charger); !charges || x.Route.PaidBy != ByWork || x.principal.ID == "" {
		return ctx
	}
	ctx, x.meter = effort.With(ctx)
	return ctx
}

// charge takes what the request was worth beyond the one that it was let in for, and what
// the operation takes that continues behind it.
func (x *Exchange) charge() {
	if x.meter == nil {
		return
	}
	limit, ctx, caller, paid := x.server.Limit.(Charger), context.WithoutCancel(x.R.Context()), x.principal.ID, 1
	x.meter.Bill(func(s effort.Spent) {
		if n := worth(s); n > paid {
			limit.Charge(ctx, caller, n-paid)
			paid = n
		}
	})
}

// worth is how many requests it counts for to read and write so much.
func worth(s effort.Spent) int {
	const each = RecordsRead / RecordsWritten // how much dearer it is to write
	return (s.Read + s.Written*each) / RecordsRead
}
