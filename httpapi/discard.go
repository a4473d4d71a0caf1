package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
)

// discard is a row that answers 204: what it deletes is gone, and there is no
// operation to ask for.
func discard(n *noun, call func(ctx context.Context, id string, pre ...twinplatform.Precondition) error) *row {
	return discardRow(n.deletes(), func(ctx context.Context, x *exchange) error { return call(ctx, x.nth(0), x.preconditions()...) })
}

// discardIn is discard of what another thing in the path holds.
func discardIn(n *noun, call func(ctx context.Context, in, id string, pre ...twinplatform.Precondition) error) *row {
	return discardRow(n.deletes(), func(ctx context.Context, x *exchange) error {
		return call(ctx, x.nth(0), x.nth(1), x.preconditions()...)
	})
}

// discardRow is a row that reads no body and answers without one, 204 unless it is
// [row.succeeding] otherwise.
func discardRow(o Operation, call func(context.Context, *exchange) error) *row {
	return &row{
		cost:      byWork,
		Operation: o,
		serve: func(ctx context.Context, x *exchange) error {
			if err := call(ctx, x); err != nil {
				return err
			}
			return x.sendNothing(x.row.replies[0].status)
		},
		replies: []reply{{status: http.StatusNoContent}},
	}
}

// succeeding makes the row answer with another status.
func (r *row) succeeding(status int) *row {
	r.replies[0].status = status
	return r
}
