package storagetest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var isolationPromises = []promise{
	{"ViewIsOneState", "View sees one committed state from beginning to end.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1", "b", "1")
		runs := 1 // the next of which finds what the one before has written
		view(t, s, func(r storage.Reader) {
			want, keys := strconv.Itoa(runs), keysOf(r, "", "")
			runs++
			if value, err := r.Get("a"); err != nil || string(value) != want {
				t.Errorf("Get(a) = %q, %v", value, err)
			}
			done := make(chan error)
			go func() {
				done <- s.Update(t.Context(), func(w storage.Writer) error {
					next := []byte(strconv.Itoa(runs))
					return errors.Join(w.Put("a", next), w.Put("b", next), w.Put("c"+string(next), nil))
				})
			}()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if value, err := r.Get("b"); err != nil || string(value) != want {
				t.Errorf("Get(b) = %q, %v: another transaction shows", value, err)
			}
			if now := keysOf(r, "", ""); !slices.Equal(now, keys) {
				t.Errorf("scan sees %q, and saw %q before", now, keys)
			}
		})
		wantValue(t, s, "b", strconv.Itoa(runs))
	}},
	{
		"NobodySeesAnUnfinishedUpdate",
		"No reader sees a write of an Update before it has returned, and readers do not wait for it.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1")
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if err := w.Put("a", []byte("2")); err != nil {
					return err
				}
				seen := make(chan string)
				go func() {
					var value []byte
					defer func() { seen <- string(value) }()
					view(t, s, func(r storage.Reader) { value, _ = r.Get("a") })
				}()
				if value := <-seen; value != "1" {
					t.Errorf("a reader saw %q", value)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			wantValue(t, s, "a", "2")
		},
	},
	{"ViewsNest", "A View may be made within a View, also while writers wait.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1")
		view(t, s, func(storage.Reader) {
			put(t, s, "a", "2")
			wantValue(t, s, "a", "2")
		})
	}},
	{
		"UpdatesAreSerial", "Updates that read and write lose nothing to each other.",
		func(t *testing.T, s storage.Store) {
			const writers, rounds = 8, 25
			var group sync.WaitGroup
			for range writers {
				group.Go(func() {
					for range rounds {
						if err := increment(t, s, "n"); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
			wantValue(t, s, "n", strconv.Itoa(writers*rounds))
		},
	},
	{
		"ReadersSeeWholeTransactions", "A reader sees all of a transaction or nothing of it, and never goes back.",
		func(t *testing.T, s storage.Store) {
			const keys, rounds = 10, 50
			stop := make(chan struct{})
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					last := 0
					for {
						select {
						case <-stop:
							return
						default:
						}
						view(t, s, func(r storage.Reader) {
							first := ""
							for key, value := range r.Scan("k", "") {
								if first == "" {
									first = string(value)
								}
								if string(value) != first {
									t.Errorf("%s is of transaction %s, others of %s", key, value, first)
								}
							}
							if n, _ := strconv.Atoi(first); n < last {
								t.Errorf("saw transaction %d after %d", n, last)
							} else {
								last = n
							}
						})
						runtime.Gosched()
					}
				})
			}
			for n := range rounds {
				err := s.Update(t.Context(), func(w storage.Writer) error {
					for i := range keys {
						if err := w.Put(fmt.Sprintf("k%d", i), []byte(strconv.Itoa(n))); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				wantValue(t, s, "k0", strconv.Itoa(n))
			}
			close(stop)
			group.Wait()
		},
	},
}

// increment adds one to the number kept under a key.
func increment(t *testing.T, s storage.Store, key string) error {
	return s.Update(t.Context(), func(w storage.Writer) error {
		value, err := w.Get(key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		n, _ := strconv.Atoi(string(value))
		return w.Put(key, []byte(strconv.Itoa(n+1)))
	})
}

var closePromises = []promise{
	{
		"ClosedIsErrClosed", "After Close every call fails with ErrClosed, and closing twice is harmless.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			ran := func() error { t.Error("the function ran on a closed store"); return nil }
			if err := s.View(t.Context(), func(storage.Reader) error { return ran() }); !errors.Is(err,
				storage.ErrClosed) {
				t.Errorf("View = %v, want ErrClosed", err)
			}
			if err := s.Update(t.Context(), func(storage.Writer) error { return ran() }); !errors.Is(err,
				storage.ErrClosed) {
				t.Errorf("Update = %v, want ErrClosed", err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("second Close = %v", err)
			}
		},
	},
	{
		"CloseWaitsForCalls", "Close waits for the calls under way, which finish undisturbed.",
		func(t *testing.T, s storage.Store) {
			inside, leave := make(chan struct{}), make(chan struct{})
			viewed, closed := make(chan error, 1), make(chan error, 1)
			var entered sync.Once
			go func() {
				viewed <- s.View(t.Context(), func(r storage.Reader) error {
					entered.Do(func() { close(inside) })
					<-leave
					_, err := r.Get("a")
					return err
				})
			}()
			<-inside
			go func() { closed <- s.Close() }()
			for s.View(t.Context(), func(storage.Reader) error { return nil }) == nil {
				runtime.Gosched()
			}
			select {
			case <-closed:
				t.Error("Close returned while a View was under way")
			default:
			}
			close(leave)
			if err := <-viewed; !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("the View under way: %v, want ErrNotFound", err)
			}
			if err := <-closed; err != nil {
				t.Error(err)
			}
		},
	},
}
