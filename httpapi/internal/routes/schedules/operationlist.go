package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// listedOperation is an operation as a list of them has it: with what distinguishes it
// from others.
type listedOperation struct {
	CreatedAt twinplatform.DateTime `json:"createdAt"`
	// FailureCode is the code of the error of a failed operation, such as AlreadyExists.
	FailureCode        twinplatform.NullString      `json:"failureCode"`
	FailureDescription twinplatform.NullString      `json:"failureDescription"`
	ID                 string                       `json:"id"`
	Kind               string                       `json:"kind"` // of the work, such as task.create
	PercentComplete    int                          `json:"percentComplete"`
	Status             twinplatform.OperationStatus `json:"status"`
	// SubjectIDs are the ids of what the work is about, in the order of the request.
	SubjectIDs []string                     `json:"subjectIds"`
	SubStatus  twinplatform.OperationStatus `json:"subStatus"`
	UpdatedAt  twinplatform.DateTime        `json:"updatedAt"`
}

// inList is an operation as a list has it.
func inList(_ *cycle.Exchange, o *twinplatform.Operation, _ []byte) ([]byte, error) {
	l := listedOperation{
		CreatedAt: o.CreatedAt, FailureDescription: o.FailureDescription, ID: o.ID, Kind: o.Kind,
		PercentComplete: o.PercentComplete,
		Status:          o.Status, SubjectIDs: append([]string{}, o.Subjects...), SubStatus: o.SubStatus,
		UpdatedAt: o.UpdatedAt,
	}
	if o.Failure != nil {
		l.FailureCode = twinplatform.NullString(o.Failure.Code)
	}
	return wire.Marshal(l)
}
