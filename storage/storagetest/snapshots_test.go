package storagetest_test

import (
	"context"
	"errors"
	"iter"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// snapshots is an engine whose Updates read a snapshot, and of two that write one key are made one
// after the other: snapshot isolation, as many databases have it, which is less than an order.
type snapshots struct {
	storage.Store
	mu      *sync.Mutex
	commits *int            // so far
	latest  *map[string]int // the commit that wrote a key last
}

func newSnapshots() snapshots {
	return snapshots{memory.New(), new(sync.Mutex), new(int), &map[string]int{}}
}

func (s snapshots) Update(ctx context.Context, fn func(storage.Writer) error) error {
	for {
		if done, err := s.try(ctx, fn); done || err != nil {
			return err
		}
	}
}

// try makes an Update, unless one that was committed since it began has written one of its keys.
func (s snapshots) try(ctx context.Context, fn func(storage.Writer) error) (done bool, err error) {
	s.mu.Lock()
	began := *s.commits
	s.mu.Unlock()
	o := overlay{written: make(map[string][]byte)}
	if err := s.View(ctx, func(r storage.Reader) error {
		o.Reader = r
		return fn(o)
	}); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range o.written {
		if (*s.latest)[key] > began {
			return false, nil
		}
	}
	*s.commits++
	for key := range o.written {
		(*s.latest)[key] = *s.commits
	}
	return true, s.Store.Update(ctx, func(w storage.Writer) error {
		for key, value := range o.written {
			if err := w.Put(key, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// overlay is a snapshot with what a transaction has written.
type overlay struct {
	storage.Reader
	written map[string][]byte
}

func (o overlay) Put(key string, value []byte) error {
	o.written[key] = value
	return nil
}

func (o overlay) Delete(string) error { return errors.New("no promise that is tried deletes") }

func (o overlay) Get(key string) ([]byte, error) {
	if value, ok := o.written[key]; ok {
		return value, nil
	}
	return o.Reader.Get(key)
}

func (o overlay) Scan(prefix, after string) iter.Seq2[string, []byte] {
	all := maps.Collect(o.Reader.Scan(prefix, after))
	for key, value := range o.written {
		if strings.HasPrefix(key, prefix) && key > after {
			all[key] = value
		}
	}
	return func(yield func(string, []byte) bool) {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !yield(key, all[key]) {
				return
			}
		}
	}
}

// snapshotted names, in the environment, that TestSnapshots is to run.
const snapshotted = "STORAGETEST_SNAPSHOTS"

// TestSnapshots is not a test: TestSnapshotsAloneDoNotPass starts it in a separate process, where it
// may fail.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	if os.Getenv(snapshotted) == "" {
		t.Skip("started by TestSnapshotsAloneDoNotPass alone")
	}
	storagetest.Run(t, storagetest.Engine{New: func(testing.TB) storage.Store { return newSnapshots() }})
}

// TestSnapshotsAloneDoNotPass runs the suite over snapshot isolation: what that lets happen is found each
// time, and what it forbids passes.
func TestSnapshotsAloneDoNotPass(t *testing.T) {
	t.Parallel()
	for test, passes := range map[string]bool{
		"ReadersSeeWholeTransactions": true, "UpdatesAreSerial": true, "NoWriteSkew": false,
		"ARangeThatGrewIsNoticed": false, "AnUpdateThatOnlyReadsIsInTheOrder": false,
	} {
		t.Run(test, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			run := exec.CommandContext(ctx, os.Args[0], "-test.count=5", "-test.v", "-test.run=^TestSnapshots$/^"+test+"$")
			run.Env = append(os.Environ(), snapshotted+"=true")
			out, err := run.CombinedOutput()
			verdict := map[bool]string{true: "--- PASS: ", false: "--- FAIL: "}[passes]
			if n := strings.Count(string(out), verdict+"TestSnapshots/"+test); n != 5 {
				t.Errorf("%d of 5 runs end with %q: %v\n%s", n, verdict, err, out)
			}
		})
	}
}
