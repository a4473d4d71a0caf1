package twinplatform

// OperationStatus says how far an [Operation] has come.
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
	// SubStatus tells the step within the status; it repeats the status where
	// there is none.
	SubStatus OperationStatus `json:"subStatus"`
	UpdatedAt DateTime        `json:"updatedAt"` // when Status or PercentComplete last changed

	// Kind names the work, such as task.create.
	Kind string `json:"-"`
	// Subjects are the ids of the things that the work is about, in the order
	// of the request.
	Subjects []string `json:"-"`
	// Failure is the error of a failed operation, as the caller would have got
	// it had it waited.
	Failure *Error `json:"-"`
}

// Result is what a write returns that may run as a long-running operation.
type Result[T any] struct {
	// Operation is the work. Its ID is empty where the write was done at once
	// and needed none.
	Operation
	// Records are what was written, in the order of the request. There are none
	// while the operation is still to be done, and none after a deletion.
	Records []Record[T]
}

// Done is what a write returns that was done at once and wrote one record.
func Done[T any](rec Record[T]) Result[T] { return Result[T]{Records: []Record[T]{rec}} }

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
