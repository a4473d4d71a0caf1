package route

import (
	"context"
	"errors"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// Written is what came of a write, without the type of its records.
type Written struct {
	twinplatform.Operation
	records []cycle.Record
}

// body is the body of a request, of the type that its route reads.
func body[B any](x *cycle.Exchange) (*B, error) {
	b, err := x.Body()
	if err != nil {
		return nil, err
	}
	return b.(*B), nil
}

// reply answers with what a service returned, or fails as it did.
func reply[T any](x *cycle.Exchange, end WriteReply, res *twinplatform.Result[T], err error) error {
	if err != nil {
		return err
	}
	w := Written{Operation: res.Operation, records: make([]cycle.Record, len(res.Records))}
	for i := range res.Records {
		rec := &res.Records[i]
		w.records[i] = cycle.Record{ETag: rec.ETag, JSON: rec.JSON}
		if complete := x.Route.Complete; complete != nil {
			if w.records[i].JSON, err = complete(x, &rec.Value, rec.JSON); err != nil {
				return err
			}
		}
	}
	return end.send(x, &w)
}

// Create is a route that makes a record.
func Create[N, T any](n *Resource, call func(ctx context.Context, b N) (twinplatform.Result[T], error)) *cycle.Route {
	end := Created(n.One)
	return writeRoute(n.Creates(), reflect.TypeFor[N](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			b, err := body[N](x)
			if err != nil {
				return err
			}
			res, err := call(ctx, *b)
			return reply(x, end, &res, err)
		})
}

// CreateIn is create within another record.
func CreateIn[H, N, T any](n *Resource, creates Making[H, N, T]) *cycle.Route {
	return PostIn(n, Created(n.One), creates).MayPend(AcceptedReply(One(n.One)))
}

// AcceptIn is CreateIn that answers 202 whether or not the work is done already.
func AcceptIn[H, N, T any](n *Resource, creates Making[H, N, T]) *cycle.Route {
	return PostIn(n, Accepted(One(n.One)), creates)
}

// AcceptUnless is AcceptIn but for bodies that something else is answered to.
func AcceptUnless[H, N, T any](n *Resource, creates Making[H, N, T],
	other func(ctx context.Context, x *cycle.Exchange, b N) (done bool, err error),
) *cycle.Route {
	return postIn(n, Accepted(One(n.One)), creates, other)
}

// PostIn is a route that posts to a collection within another record.
func PostIn[H, N, T any](n *Resource, end WriteReply, creates Making[H, N, T]) *cycle.Route {
	return postIn(n, end, creates, nil)
}

func postIn[H, N, T any](n *Resource, end WriteReply, creates Making[H, N, T],
	other func(ctx context.Context, x *cycle.Exchange, b N) (bool, error),
) *cycle.Route {
	return writeRoute(n.Creates(), reflect.TypeFor[N](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			b, err := body[N](x)
			if err != nil {
				return err
			}
			if other != nil {
				if done, err := other(ctx, x, *b); done || err != nil {
					return err
				}
			}
			res, err := creates.call(creates.open(x.Nth(0)), ctx, *b)
			return reply(x, end, &res, err)
		})
}

// Batch is the body of a batch.
type Batch[N any] struct {
	Batch []N `json:"batch"`
}

// CreateManyIn is a route that makes a batch of records, all or none.
func CreateManyIn[H, N, T any](n *Resource, creates Making[H, []N, T]) *cycle.Route {
	end := Batched("batch", Many(n.Many))
	return writeRoute(n.CreatesMany(), reflect.TypeFor[Batch[N]](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			b, err := body[Batch[N]](x)
			if err != nil {
				return err
			}
			res, err := creates.call(creates.open(x.Nth(0)), ctx, b.Batch)
			return reply(x, end, &res, err)
		})
}

// Update is a route that changes a record, of the version that If-Match names if
// the request has one.
func Update[P, T any](n *Resource,
	call func(ctx context.Context, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T],
		error),
) *cycle.Route {
	end := Changed(n.One)
	return writeRoute(n.Updates(), reflect.TypeFor[P](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			p, err := body[P](x)
			if err != nil {
				return err
			}
			res, err := call(ctx, x.Nth(0), *p, x.Preconditions()...)
			return reply(x, end, &res, err)
		})
}

// UpdateIn is update of what another record in the path holds.
func UpdateIn[H, P, T any](n *Resource, updates Changing[H, P, T]) *cycle.Route {
	end := Changed(n.One)
	return writeRoute(n.Updates(), reflect.TypeFor[P](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			p, err := body[P](x)
			if err != nil {
				return err
			}
			res, err := updates.call(updates.open(x.Nth(0)), ctx, x.Nth(1), *p, x.Preconditions()...)
			return reply(x, end, &res, err)
		}).MayPend(AcceptedReply(One(n.One)))
}

// DeleteIn is a route that deletes a record which another record holds.
func DeleteIn[T any](n *Resource,
	call func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T],
		error),
) *cycle.Route {
	end := Accepted(One(n.One))
	return writeRoute(n.Deletes(), nil, nil, end, func(ctx context.Context, x *cycle.Exchange) error {
		res, err := call(ctx, x.Nth(0), x.Nth(1), x.Preconditions()...)
		return reply(x, end, &res, err)
	})
}

// DeleteManyIn is a route that deletes the records whose ids a parameter lists.
func DeleteManyIn[T any](n *Resource,
	call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T],
		error),
) *cycle.Route {
	end := Accepted(Many(n.Many))
	return writeRoute(n.DeletesMany(), nil, nil, end, func(ctx context.Context, x *cycle.Exchange) error {
		res, err := call(ctx, x.Nth(0), x.IDs(n.idsName()), x.Preconditions()...)
		return reply(x, end, &res, err)
	})
}

// Single makes of a method that deletes several records one that deletes a single one,
// with errors for one.
func Single[T any](n *Resource,
	call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T],
		error)) func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T],
	error) {
	return func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error) {
		res, err := call(ctx, in, []string{id}, pre...)
		return res, Retargeted(err, n.idsName(), n.idName())
	}
}

// Retargeted is an error that names to where it named from.
func Retargeted(err error, from, to string) error {
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Target != from {
		return err
	}
	renamed := *e
	renamed.Target = to
	return &renamed
}

// Writes is a route for a write that is not one of the usual: call takes from the
// request what it needs, and a body unless N is nothing.
func Writes[N, T any](o cycle.Operation, end WriteReply,
	call func(ctx context.Context, x *cycle.Exchange, b N) (twinplatform.Result[T], error),
) *cycle.Route {
	return writeRoute(o, reflect.TypeFor[N](), reflect.TypeFor[T](), end,
		func(ctx context.Context, x *cycle.Exchange) error {
			b, err := body[N](x)
			if err != nil {
				return err
			}
			res, err := call(ctx, x, *b)
			return reply(x, end, &res, err)
		})
}

// writeRoute is a route that writes records of a type; no body is read where it is
// nil or nothing.
func writeRoute(o cycle.Operation, body, what reflect.Type, end WriteReply,
	serve func(context.Context, *cycle.Exchange) error,
) *cycle.Route {
	r := &cycle.Route{PaidBy: cycle.ByWork, Operation: o, Record: what, Replies: end.replies(what), Serve: serve}
	return r.Reads(body)
}
