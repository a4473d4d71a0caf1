package twins

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Detail codes.
const (
	invalidValue      = "InvalidValue"
	missingProperty   = "MissingRequiredProperty"
	mutuallyExclusive = "MutuallyExclusivePropertiesProvided"
)

// Codes of a request whose content is refused, in the two parts of the area.
const (
	invalidTwins         = "InvalidTwinsRequest"
	invalidAccessControl = "InvalidAccessControlRequest"
)

func badValue(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: invalidValue, Message: fmt.Sprintf(format, args...), Target: target}
}

// unprocessable is the 422 of the area.
func unprocessable(code string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: code,
		Message: "The request is invalid.", Details: details,
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
	twinMissing       = notFound("twinNotFound", "twinId", "twin")
	roleMissing       = notFound("RoleNotFound", "roleId", "role")
	memberMissing     = notFound("MemberNotFound", "memberId", "member")
	invitationMissing = notFound("InvitationNotFound", "invitationId", "invitation")

	// parentMissing is the documented answer to a request that names a resource
	// which cannot be matched.
	parentMissing = (*missing)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: "ResourceNotFound", Target: "parentId",
		Message: "The requested resource is not available.",
		Details: []twinplatform.Detail{{Code: "OperationNotFound", Target: "parentId", Message: "The parent twin is not available."}},
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

// conflict is a 409 of the area.
func conflict(code, message string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{Kind: twinplatform.Conflict, Code: code, Message: message, Details: details}
}

// taken refuses what has the name or the number of another.
func taken(code, noun string, details ...twinplatform.Detail) *twinplatform.Error {
	return conflict(code, "The "+noun+" exists already.", details...)
}

var errVersion = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "VersionMismatch", Target: "If-Match",
	Message: "The record was changed since it was read.",
}

// written gives what comes of changing one record its documented error.
func written(err error, m *missing) error {
	if errors.Is(err, records.ErrPrecondition) {
		return errVersion
	}
	return m.or(err)
}

var (
	badTop          = badValue("$top", "The page size is a number from 1 to %d.", MaxTop)
	badSkip         = badValue("$skip", "The number of records to skip is 0 or more.")
	badContinuation = badValue("$skip", "The continuation is not one of this list.")
)
