package twinplatform

import (
	"context"
	"errors"
)

// OperationStatus is how far an [Operation] has come.
type OperationStatus string

// The states of an operation. The last two are final.
const (
	OperationNotStarted OperationStatus = "NotStarted"
	OperationRunning    OperationStatus = "Running"
	OperationSucceeded  OperationStatus = "Succeeded"
	OperationFailed     OperationStatus = "Failed"
)

// Done reports whether the status is final.
func (s OperationStatus) Done() bool { return s == OperationSucceeded || s == OperationFailed }

// Operation is the record of a long-running operation: work that was accepted
// and is done exactly once, even when the process dies in between.
type Operation struct {
	CreatedAt DateTime `json:"createdAt"` // when it was accepted
	// FailureDescription says in a sentence why the operation failed.
	FailureDescription NullString `json:"failureDescription"`
	ID                 string     `json:"id"` // chosen by the platform; sorts by creation
	// PercentComplete is 0 to 100, and 100 once the status is final.
	PercentComplete int             `json:"percentComplete"`
	Status          OperationStatus `json:"status"` // final once Succeeded or Failed
	// SubStatus is the step within the status; it repeats the status where there is none.
	SubStatus OperationStatus `json:"subStatus"`
	UpdatedAt DateTime        `json:"updatedAt"` // when Status or PercentComplete last changed

	// Kind is the operation of the API that asked for the work, such as tasks.create.
	Kind string `json:"-"`
	// Subjects are the ids of the records that the work is about, in the order of the
	// request.
	Subjects []string `json:"-"`
	// Failure is the error of a failed operation, as the caller would have got
	// it had it waited.
	Failure *Error `json:"-"`
}

// Err is the error of an operation that failed, and nil for any other.
func (o Operation) Err() error {
	if o.Failure == nil {
		return nil
	}
	return o.Failure
}

// Result is what a write returns that may run as a long-running operation.
type Result[T any] struct {
	// Operation is the work, and Succeeded when it is done. Its ID is empty where the
	// write was done at once and left no record of an operation. Work of several steps
	// that was accepted continues when the context of the call ends or the store is lost:
	// then it is not done yet, in the default mode too.
	Operation
	// Records are what was written, in the order of the request. There are none
	// while the operation is still to be done, and none after a deletion.
	Records []Record[T]

	wait func(context.Context) (Operation, error)
}

// Done is what a write returns that was done at once, with what it wrote.
func Done[T any](recs ...Record[T]) Result[T] {
	return Result[T]{
		Operation: Operation{Status: OperationSucceeded, SubStatus: OperationSucceeded, PercentComplete: 100},
		Records:   recs,
	}
}

// Pending is what a write returns whose work is still to be done. wait blocks
// until that is so, and returns the operation as it is by then.
func Pending[T any](op Operation, wait func(context.Context) (Operation, error)) Result[T] {
	return Result[T]{Operation: op, wait: wait}
}

// ErrNothingToWaitFor is what Wait returns for a result of a write that was
// refused.
var ErrNothingToWaitFor = errors.New("twinplatform: the write was not accepted; there is nothing to wait for")

// Wait blocks until the work is done and returns its operation; for work that is done
// already it returns at once. An operation that failed is returned with its error. Wait
// also fails with the error of ctx, and with OperationsNotRunning ([Unavailable]) when
// operations run in the background and Run of the service was not called.
func (r Result[T]) Wait(ctx context.Context) (Operation, error) {
	switch {
	case r.Status.Done():
		return r.Operation, r.Err()
	case r.wait == nil:
		return r.Operation, ErrNothingToWaitFor
	}
	op, err := r.wait(ctx)
	if err == nil {
		err = op.Err()
	}
	return op, err
}

// Value is the only, or first, record that was written; the zero value when
// there is none yet.
func (r Result[T]) Value() (v T) {
	if len(r.Records) > 0 {
		v = r.Records[0].Value
	}
	return v
}

// Values are all records that were written.
func (r Result[T]) Values() []T {
	out := make([]T, len(r.Records))
	for i, rec := range r.Records {
		out[i] = rec.Value
	}
	return out
}
