package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// subject is how a 202 names what its operation is about: one thing under a
// singular key, several under a plural one, or nothing at all.
type subject struct {
	key  string
	many bool
}

func one(key string) subject  { return subject{key: key} }
func many(key string) subject { return subject{key: key, many: true} }

// change is a row that changes one record and answers 200 with it under key.
func change[B, T any](o Operation, key string, call func(context.Context, *exchange, B) (twinplatform.Result[T], error)) *row {
	r := op(o, decodeBody[B], call, func(x *exchange, res twinplatform.Result[T]) error {
		if pending(res) {
			return x.accepted(res.Operation, one(key))
		}
		return sendFirst(x, http.StatusOK, key, res)
	})
	return r.takes(reflect.TypeFor[B](), recordReply[T](http.StatusOK, key, "ETag"))
}

// create is a row that makes a record and answers 201 with it under key. id
// tells the record's name within the collection that the request is for.
func create[B, T any](o Operation, key string, id func(T) string, call func(context.Context, *exchange, B) (twinplatform.Result[T], error)) *row {
	r := op(o, decodeBody[B], call, func(x *exchange, res twinplatform.Result[T]) error {
		if pending(res) {
			return x.accepted(res.Operation, one(key))
		}
		x.w.Header().Set("Location", string(x.member(nil, id(res.Value()))))
		return sendFirst(x, http.StatusCreated, key, res)
	})
	return r.takes(reflect.TypeFor[B](), recordReply[T](http.StatusCreated, key, "ETag", "Location"))
}

// assign is a row that sets a value and answers 200 with it under key; either
// way it tells the operation, and a 202 names nothing else.
func assign[B, T any](o Operation, key string, call func(context.Context, *exchange, B) (twinplatform.Result[T], error)) *row {
	r := op(o, decodeBody[B], call, func(x *exchange, res twinplatform.Result[T]) error {
		if pending(res) {
			return x.accepted(res.Operation, subject{})
		}
		x.setOperation(res.Operation)
		return sendFirst(x, http.StatusOK, key, res)
	})
	return r.takes(reflect.TypeFor[B](),
		recordReply[T](http.StatusOK, key, "ETag", "Operation-Id", "Operation-Location"), acceptedReply(subject{}))
}

// batch is a row that writes several records, all or none, and answers 200 with
// them under key.
func batch[B, T any](o Operation, key string, about subject, call func(context.Context, *exchange, B) (twinplatform.Result[T], error)) *row {
	open := []byte(`{"` + key + `":[`)
	r := op(o, decodeBody[B], call, func(x *exchange, res twinplatform.Result[T]) error {
		if pending(res) {
			return x.accepted(res.Operation, about)
		}
		wire := make([][]byte, len(res.Records))
		for i, rec := range res.Records {
			wire[i] = rec.JSON
		}
		return x.sendJoined(open, wire, []byte("]}"))
	})
	return r.takes(reflect.TypeFor[B](), reply{status: http.StatusOK, schema: func(s *schemas) map[string]any {
		return object(key, arrayOf(s.of(reflect.TypeFor[T]())))
	}}, acceptedReply(about))
}

// accept is a row that answers 202 whether or not the work is done already.
func accept[B, T any](o Operation, about subject, call func(context.Context, *exchange, B) (twinplatform.Result[T], error)) *row {
	r := op(o, decodeBody[B], call, func(x *exchange, res twinplatform.Result[T]) error {
		return x.accepted(res.Operation, about)
	})
	return r.takes(reflect.TypeFor[B](), acceptedReply(about))
}

// remove is accept for a request without a body.
func remove[T any](o Operation, about subject, call func(context.Context, *exchange) (twinplatform.Result[T], error)) *row {
	r := op(o, decodeNothing,
		func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[T], error) { return call(ctx, x) },
		func(x *exchange, res twinplatform.Result[T]) error { return x.accepted(res.Operation, about) })
	r.replies = []reply{acceptedReply(about)}
	return r
}

func (r *row) takes(body reflect.Type, replies ...reply) *row {
	r.in, r.replies = body, replies
	return r
}

// orAccepts notes that the row answers 202 while its work is still to be done.
func (r *row) orAccepts(about subject) *row {
	r.replies = append(r.replies, acceptedReply(about))
	return r
}

// pending reports whether the work is still to be done.
func pending[T any](res twinplatform.Result[T]) bool {
	return res.Operation.ID != "" && !res.Operation.Status.Done()
}

var errNoRecord = errors.New("httpapi: the work was done and left no record")

func sendFirst[T any](x *exchange, status int, key string, res twinplatform.Result[T]) error {
	if len(res.Records) == 0 {
		return errNoRecord
	}
	return x.sendRecord(status, key, res.Records[0].ETag, res.Records[0].JSON)
}

// setOperation tells an operation in the header and returns its address.
func (x *exchange) setOperation(op twinplatform.Operation) string {
	if op.ID == "" {
		return ""
	}
	at := string(x.operation(nil, op.ID))
	x.w.Header().Set("Operation-Id", op.ID)
	x.w.Header().Set("Operation-Location", at)
	return at
}

// accepted answers 202 with the operation and the ids of what it is about.
func (x *exchange) accepted(op twinplatform.Operation, about subject) error {
	b := append(make([]byte, 0, 512), `{"operation":{"id":`...)
	if op.ID == "" {
		b = append(b, "null"...)
	} else {
		b = wire.AppendString(b, op.ID)
	}
	b = append(b, '}')
	if about.key != "" {
		b = append(wire.AppendString(append(b, ','), about.key), ':')
		if about.many {
			b = append(b, '[')
		}
		for i, id := range op.Subjects {
			if i > 0 {
				if !about.many {
					break
				}
				b = append(b, ',')
			}
			b = append(wire.AppendString(append(b, `{"id":`...), id), '}')
		}
		if about.many {
			b = append(b, ']')
		} else if len(op.Subjects) == 0 {
			b = append(b, "null"...)
		}
	}
	b = append(b, `,"_links":{"operationLocation":`...)
	if at := x.setOperation(op); at != "" {
		b = append(wire.AppendString(append(b, `{"href":`...), at), '}')
	} else {
		b = append(b, "null"...)
	}
	return x.send(http.StatusAccepted, append(b, "}}"...))
}

func acceptedReply(about subject) reply {
	return reply{status: http.StatusAccepted, headers: []string{"Operation-Id", "Operation-Location"}, schema: func(s *schemas) map[string]any {
		id := object("id", map[string]any{"type": "string"})
		out := object("operation", id, "_links", object("operationLocation", object("href", map[string]any{"type": "string", "format": "uri"})))
		switch properties := out["properties"].(map[string]any); {
		case about.key == "":
		case about.many:
			properties[about.key] = arrayOf(id)
		default:
			properties[about.key] = id
		}
		return out
	}}
}
