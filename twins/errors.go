package twins

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// mutuallyExclusive is a detail code beside those of package refuse.
const mutuallyExclusive = "MutuallyExclusivePropertiesProvided"

// Codes of a request whose content is refused, in the two parts of the area.
const (
	invalidTwins         = "InvalidTwinsRequest"
	invalidAccessControl = "InvalidAccessControlRequest"
)

// unprocessable is the 422 of the area.
func unprocessable(code string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: code,
		Message: "The request is invalid.", Details: details,
	}
}

var (
	twinMissing       = refuse.NotFound("twinNotFound", "twinId", "twin")
	roleMissing       = refuse.NotFound("RoleNotFound", "roleId", "role")
	memberMissing     = refuse.NotFound("MemberNotFound", "memberId", "member")
	invitationMissing = refuse.NotFound("InvitationNotFound", "invitationId", "invitation")

	// parentMissing is the documented answer to a request that names a resource
	// which cannot be matched.
	parentMissing = (*refuse.Absent)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: "ResourceNotFound", Target: "parentId",
		Message: "The requested resource is not available.",
		Details: []twinplatform.Detail{{Code: "OperationNotFound", Target: "parentId", Message: "The parent twin is not available."}},
	})
)

// conflict is a 409 of the area.
func conflict(code, message string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{Kind: twinplatform.Conflict, Code: code, Message: message, Details: details}
}

// taken refuses what has the name or the number of another.
func taken(code, noun string, details ...twinplatform.Detail) *twinplatform.Error {
	return conflict(code, "The "+noun+" exists already.", details...)
}

var (
	badTop          = refuse.BadValue(twinplatform.TargetTop, "The page size is a number from 1 to %d.", MaxTop)
	badSkip         = refuse.BadValue(twinplatform.TargetSkip, "The number of records to skip is 0 or more.")
	badContinuation = refuse.BadValue(twinplatform.TargetContinuation, "The continuation is not one of this list.")
)
