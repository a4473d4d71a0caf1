package route

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// Method is a method of a handle, such as schedules.Plan, that writes in what the id in the
// path names: open opens the handle.
type Method[H, F any] struct {
	open func(id string) H
	call F
}

// Making is a method that makes what it is given.
type Making[H, N, T any] = Method[H, func(H, context.Context, N) (twinplatform.Result[T], error)]

// Changing is a method that changes a record.
type Changing[H, P, T any] = Method[H,
	func(H, context.Context, string, P, ...twinplatform.Precondition) (twinplatform.Result[T], error)]

// On is a method of a handle that open opens.
func On[H, F any](open func(id string) H, method F) Method[H, F] { return Method[H, F]{open, method} }

// Makes is the method of a service that takes the id itself and makes what it is given.
func Makes[N, T any](call func(ctx context.Context, in string, n N) (twinplatform.Result[T], error)) Making[string, N,
	T] {
	return On(itself, func(in string, ctx context.Context, n N) (twinplatform.Result[T],
		error,
	) {
		return call(ctx, in, n)
	})
}

// Changes is the method of a service that takes the id itself and changes a record.
func Changes[P, T any](
	call func(ctx context.Context, in, id string, p P, pre ...twinplatform.Precondition) (twinplatform.Result[T],
		error),
) Changing[string, P, T] {
	return On(itself, func(in string, ctx context.Context, id string, p P,
		pre ...twinplatform.Precondition,
	) (twinplatform.Result[T], error) {
		return call(ctx, in, id, p, pre...)
	})
}

func itself(id string) string { return id }

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
	return Getting(func(ctx context.Context, in string) (twinplatform.Record[T],
		error,
	) {
		return method(open(in), ctx)
	})
}
