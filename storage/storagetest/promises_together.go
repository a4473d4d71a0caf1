package storagetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// togetherPromises are of Updates that wait for one key of storage.WithContention: an engine
// may make them in one transaction, and each is to find that it had its own.
var togetherPromises = []promise{
	{"TogetherEachIsAlone", "Updates of one key that wait together lose nothing to each other, and each reads what " +
		"those before it have written.", func(t *testing.T, s storage.Store) {
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				for n := range 8 {
					err := s.Update(hot(t), func(w storage.Writer) error {
						taken := len(keysOf(w, "seat ", ""))
						if value, err := w.Get("taken"); err == nil && string(value) != strconv.Itoa(taken) {
							return fmt.Errorf("there are %d seats, and the number is %s", taken, value)
						}
						own := fmt.Sprintf("seat %04d of %d-%d", taken, i, n)
						err := errors.Join(w.Put(own, nil), w.Put("taken", []byte(strconv.Itoa(taken+1))),
							w.Delete("last"))
						if now := keysOf(w, "seat ", ""); len(now) != taken+1 || !slices.Contains(now, own) {
							return fmt.Errorf("of %d seats %q are seen", taken+1, now)
						}
						return errors.Join(err, w.Put("last", []byte(own)))
					})
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		wantValue(t, s, "taken", strconv.Itoa(12*8))
		view(t, s, func(r storage.Reader) {
			for n, key := range keysOf(r, "seat ", "") {
				if want := fmt.Sprintf("seat %04d ", n); !strings.HasPrefix(key, want) {
					t.Errorf("%q, want %q: a seat was taken twice", key, want)
				}
			}
		})
	}},
	{"TogetherFirstReadSeesAll", "However an Update of those that wait together reads first, it finds what those " +
		"before it have written.", func(t *testing.T, s storage.Store) {
		reads := []func(w storage.Writer) (int, error){
			func(w storage.Writer) (int, error) { return len(keysOf(w, "step ", "")), nil },
			func(w storage.Writer) (n int, err error) {
				for range storage.ScanLimit(w, "step ", "", 1000) {
					n++
				}
				return n, nil
			},
			func(w storage.Writer) (int, error) { return numberIn(w.Get("steps")) },
			func(w storage.Writer) (int, error) {
				value, _, err := storage.Find(w, "steps")
				return numberIn(value, err)
			},
			func(w storage.Writer) (int, error) {
				err := storage.Prefetch(w, []string{"steps"}, storage.Range{Prefix: "step ", Limit: 1000})
				n, failed := numberIn(w.Get("steps"))
				if all := len(keysOf(w, "step ", "")); err == nil && all != n {
					err = fmt.Errorf("there are %d steps, and the number is %d", all, n)
				}
				return n, errors.Join(err, failed)
			},
		}
		var all sync.WaitGroup
		for i := range 2 * len(reads) {
			all.Go(func() {
				for range 8 {
					errorIf(t, s.Update(hot(t), func(w storage.Writer) error {
						n, err := reads[i%len(reads)](w)
						if err != nil {
							return err
						}
						if key := fmt.Sprintf("step %04d", n); i >= len(reads) { // it reads once more
							if _, taken, err := storage.Find(w, key); taken || err != nil {
								return fmt.Errorf("%s is there: %w", key, err)
							}
						}
						return errors.Join(w.Put(fmt.Sprintf("step %04d", n), nil),
							w.Put("steps", []byte(strconv.Itoa(n+1))))
					}))
				}
			})
		}
		all.Wait()
		wantValue(t, s, "steps", strconv.Itoa(2*len(reads)*8))
		view(t, s, func(r storage.Reader) {
			if n := len(keysOf(r, "step ", "")); n != 2*len(reads)*8 {
				t.Errorf("%d steps are there, want %d", n, 2*len(reads)*8)
			}
		})
	}},
	{"TogetherOneFailsAlone", "Of Updates of one key that wait together one that fails, panics, writes too much or " +
		"whose context ends has written nothing, and the others have.", func(t *testing.T, s storage.Store) {
		want := make(map[string]string)
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				for n := range 8 {
					key := fmt.Sprintf("%02d %d", i, n)
					err := failing(t, s, (i+n)%6, key)
					if err != nil {
						t.Errorf("%s: %v", key, err)
					}
					if (i+n)%6 < 2 {
						mu.Lock()
						want[key] = key
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		got := make(map[string]string)
		view(t, s, func(r storage.Reader) {
			clear(got)
			for key, value := range r.Scan("", "") {
				if key != "count" {
					got[key] = string(value)
				}
			}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what is there (-want +got):\n%s", diff)
		}
		wantValue(t, s, "count", strconv.Itoa(len(want)))
	}},
	{"TogetherWaitersMayLeave", "An Update that waits for others of its key ends with its context, and has written " +
		"nothing.", func(t *testing.T, s storage.Store) {
		for range 10 {
			increments(t, s, 4)
		}
		release, holds := make(chan struct{}), make(chan struct{})
		var once sync.Once
		var all sync.WaitGroup
		all.Go(func() {
			errorIf(t, s.Update(hot(t), func(w storage.Writer) error {
				once.Do(func() { close(holds) })
				<-release
				return w.Put("held", nil)
			}))
		})
		<-holds
		ctx, cancel := context.WithCancel(hot(t))
		for range 4 {
			all.Go(func() {
				err := s.Update(ctx, func(w storage.Writer) error {
					<-ctx.Done()
					return w.Put("left", nil)
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("an Update whose context has ended = %v", err)
				}
			})
		}
		for range 4 {
			all.Go(func() { errorIf(t, increment(t, s, "other")) })
		}
		cancel()
		close(release)
		all.Wait()
		wantValue(t, s, "other", "4")
		wantMissing(t, s, "left")
	}},
}

// hot is a context of Updates that wait for one key.
func hot(t *testing.T) context.Context { return storage.WithContention(t.Context(), "hot") }

// numberIn is the number that a value is; there is none yet where there is no value.
func numberIn(value []byte, err error) (int, error) {
	if errors.Is(err, storage.ErrNotFound) || err == nil && value == nil {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// increments lets so many add to one number.
func increments(t *testing.T, s storage.Store, writers int) {
	t.Helper()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			errorIf(t, s.Update(hot(t), func(w storage.Writer) error { return addOne(w, "count up") }))
		})
	}
	all.Wait()
}

// addOne adds one to a number.
func addOne(w storage.Writer, key string) error {
	value, err := w.Get(key)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	n, _ := strconv.Atoi(string(value))
	return w.Put(key, []byte(strconv.Itoa(n+1)))
}

var errOwn = errors.New("storagetest: an error of its own")

// failing makes an Update that writes a key and counts it, and ends in one of several ways of
// which the first two succeed. It returns what is wrong with that.
func failing(t *testing.T, s storage.Store, way int, key string) (wrong error) {
	ctx, cancel := context.WithCancel(hot(t))
	defer cancel()
	panicked := true
	defer func() {
		if got := recover(); panicked && (way != 3 || got != errOwn) {
			wrong = fmt.Errorf("a panic: %v", got)
		}
	}()
	err := s.Update(ctx, func(w storage.Writer) error {
		if err := errors.Join(addOne(w, "count"), w.Put(key, []byte(key))); err != nil {
			return err
		}
		switch way {
		case 2:
			return errOwn
		case 3:
			panic(errOwn)
		case 4:
			_ = w.Put("too large", make([]byte, storage.MaxValueBytes+1))
		case 5:
			cancel()
		}
		return nil
	})
	panicked = false
	if want := []error{nil, nil, errOwn, nil, storage.ErrTooLarge, context.Canceled}[way]; !errors.Is(err, want) ||
		way == 3 {
		return fmt.Errorf("Update = %w, want %v", err, want)
	}
	return nil
}
