package httpapi

import (
	"context"
	"errors"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
)

// written is what came of a write, without the type of its records.
type written struct {
	twinplatform.Operation
	records []record
}

// writer makes a write of a service and tells out what came of it. body points at
// what was sent.
type writer func(ctx context.Context, x *exchange, body any, out *written) error

// eraseResult takes over what a service returned, but for the type of its records.
func eraseResult[T any](x *exchange, out *written, res *twinplatform.Result[T], err error) error {
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
func (w *written) begin(op *twinplatform.Operation, n int) {
	w.Operation = *op
	if n > 0 {
		w.records = make([]record, 0, n)
	}
}

func (w *written) add(x *exchange, etag string, json []byte, value any) (err error) {
	if complete := x.row.complete; complete != nil {
		json, err = complete(x, value, json)
	}
	w.records = append(w.records, record{etag, json})
	return err
}

// create is a row that makes a record.
func create[N, T any](n *noun, call func(ctx context.Context, b N) (twinplatform.Result[T], error)) *row {
	return n.createRow(reflect.TypeFor[N](), reflect.TypeFor[T](), func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, *b.(*N))
		return eraseResult(x, out, &res, err)
	})
}

// createIn is create within another thing.
func createIn[N, T any](n *noun, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *row {
	return n.createInRow(reflect.TypeFor[N](), reflect.TypeFor[T](), within(call))
}

// acceptIn is createIn that answers 202 whether or not the work is done already.
func acceptIn[N, T any](n *noun, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *row {
	return n.postRow(reflect.TypeFor[N](), reflect.TypeFor[T](), accepted(one(n.one)), within(call))
}

// postIn is a row that posts to a collection within another thing.
func postIn[N, T any](n *noun, end ending, call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) *row {
	return n.postRow(reflect.TypeFor[N](), reflect.TypeFor[T](), end, within(call))
}

// within is the writer of a method that makes something within another thing.
func within[N, T any](call func(ctx context.Context, in string, b N) (twinplatform.Result[T], error)) writer {
	return func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, x.nth(0), *b.(*N))
		return eraseResult(x, out, &res, err)
	}
}

// batchOf is the body of a batch.
type batchOf[N any] struct {
	Batch []N `json:"batch"`
}

// createManyIn is a row that makes a batch of records, all or none.
func createManyIn[N, T any](n *noun, call func(ctx context.Context, in string, b []N) (twinplatform.Result[T], error)) *row {
	return n.createManyRow(reflect.TypeFor[batchOf[N]](), reflect.TypeFor[T](), func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, x.nth(0), b.(*batchOf[N]).Batch)
		return eraseResult(x, out, &res, err)
	})
}

// update is a row that changes a record, of the version that If-Match names if
// the request has one.
func update[P, T any](n *noun, call func(ctx context.Context, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *row {
	return n.updateRow(reflect.TypeFor[P](), reflect.TypeFor[T](), func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, x.nth(0), *b.(*P), x.preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// updateIn is update of what another thing in the path holds.
func updateIn[P, T any](n *noun, call func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *row {
	return n.updateInRow(reflect.TypeFor[P](), reflect.TypeFor[T](), func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, x.nth(0), x.nth(1), *b.(*P), x.preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// deleteIn is a row that deletes a record which another thing holds.
func deleteIn[T any](n *noun, call func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *row {
	return n.deleteRow(func(ctx context.Context, x *exchange, _ any, out *written) error {
		res, err := call(ctx, x.nth(0), x.nth(1), x.preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// deleteManyIn is a row that deletes the records whose ids a parameter lists.
func deleteManyIn[T any](n *noun, call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) *row {
	return n.deleteManyRow(func(ctx context.Context, x *exchange, _ any, out *written) error {
		res, err := call(ctx, x.nth(0), x.ids(n.idsName()), x.preconditions()...)
		return eraseResult(x, out, &res, err)
	})
}

// single makes of a method that deletes several records one that deletes a
// single one, and whose errors say so.
func single[T any](n *noun, call func(ctx context.Context, in string, ids []string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error)) func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error) {
	return func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) (twinplatform.Result[T], error) {
		res, err := call(ctx, in, []string{id}, pre...)
		return res, retargeted(err, n.idsName(), n.idName())
	}
}

// retargeted is an error that names to where it named from.
func retargeted(err error, from, to string) error {
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Target != from {
		return err
	}
	renamed := *e
	renamed.Target = to
	return &renamed
}

// writes is a row for a write that is not one of the usual: call takes from the
// request what it needs, and a body unless N is nothing.
func writes[N, T any](o Operation, end ending, call func(ctx context.Context, x *exchange, b N) (twinplatform.Result[T], error)) *row {
	return writeRow(o, reflect.TypeFor[N](), reflect.TypeFor[T](), end, func(ctx context.Context, x *exchange, b any, out *written) error {
		res, err := call(ctx, x, *b.(*N))
		return eraseResult(x, out, &res, err)
	})
}

func (n *noun) createRow(body, what reflect.Type, call writer) *row {
	return n.postRow(body, what, created(n.one), call)
}

func (n *noun) createInRow(body, what reflect.Type, call writer) *row {
	return n.createRow(body, what, call).mayPend(one(n.one))
}

func (n *noun) postRow(body, what reflect.Type, end ending, call writer) *row {
	return writeRow(n.creates(), body, what, end, call)
}

func (n *noun) createManyRow(body, what reflect.Type, call writer) *row {
	return writeRow(n.createsMany(), body, what, batched("batch", many(n.many)), call)
}

func (n *noun) updateRow(body, what reflect.Type, call writer) *row {
	return writeRow(n.updates(), body, what, changed(n.one), call)
}

func (n *noun) updateInRow(body, what reflect.Type, call writer) *row {
	return n.updateRow(body, what, call).mayPend(one(n.one))
}

func (n *noun) deleteRow(call writer) *row {
	return writeRow(n.deletes(), nil, nil, accepted(one(n.one)), call)
}

func (n *noun) deleteManyRow(call writer) *row {
	return writeRow(n.deletesMany(), nil, nil, accepted(many(n.many)), call)
}

// writeRow is a row that writes records of a type; no body is read where it is
// nil or nothing.
func writeRow(o Operation, body, what reflect.Type, end ending, call writer) *row {
	r := &row{cost: byWork, Operation: o, record: what, replies: end.replies(what), serve: func(ctx context.Context, x *exchange) error {
		b, err := x.body()
		if err != nil {
			return err
		}
		var res written
		if err := call(ctx, x, b, &res); err != nil {
			return err
		}
		return end.send(x, &res)
	}}
	return r.reads(body)
}
