package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestWeOpenAStockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	want := writeStock(t, path)
	appendTo(t, path, "*5\r\n$3\r\nset\r\n$4\r\ngone\r\n$1\r\nv\r\n$2\r\nae\r\n$10\r\n1000000000\r\n") // has expired
	original := readFile(t, path)
	s := mustOpen(t, path, quiet)
	if diff := cmp.Diff(want, dump(t, s)); diff != "" {
		t.Errorf("(-stock +ours):\n%s", diff)
	}
	update(t, s, func(w storage.Writer) error { return w.Put("more", []byte("1")) })
	closeStore(t, s)
	if !bytes.Equal(readFile(t, path+".stock"), original) {
		t.Error("the original was not kept")
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
func TestStockFileThatCannotBeKeptWholeIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	stock := writeStock(t, path)
	whole := readFile(t, path)
	add := func(text string) func([]byte) []byte {
		return func(b []byte) []byte { return append(b, text...) }
	}
	set := func(key string) string {
		return fmt.Sprintf("*3\r\n$3\r\nset\r\n$%d\r\n%s\r\n$1\r\nv\r\n", len(key), key)
	}
	for name, test := range map[string]struct {
		harm  func([]byte) []byte
		names string // what the error says
		kept  int    // records that a repair keeps; -1 for some
	}{
		"zeros in the middle":  {func(b []byte) []byte { copy(b[len(b)/2:], make([]byte, 40)); return b }, "invalid", -1},
		"zeros at the end":     {add(strings.Repeat("\x00", 40)), "zeros", len(stock)},
		"length made larger":   {replaced("$6\r\n", "$5000\r\n"), "EOF", 0},
		"length beyond memory": {replaced("$6\r\n", "$99999999999\r\n"), "99999999999", 0},
		"length past counting": {replaced("$6\r\n", "$99999999999999999999\r\n"), "99999999999999999999", 0},
		"not a command":        {func(b []byte) []byte { return append([]byte("hello\r\n"), b...) }, "invalid", 0},
		"a word of no bytes":   {add("*1\r\n$0\r\n\r\n"), "invalid", len(stock)},
		"a single torn word":   {func([]byte) []byte { return []byte("*3\r\n$3\r\nset\r\n$3\r\nab") }, "EOF", 0},
		"value that expires":   {add("*5\r\n$3\r\nset\r\n$4\r\nsoon\r\n$1\r\nv\r\n$2\r\nae\r\n$10\r\n4102444800\r\n"), `"soon"`, len(stock)},
		"reserved key":         {add(set("\x00tx")), `"\x00tx"`, len(stock)},
		"empty key":            {add(set("")), "empty", len(stock)},
		"key too long":         {add(set(strings.Repeat("k", storage.MaxKeyBytes+1))), "too large", len(stock)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harmed := filepath.Join(t.TempDir(), "harmed.db")
			data := test.harm(bytes.Clone(whole))
			writeFile(t, harmed, data)
			_, err := buntdb.Open(harmed, quiet)
			if _, ok := errors.AsType[*buntdb.DamageError](err); !ok || !strings.Contains(err.Error(), harmed) || !strings.Contains(err.Error(), test.names) {
				t.Errorf("Open = %v, want a DamageError that names the file and %s", err, test.names)
			}
			done, err := buntdb.Repair(harmed, harmed+".repaired")
			if err != nil || done.Damage == nil || (done.Records != test.kept && test.kept >= 0) {
				t.Errorf("Repair = %+v, %v, want %d records", done, err, test.kept)
			}
			if !bytes.Equal(readFile(t, harmed), data) {
				t.Error("the file was touched")
			}
		})
	}
}

func TestEmptyFileIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "empty.db")
	writeFile(t, path, nil)
	if _, err := buntdb.Open(path, quiet); err == nil {
		t.Error("a file of no bytes was opened")
	}
}

// Wherever the last write of buntdb was torn, what comes before it is kept.
func TestTornStockFileIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stock.db")
	want := writeStock(t, path)
	whole := readFile(t, path)
	const torn = "*3\r\n$3\r\nset\r\n$4\r\ntorn\r\n$8\r\nab\r\ncd\r\n\r\n"
	for n := 1; n < len(torn); n++ {
		path := filepath.Join(t.TempDir(), "torn.db")
		writeFile(t, path, append(bytes.Clone(whole), torn[:n]...))
		var log bytes.Buffer
		opts := quiet
		opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s := mustOpen(t, path, opts)
		if diff := cmp.Diff(want, dump(t, s)); diff != "" {
			t.Errorf("torn after %q (-want +got):\n%s", torn[:n], diff)
		}
		if !strings.Contains(log.String(), fmt.Sprintf("offset=%d bytes=%d", len(whole), n)) {
			t.Errorf("torn after %q: the log says %s", torn[:n], log.String())
		}
		closeStore(t, s)
	}
}

// FuzzStock opens hostile files in the manner of buntdb's. They may not panic or
// take the memory, and what is refused stays as it is.
func FuzzStock(f *testing.F) {
	f.Add([]byte("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$1\r\nv\r\n*2\r\n$3\r\ndel\r\n$1\r\nk\r\n"))
	f.Add([]byte("*1\r\n$7\r\nflushdb\r\n*5\r\n$3\r\nset\r\n$1\r\nk\r\n$1\r\nv\r\n$2\r\nex\r\n$1\r\n9\r\n"))
	f.Add([]byte("*3\r\n$3\r\nset\r\n$99999999999\r\n"))
	f.Add([]byte("*1\r\n$0\r\n\r\n"))
	f.Add([]byte("*18446744073709551617\r\n$9223372036854775806\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		disk := storagetest.NewDisk()
		disk.Put("/test.db", data)
		s, err := buntdb.OpenOn(disk, "/test.db", quiet)
		if err != nil {
			if !bytes.Equal(disk.Files()["/test.db"], data) {
				t.Error("the file was touched")
			}
			return
		}
		closeStore(t, s)
	})
}

// replaced replaces the first of a text by another.
func replaced(text, by string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(text), []byte(by), 1) }
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
			key, value := fmt.Sprintf("key %02d", n), fmt.Sprintf("value %d", n)
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
		delete(want, "key 03")
		_, err := tx.Delete("key 03")
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return want
}
