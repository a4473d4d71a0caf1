package route

import (
	"context"
	"io"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// TakesBytes is a route that takes the bytes of what another record holds as they are,
// with their own limit, and answers 204.
func TakesBytes[T any](n *Resource, most int64,
	call func(ctx context.Context, in, id string, bytes io.Reader,
		pre ...twinplatform.Precondition) (twinplatform.Record[T], error),
) *cycle.Route {
	r := DiscardRoute(n.Updates(), func(ctx context.Context, x *cycle.Exchange) error {
		return x.Take(most, func(body io.Reader) error {
			_, err := call(ctx, x.Nth(0), x.Nth(1), body, x.Preconditions()...)
			return err
		})
	})
	r.Raw = true
	return r
}
