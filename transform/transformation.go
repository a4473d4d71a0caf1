package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TransformationStatus is how far a transformation has come.
type TransformationStatus string

// The states of a transformation. The last three are final.
const (
	Created      TransformationStatus = "Created"
	Initializing TransformationStatus = "Initializing"
	Started      TransformationStatus = "Started"
	Succeeded    TransformationStatus = "Succeeded"
	Failed       TransformationStatus = "Failed"
	Aborted      TransformationStatus = "Aborted"
)

var transformationStatuses = []TransformationStatus{Created, Initializing, Started, Succeeded, Failed, Aborted}

// Done reports whether the status is final.
func (s TransformationStatus) Done() bool { return s == Succeeded || s == Failed || s == Aborted }

// Transformation is a run of a configuration.
type Transformation struct {
	ConfigurationID string                `json:"configurationId"`
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // when it was asked for
	Deleted         bool                  `json:"deleted"`         // true in deltas alone
	// ErrorCode and ErrorMessage say why a transformation failed. The message names what
	// was wrong, and the element where a model refused one.
	ErrorCode        twinplatform.NullString `json:"errorCode"`
	ErrorMessage     string                  `json:"errorMessage"`     // empty where there is no error
	FinishedDateTime twinplatform.DateTime   `json:"finishedDateTime"` // null while it is not done
	ID               string                  `json:"id"`               // chosen by the platform; sorts by creation
	// ProcessedElementCount is how many of TotalElementCount elements have been looked
	// at: all of the source, or those that changed since the run before.
	ProcessedElementCount int `json:"processedElementCount"`
	// SourceChangeSetID is the changeset of the source that the target is brought to;
	// null before it is Started, and where the source has none.
	SourceChangeSetID twinplatform.NullString `json:"sourceChangeSetId"`
	StartedDateTime   twinplatform.DateTime   `json:"startedDateTime"` // null before it is Initializing
	Status            TransformationStatus    `json:"status"`
	// TargetChangeSetID is the changeset that it made; null where it made none.
	TargetChangeSetID twinplatform.NullString `json:"targetChangeSetId"`
	TotalElementCount int                     `json:"totalElementCount"`

	Report Report `json:"-"` // see TransformationReport

	// AccountID is the account of the target project; empty where that has none.
	AccountID string `json:"-"`
	// Target is what the store calls the target model, Committing says that it can no
	// longer be aborted, and Failure is what ErrorCode and ErrorMessage are of. They are
	// not on the wire.
	Target     string              `json:"-"`
	Committing bool                `json:"-"`
	Failure    *twinplatform.Error `json:"-"`
}

// Report is what a transformation did.
type Report struct {
	DeletedCount  int    `json:"deletedCount"`  // elements that it deleted in the target
	Full          bool   `json:"full"`          // it looked at all elements of the source
	InsertedCount int    `json:"insertedCount"` // elements that it inserted
	TransformID   string `json:"transformationId"`
	UpdatedCount  int    `json:"updatedCount"` // elements that it updated
}

var transformationRecords = records.Collection[Transformation]{
	Name: "transformations",
	Part: func(t *Transformation) string { return t.AccountID },
	ID:   func(t *Transformation) string { return t.ID },
	Hidden: func(t *Transformation) any {
		return &hiddenTransformation{
			&t.Target, &t.Committing, &t.Report,
			records.OmitZero[*twinplatform.Error]{Of: &t.Failure},
			records.OmitZero[string]{Of: &t.AccountID},
		}
	},
	MarkDeleted: func(t *Transformation) { t.Deleted = true },
	Indexes: []records.Index[Transformation]{
		{Name: "configuration", Value: func(t *Transformation) string { return t.ConfigurationID }},
		{Name: "target", Value: func(t *Transformation) string { return t.Target }},
		{Name: "active", Value: func(t *Transformation) string {
			if t.Status.Done() {
				return ""
			}
			return t.Target
		}},
	},
}

type hiddenTransformation struct {
	Target     *string                               `json:"target"`
	Committing *bool                                 `json:"committing"`
	Report     *Report                               `json:"report"`
	Failure    records.OmitZero[*twinplatform.Error] `json:"failure,omitzero"`
	AccountID  records.OmitZero[string]              `json:"accountId,omitzero"`
}

// NewTransformation asks for a run of a configuration.
type NewTransformation struct {
	// ConfigurationID is required.
	ConfigurationID string `json:"configurationId"`
	// Queue lets it wait for others of the same target, which refuse it otherwise.
	Queue bool `json:"-"`
}

var transformationKind = entity.Kind[Transformation, NewTransformation, none]{
	Records: &transformationRecords, One: "transformation", Many: "transformations", Resource: "transformation",
	Missing: problem.NotFound("TransformationNotFound", "transformationId", "transformation"), Bad: &InvalidRequest,
	Members: func(t *Transformation, n *NewTransformation, _ *none) []entity.Member {
		return []entity.Member{
			entity.Text("configurationId", &t.ConfigurationID, &n.ConfigurationID,
				nil).Max(MaxID).Required().Refers(&configurationRecords),
		}
	},
}
