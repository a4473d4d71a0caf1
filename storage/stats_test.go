package storage_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// What an engine says that it holds is what is in it, whatever has happened to it.
func TestStatsMatchTheContentOfTheStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	file, err := buntdb.Open(path, buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]storage.Store{"memory": memory.New(), "buntdb": file} {
		fill(t, s, "record", 300)
		fill(t, s, "record", 200) // the same again
		if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Delete("record 00007") }); err != nil {
			t.Fatal(err)
		}
		if err := s.Update(t.Context(), func(storage.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		wantHeld(t, name, s, 3)
		var backup bytes.Buffer
		if err := storage.Backup(t.Context(), s, &backup); err != nil {
			t.Fatal(err)
		}
		fill(t, s, "more", 50)
		wantHeld(t, name, s, 4)
		if err := storage.Restore(t.Context(), s, &backup); err != nil {
			t.Fatal(err)
		}
		wantHeld(t, name, s, 4)
	}
	before, _ := storage.StatsOf(file)
	if before.Flushes < before.Commits || before.Flushing <= 0 {
		t.Errorf("%d commits of one writer took %d flushes and %v", before.Commits, before.Flushes, before.Flushing)
	}
	fill(t, file, "record", 100)
	if err := storage.Compact(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	after, _ := storage.StatsOf(file)
	if after.Compactions != 1 || after.FileBytes < after.LiveBytes || after.Failure != nil || after.Full {
		t.Errorf("after a compaction: %+v", after)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := buntdb.Open(path, buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantHeld(t, "reopened", again, 0)
	if now, _ := storage.StatsOf(again); now.FileBytes < after.FileBytes {
		t.Errorf("the file of %d bytes has %d when it is opened again", after.FileBytes, now.FileBytes)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := storage.StatsOf(plain{memory.New()}); ok {
		t.Error("an engine that counts nothing has counts")
	}
}

func wantHeld(t *testing.T, name string, s storage.Store, commits int64) {
	t.Helper()
	got, ok := storage.StatsOf(s)
	var keys, live int64
	err := s.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			keys, live = keys+1, live+int64(len(key)+len(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !ok || got.Keys != keys || got.LiveBytes != live || got.Commits != commits {
		t.Errorf("%s holds %d keys of %d bytes after %d commits and says %+v", name, keys, live, commits, got)
	}
}
