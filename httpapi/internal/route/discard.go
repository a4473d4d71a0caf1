package route

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// Discard is a route that answers 204: what it deletes is gone, and there is no
// operation to ask for.
func Discard(n *Resource, call func(ctx context.Context, id string,
	pre ...twinplatform.Precondition) error,
) *cycle.Route {
	return DiscardRoute(n.Deletes(),
		func(ctx context.Context, x *cycle.Exchange) error { return call(ctx, x.Nth(0), x.Preconditions()...) })
}

// DiscardIn is discard of what another record in the path holds.
func DiscardIn(n *Resource, call func(ctx context.Context, in, id string,
	pre ...twinplatform.Precondition) error,
) *cycle.Route {
	return DiscardRoute(n.Deletes(), func(ctx context.Context, x *cycle.Exchange) error {
		return call(ctx, x.Nth(0), x.Nth(1), x.Preconditions()...)
	})
}

// DiscardRoute is a route that reads no body and answers without one, 204 unless it is
// [Route.Succeeding] otherwise.
func DiscardRoute(o cycle.Operation, call func(context.Context, *cycle.Exchange) error) *cycle.Route {
	return &cycle.Route{
		PaidBy:    cycle.ByWork,
		Operation: o,
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			if err := call(ctx, x); err != nil {
				return err
			}
			return x.SendNothing(x.Route.Replies[0].Status)
		},
		Replies: []cycle.Reply{{Status: http.StatusNoContent}},
	}
}
