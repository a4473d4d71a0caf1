package httpapi

import (
	"context"
	"net/http"
)

// discard is a row that answers 204: what it deletes is gone, and there is no
// operation to ask for.
func discard(n *noun, call func(ctx context.Context, id string) error) *row {
	return discardRow(n.deletes(), func(ctx context.Context, x *exchange) error { return call(ctx, x.nth(0)) })
}

// discardIn is discard of what another thing in the path holds.
func discardIn(n *noun, call func(ctx context.Context, in, id string) error) *row {
	return discardRow(n.deletes(), func(ctx context.Context, x *exchange) error { return call(ctx, x.nth(0), x.nth(1)) })
}

// discardRow is a row that reads no body and answers 204.
func discardRow(o Operation, call func(context.Context, *exchange) error) *row {
	return &row{
		Operation: o,
		serve: func(ctx context.Context, x *exchange) error {
			if err := call(ctx, x); err != nil {
				return err
			}
			return x.sendNothing(http.StatusNoContent)
		},
		replies: []reply{{status: http.StatusNoContent}},
	}
}
