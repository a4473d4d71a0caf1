package storagetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var historyPromises = []promise{
	{
		"ANewStoreIsInItsFirstHistory", "A store that was made empty is in the history with the empty name.",
		func(t *testing.T, s storage.Store) {
			if name := historyIn(t, s); name != "" {
				t.Errorf("the history is %q", name)
			}
		},
	},
	{
		"WritingGoesOnWithAHistory", "Whatever is written and compacted, the history stays the same.",
		func(t *testing.T, s storage.Store) {
			before := historyIn(t, s)
			put(t, s, "a", "1")
			if err := storage.Compact(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			put(t, s, "a", "2")
			if after := historyIn(t, s); after != before {
				t.Errorf("the history was %q and is %q", before, after)
			}
		},
	},
	{"RestoreBeginsAHistory", "Every Restore begins a history that never was before, and what is written then " +
		"continues it.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1")
		saved := backup(t, s)
		put(t, s, "a", "2")
		seen := map[string]bool{historyIn(t, s): true}
		for range 3 {
			if err := storage.Restore(t.Context(), s, bytes.NewReader(saved)); err != nil {
				t.Fatal(err)
			}
			name := historyIn(t, s)
			if seen[name] {
				t.Errorf("the history %q begins again", name)
			}
			seen[name] = true
			put(t, s, "a", "3")
			if now := historyIn(t, s); now != name {
				t.Errorf("the history was %q and is %q", name, now)
			}
		}
	}},
	{
		"ABackupIsOneState", "Backup writes one committed state, which Restore puts in the place of whatever is there.",
		func(t *testing.T, s storage.Store) {
			for i := range 3000 / 500 {
				fill(t, s, 500*i, 500)
			}
			want := dump(t, s)
			saved := backup(t, s)
			put(t, s, "later", "1", "record 00000", "changed")
			if err := storage.Restore(t.Context(), s, bytes.NewReader(saved)); err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(dump(t, s), want) {
				t.Error("the content after the Restore is not that of the backup")
			}
		},
	},
	{
		"ASnapshotStays", "A snapshot reads the state in which it was taken, whatever is written later.",
		func(t *testing.T, s storage.Store) {
			fill(t, s, 0, 300)
			want := dump(t, s)
			snapshot, err := storage.TakeSnapshot(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			put(t, s, "later", "1", "record 00000", "changed")
			got := make(map[string]string)
			err = snapshot.View(t.Context(), func(r storage.Reader) error {
				for key, value := range r.Scan("", "") {
					got[key] = string(value)
				}
				_, err := r.Get("later")
				return err
			})
			if !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("what was written later: %v, want ErrNotFound", err)
			}
			delete(got, hiddenKey)
			if !maps.Equal(got, want) {
				t.Errorf("the snapshot holds %d records, want %d as they were", len(got), len(want))
			}
			if err := snapshot.Close(); err != nil {
				t.Error(err)
			}
		},
	},
	{"AStateKeepsItsHistory", "A View that began before a Restore reads the state and the history of before; an " +
		"Update after it reads those of now.", func(t *testing.T, s storage.Store) {
		if !restoresAtOnce(s) {
			t.Skip("the engine restores in steps")
		}
		put(t, s, "a", "1")
		saved := backup(t, s)
		put(t, s, "a", "2")
		before := historyIn(t, s)
		view(t, s, func(r storage.Reader) {
			restored := make(chan error)
			go func() { restored <- storage.Restore(t.Context(), s, bytes.NewReader(saved)) }()
			if err := <-restored; err != nil {
				t.Error(err)
			}
			if value, err := r.Get("a"); err != nil || string(value) != "2" {
				t.Errorf("Get(a) = %q, %v", value, err)
			}
			if name, err := storage.History(s, r); err != nil || name != before {
				t.Errorf("History = %q, %v, want %q", name, err, before)
			}
		})
		err := s.Update(t.Context(), func(w storage.Writer) error {
			if name, err := storage.History(s, w); err != nil || name == before {
				t.Errorf("History within Update = %q, %v", name, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}},
	{
		"AFailedRestoreBeginsNone",
		"A Restore of something that is no backup changes neither the content nor the history.",
		func(t *testing.T, s storage.Store) {
			if !restoresAtOnce(s) {
				t.Skip("the engine restores in steps")
			}
			put(t, s, "a", "1")
			before := historyIn(t, s)
			saved := backup(t, s)
			if storage.Restore(t.Context(), s, bytes.NewReader(saved[:len(saved)-1])) == nil {
				t.Error("a backup that was cut short was restored")
			}
			if after := historyIn(t, s); after != before {
				t.Errorf("the history was %q and is %q", before, after)
			}
		},
	},
}

// historyIn returns the name of the history that a store is in.
func historyIn(t *testing.T, s storage.Store) string {
	t.Helper()
	name, err := historyOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func backup(t *testing.T, s storage.Store) []byte {
	t.Helper()
	var saved bytes.Buffer
	if err := storage.Backup(t.Context(), s, &saved); err != nil {
		t.Fatal(err)
	}
	return saved.Bytes()
}

// hiddenKey is where package storage keeps the history of an engine that knows of none
// by itself. It is no part of a backup.
const hiddenKey = "\x00history"

// dump returns what a store holds for its users.
func dump(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	all, err := Dump(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	delete(all, hiddenKey)
	return all
}

// fill writes n records in one transaction.
func fill(t *testing.T, s storage.Store, from, n int) {
	t.Helper()
	err := s.Update(t.Context(), func(w storage.Writer) error {
		for i := from; i < from+n; i++ {
			if err := w.Put(fmt.Sprintf("record %05d", i), bytes.Repeat([]byte{byte(i)}, i%300)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func restore(t *testing.T, s storage.Store, saved []byte) {
	t.Helper()
	if err := storage.Restore(t.Context(), s, bytes.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
}
