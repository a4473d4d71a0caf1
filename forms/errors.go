package forms

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// How requests for forms, and for form definitions, are refused when they are
// malformed; the details say what is wrong. They are values to copy.
var (
	InvalidRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidFormDataRequest", Message: "The request is invalid.",
	}
	InvalidDefinitionRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidFormDefRequest", Message: "The request is invalid.",
	}
)

// forward is the paging of every list of the area.
var forward = problem.Paging{MaxTop: MaxTop}

// noTwin is the detail of a request that does not name its twin by a GUID.
func noTwin(target string) twinplatform.Detail {
	return twinplatform.Detail{
		Code: "MissingRequiredParameter", Target: target,
		Message: fmt.Sprintf("The required parameter '%s' is missing or not a GUID.", target),
	}
}

var (
	formMissing       = problem.NotFound("FormDataNotFound", "id", "form")
	definitionMissing = problem.NotFound("FormDefinitionNotFound", "id", "form definition")
	// formIDMissing is for a form whose definition is not there.
	formIDMissing     = problem.NotFound("FormDefinitionNotFound", "formId", "form definition")
	projectMissing    = problem.NotFound("ProjectNotFound", "projectId", "project")
	twinMissing       = problem.NotFound("ProjectNotFound", "twinId", "twin")
	commentMissing    = problem.NotFound("CommentNotFound", "commentId", "comment")
	attachmentMissing = problem.NotFound("AttachmentNotFound", "attachmentId", "attachment")
	// upsert is the documented answer to an update of a definition that is not
	// there.
	upsert = (*problem.Absent)(problem.Conflict("UpsertNotSupported", "id",
		"There is no form definition with this id, and an update creates none."))
)

var errInUse = problem.Conflict("FormDefinitionInUse", "id",
	"There are forms of this definition. Archive it, or delete them first.")

// closed refuses a change to a definition whose status does not allow it.
func closed(status FormDefinitionStatus) error {
	return problem.Conflict("FormDefIsClosed", "",
		fmt.Sprintf("The form definition is %s; this change needs it to be Draft or Maintenance.", status))
}

// finite checks a number that JSON can carry.
func finite(c *problem.Checks, target string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.Bad(target, "The value of '%s' is not a number.", target)
	}
}

// parseGUID returns a GUID in lower case, and whether s is one.
func parseGUID(s string) (string, bool) { return strings.ToLower(s), problem.IsGUID(s) }
