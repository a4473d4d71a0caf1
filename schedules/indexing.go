package schedules

import (
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
)

// indexing is how far a schedule from before has come to what its records are found by
// now: tasks and resources by their user-defined ids, of which duplicates stay, and
// recorded statuses by their places.
type indexing struct {
	// Collection is the one under way. It is empty when user-defined ids are
	// indexed, and allIndexed when nothing is left.
	Collection string `json:"collection"`
	After      string `json:"after"`
}

// allIndexed reports that nothing is left to index.
const allIndexed = "all"

var indexingRecords = records.Collection[indexing]{
	Name: "indexing", Untracked: true,
	ID: func(*indexing) string { return model.UserDefinedID },
}

// index does a step of indexing a schedule, if it is one from before, and reports
// whether it is whole.
func index(u *records.Update, sc *Schedule) (whole bool, err error) {
	if sc.placed {
		return true, nil
	}
	at, err := indexingRecords.Value(u, sc.scope(), model.UserDefinedID)
	if missingRecord(err) {
		at, err = &indexing{}, nil
		if !sc.indexed {
			at.Collection = taskRecords.Name
		}
	}
	if err != nil || at.Collection == allIndexed {
		return err == nil, err
	}
	if err := at.step(u, sc.scope()); err != nil {
		return false, err
	}
	_, err = indexingRecords.Put(u, sc.scope(), at)
	return err == nil && at.Collection == allIndexed, err
}

// step indexes some records of the collection under way, and moves to the next one behind
// its last.
func (at *indexing) step(u *records.Update, s records.Scope) (err error) {
	next := ""
	switch at.Collection {
	case taskRecords.Name:
		next = resourceRecords.Name
		at.After, err = taskRecords.AddToIndex(u, s, model.UserDefinedID, at.After)
	case resourceRecords.Name:
		at.After, err = resourceRecords.AddToIndex(u, s, model.UserDefinedID, at.After)
	default:
		next = allIndexed
		at.After, _, err = placeStatuses(u, s, at.After, records.NewStep(u))
	}
	if at.After == "" {
		at.Collection = next
	}
	return err
}

// placeStatuses gives their places to statuses that were recorded without.
var placeStatuses = statuses.Places.Backfill
