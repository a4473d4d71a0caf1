package cycle

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// Server is what all exchanges of a handler have in common.
type Server struct {
	// Ask finds out who sends a request. An error that wraps twinplatform.Unauthenticated
	// says that no good credentials came with it, any other that this could not be found out.
	Ask func(ctx context.Context, r *http.Request) (twinplatform.Principal, error)
	// Find is the route for a request, nil where there is none.
	Find func(r *http.Request) *Route
	// Allowed are the methods that the path of a request has, separated by commas.
	Allowed func(r *http.Request) string
	// Unserved is what a request would do that nothing serves and that is known of the
	// platform; empty for any other. Nil knows of none.
	Unserved func(r *http.Request) string
	// Observe is called for each request once it is answered. Nil means none.
	Observe func(context.Context, Observation)

	Dialect *vocabulary.Dialect // nil: the specification's

	Limit Limiter // nil: no limit
	Slots *Slots
	Log   *slog.Logger
	// Unlogged reports that requests are not logged one by one: the observer does it.
	Unlogged bool

	BaseURL string        // without a slash at its end; empty: that of each request
	Timeout time.Duration // of a request; not above 0: none
	MaxBody int64         // of a request, in bytes
	// OperationStatus puts the status of an operation next to it, for pollers that look for it there.
	OperationStatus bool
	// RefuseUnknown refuses unknown members of bodies, ReportUnknown reports them to the
	// observer.
	RefuseUnknown, ReportUnknown bool
}

// Limiter gives principals their allowances of requests, as httpapi.RateLimiter does.
type Limiter interface {
	Take(ctx context.Context, id string) error
}

// Charger is a limiter that takes more for what turns out to be worth several requests, as
// httpapi.RateCharger does.
type Charger interface {
	Limiter
	Charge(ctx context.Context, id string, requests int)
}
