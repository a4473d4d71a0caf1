package buntdb_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// durable returns what a store would show after a loss of power now.
func durable(t *testing.T, disk *storagetest.Disk) map[string]string {
	t.Helper()
	for _, left := range disk.Crashes(rand.New(rand.NewPCG(1, 1))) {
		s := openOn(t, left)
		defer closeStore(t, s)
		return dump(t, s) // the first has lost everything that was not flushed
	}
	return nil
}

func TestEverySecondFlushesOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := storagetest.NewDisk()
		opts := quiet
		opts.Durability = buntdb.SyncEverySecond
		s, err := buntdb.OpenOn(disk, "/test.db", opts)
		if err != nil {
			t.Fatal(err)
		}
		update(t, s, func(w storage.Writer) error { return w.Put("a", []byte("1")) })
		want := map[string]string{"a": "1"}
		if got := dump(t, s); !maps.Equal(got, want) {
			t.Errorf("readers see %v", got)
		}
		if got := durable(t, disk); len(got) != 0 {
			t.Errorf("durable at once: %v", got)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if got := durable(t, disk); !maps.Equal(got, want) {
			t.Errorf("durable after a second: %v", got)
		}
		update(t, s, func(w storage.Writer) error { return w.Put("b", nil) })
		closeStore(t, s)
		if got := durable(t, disk); len(got) != 2 {
			t.Errorf("durable after Close: %v", got)
		}
	})
}

func TestEverySecondReportsAFailedFlush(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := storagetest.NewDisk()
		opts := quiet
		opts.Durability = buntdb.SyncEverySecond
		s, err := buntdb.OpenOn(disk, "/test.db", opts)
		if err != nil {
			t.Fatal(err)
		}
		update(t, s, func(w storage.Writer) error { return w.Put("a", nil) })
		disk.Fail(func(c storagetest.Call) storagetest.Verdict {
			if c.Op == "sync" {
				return storagetest.Verdict{Err: syscall.EIO}
			}
			return storagetest.Verdict{}
		})
		<-time.After(time.Second)
		synctest.Wait()
		err = s.Update(t.Context(), func(w storage.Writer) error { return w.Put("b", nil) })
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("Update = %v, want ErrUnavailable", err)
		}
		if err := s.Close(); !errors.Is(err, syscall.EIO) {
			t.Errorf("Close = %v, want the error of the flush", err)
		}
	})
}

// A bubble ends only when every goroutine in it has.
func TestNoGoroutineOutlivesClose(t *testing.T) {
	t.Parallel()
	for _, policy := range []buntdb.Durability{buntdb.SyncAlways, buntdb.SyncEverySecond, buntdb.SyncNever} {
		synctest.Test(t, func(t *testing.T) {
			opts := quiet
			opts.Durability, opts.CompactBytes = policy, 1000
			s, err := buntdb.OpenOn(storagetest.NewDisk(), "/test.db", opts)
			if err != nil {
				t.Fatal(err)
			}
			for range 50 {
				update(t, s, func(w storage.Writer) error { return w.Put("a", make([]byte, 100)) })
			}
			closeStore(t, s)
		})
	}
}
