package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// plain hides every optional ability of an engine.
type plain struct{ storage.Store }

func engines(t *testing.T) map[string]storage.Store {
	t.Helper()
	file, err := buntdb.Open(filepath.Join(t.TempDir(), "test.db"), buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]storage.Store{"memory": memory.New(), "buntdb": file, "plain": plain{memory.New()}}
	t.Cleanup(func() {
		for name, s := range all {
			if err := s.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	return all
}

func fill(t *testing.T, s storage.Store, prefix string, n int) {
	t.Helper()
	err := s.Update(t.Context(), func(w storage.Writer) error {
		for i := range n {
			if err := w.Put(fmt.Sprintf("%s %05d", prefix, i), bytes.Repeat([]byte{byte(i)}, i%700)); err != nil {
				return err
			}
		}
		return w.Put("\x00tx", []byte("looks like a marker"))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	all, err := storagetest.Dump(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	delete(all, "\x00history") // of an engine that knows of none by itself
	return all
}

func TestBackupRestoresIntoAnyEngine(t *testing.T) {
	t.Parallel()
	for from, source := range engines(t) {
		fill(t, source, "record", 3000)
		want := contents(t, source)
		var backup bytes.Buffer
		if err := storage.Backup(t.Context(), source, &backup); err != nil {
			t.Fatal(err)
		}
		for to, target := range engines(t) {
			fill(t, target, "old", 1500)
			if err := storage.Restore(t.Context(), target, bytes.NewReader(backup.Bytes())); err != nil {
				t.Fatalf("%s to %s: %v", from, to, err)
			}
			if !maps.Equal(contents(t, target), want) {
				t.Errorf("%s to %s: the content differs", from, to)
			}
			fill(t, target, "new", 10)
		}
	}
}

func TestBackupIsAFileOfTheEngine(t *testing.T) {
	t.Parallel()
	source := memory.New()
	fill(t, source, "record", 100)
	path := filepath.Join(t.TempDir(), "backup.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(storage.Backup(t.Context(), source, f), f.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := buntdb.Open(path, buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(contents(t, s), contents(t, source)) {
		t.Error("the content differs")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestBrokenBackupChangesNothing(t *testing.T) {
	t.Parallel()
	source := memory.New()
	fill(t, source, "record", 20)
	var backup bytes.Buffer
	if err := storage.Backup(t.Context(), source, &backup); err != nil {
		t.Fatal(err)
	}
	whole := backup.Bytes()
	for name, target := range engines(t) {
		if name == "plain" {
			continue // restores in steps
		}
		fill(t, target, "old", 5)
		want := contents(t, target)
		for at := 0; at < len(whole); at += 37 {
			flipped := bytes.Clone(whole)
			flipped[at] ^= 8
			for _, broken := range [][]byte{whole[:at], flipped} {
				if err := storage.Restore(t.Context(), target, bytes.NewReader(broken)); !errors.Is(err, storage.ErrBadBackup) {
					t.Fatalf("%s, byte %d: Restore = %v, want ErrBadBackup", name, at, err)
				}
			}
		}
		if !maps.Equal(contents(t, target), want) {
			t.Errorf("%s: a broken backup changed the content", name)
		}
	}
}

// An engine without any optional ability keeps the promises as well.
func TestPlainEngine(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, storagetest.Engine{New: func(testing.TB) storage.Store { return plain{memory.New()} }})
}

func TestBackupEndsWithItsContext(t *testing.T) {
	t.Parallel()
	source := memory.New()
	fill(t, source, "record", 5000)
	ctx, cancel := context.WithCancel(t.Context())
	err := storage.Backup(ctx, source, writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil }))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Backup = %v, want context.Canceled", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestSnapshotStaysAsItIs(t *testing.T) {
	t.Parallel()
	for name, s := range engines(t) {
		fill(t, s, "record", 100)
		want := contents(t, s)
		snapshot, err := storage.TakeSnapshot(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, s, "later", 100)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		err = snapshot.View(t.Context(), func(r storage.Reader) error {
			for key, value := range r.Scan("", "") {
				got[key] = string(value)
			}
			if _, err := r.Get("later 00001"); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("%s: a later record shows: %v", name, err)
			}
			_, err := r.Get("record 00001")
			return err
		})
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: the snapshot differs, %v", name, err)
		}
		if err := snapshot.Close(); err != nil {
			t.Error(err)
		}
		if err := snapshot.View(t.Context(), func(storage.Reader) error { return nil }); !errors.Is(err, storage.ErrClosed) {
			t.Errorf("%s: View of a closed snapshot = %v", name, err)
		}
	}
}

func TestCompactOfAnEngineWithoutFiles(t *testing.T) {
	t.Parallel()
	if err := storage.Compact(t.Context(), memory.New()); err != nil {
		t.Error(err)
	}
}
