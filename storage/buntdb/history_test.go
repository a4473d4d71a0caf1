package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// Each story begins with a store that has "a" in it and was closed, and reports whether
// the history continues when it is opened once more.
func TestHistoryOverOpenings(t *testing.T) {
	t.Parallel()
	strict, loose := quiet, quiet
	loose.Durability = buntdb.SyncNever
	for name, story := range map[string]struct {
		happens   func(t *testing.T, path string)
		continues bool
	}{
		"nothing":                     {func(*testing.T, string) {}, true},
		"opened and closed, strictly": {func(t *testing.T, path string) { work(t, path, strict, "b") }, true},
		"opened and closed, loosely":  {func(t *testing.T, path string) { work(t, path, loose, "b") }, true},
		"compacted": {func(t *testing.T, path string) {
			s := mustOpen(t, path, strict)
			if err := storage.Compact(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			update(t, s, func(w storage.Writer) error { return w.Put("b", nil) })
			closeStore(t, s)
		}, true},
		"killed, strictly": {func(t *testing.T, path string) { killed(t, path, strict) }, true},
		"killed, strictly, in the middle of a write": {func(t *testing.T, path string) {
			killed(t, path, strict)
			appendTo(t, path, "*3\r\n$3\r\nset\r\n$1\r\nx\r\n$5\r\nto")
		}, true},
		"killed, strictly, after a compaction": {func(t *testing.T, path string) {
			killed(t, path, strict, func(s storage.Store) {
				if err := storage.Compact(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			})
		}, true},
		"killed, loosely":               {func(t *testing.T, path string) { killed(t, path, loose) }, false},
		"killed, loosely, with nothing": {func(t *testing.T, path string) { dead(t, path, loose) }, false},
		"killed, loosely, compacted": {func(t *testing.T, path string) {
			killed(t, path, loose, func(s storage.Store) {
				if err := storage.Compact(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			})
		}, false},
		"killed, loosely, then opened strictly": {func(t *testing.T, path string) {
			killed(t, path, loose)
			work(t, path, strict, "c")
		}, false},
		"restored": {func(t *testing.T, path string) {
			s := mustOpen(t, path, strict)
			var saved bytes.Buffer
			if err := storage.Backup(t.Context(), s, &saved); err != nil {
				t.Fatal(err)
			}
			if err := storage.Restore(t.Context(), s, &saved); err != nil {
				t.Fatal(err)
			}
			closeStore(t, s)
		}, false},
		"a backup put in its place": {func(t *testing.T, path string) {
			s := mustOpen(t, path, strict)
			var saved bytes.Buffer
			if err := storage.Backup(t.Context(), s, &saved); err != nil {
				t.Fatal(err)
			}
			closeStore(t, s)
			writeFile(t, path, saved.Bytes())
		}, false},
		"the lock file is gone":    {func(t *testing.T, path string) { remove(t, path+".lock") }, false},
		"the lock file is damaged": {func(t *testing.T, path string) { writeFile(t, path+".lock", []byte("twin")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "test.db")
			before := work(t, path, strict, "a")
			story.happens(t, path)
			after := work(t, path, strict, "z")
			if (after == before) != story.continues {
				t.Errorf("the history was %q and is %q", before, after)
			}
			if again := work(t, path, strict, "z"); again != after {
				t.Errorf("the history was %q and is %q without a reason", after, again)
			}
		})
	}
}

// A file that lacks what its lock file says was seen is not opened, and nothing is changed;
// who means it to take the place of the other has Repair write it to another file, or
// removes the lock file.
func TestFileThatLacksWhatWasSeenIsRefused(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(t *testing.T, path string){
		"an older copy put back after closing": func(t *testing.T, path string) {
			old := readFile(t, path)
			work(t, path, quiet, "b")
			writeFile(t, path, old)
		},
		"an older copy of the same opening put back after closing": func(t *testing.T, path string) {
			s := mustOpen(t, path, quiet)
			old := readFile(t, path)
			update(t, s, func(w storage.Writer) error { return w.Put("b", nil) })
			closeStore(t, s)
			writeFile(t, path, old)
		},
		"an older copy of the same opening put back after a kill": func(t *testing.T, path string) {
			var old []byte
			killed(t, path, quiet, func(s storage.Store) {
				old = readFile(t, path)
				update(t, s, func(w storage.Writer) error { return w.Put("c", nil) })
			})
			writeFile(t, path, old)
		},
		"what was seen is cut off": func(t *testing.T, path string) {
			killed(t, path, quiet)
			whole := readFile(t, path)
			writeFile(t, path, whole[:len(whole)-10])
		},
		"it is removed": remove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "test.db")
			history := work(t, path, quiet, "a")
			happens(t, path)
			before := folder(t, dir)
			_, err := buntdb.Open(path, quiet)
			if _, ok := errors.AsType[*buntdb.DamageError](err); !ok || !strings.Contains(err.Error(), "lock file") {
				t.Errorf("Open = %v", err)
			}
			if after := folder(t, dir); !maps.Equal(before, after) {
				t.Error("a refused opening has changed the folder")
			}
			if name != "it is removed" {
				if c, err := buntdb.Check(path); err != nil || c.Damage == nil {
					t.Errorf("Check = %+v, %v", c, err)
				}
				if done, err := buntdb.Repair(path, path+".repaired"); err != nil || done.Damage == nil {
					t.Errorf("Repair = %+v, %v", done, err)
				}
				if work(t, path+".repaired", quiet, "z") == history {
					t.Error("the repaired file is in the history of which something is missing")
				}
			}
			remove(t, path+".lock")
			if again := work(t, path, quiet, "z"); again == history && again != "" { // a new store is in the first
				t.Error("the file is in the history of which something is missing")
			}
		})
	}
}

// work opens a store, writes a key and returns the history it was in.
func work(t *testing.T, path string, opts buntdb.Options, key string) (history string) {
	t.Helper()
	s := mustOpen(t, path, opts)
	defer closeStore(t, s)
	update(t, s, func(w storage.Writer) (err error) {
		history, err = storage.History(s, w)
		return errors.Join(err, w.Put(key, []byte(key)))
	})
	return history
}

// killed leaves the files as a process that was killed after a few writes does.
func killed(t *testing.T, path string, opts buntdb.Options, more ...func(storage.Store)) {
	t.Helper()
	dead(t, path, opts, append([]func(storage.Store){func(s storage.Store) {
		update(t, s, func(w storage.Writer) error { return w.Put("b", []byte("b")) })
	}}, more...)...)
}

// dead leaves the files as a process that was killed does: the store works on them, and
// what it wrote at its end is reverted.
func dead(t *testing.T, path string, opts buntdb.Options, work ...func(storage.Store)) {
	t.Helper()
	s := mustOpen(t, path, opts)
	for _, step := range work {
		step(s)
	}
	data, lock := readFile(t, path), readFile(t, path+".lock")
	closeStore(t, s)
	writeFile(t, path, data)
	writeFile(t, path+".lock", lock)
}

// A store whose file is taken away must not acknowledge what no one will find.
func TestStoreWhoseFileIsGoneStops(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed here")
	}
	for name, happens := range map[string]func(t *testing.T, path string){
		"removed": remove,
		"moved":   func(t *testing.T, path string) { rename(t, path, path+".old") },
		"replaced": func(t *testing.T, path string) {
			writeFile(t, path+".new", readFile(t, path))
			rename(t, path+".new", path)
		},
		"moved with its folder": func(t *testing.T, path string) {
			rename(t, filepath.Dir(path), filepath.Dir(path)+".old")
		},
	} {
		for _, policy := range []buntdb.Durability{buntdb.SyncAlways, buntdb.SyncEverySecond, buntdb.SyncNever} {
			t.Run(fmt.Sprint(name, ", policy ", policy), func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "folder", "test.db")
				if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				opts := quiet
				opts.Durability = policy
				s := mustOpen(t, path, opts)
				update(t, s, func(w storage.Writer) error { return w.Put("a", nil) })
				happens(t, path)
				err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("b", nil) })
				if policy == buntdb.SyncAlways && !errors.Is(err, storage.ErrUnavailable) {
					t.Errorf("Update = %v, want ErrUnavailable", err)
				}
				if policy == buntdb.SyncAlways && len(dump(t, s)) != 1 {
					t.Errorf("readers see %v", dump(t, s))
				}
				if storage.Compact(t.Context(), s) == nil {
					t.Error("a compaction took the place of what is there now")
				}
				err = s.Update(t.Context(), func(w storage.Writer) error { return w.Put("c", nil) })
				if !errors.Is(err, storage.ErrUnavailable) {
					t.Errorf("a later Update = %v, want ErrUnavailable", err)
				}
				if s.Close() == nil {
					t.Error("Close reports nothing")
				}
			})
		}
	}
}

// Under the policies that do not flush before they answer, it takes a second.
func TestLooseStoreWhoseFileIsGoneStopsWithinASecond(t *testing.T) {
	t.Parallel()
	for _, policy := range []buntdb.Durability{buntdb.SyncEverySecond, buntdb.SyncNever} {
		synctest.Test(t, func(t *testing.T) {
			disk := storagetest.NewDisk()
			opts := quiet
			opts.Durability = policy
			s, err := buntdb.OpenOn(disk, "/test.db", opts)
			if err != nil {
				t.Fatal(err)
			}
			write := func(w storage.Writer) error { return w.Put("a", nil) }
			update(t, s, write)
			if err := disk.Remove("/test.db"); err != nil {
				t.Fatal(err)
			}
			<-time.After(time.Second + 1)
			synctest.Wait()
			if err := s.Update(t.Context(), write); !errors.Is(err, storage.ErrUnavailable) {
				t.Errorf("policy %d: Update = %v, want ErrUnavailable", policy, err)
			}
			if s.Close() == nil {
				t.Errorf("policy %d: Close reports nothing", policy)
			}
		})
	}
}

func TestFileIsLockedUnderAllItsNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, hard := filepath.Join(dir, "test.db"), filepath.Join(dir, "hard.db")
	s := mustOpen(t, path, quiet)
	if err := os.Link(path, hard); err != nil {
		t.Skip("no hard links here:", err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("files are locked by name here")
	}
	if _, err := buntdb.Open(hard, quiet); !errors.Is(err, buntdb.ErrLocked) {
		t.Errorf("Open of another name = %v, want ErrLocked", err)
	}
	if _, err := buntdb.Repair(hard, filepath.Join(dir, "repaired.db")); !errors.Is(err, buntdb.ErrLocked) {
		t.Errorf("Repair of another name = %v, want ErrLocked", err)
	}
	// A lock file that is taken away does not let anybody in either.
	remove(t, path+".lock")
	if _, err := buntdb.Open(path, quiet); !errors.Is(err, buntdb.ErrLocked) {
		t.Errorf("Open without the lock file = %v, want ErrLocked", err)
	}
	if err := storage.Compact(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, err := buntdb.Open(path, quiet); !errors.Is(err, buntdb.ErrLocked) {
		t.Errorf("Open after a compaction = %v, want ErrLocked", err)
	}
	closeStore(t, s)
	closeStore(t, mustOpen(t, path, quiet))
}

// A link to a file that is not there yet stands for that file.
func TestLinkToNothingMakesItsTarget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(dir, "data", "target.db")
	if err := os.Mkdir(filepath.Dir(target), 0o700); err != nil {
		t.Fatal(err)
	}
	link, second := filepath.Join(dir, "link.db"), filepath.Join(dir, "second.db")
	if err := errors.Join(os.Symlink(filepath.Join("data", "target.db"), link), os.Symlink(link, second)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	s := mustOpen(t, second, quiet)
	for _, name := range []string{link, target} {
		if _, err := buntdb.Open(name, quiet); !errors.Is(err, buntdb.ErrLocked) {
			t.Errorf("Open(%s) = %v, want ErrLocked", name, err)
		}
	}
	update(t, s, func(w storage.Writer) error { return w.Put("a", nil) })
	closeStore(t, s)
	for _, name := range []string{link, second} {
		if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	s = mustOpen(t, target, quiet)
	defer closeStore(t, s)
	if got := dump(t, s); len(got) != 1 {
		t.Errorf("the target holds %v", got)
	}
	circle := filepath.Join(dir, "circle.db")
	if err := os.Symlink(circle, circle); err != nil {
		t.Fatal(err)
	}
	if _, err := buntdb.Open(circle, quiet); err == nil {
		t.Error("a link to itself was opened")
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// writeFile replaces the content of a file, as copying over it does.
func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	writeFile(t, path, append(readFile(t, path), text...))
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
