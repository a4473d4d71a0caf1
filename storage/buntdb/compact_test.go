package buntdb_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestCompactsBySize(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	opts := quiet
	opts.CompactBytes = 64 << 10
	s := mustOpen(t, path, opts)
	for n := range 2000 {
		update(t, s, func(w storage.Writer) error { return w.Put(fmt.Sprint("key ", n%10), make([]byte, 500)) })
	}
	want := dump(t, s)
	closeStore(t, s)
	info, err := os.Stat(path)
	if err != nil || info.Size() > 512<<10 {
		t.Errorf("the file has %d bytes after a megabyte of changes to 5,000 bytes, %v", info.Size(), err)
	}
	s = mustOpen(t, path, opts)
	defer closeStore(t, s)
	if !maps.Equal(dump(t, s), want) {
		t.Error("the content changed")
	}
}

// Writers continue while the file is compacted again and again, and no acknowledged write
// is missing afterwards.
func TestCompactWhileWriting(t *testing.T) {
	t.Parallel()
	for _, policy := range []buntdb.Durability{buntdb.SyncAlways, buntdb.SyncEverySecond, buntdb.SyncNever} {
		t.Run(fmt.Sprint("policy ", policy), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "test.db")
			opts := quiet
			opts.Durability = policy
			s := mustOpen(t, path, opts)
			const writers, rounds = 4, 150
			var group sync.WaitGroup
			for writer := range writers {
				group.Go(func() {
					for n := range rounds {
						err := s.Update(t.Context(), func(w storage.Writer) error {
							key := fmt.Sprintf("writer %d, %d", writer, n%50)
							return errors.Join(w.Put(key, fmt.Append(nil, n)), w.Delete("nothing"))
						})
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			for range storagetest.Scale(20) {
				if err := storage.Compact(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			group.Wait()
			want := dump(t, s)
			if len(want) != writers*50 || want["writer 3, 49"] != fmt.Sprint(rounds-1) {
				t.Errorf("%d records", len(want))
			}
			closeStore(t, s)
			s = mustOpen(t, path, opts)
			defer closeStore(t, s)
			if !maps.Equal(dump(t, s), want) {
				t.Error("the content changed")
			}
		})
	}
}

func TestCancelledCompactionChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "test.db")
	s := mustOpen(t, path, quiet)
	defer closeStore(t, s)
	update(t, s, func(w storage.Writer) error { return w.Put("a", nil) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := storage.Compact(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("Compact = %v, want context.Canceled", err)
	}
	if _, err := os.Stat(path + ".compact"); err == nil {
		t.Error("an unfinished file was left")
	}
	update(t, s, func(w storage.Writer) error { return w.Put("b", nil) })
}
