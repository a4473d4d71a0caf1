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

// writer makes a write of a service and reports the result to out. body points at what
// was sent.
type writer func(ctx context.Context, x *cycle.Exchange, body any, out *Written) error

// eraseResult takes over what a service returned, but for the type of its records.
func eraseResult[T any](x *cycle.Exchange, out *Written, res *twinplatform.Result[T], err error) error {
	out.begin(&res.Operation, len(res.Records))
	for i := range res.Records {
		if err == nil {
			rec := &res.Records[i]
			err = out.add(x, rec.ETag, rec.JSON, &rec.Value)
		}
	}
	return err
}

// What it leaves to begin and add is not copied for each type of record, as it
// would be if they were inlined.
func (w *Written) begin(op *twinplatform.Operation, n int) {
	w.Operation = *op
	if n > 0 {
		w.records = make([]cycle.Record, 0, n)
	}
}

func (w *Written) add(x *cycle.Exchange, etag string, json []byte, value any) (err error) {
	if complete := x.Route.Complete; complete != nil {
		json, err = complete(x, value, json)
	}
	w.records = append(w.records, cycle.Record{ETag: etag, JSON: json})
	return err
}

// Create is a route that makes a record.
func Create[N, T any](n *Resource, call func(ctx context.Context, b N) (twinplatform.Result[T], error)) *cycle.Route {
	return n.createRoute(reflect.TypeFor[N](), reflect.TypeFor[T](), func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, *b.(*N))
		return eraseResult(x, out, &res, err)
	})
}

// CreateIn is create within another record.
func CreateIn[N, T any](n *Resource, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *cycle.Route {
	return n.createInRoute(reflect.TypeFor[N](), reflect.TypeFor[T](), within(call))
}

// AcceptIn is CreateIn that answers 202 whether or not the work is done already.
func AcceptIn[N, T any](n *Resource, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *cycle.Route {
	return n.postRoute(reflect.TypeFor[N](), reflect.TypeFor[T](), Accepted(One(n.One)), within(call))
}

// PostIn is a route that posts to a collection within another record.
func PostIn[N, T any](n *Resource, end WriteReply, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *cycle.Route {
	return n.postRoute(reflect.TypeFor[N](), reflect.TypeFor[T](), end, within(call))
}

// within is the writer of a method that makes something within another record.
func within[N, T any](call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) writer {
	return func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, x.Nth(0), *b.(*N))
		return eraseResult(x, out, &res, err)
	}
}

// Batch is the body of a batch.
type Batch[N any] struct {
	Batch []N `json:"batch"`
}

// CreateManyIn is a route that makes a batch of records, all or none.
func CreateManyIn[N, T any](n *Resource, call func(ctx context.Context, in string, b []N) (twinplatform.Result[T], error)) *cycle.Route {
	return n.createManyRoute(reflect.TypeFor[Batch[N]](), reflect.TypeFor[T](), func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, x.Nth(0), b.(*Batch[N]).Batch)
		return eraseResult(x, out, &res, err)
	})
}

// Update is a route that changes a record, of the version that If-Match names if
// the request has one.
func Update[P, T any](n *Resource, call func(ctx context.Context, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *cycle.Route {
	return n.updateRoute(reflect.TypeFor[P](), reflect.TypeFor[T](), func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, x.Nth(0), *b.(*P), x.Preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// UpdateIn is update of what another record in the path holds.
func UpdateIn[P, T any](n *Resource, call func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *cycle.Route {
	return n.updateInRoute(reflect.TypeFor[P](), reflect.TypeFor[T](), func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, x.Nth(0), x.Nth(1), *b.(*P), x.Preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// DeleteIn is a route that deletes a record which another record holds.
func DeleteIn[T any](n *Resource, call func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *cycle.Route {
	return n.deleteRoute(func(ctx context.Context, x *cycle.Exchange, _ any, out *Written) error {
		res, err := call(ctx, x.Nth(0), x.Nth(1), x.Preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// DeleteManyIn is a route that deletes the records whose ids a parameter lists.
func DeleteManyIn[T any](n *Resource, call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *cycle.Route {
	return n.deleteManyRoute(func(ctx context.Context, x *cycle.Exchange, _ any, out *Written) error {
		res, err := call(ctx, x.Nth(0), x.IDs(n.idsName()), x.Preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// Single makes of a method that deletes several records one that deletes a single one,
// with errors for one.
func Single[T any](n *Resource, call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error) {
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
func Writes[N, T any](o cycle.Operation, end WriteReply, call func(ctx context.Context, x *cycle.Exchange, b N) (twinplatform.Result[T], error)) *cycle.Route {
	return writeRoute(o, reflect.TypeFor[N](), reflect.TypeFor[T](), end, func(ctx context.Context, x *cycle.Exchange, b any, out *Written) error {
		res, err := call(ctx, x, *b.(*N))
		return eraseResult(x, out, &res, err)
	})
}

func (n *Resource) createRoute(body, what reflect.Type, call writer) *cycle.Route {
	return n.postRoute(body, what, Created(n.One), call)
}

func (n *Resource) createInRoute(body, what reflect.Type, call writer) *cycle.Route {
	return n.createRoute(body, what, call).MayPend(AcceptedReply(One(n.One)))
}

func (n *Resource) postRoute(body, what reflect.Type, end WriteReply, call writer) *cycle.Route {
	return writeRoute(n.Creates(), body, what, end, call)
}

func (n *Resource) createManyRoute(body, what reflect.Type, call writer) *cycle.Route {
	return writeRoute(n.CreatesMany(), body, what, Batched("batch", Many(n.Many)), call)
}

func (n *Resource) updateRoute(body, what reflect.Type, call writer) *cycle.Route {
	return writeRoute(n.Updates(), body, what, Changed(n.One), call)
}

func (n *Resource) updateInRoute(body, what reflect.Type, call writer) *cycle.Route {
	return n.updateRoute(body, what, call).MayPend(AcceptedReply(One(n.One)))
}

func (n *Resource) deleteRoute(call writer) *cycle.Route {
	return writeRoute(n.Deletes(), nil, nil, Accepted(One(n.One)), call)
}

func (n *Resource) deleteManyRoute(call writer) *cycle.Route {
	return writeRoute(n.DeletesMany(), nil, nil, Accepted(Many(n.Many)), call)
}

// writeRoute is a route that writes records of a type; no body is read where it is
// nil or nothing.
func writeRoute(o cycle.Operation, body, what reflect.Type, end WriteReply, call writer) *cycle.Route {
	r := &cycle.Route{PaidBy: cycle.ByWork, Operation: o, Record: what, Replies: end.replies(what), Serve: func(ctx context.Context, x *cycle.Exchange) error {
		b, err := x.Body()
		if err != nil {
			return err
		}
		var res Written
		if err := call(ctx, x, b, &res); err != nil {
			return err
		}
		return end.send(x, &res)
	}}
	return r.Reads(body)
}
