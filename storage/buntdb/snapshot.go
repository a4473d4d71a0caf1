package buntdb

import (
	"context"
	"errors"
	"fmt"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// SnapshotOptions of [Snapshot]. The zero value takes every record as it is stored.
type SnapshotOptions struct {
	// Record reports how the snapshot holds a stored record, or with ok false that it
	// does not. Of two that get the same key the later stays. It runs once for each
	// record, in key order, and must not change value. A program over the platform has
	// platform.SnapshotRecords, which gives the JSON of records.
	Record func(key string, value []byte) (asKey, asValue string, ok bool)
}

// Snapshot copies one committed state of a store, whichever its engine, into a
// database in memory of github.com/tidwall/buntdb, for what a store has no calls
// for: indexes by a member of the JSON, by place and by any other order, and lists
// of keys that match a pattern.
//
// The snapshot stays as it is, whatever happens to the store, its closing included;
// what is written to it stays in it. The caller closes it; the goroutine with which
// buntdb looks for expired records ends within a second of that. A record of 300
// bytes takes about 400 bytes of memory, and its entry in an index about 35. A
// million such records take a second or two, in which readers and writers of the
// store continue.
//
// It fails with the error of ctx, of the store, or with storage.ErrClosed.
func Snapshot(ctx context.Context, s storage.Store, opts SnapshotOptions) (*tidwall.DB, error) {
	state, err := storage.TakeSnapshot(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("buntdb: snapshot: %w", err)
	}
	defer func() { _ = state.Close() }() // nothing was written
	db, err := tidwall.Open(":memory:")
	if err != nil {
		return nil, fmt.Errorf("buntdb: snapshot: %w", err)
	}
	err = state.View(ctx, func(r storage.Reader) error {
		return db.Update(func(tx *tidwall.Tx) error { return opts.copyInto(ctx, tx, r) })
	})
	if err != nil {
		return nil, fmt.Errorf("buntdb: snapshot: %w", errors.Join(err, db.Close()))
	}
	return db, nil
}

// copyInto sets every record of a state.
func (o SnapshotOptions) copyInto(ctx context.Context, tx *tidwall.Tx, r storage.Reader) error {
	for key, value := range r.Scan("", "") {
		asValue, ok := "", true
		if o.Record != nil {
			key, asValue, ok = o.Record(key, value)
		} else {
			asValue = string(value)
		}
		if !ok {
			continue
		}
		if _, _, err := tx.Set(key, asValue, nil); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
