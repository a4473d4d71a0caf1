package buntdb_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"strings"
	"testing"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// One moment of a store, in the order of a member of the JSON and by place.
func ExampleSnapshot() {
	ctx := context.Background()
	store := memory.New()
	err := store.Update(ctx, func(w storage.Writer) error {
		return errors.Join(
			w.Put("city/1", []byte(`{"name": "Turku", "people": 200000, "at": "[22.3 60.5]"}`)),
			w.Put("city/2", []byte(`{"name": "Espoo", "people": 300000, "at": "[24.7 60.2]"}`)),
			w.Put("river/1", []byte(`{"name": "Aura"}`)),
		)
	})
	if err != nil {
		log.Fatal(err)
	}
	db, err := buntdb.Snapshot(ctx, store, buntdb.SnapshotOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	at := func(city string) (from, to []float64) {
		_, place, _ := strings.Cut(city, `"at": `)
		return tidwall.IndexRect(strings.Trim(place, `"}`))
	}
	err = errors.Join(
		db.CreateIndex("people", "city/*", tidwall.IndexJSON("people")),
		db.CreateSpatialIndex("at", "city/*", at),
	)
	if err != nil {
		log.Fatal(err)
	}
	err = db.View(func(tx *tidwall.Tx) error {
		show := func(key, _ string) bool { fmt.Println(key); return true }
		return errors.Join(
			tx.Descend("people", show),
			tx.Intersects("at", `"at": "[20 60],[24 61]"`, show),
		)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// city/2
	// city/1
	// city/1
}

func TestSnapshotStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := engine.New(t)
	update(t, s, func(w storage.Writer) error {
		return errors.Join(w.Put("a", []byte("1")), w.Put("b", []byte("2")), w.Put("left out", nil))
	})
	db, err := buntdb.Snapshot(t.Context(), s, buntdb.SnapshotOptions{
		Record: func(key string, value []byte) (string, string, bool) {
			return "k " + key, "v " + string(value), key != "left out"
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	update(t, s, func(w storage.Writer) error { return errors.Join(w.Put("a", nil), w.Delete("b")) })
	closeStore(t, s)
	got := make(map[string]string)
	err = db.View(func(tx *tidwall.Tx) error {
		return tx.Ascend("", func(key, value string) bool { got[key] = value; return true })
	})
	if err != nil || !maps.Equal(got, map[string]string{"k a": "v 1", "k b": "v 2"}) {
		t.Errorf("the snapshot holds %v, %v", got, err)
	}
	if _, err := buntdb.Snapshot(t.Context(), s, buntdb.SnapshotOptions{}); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Snapshot of a closed store = %v, want ErrClosed", err)
	}
}

func TestSnapshotIsGivenUpWithItsContext(t *testing.T) {
	t.Parallel()
	s := engine.New(t)
	defer closeStore(t, s)
	update(t, s, func(w storage.Writer) error { return errors.Join(w.Put("a", nil), w.Put("b", nil)) })
	ctx, cancel := context.WithCancel(t.Context())
	_, err := buntdb.Snapshot(ctx, s, buntdb.SnapshotOptions{Record: func(key string, _ []byte) (string, string, bool) {
		cancel()
		return key, "", true
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Snapshot = %v, want context.Canceled", err)
	}
}

// BenchmarkSnapshot makes snapshots of 100,000 records of 300 bytes and reports
// what memory a record takes, and an entry of an index by a member of the JSON.
func BenchmarkSnapshot(b *testing.B) {
	const records, bytes = 100_000, 300
	s := memory.New()
	for n := 0; n < records; n += storage.MaxTxWrites {
		err := s.Update(b.Context(), func(w storage.Writer) error {
			for i := range storage.MaxTxWrites {
				value := fmt.Appendf(nil, `{"n":%d,"text":"%s"}`, n+i, strings.Repeat("x", bytes-30))
				if err := w.Put(fmt.Sprintf("schedule-1/tasks/r/%08d", n+i), value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	var plain, indexed int64
	for b.Loop() {
		b.StopTimer()
		before, _ := memoryUsed()
		b.StartTimer()
		db, err := buntdb.Snapshot(b.Context(), s, buntdb.SnapshotOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		full, _ := memoryUsed()
		plain = full - before
		if err := db.CreateIndex("n", "*", tidwall.IndexJSON("n")); err != nil {
			b.Fatal(err)
		}
		after, _ := memoryUsed()
		indexed = after - full
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(plain)/records, "B/record")
	b.ReportMetric(float64(indexed)/records, "B/index-entry")
}
