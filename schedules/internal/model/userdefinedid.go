package model

import (
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// UserDefinedID is how the wire calls the ids that users give tasks and
// resources, and the index that keeps them unique within the schedule.
const UserDefinedID = "userDefinedId"

// Why members that end in Id refer to no record.
const (
	OwnID   = "it is what users call the record itself"
	ToolsID = "it is what another tool calls the record itself"
)

// UnusedUserID checks that no other record than the one with this id has a
// user-defined id.
func UnusedUserID[T any](tx records.Reading, s records.Scope, r *records.Collection[T], c *problem.Checks, resource,
	value, id string,
) error {
	if value == "" {
		return nil // which costs nothing: most have none
	}
	other, used := r.FirstID(tx, s, UserDefinedID, value, "")
	if used && other == id {
		_, used = r.FirstID(tx, s, UserDefinedID, value, id)
	}
	if used {
		return problem.Conflict("AlreadyExists", c.Target(UserDefinedID),
			"Another "+resource+" of the schedule has this user-defined id.")
	}
	return nil
}
