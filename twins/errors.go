package twins

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// mutuallyExclusive is a detail code in addition to those of package problem.
const mutuallyExclusive = "MutuallyExclusivePropertiesProvided"

// How requests for twins, and for roles, members and invitations, are refused
// when they are malformed; the details say what is wrong. They are values to copy.
var (
	InvalidRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidTwinsRequest", Message: "The request is invalid.",
	}
	InvalidAccessControlRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidAccessControlRequest", Message: "The request is invalid.",
	}
)

var (
	twinMissing       = problem.NotFound("twinNotFound", "twinId", "twin")
	roleMissing       = problem.NotFound("RoleNotFound", "roleId", "role")
	memberMissing     = problem.NotFound("TeamMemberNotFound", "memberId", "member")
	invitationMissing = problem.NotFound("InvitationNotFound", "invitationId", "invitation")

	// parentMissing is the documented answer to a request that names a resource
	// which cannot be matched.
	parentMissing = (*problem.Absent)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: "ResourceNotFound", Target: "parentId",
		Message: "The requested resource is not available.",
		Details: []twinplatform.Detail{{
			Code: "OperationNotFound", Target: "parentId",
			Message: "The parent twin is not available.",
		}},
	})
)

// conflict is a 409 of the area.
func conflict(code, message string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{Kind: twinplatform.Conflict, Code: code, Message: message, Details: details}
}

// taken refuses what has the name or the number of another.
func taken(code, resource string, details ...twinplatform.Detail) *twinplatform.Error {
	return conflict(code, "The "+resource+" exists already.", details...)
}

// limitExceeded refuses one more of what a twin has as many of as it may.
func limitExceeded(what string, limit int) error {
	return conflict("LimitExceeded", "The twin has as many "+what+" as it may.",
		problem.BadValue("", "A twin has at most %d %s.", limit, what))
}
