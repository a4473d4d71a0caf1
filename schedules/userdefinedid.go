package schedules

import (
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// userDefinedID is how the wire calls the ids that users give tasks and
// resources, and the index that keeps them unique within the schedule.
const userDefinedID = "userDefinedId"

// unusedUserID checks that no other record than the one with this id has a
// user-defined id.
func unusedUserID[T any](tx records.Reading, s records.Scope, r *records.Collection[T], c *problem.Checks, noun, value, id string) error {
	if value == "" {
		return nil
	}
	for other := range r.IDs(tx, s, userDefinedID, value) {
		if other != id {
			return problem.Conflict("AlreadyExists", c.Target(userDefinedID), "Another "+noun+" of the schedule has this user-defined id.")
		}
	}
	return nil
}

// indexing is how far the tasks and resources of a schedule from before their
// user-defined ids were indexed have come. Duplicates among them stay.
type indexing struct {
	Collection string `json:"collection"` // that is being indexed; empty when all are
	After      string `json:"after"`
}

var indexingRecords = records.Collection[indexing]{
	Name: "indexing", Untracked: true,
	ID: func(*indexing) string { return userDefinedID },
}

// index does a step of indexing a schedule, if it is one from before, and reports
// whether it is whole.
func index(u *records.Update, sc *Schedule) (whole bool, err error) {
	if sc.indexed {
		return true, nil
	}
	at, err := indexingRecords.Value(u, sc.scope(), userDefinedID)
	if missingRecord(err) {
		at, err = &indexing{Collection: taskRecords.Name}, nil
	}
	if err != nil || at.Collection == "" {
		return err == nil, err
	}
	next := ""
	if at.Collection == taskRecords.Name {
		next = resourceRecords.Name
		at.After, err = taskRecords.AddToIndex(u, sc.scope(), userDefinedID, at.After)
	} else {
		at.After, err = resourceRecords.AddToIndex(u, sc.scope(), userDefinedID, at.After)
	}
	if err != nil {
		return false, err
	}
	if at.After == "" {
		at.Collection = next
	}
	if _, err := indexingRecords.Put(u, sc.scope(), at); err != nil || next != "" || at.After != "" {
		return false, err
	}
	return true, nil
}
