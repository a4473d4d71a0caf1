package route

import (
	"context"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Answer is a route for what is no stored record: it answers with what call
// returns, written as JSON.
func Answer[In, Out any](o cycle.Operation, status int,
	call func(ctx context.Context, x *cycle.Exchange, b In) (Out, error),
) *cycle.Route {
	r := &cycle.Route{
		PaidBy: cycle.ByWork, Operation: o,
		Replies: []cycle.Reply{RecordReply(reflect.TypeFor[Out](), status, "")},
	}
	r.Serve = func(ctx context.Context, x *cycle.Exchange) error {
		b, err := body[In](x)
		if err != nil {
			return err
		}
		out, err := call(ctx, x, *b)
		if err != nil {
			return err
		}
		text, err := wire.Marshal(out)
		if err != nil {
			return err
		}
		return x.Send(status, text)
	}
	return r.Reads(reflect.TypeFor[In]())
}

// Command is a route that reads a body and answers 204.
func Command[B any](o cycle.Operation, call func(ctx context.Context, x *cycle.Exchange, b B) error) *cycle.Route {
	return DiscardRoute(o, func(ctx context.Context, x *cycle.Exchange) error {
		b, err := body[B](x)
		if err != nil {
			return err
		}
		return call(ctx, x, *b)
	}).Reads(reflect.TypeFor[B]())
}
