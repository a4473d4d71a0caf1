package twinplatform

import "context"

// OperationGate keeps operations from being done, so that a test can look at a
// client while they are Running, and let them fail. It is safe for concurrent use.
type OperationGate interface {
	// Knows is notified of each operation of the API whose work can be held, such as
	// tasks.create, as services are made.
	Knows(kind string)
	// Hold is asked when work of such a kind is accepted: whether it is to wait, and how
	// many percent of it, 0 to 99, are shown as done meanwhile. What can be refused
	// at once is refused all the same.
	Hold(kind string) (percent int, hold bool)
	// Held hands over work that waits, once it is accepted.
	Held(HeldOperation)
	// Asked is called with the id of an operation that a caller is about to read.
	Asked(operationID string)
}

// HeldOperation is work that an [OperationGate] keeps from being done. It is done by
// no caller until one of its functions is called.
type HeldOperation struct {
	// Operation is its record as it was accepted.
	Operation
	// Show changes how many percent of it, 0 to 99, are shown as done.
	Show func(ctx context.Context, percent int) error
	// Finish does the work before it returns, or fails it with an error. It is called
	// once.
	Finish func(ctx context.Context, failure *Error) error
}

type operationKindKey struct{}

// WithOperationKind says in a context which operation of the API a call is made for, such
// as tasks.delete. It becomes [Operation.Kind] where several operations ask for work of one
// sort; of such, a call that does not say it counts as the first.
func WithOperationKind(ctx context.Context, kind string) context.Context {
	return context.WithValue(ctx, operationKindKey{}, kind)
}

// OperationKindOf is what WithOperationKind set; empty where it did not.
func OperationKindOf(ctx context.Context) string {
	kind, _ := ctx.Value(operationKindKey{}).(string)
	return kind
}
