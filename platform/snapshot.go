package platform

import "github.com/seed-933f9a09/twinplatform/internal/records"

// SnapshotRecord is how a snapshot (buntdb.Snapshot) of the store under a platform
// holds its records, for reports that need an order or an index which no list has:
//
//	db, err := buntdb.Snapshot(ctx, store, buntdb.SnapshotOptions{Record: platform.SnapshotRecord})
//
// The key is collection/scope/id, such as tasks/schedule-1/dig, so that the pattern
// tasks/* stands for the tasks of every schedule; what lies in one schedule shares a
// scope. The value is the JSON that answers carry, as it was last written: a member
// that a type got later may be missing, and what is never shown, such as the secret
// of a webhook, is not there. Whatever is no record is left out, and so is what was
// deleted.
//
// Nobody is asked who may see what: a snapshot is for the program itself.
func SnapshotRecord(key string, value []byte) (asKey, asJSON string, ok bool) {
	collection, scope, id, wire, ok := records.Wire(key, value)
	if !ok {
		return "", "", false
	}
	return collection + "/" + string(scope) + "/" + id, string(wire), true
}
