package platform

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// SnapshotRecords has a snapshot (buntdb.Snapshot) of the store under a platform
// hold the records of some collections, for reports that need an order or an index
// which no list has:
//
//	db, err := buntdb.Snapshot(ctx, store, buntdb.SnapshotOptions{
//		Record: platform.SnapshotRecords("tasks", "twins"),
//	})
//
// A collection is called as in the paths of the REST API, in small letters and with dashes:
// schedules, tasks, task-links, resources, resource-groups, baselines, entities-3d,
// user-fields, twins, forms, configurations, detectors; data means reality data.
//
// The key is collection/scope/id, such as tasks/schedule-1/dig, so that the pattern
// tasks/* stands for the tasks of every schedule; what lies in one schedule shares a
// scope. The value is the JSON that answers carry, as it was last written: a member
// that a type got later may be missing. What was deleted is left out.
//
// No one is asked who may see what: a snapshot is for the program itself.
func SnapshotRecords(collections ...string) func(key string, value []byte) (asKey, asJSON string, ok bool) {
	return func(key string, value []byte) (asKey, asJSON string, ok bool) {
		collection, scope, id, wire, ok := records.Wire(key, value)
		if !ok || !slices.Contains(collections, collection) {
			return "", "", false
		}
		return collection + "/" + string(scope) + "/" + id, string(wire), true
	}
}
