package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
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

// A store and a backup from before the first release are refused by every call with what to do, and
// nothing on the disk is changed.
func TestFilesFromBeforeTheFirstReleaseAreRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"a store": "testdata/format1.store", "a backup": "testdata/format1.backup"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "test.db")
		writeFile(t, path, readFile(t, file))
		writeFile(t, path+".lock", readFile(t, "testdata/format1.store.lock"))
		before := filesIn(t, dir)
		wantRefused := func(what string, err error) {
			t.Helper()
			_, damaged := errors.AsType[*buntdb.DamageError](err)
			if !errors.Is(err, storage.ErrUnreleased) || damaged || !strings.Contains(err.Error(), "twinplatform export FILE") {
				t.Errorf("%s: %s says %v", name, what, err)
			}
		}
		s, err := buntdb.Open(path, quiet)
		if wantRefused("Open", err); err == nil {
			closeStore(t, s)
		}
		_, err = buntdb.Check(path)
		wantRefused("Check", err)
		_, err = buntdb.Repair(path, filepath.Join(dir, "repaired.db"))
		wantRefused("Repair", err)
		_, err = buntdb.CopyTo(t.Context(), path, io.Discard)
		wantRefused("CopyTo", err)
		restored := memory.New()
		err = storage.Restore(t.Context(), restored, bytes.NewReader(readFile(t, file)))
		if wantRefused("Restore", err); !errors.Is(err, storage.ErrBadBackup) || len(dump(t, restored)) > 0 {
			t.Errorf("%s: Restore says %v", name, err)
		}
		if diff := cmp.Diff(before, filesIn(t, dir)); diff != "" {
			t.Errorf("%s: the folder was changed (-before +after):\n%s", name, diff)
		}
	}
}

// filesIn are the files of a folder with what they hold.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		files[e.Name()] = string(readFile(t, filepath.Join(dir, e.Name())))
	}
	return files
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
