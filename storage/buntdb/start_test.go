package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// startStates are the disks that a store is opened on, by what was there before. All but the
// first hold what heldBefore returns.
func startStates(t *testing.T) map[string]func() *storagetest.Disk {
	t.Helper()
	closed := storagetest.NewDisk()
	s := openOn(t, closed)
	for key, value := range heldBefore() {
		update(t, s, func(w storage.Writer) error { return w.Put(key, []byte(value)) })
	}
	killed := closed.Killed()
	var backup bytes.Buffer
	if err := storage.Backup(t.Context(), s, &backup); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	with := func(d *storagetest.Disk, name string, data []byte) func() *storagetest.Disk {
		return func() *storagetest.Disk {
			d := d.Killed()
			if name != "" {
				d.Put(name, data)
			}
			return d
		}
	}
	torn := append(bytes.Clone(killed.Files()["/test.db"]), "a write that was torn"...)
	return map[string]func() *storagetest.Disk{
		"nothing":         storagetest.NewDisk,
		"closed":          with(closed, "", nil),
		"killed":          with(killed, "", nil),
		"torn":            with(killed, "/test.db", torn),
		"half compaction": with(killed, "/test.db.compact", []byte("half of it")),
		"backup":          with(storagetest.NewDisk(), "/test.db", backup.Bytes()),
	}
}

func heldBefore() map[string]string {
	return map[string]string{"Zürich": "crane", "b-17": "pump house, level 2", "c": ""}
}

// A start writes: the lock, its watermark, the reserve file, what was torn and is cut off,
// the seal. Whatever of it fails, once or from then on, the store opens with all that it
// held and says what it does without, or it names the file in its error, and opens once the
// disk is well again.
func TestAStartThatCannotWriteServesOrNamesTheFile(t *testing.T) {
	t.Parallel()
	faults := []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EFBIG, syscall.EACCES, syscall.EROFS, syscall.ENOENT}
	for name, state := range startStates(t) {
		want := heldBefore()
		if name == "nothing" {
			want = map[string]string{}
		}
		for _, fault := range faults {
			for _, forever := range []bool{false, true} {
				for at, hit := 0, true; hit; at++ {
					var first storagetest.Call
					hit = false
					disk := state()
					disk.Fail(func(c storagetest.Call) storagetest.Verdict {
						reads := c.Op == "read" || c.Op == "stat" || c.Op == "open" || c.Op == "list"
						if reads || c.Index < at || hit && !forever {
							return storagetest.Verdict{}
						}
						if !hit {
							first = c
						}
						hit = true
						return storagetest.Verdict{Err: fault, Short: true}
					})
					var log bytes.Buffer
					s, err := buntdb.OpenOn(disk, "/test.db", buntdb.Options{ReserveBytes: 64, Logger: slog.New(slog.NewTextHandler(&log, nil))})
					subject := fmt.Sprintf("%s, %s at %s %s, from then on: %t", name, fault, first.Op, first.Name, forever)
					if err != nil {
						if !errors.Is(err, fault) || !strings.Contains(err.Error(), "/test.db") {
							t.Errorf("%s: the error names neither cause nor file: %v", subject, err)
						}
					} else {
						if got := dump(t, s); !maps.Equal(got, want) {
							t.Errorf("%s: it serves %v", subject, got)
						}
						without := strings.HasSuffix(first.Name, ".ballast")
						if without && (!strings.Contains(log.String(), "/test.db.ballast") || !strings.Contains(log.String(), fault.Error())) {
							t.Errorf("%s: the log does not say what it does without:\n%s", subject, &log)
						}
						disk.Fail(nil)
						_ = s.Close()
					}
					disk.Fail(nil)
					s = openOn(t, disk)
					if got := dump(t, s); !maps.Equal(got, want) {
						t.Errorf("%s: when the disk is well again there is %v", subject, got)
					}
					closeStore(t, s)
				}
			}
		}
	}
}

// A disk that is full to the last byte keeps no store from being opened that is there. What
// was torn is kept in the space of the reserve file.
func TestAStoreOpensOnAFullDisk(t *testing.T) {
	t.Parallel()
	for name, state := range startStates(t) {
		if name == "nothing" || name == "backup" { // both want a new file
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := state()
			used := int64(1)
			for _, data := range disk.Files() {
				used += int64(len(data))
			}
			disk.Limit(used)
			s := openOn(t, disk)
			defer closeStore(t, s)
			if got := dump(t, s); !maps.Equal(got, heldBefore()) {
				t.Errorf("it serves %v", got)
			}
		})
	}
}

// A write that fails is logged with its file, once until one succeeds: not for each of the
// requests that meanwhile fail.
func TestAFailingDiskIsLoggedOnceWithItsPath(t *testing.T) {
	t.Parallel()
	for _, fault := range []error{syscall.EFBIG, syscall.EIO, syscall.EDQUOT, syscall.ENOSPC} {
		t.Run(fault.Error(), func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			disk := storagetest.NewDisk()
			s, err := buntdb.OpenOn(disk, "/test.db", buntdb.Options{ReserveBytes: 64, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer closeStore(t, s)
			size := 200
			put := func() error {
				size++
				return s.Update(t.Context(), func(w storage.Writer) error { return w.Put("Zürich", make([]byte, size)) })
			}
			for spell := 1; spell <= 2; spell++ {
				disk.Fail(func(c storagetest.Call) storagetest.Verdict {
					if c.Op == "reserve" || c.Op == "write" && !strings.HasSuffix(c.Name, ".lock") {
						return storagetest.Verdict{Err: fault}
					}
					return storagetest.Verdict{}
				})
				for range 5 {
					if err := put(); !errors.Is(err, storage.ErrUnavailable) {
						t.Errorf("Update = %v", err)
					}
					remove := func(w storage.Writer) error { return w.Delete("Zürich") }
					if err := s.Update(t.Context(), remove); spell == 2 && !errors.Is(err, storage.ErrUnavailable) {
						t.Errorf("Update = %v", err)
					}
				}
				if got := strings.Count(log.String(), "level=ERROR"); got != spell {
					t.Errorf("the log has %d errors, want %d:\n%s", got, spell, &log)
				}
				disk.Fail(nil)
				if err := put(); err != nil {
					t.Fatal(err)
				}
				if got := strings.Count(log.String(), "writes continue"); got != spell {
					t.Errorf("the log says %d times that writes continue, want %d:\n%s", got, spell, &log)
				}
			}
			for line := range strings.Lines(log.String()) {
				if !strings.Contains(line, "path=/test.db") {
					t.Errorf("a line names no file: %s", line)
				}
			}
		})
	}
}

// On a full disk what makes room may grow the store for a moment, such as a deletion that
// leaves a tombstone and an operation: it has the space of the reserve file. Nothing else has.
func TestWhatMakesRoomHasTheSpaceOfTheReserveFile(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	disk.Limit(64 << 10)
	opts := quiet
	opts.ReserveBytes = 16 << 10
	s, err := buntdb.OpenOn(disk, "/test.db", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	put := func(key string, n int) error {
		return s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, make([]byte, n)) })
	}
	written := 0
	for err == nil {
		written++
		err = put(fmt.Sprintf("task %03d", written), 700)
	}
	deletions := 0
	for ; deletions < 20; deletions++ {
		err := s.Update(t.Context(), func(w storage.Writer) error {
			storage.UseReserve(w)
			if err := w.Put(fmt.Sprintf("operation %03d", deletions), make([]byte, 250)); err != nil {
				return err
			}
			return w.Put(fmt.Sprintf("tombstone %03d", deletions), make([]byte, 90))
		})
		if err != nil {
			t.Fatalf("deletion %d: %v", deletions, err)
		}
	}
	if err := put("more", 10); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("what makes no room got the space: %v", err)
	}
	if got := len(dump(t, s)); got != written-1+2*deletions {
		t.Errorf("%d records, want %d", got, written-1+2*deletions)
	}
}

// A copy of the files of an open store opens with all that was acknowledged if the lock file is
// copied first. One that is copied in the order of names is refused where something was written
// in between, and a repair keeps all of it.
func TestACopyOfAnOpenStoreOpensIfTheLockFileIsCopiedFirst(t *testing.T) {
	t.Parallel()
	for _, first := range []string{".lock", ""} {
		disk := storagetest.NewDisk()
		s := openOn(t, disk)
		put := func(key string) {
			update(t, s, func(w storage.Writer) error { return w.Put(key, []byte("of the plan")) })
		}
		copied := storagetest.NewDisk()
		put("Zürich")
		copied.Put("/test.db"+first, bytes.Clone(disk.Files()["/test.db"+first]))
		put("b-17")
		second := strings.TrimPrefix(".lock", first)
		copied.Put("/test.db"+second, bytes.Clone(disk.Files()["/test.db"+second]))
		closeStore(t, s)
		opened, err := buntdb.OpenOn(copied, "/test.db", quiet)
		if first == "" {
			if _, refused := errors.AsType[*buntdb.DamageError](err); !refused {
				t.Errorf("in the order of names it opens: %v", err)
			}
			if kept, err := buntdb.RepairOn(copied, "/test.db", "/repaired.db"); err != nil || kept.Records != 1 {
				t.Errorf("a repair keeps %+v (%v)", kept, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(t, opened); got["Zürich"] == "" || got["b-17"] == "" {
			t.Errorf("with the lock file first it holds %v", got)
		}
		closeStore(t, opened)
	}
}
