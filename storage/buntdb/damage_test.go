package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// folder is the content of every file of a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, entry := range entries {
		all[entry.Name()] = string(readFile(t, filepath.Join(dir, entry.Name())))
	}
	return all
}

// manyTransactions makes a closed store of unequal transactions in a separate folder, and
// returns what it holds.
func manyTransactions(t *testing.T) (path string, want map[string]string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "twin.db")
	s := mustOpen(t, path, buntdb.Options{ReserveBytes: -1})
	for n := range 300 {
		update(t, s, func(w storage.Writer) error {
			return errors.Join(
				w.Put(fmt.Sprintf("twins/%03d", n), bytes.Repeat([]byte{byte('a' + n%26)}, 10+n*7%90)),
				w.Put("revision", fmt.Append(nil, n)),
				w.Delete(fmt.Sprintf("twins/%03d", n*3%299)),
			)
		})
	}
	want = dump(t, s)
	closeStore(t, s)
	return path, want
}

// shifts are edits after which everything behind them is elsewhere.
var shifts = map[string]func(data []byte, at int) []byte{
	"a byte is missing":  func(b []byte, at int) []byte { return slices.Delete(b, at, at+1) },
	"a byte is added":    func(b []byte, at int) []byte { return slices.Insert(b, at, 'x') },
	"a block is missing": func(b []byte, at int) []byte { return slices.Delete(b, at, at+4096) },
	"a block is there twice": func(b []byte, at int) []byte {
		return slices.Insert(b, at, bytes.Clone(b[at:at+4096])...)
	},
	"the rest is zero": func(b []byte, at int) []byte { clear(b[at:]); return b },
	"the rest is gone": func(b []byte, at int) []byte { return b[:at] },
}

func TestShiftedFileIsRefusedAndNothingIsChanged(t *testing.T) {
	t.Parallel()
	path, want := manyTransactions(t)
	whole, lock := readFile(t, path), readFile(t, path+".lock")
	for name, shift := range shifts {
		for _, alone := range []bool{false, true} { // without its lock file
			if alone && strings.HasPrefix(name, "the rest") {
				continue // nothing shows that there was more
			}
			t.Run(fmt.Sprintf("%s, alone %v", name, alone), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				harmed := filepath.Join(dir, "twin.db")
				writeFile(t, harmed, shift(bytes.Clone(whole), len(whole)/10))
				if !alone {
					writeFile(t, harmed+".lock", lock)
				}
				before := folder(t, dir)
				for _, policy := range []buntdb.Durability{buntdb.SyncAlways, buntdb.SyncEverySecond, buntdb.SyncNever} {
					opts := quiet
					opts.Durability = policy
					s, err := buntdb.Open(harmed, opts)
					damage, ok := errors.AsType[*buntdb.DamageError](err)
					if !ok {
						held := dump(t, s)
						closeStore(t, s)
						t.Fatalf("Open = %v and holds %d of %d records", err, len(held), len(want))
					}
					if damage.Offset <= 0 || damage.Transactions == 0 || !strings.Contains(err.Error(), "repair") {
						t.Errorf("Open = %v", err)
					}
					if after := folder(t, dir); !maps.Equal(before, after) {
						t.Errorf("policy %d: a refused opening has changed the folder", policy)
					}
				}
				c, err := buntdb.Check(harmed)
				if err != nil || c.Damage == nil {
					t.Errorf("Check = %+v, %v", c, err)
				}
			})
		}
	}
}

func TestTruncatedBackupIsNoStore(t *testing.T) {
	t.Parallel()
	path, _ := manyTransactions(t)
	s := mustOpen(t, path, quiet)
	var backup bytes.Buffer
	if err := storage.Backup(t.Context(), s, &backup); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	dir := t.TempDir()
	cut := filepath.Join(dir, "cut.backup")
	for at := backup.Len() - 1; at >= 0; at -= 97 {
		writeFile(t, cut, backup.Bytes()[:at])
		before := folder(t, dir)
		if s, err := buntdb.Open(cut, quiet); err == nil {
			t.Fatalf("a backup of %d bytes, cut at %d, opens with %d records", backup.Len(), at, len(dump(t, s)))
		}
		if c, err := buntdb.Check(cut); err != nil || c.Damage == nil {
			t.Errorf("cut at %d: Check = %+v, %v", at, c, err)
		}
		if after := folder(t, dir); !maps.Equal(before, after) {
			t.Fatalf("cut at %d: a refused opening has changed the folder", at)
		}
	}
}
