package buntdb_test

import (
	"context"
	"errors"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// waiting is a context that reports when its end is waited for.
type waiting struct {
	context.Context
	asked chan struct{}
}

// Done implements context.Context.
func (w waiting) Done() <-chan struct{} {
	select {
	case w.asked <- struct{}{}:
	default:
	}
	return w.Context.Done()
}

// One writer's batch is on its way to the disk while the next already builds on
// it. When the first then fails, the second must run again on the state without.
func TestWriterRunsAgainWhenWhatItReadIsSetBack(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	s := openOn(t, disk)
	defer closeStore(t, s)
	update(t, s, func(w storage.Writer) error { return w.Put("a", []byte("old")) })

	writing, release := make(chan struct{}), make(chan struct{})
	held := false
	disk.Gate(func(c storagetest.Call) {
		if c.Op == "write" && !held {
			held = true
			close(writing)
			<-release
		}
	})
	failed := false
	disk.Fail(func(c storagetest.Call) storagetest.Verdict {
		if c.Op != "write" || failed {
			return storagetest.Verdict{}
		}
		failed = true
		return storagetest.Verdict{Err: syscall.EIO}
	})

	first, second := make(chan error, 1), make(chan error, 1)
	queued := waiting{Context: t.Context(), asked: make(chan struct{}, 1)}
	read, goOn := make(chan struct{}), make(chan struct{})
	var seen []string
	go func() {
		first <- s.Update(t.Context(), func(w storage.Writer) error {
			go func() {
				second <- s.Update(queued, func(w storage.Writer) error {
					value, err := w.Get("a")
					if err != nil {
						return err
					}
					if seen = append(seen, string(value)); len(seen) == 1 {
						close(read)
						<-goOn
					}
					return w.Put("b", value)
				})
			}()
			<-queued.asked
			return w.Put("a", []byte("new"))
		})
	}()
	<-writing
	<-read
	close(release)
	if err := <-first; !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("first Update = %v, want ErrUnavailable", err)
	}
	close(goOn)
	if err := <-second; err != nil {
		t.Errorf("second Update: %v", err)
	}
	if len(seen) != 2 || seen[0] != "new" || seen[1] != "old" {
		t.Errorf("the second saw %q, want new, then old", seen)
	}
	if got := dump(t, s); got["a"] != "old" || got["b"] != "old" {
		t.Errorf("the store holds %v", got)
	}
}
