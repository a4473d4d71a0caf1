package route

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// The functions below make calls of routes from methods of a handle, such as schedules.Plan:
// the id in the path opens the handle.

// Bind is the call of a method that takes a query, an id or what is to be created.
func Bind[H, A, R any](
	open func(id string) H, method func(H, context.Context, A) (R, error),
) func(ctx context.Context, in string, a A) (R, error) {
	return func(ctx context.Context, in string, a A) (R, error) { return method(open(in), ctx, a) }
}

// BindBelow is the call of a method that lists what one record below the handle holds.
func BindBelow[H, Q, R any](
	open func(id string) H, method func(H, context.Context, string, Q) (R, error),
) func(ctx context.Context, in, of string, q Q) (R, error) {
	return func(ctx context.Context, in, of string, q Q) (R, error) { return method(open(in), ctx, of, q) }
}

// BindUpdate is the call of a method that changes a record.
func BindUpdate[H, P, R any](
	open func(id string) H, method func(H, context.Context, string, P, ...twinplatform.Precondition) (R, error),
) func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (R, error) {
	return func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (R, error) {
		return method(open(in), ctx, id, p, pre...)
	}
}

// BindDelete is the call of a method that deletes a record, or those whose ids it is given.
func BindDelete[H, A, R any](
	open func(id string) H, method func(H, context.Context, A, ...twinplatform.Precondition) (R, error),
) func(ctx context.Context, in string, of A, pre ...twinplatform.Precondition) (R, error) {
	return func(ctx context.Context, in string, of A, pre ...twinplatform.Precondition) (R, error) {
		return method(open(in), ctx, of, pre...)
	}
}

// Reading is the getter of a method that takes nothing: the handle has one such record.
func Reading[H, T any](open func(id string) H, method func(H, context.Context) (twinplatform.Record[T], error)) Getter {
	return Getting(func(ctx context.Context, in string) (twinplatform.Record[T], error) { return method(open(in), ctx) })
}
