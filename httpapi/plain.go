package httpapi

import (
	"context"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// nothing is the input of an operation that reads no more than path and query.
type nothing struct{}

// answer is a row for what is no stored record: it answers with what call
// returns, written as JSON.
func answer[In, Out any](o Operation, status int, call func(ctx context.Context, x *exchange, b In) (Out, error)) *row {
	return answerRow(o, status, reflect.TypeFor[In](), reflect.TypeFor[Out](), func(ctx context.Context, x *exchange, b any) (any, error) {
		return call(ctx, x, *b.(*In))
	})
}

func answerRow(o Operation, status int, body, out reflect.Type, call func(ctx context.Context, x *exchange, b any) (any, error)) *row {
	r := &row{cost: byWork, Operation: o, replies: []reply{recordReply(out, status, "")}, serve: func(ctx context.Context, x *exchange) error {
		b, err := x.body()
		if err != nil {
			return err
		}
		out, err := call(ctx, x, b)
		if err != nil {
			return err
		}
		text, err := wire.Marshal(out)
		if err != nil {
			return err
		}
		return x.send(status, text)
	}}
	return r.reads(body)
}

// command is a row that reads a body and answers 204.
func command[B any](o Operation, call func(ctx context.Context, x *exchange, b B) error) *row {
	return discardRow(o, func(ctx context.Context, x *exchange) error {
		b, err := x.body()
		if err != nil {
			return err
		}
		return call(ctx, x, *b.(*B))
	}).reads(reflect.TypeFor[B]())
}
