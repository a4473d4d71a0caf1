package buntdb_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestFailedFlushEndsWriting(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	s := openOn(t, disk)
	update(t, s, func(w storage.Writer) error { return w.Put("a", []byte("1")) })
	disk.Fail(func(c storagetest.Call) storagetest.Verdict {
		if c.Op == "sync" {
			return storagetest.Verdict{Err: syscall.EIO}
		}
		return storagetest.Verdict{}
	})
	write := func(w storage.Writer) error { return w.Put("b", []byte("2")) }
	if err := s.Update(t.Context(), write); !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, syscall.EIO) {
		t.Errorf("Update = %v, want ErrUnavailable because of EIO", err)
	}
	disk.Fail(nil) // the next flush would succeed, and must not be believed
	if err := s.Update(t.Context(), write); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Update after a failed flush = %v, want ErrUnavailable", err)
	}
	if err := storage.Compact(t.Context(), s); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Compact = %v, want ErrUnavailable", err)
	}
	if got := dump(t, s); !maps.Equal(got, map[string]string{"a": "1"}) {
		t.Errorf("readers see %v", got)
	}
	if err := s.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("Close = %v, want the error of the flush", err)
	}
}

func TestFailedWriteRollsBackAndTheStoreContinues(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	s := openOn(t, disk)
	failed := false
	disk.Fail(func(c storagetest.Call) storagetest.Verdict {
		if c.Op != "write" || failed {
			return storagetest.Verdict{}
		}
		failed = true
		return storagetest.Verdict{Err: syscall.EIO, Short: true}
	})
	put := func(key string) error {
		return s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, []byte(strings.Repeat("x", 500))) })
	}
	if err := put("a"); !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, syscall.EIO) {
		t.Errorf("Update = %v, want ErrUnavailable because of EIO", err)
	}
	if err := put("b"); err != nil {
		t.Errorf("the next Update: %v", err)
	}
	closeStore(t, s)
	s = openOn(t, disk)
	defer closeStore(t, s)
	if got := dump(t, s); len(got) != 1 || got["b"] == "" {
		t.Errorf("after reopening: %d records", len(got))
	}
}

// A reader must not see a change whose flush is still under way, writers must
// build on it, and when the flush fails all of them must be gone.
func TestReadersSeeOnlyWhatIsDurable(t *testing.T) {
	t.Parallel()
	for _, outcome := range []error{nil, syscall.EIO} {
		t.Run(fmt.Sprint("flush ends with ", outcome), func(t *testing.T) {
			t.Parallel()
			disk := storagetest.NewDisk()
			s := openOn(t, disk)
			flushing, release := make(chan struct{}), make(chan struct{})
			var once sync.Once
			disk.Gate(func(c storagetest.Call) {
				if c.Op == "sync" {
					once.Do(func() { close(flushing); <-release })
				}
			})
			disk.Fail(func(c storagetest.Call) storagetest.Verdict {
				if c.Op == "sync" {
					return storagetest.Verdict{Err: outcome}
				}
				return storagetest.Verdict{}
			})
			// The first holds the writers until the second waits, so that they go
			// into a batch.
			results := make(chan error, 2)
			second := make(chan struct{})
			go func() {
				results <- s.Update(t.Context(), func(w storage.Writer) error {
					go func() {
						close(second)
						results <- s.Update(t.Context(), func(w storage.Writer) error {
							if _, err := w.Get("a"); err != nil {
								return err
							}
							return w.Put("b", nil)
						})
					}()
					<-second
					return w.Put("a", nil)
				})
			}()
			<-flushing
			if got := dump(t, s); len(got) > 0 {
				t.Errorf("a reader saw %v during the flush", got)
			}
			close(release)
			for range 2 {
				if err := <-results; (err == nil) != (outcome == nil) {
					t.Errorf("Update = %v", err)
				}
			}
			want := 2
			if outcome != nil {
				want = 0
			}
			if got := dump(t, s); len(got) != want {
				t.Errorf("afterwards: %v, want %d records", got, want)
			}
			disk.Fail(nil)
			_ = s.Close()
		})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	disk.Limit(1 << 20)
	opts := quiet
	opts.ReserveBytes = 256 << 10
	s, err := buntdb.OpenOn(disk, "/test.db", opts)
	if err != nil {
		t.Fatal(err)
	}
	key := func(n int) string { return fmt.Sprintf("key %03d", n) }
	put := func(n int) error {
		return s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key(n), make([]byte, 10_000)) })
	}
	written := 0
	for err = put(0); err == nil; err = put(written) {
		written++
	}
	if !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) && !strings.Contains(err.Error(), "full") {
		t.Fatalf("on a full disk Update = %v", err)
	}
	if written < 50 {
		t.Fatalf("only %d records fitted", written)
	}
	if got := dump(t, s); len(got) != written {
		t.Errorf("readers see %d records, want %d", len(got), written)
	}
	// What frees space continues: all but five records are deleted, one by one.
	for n := 5; n < written; n++ {
		if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Delete(key(n)) }); err != nil {
			t.Fatalf("delete %d: %v", n, err)
		}
	}
	if err := put(900); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Update into the space of the reserve file = %v, want ErrUnavailable", err)
	}
	if err := storage.Compact(t.Context(), s); err != nil {
		t.Fatalf("Compact: %v", err)
	}
	if err := put(901); err != nil {
		t.Errorf("Update after compaction: %v", err)
	}
	want := dump(t, s)
	closeStore(t, s)
	if s, err = buntdb.OpenOn(disk, "/test.db", opts); err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	if got := dump(t, s); !maps.Equal(got, want) || len(got) != 6 {
		t.Errorf("after reopening: %d records, want %d", len(got), len(want))
	}
}

func openOn(t *testing.T, disk *storagetest.Disk) storage.Store {
	t.Helper()
	s, err := buntdb.OpenOn(disk, "/test.db", quiet)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
