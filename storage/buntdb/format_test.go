package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestStockOpensOurFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ours.db")
	s := mustOpen(t, path, buntdb.Options{})
	for n := range 50 {
		update(t, s, func(w storage.Writer) error {
			return errors.Join(
				w.Put(fmt.Sprintf("key %d", n%20), fmt.Appendf(nil, "value\r\n%d", n)),
				w.Delete(fmt.Sprintf("key %d", n*7%20)),
				w.Put("\x00tx", []byte("looks like a marker")),
			)
		})
	}
	want := dump(t, s)
	closeStore(t, s)

	got := stockDump(t, path)
	if _, ok := got["\x00tx"]; !ok {
		t.Error("no marker in the file")
	}
	delete(got, "\x00tx")
	got["\x00tx"] = got["\x00tx\x00\x00tx"] // a key that looks like a marker is escaped
	delete(got, "\x00tx\x00\x00tx")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("buntdb reads (-ours +stock):\n%s", diff)
	}
}

// A store and a backup of the first format hold what they held; the store continues in it,
// and in the present one once it is compacted.
func TestFilesOfTheFirstFormatGoOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	store, lock := readFile(t, "testdata/format1.store"), readFile(t, "testdata/format1.store.lock")
	writeFile(t, path, store)
	writeFile(t, path+".lock", lock)
	restored := memory.New()
	if err := storage.Restore(t.Context(), restored, bytes.NewReader(readFile(t, "testdata/format1.backup"))); err != nil {
		t.Fatal(err)
	}
	want := dump(t, restored)
	delete(want, "\x00history")
	if len(want) != 19 || want["revision"] != "19" || want["\x00tx"] != "Pier 7" {
		t.Errorf("the backup holds %v", want)
	}
	for round, format := range []string{"journal 1 ", "journal 1 ", "journal 2 ", "journal 2 "} {
		s := mustOpen(t, path, quiet)
		if diff := cmp.Diff(want, dump(t, s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		update(t, s, func(w storage.Writer) error { return w.Put("format", []byte(format)) })
		want["format"] = format
		if data := readFile(t, path); !bytes.Contains(data[:60], []byte(format)) {
			t.Errorf("the header is %q, want that of %q", data[:60], format)
		}
		if round == 1 {
			if err := storage.Compact(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		closeStore(t, s)
		if c, err := buntdb.Check(path); err != nil || c.Damage != nil || c.Records != len(want) {
			t.Errorf("Check = %+v, %v", c, err)
		}
	}
	opened := filepath.Join(t.TempDir(), "backup.db")
	writeFile(t, opened, readFile(t, "testdata/format1.backup"))
	s := mustOpen(t, opened, quiet)
	defer closeStore(t, s)
	delete(want, "format")
	if diff := cmp.Diff(want, dump(t, s)); diff != "" {
		t.Errorf("the backup, opened as a store (-want +got):\n%s", diff)
	}
}

func stockDump(t *testing.T, path string) map[string]string {
	t.Helper()
	db, err := tidwall.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	err = db.View(func(tx *tidwall.Tx) error {
		return tx.Ascend("", func(key, value string) bool { all[key] = value; return true })
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return maps.Clone(all)
}

func mustOpen(t *testing.T, path string, opts buntdb.Options) storage.Store {
	t.Helper()
	s, err := buntdb.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t *testing.T, s storage.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func update(t *testing.T, s storage.Store, fn func(storage.Writer) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

func dump(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	all, err := storagetest.Dump(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
