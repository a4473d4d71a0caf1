package forms

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Codes of invalid requests, and of their details.
const (
	invalidForm       = "InvalidFormDataRequest"
	invalidDefinition = "InvalidFormDefRequest"

	invalidValue     = "InvalidValue"
	missingProperty  = "MissingRequiredProperty"
	missingParameter = "MissingRequiredParameter"
)

// invalid is the 422 of the forms area; its code is invalidForm or
// invalidDefinition.
func invalid(code string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: code,
		Message: "The request is invalid.", Details: details,
	}
}

func badValue(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: invalidValue, Message: fmt.Sprintf(format, args...), Target: target}
}

// noTwin is the detail of a request that does not name its twin by a GUID.
func noTwin(target string) twinplatform.Detail {
	return twinplatform.Detail{
		Code: missingParameter, Target: target,
		Message: fmt.Sprintf("The required parameter '%s' is missing or not a GUID.", target),
	}
}

// missing is the 404 that an operation answers when what it is about is not
// there for the caller.
type missing twinplatform.Error

func notFound(code, target, noun string) *missing {
	return (*missing)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + noun + " is not available.",
	})
}

var (
	formMissing       = notFound("FormDataNotFound", "id", "form")
	definitionMissing = notFound("FormDefinitionNotFound", "id", "form definition")
	// formIDMissing is for a form whose definition is not there.
	formIDMissing     = notFound("FormDefinitionNotFound", "formId", "form definition")
	projectMissing    = notFound("ProjectNotFound", "projectId", "project")
	twinMissing       = notFound("ProjectNotFound", "twinId", "twin")
	commentMissing    = notFound("CommentNotFound", "commentId", "comment")
	attachmentMissing = notFound("AttachmentNotFound", "attachmentId", "attachment")
	// upsert is the documented answer to an update of a definition that is not
	// there.
	upsert = (*missing)(&twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "UpsertNotSupported", Target: "id",
		Message: "There is no form definition with this id, and an update creates none.",
	})
)

func (m *missing) err() error { return (*twinplatform.Error)(m) }

// or is m in the place of "no such record", and any other error as it is.
func (m *missing) or(err error) error {
	if errors.Is(err, records.ErrNotFound) {
		return m.err()
	}
	return err
}

var errForbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

var errInUse = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "FormDefinitionInUse", Target: "id",
	Message: "There are forms of this definition. Archive it, or delete them first.",
}

// closed refuses a change to a definition whose status does not allow it.
func closed(status DefinitionStatus) error {
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "FormDefIsClosed",
		Message: fmt.Sprintf("The form definition is %s; this change needs it to be Draft or Maintenance.", status),
	}
}

var errVersion = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "VersionMismatch", Target: "If-Match",
	Message: "The record was changed since it was read.",
}

// written gives what comes of writing a record its documented error.
func written(err error, m *missing) error {
	if errors.Is(err, records.ErrPrecondition) {
		return errVersion
	}
	return m.or(err)
}

// listed gives what comes of listing its documented error.
func listed(err error, code string) error {
	switch {
	case errors.Is(err, records.ErrTop):
		return invalid(code, badValue("$top", "The page size is a number from 1 to %d.", MaxTop))
	case errors.Is(err, records.ErrContinuation):
		return invalid(code, badValue("continuationToken", "The continuation token is not valid for this list."))
	case errors.Is(err, records.ErrDelta), errors.Is(err, records.ErrDeltaExpired):
		return invalid(code, badValue("deltaToken", "This list has no delta tokens."))
	}
	return err
}
