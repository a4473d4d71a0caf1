package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
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

func TestWeOpenAStockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	want := writeStock(t, path)
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, quiet)
	if diff := cmp.Diff(want, dump(t, s)); diff != "" {
		t.Errorf("(-stock +ours):\n%s", diff)
	}
	update(t, s, func(w storage.Writer) error { return w.Put("more", []byte("1")) })
	closeStore(t, s)
	kept, err := os.ReadFile(path + ".stock")
	if err != nil || !bytes.Equal(kept, original) {
		t.Errorf("the original was not kept: %v", err)
	}
	s = mustOpen(t, path, quiet)
	defer closeStore(t, s)
	want["more"] = "1"
	if diff := cmp.Diff(want, dump(t, s)); diff != "" {
		t.Errorf("opened again (-want +got):\n%s", diff)
	}
}

// A file of buntdb's has no checksums, so a changed byte within a value cannot
// be seen; but nothing may be left out silently unless it is a torn end.
func TestDamagedStockFileIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	writeStock(t, path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func([]byte) []byte{
		"empty":                 func([]byte) []byte { return nil },
		"zeros in the middle":   func(b []byte) []byte { return slicesReplace(b, len(b)/2, strings.Repeat("\x00", 40)) },
		"length made larger":    func(b []byte) []byte { return bytes.Replace(b, []byte("$5\r\n"), []byte("$5000\r\n"), 1) },
		"length beyond memory":  func(b []byte) []byte { return bytes.Replace(b, []byte("$5\r\n"), []byte("$99999999999\r\n"), 1) },
		"not a command":         func(b []byte) []byte { return append([]byte("hello\r\n"), b...) },
		"beginning of a header": func([]byte) []byte { return []byte("*3\r\n$3\r\nset\r\n$3\r\n\x00tx") },
		"value that expires": func(b []byte) []byte {
			return append(b, "*5\r\n$3\r\nset\r\n$1\r\nk\r\n$1\r\nv\r\n$2\r\nae\r\n$10\r\n4102444800\r\n"...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harmed := filepath.Join(t.TempDir(), "harmed.db")
			data := harm(bytes.Clone(whole))
			if err := os.WriteFile(harmed, data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := buntdb.Open(harmed, quiet)
			if damage, ok := errors.AsType[*buntdb.DamageError](err); !ok || !strings.Contains(damage.Error(), harmed) {
				t.Errorf("Open = %v, want a DamageError that names the file", err)
			}
			if after, _ := os.ReadFile(harmed); !bytes.Equal(after, data) {
				t.Error("the file was touched")
			}
		})
	}
}

func TestTornStockFileIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	want := writeStock(t, path)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("*3\r\n$3\r\nset\r\n$4\r\ntorn\r\n$100\r\nabc"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, quiet)
	defer closeStore(t, s)
	if diff := cmp.Diff(want, dump(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func slicesReplace(b []byte, at int, with string) []byte {
	copy(b[at:], with)
	return b
}

// writeStock writes a file with buntdb and returns what is in it.
func writeStock(t *testing.T, path string) map[string]string {
	t.Helper()
	db, err := tidwall.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	err = db.Update(func(tx *tidwall.Tx) error {
		for n := range 30 {
			key, value := fmt.Sprintf("key %d", n), fmt.Sprintf("value %d", n)
			if _, _, err := tx.Set(key, value, nil); err != nil {
				return err
			}
			want[key] = value
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *tidwall.Tx) error {
		delete(want, "key 3")
		_, err := tx.Delete("key 3")
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return want
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
