package transform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// InvalidRequest is how requests for configurations and transformations are refused when
// they are malformed; the details say what is wrong. It is a value to copy.
var InvalidRequest = twinplatform.Error{
	Kind: twinplatform.Unprocessable, Code: "InvalidTransformationsRequest",
	Message: "The transformation configuration is invalid.",
}

// errCommitted is how a target refuses to continue with a draft that it has made a
// changeset.
var errCommitted = problem.Conflict("ChangesetExists", "id", "A changeset of the model with this id exists already.")

// paging limits the pages of every list and lets clients ask for deltas.
var paging = problem.Paging{MaxTop: MaxTop, Delta: true}
