package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// What a request takes from the allowance of its caller, in an operation that is paid by
// what it reads and writes: one request for as many records as these, and one in any case.
const (
	RecordsWrittenPerRequest = cycle.RecordsWritten
	RecordsReadPerRequest    = cycle.RecordsRead
)

// RateCharger is a [RateLimiter] that charges more for requests that cost several:
// batches, clones, imports, analyses. With any other, each request counts one.
type RateCharger interface {
	RateLimiter
	// Charge takes so many requests more from the allowance of a principal, once the
	// work is done. It never fails, and may bring the principal into debt, of which a
	// limiter says how large it may become; Take fails until it is paid.
	Charge(ctx context.Context, id string, requests int)
}
