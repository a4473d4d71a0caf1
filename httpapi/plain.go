package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// answer is a row for what is no stored record: it answers with what call
// returns, written as JSON.
func answer[In, Out any](o Operation, status int, decode func(*exchange) (In, error), call func(context.Context, *exchange, In) (Out, error)) *row {
	r := op(o, decode, call, func(x *exchange, out Out) error {
		body, err := wire.Marshal(out)
		if err != nil {
			return err
		}
		return x.send(status, body)
	})
	r.replies = []reply{{status: status, schema: func(s *schemas) map[string]any { return s.of(reflect.TypeFor[Out]()) }}}
	return r.reads(reflect.TypeFor[In]())
}

// order is a row that reads a body and answers 204.
func order[B any](o Operation, call func(context.Context, *exchange, B) error) *row {
	r := op(o, decodeBody[B],
		func(ctx context.Context, x *exchange, b B) (nothing, error) { return nothing{}, call(ctx, x, b) },
		func(x *exchange, _ nothing) error { return x.sendNothing(http.StatusNoContent) })
	r.replies = []reply{{status: http.StatusNoContent}}
	return r.reads(reflect.TypeFor[B]())
}

// reads notes what the row's body is read as; a GET has none.
func (r *row) reads(body reflect.Type) *row {
	if r.Method != http.MethodGet && body != reflect.TypeFor[nothing]() {
		r.in = body
	}
	return r
}
