package storagetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var errTest = errors.New("the test's own error")

var updatePromises = []promise{
	{"UpdateReadsItsOwnWrites", "An Update reads its own writes.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1", "b", "2")
		err := s.Update(t.Context(), func(w storage.Writer) error {
			if err := errors.Join(w.Put("a", []byte("9")), w.Delete("b"), w.Put("c", []byte("3"))); err != nil {
				return err
			}
			if value, err := w.Get("a"); err != nil || string(value) != "9" {
				t.Errorf("Get(a) = %q, %v", value, err)
			}
			if _, err := w.Get("b"); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("Get of the deleted: %v", err)
			}
			if diff := cmp.Diff([]string{"a", "c"}, keysOf(w, "", "")); diff != "" {
				t.Errorf("scan (-want +got):\n%s", diff)
			}
			return w.Put("b", []byte("again"))
		})
		if err != nil {
			t.Fatal(err)
		}
		wantValue(t, s, "a", "9")
		wantValue(t, s, "b", "again")
	}},
	{"DeleteOfMissingIsNoError", "Deleting what is not there is no error.", func(t *testing.T, s storage.Store) {
		err := s.Update(t.Context(), func(w storage.Writer) error {
			return errors.Join(w.Delete("a"), w.Delete("a"), w.Put("b", nil), w.Delete("b"))
		})
		if err != nil {
			t.Fatal(err)
		}
		wantMissing(t, s, "b")
	}},
	{
		"ErrorRollsBack", "When the function returns an error, nothing is written, and Update returns that error.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1")
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if err := errors.Join(w.Put("a", []byte("2")), w.Put("b", []byte("2"))); err != nil {
					return err
				}
				return fmt.Errorf("wrapped: %w", errTest)
			})
			if !errors.Is(err, errTest) {
				t.Errorf("Update = %v, want the function's error", err)
			}
			wantValue(t, s, "a", "1")
			wantMissing(t, s, "b")
		},
	},
	{"ViewReturnsTheError", "View returns the error of its function.", func(t *testing.T, s storage.Store) {
		if err := s.View(t.Context(), func(storage.Reader) error { return errTest }); !errors.Is(err, errTest) {
			t.Errorf("View = %v, want the function's error", err)
		}
	}},
	{
		"PanicRollsBack", "A panic writes nothing, continues to panic, and leaves the store usable.",
		func(t *testing.T, s storage.Store) {
			func() {
				defer func() {
					if got := recover(); got != errTest {
						t.Errorf("recovered %v, want the function's own panic", got)
					}
				}()
				_ = s.Update(t.Context(), func(w storage.Writer) error {
					if err := w.Put("a", []byte("1")); err != nil {
						return err
					}
					panic(errTest)
				})
			}()
			func() {
				defer func() { _ = recover() }()
				_ = s.View(t.Context(), func(storage.Reader) error { panic(errTest) })
			}()
			wantMissing(t, s, "a")
			put(t, s, "b", "2")
			wantValue(t, s, "b", "2")
		},
	},
	{
		"CancelledWritesNothing", "A context that is done before the commit writes nothing.",
		func(t *testing.T, s storage.Store) {
			ctx, cancel := context.WithCancel(t.Context())
			err := s.Update(ctx, func(w storage.Writer) error {
				defer cancel()
				return w.Put("a", []byte("1"))
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Update = %v, want context.Canceled", err)
			}
			fn := func(storage.Writer) error { t.Error("ran under a context that was done"); return nil }
			if err := s.Update(ctx, fn); !errors.Is(err, context.Canceled) {
				t.Errorf("second Update = %v, want context.Canceled", err)
			}
			if err := s.View(ctx, func(storage.Reader) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("View = %v, want context.Canceled", err)
			}
			wantMissing(t, s, "a")
		},
	},
	{
		"WaitingForAWriterEndsWithTheContext", "An Update that waits for another gives up when its context is done.",
		func(t *testing.T, s storage.Store) {
			ctx, cancel := context.WithCancel(t.Context())
			result := make(chan error, 1)
			err := s.Update(t.Context(), func(w storage.Writer) error {
				go func() { result <- s.Update(ctx, func(w storage.Writer) error { return w.Put("b", nil) }) }()
				cancel()
				return w.Put("a", nil)
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-result; !errors.Is(err, context.Canceled) {
				t.Errorf("waiting Update = %v, want context.Canceled", err)
			}
			wantMissing(t, s, "b")
		},
	},
	{"EmptyUpdate", "An Update that writes nothing succeeds.", func(t *testing.T, s storage.Store) {
		if err := s.Update(t.Context(), func(storage.Writer) error { return nil }); err != nil {
			t.Error(err)
		}
	}},
}

var limitPromises = []promise{
	{"LongestKeyAndValueFit", "A key of 1 KiB and a value of 512 KiB fit.", func(t *testing.T, s storage.Store) {
		key, value := strings.Repeat("k", storage.MaxKeyBytes), strings.Repeat("v", storage.MaxValueBytes)
		put(t, s, key, value)
		wantValue(t, s, key, value)
	}},
	{
		"TooLongAKey", "A key over the limit is ErrTooLarge and fails the transaction.",
		func(t *testing.T, s storage.Store) {
			key := strings.Repeat("k", storage.MaxKeyBytes+1)
			wantRefused(t, s, storage.ErrTooLarge, func(w storage.Writer) error { return w.Put(key, nil) })
			wantRefused(t, s, storage.ErrTooLarge, func(w storage.Writer) error { return w.Delete(key) })
		},
	},
	{
		"TooLargeAValue", "A value over the limit is ErrTooLarge and fails the transaction.",
		func(t *testing.T, s storage.Store) {
			wantRefused(t, s, storage.ErrTooLarge, func(w storage.Writer) error {
				return w.Put("big", make([]byte, storage.MaxValueBytes+1))
			})
		},
	},
	{"EmptyKey", "The empty key is ErrEmptyKey and fails the transaction.", func(t *testing.T, s storage.Store) {
		wantRefused(t, s, storage.ErrEmptyKey, func(w storage.Writer) error { return w.Put("", []byte("x")) })
		wantRefused(t, s, storage.ErrEmptyKey, func(w storage.Writer) error { return w.Delete("") })
	}},
	{
		"TooManyWrites", "A transaction holds 10,000 writes, and one more is ErrTooLarge.",
		func(t *testing.T, s storage.Store) {
			fill := func(n int) func(storage.Writer) error {
				return func(w storage.Writer) error {
					for i := range n {
						if err := w.Put(fmt.Sprintf("key %d", i), nil); err != nil {
							return err
						}
					}
					return nil
				}
			}
			wantRefused(t, s, storage.ErrTooLarge, fill(storage.MaxTxWrites))
			if err := s.Update(t.Context(), fill(storage.MaxTxWrites)); err != nil {
				t.Errorf("%d writes: %v", storage.MaxTxWrites, err)
			}
		},
	},
	{
		"TooManyBytes", "A transaction holds 16 MiB of keys and values, and more is ErrTooLarge.",
		func(t *testing.T, s storage.Store) {
			value := make([]byte, storage.MaxValueBytes)
			fill := func(w storage.Writer) error {
				for i := range storage.MaxTxBytes/storage.MaxValueBytes - 1 {
					if err := w.Put(fmt.Sprintf("key %02d", i), value); err != nil {
						return err
					}
				}
				return nil
			}
			wantRefused(t, s, storage.ErrTooLarge, func(w storage.Writer) error {
				return errors.Join(fill(w), w.Put("last", value))
			})
			if err := s.Update(t.Context(), fill); err != nil {
				t.Errorf("just under the limit: %v", err)
			}
		},
	},
}

// wantRefused checks that a transaction that writes a key, ignores the error of
// write and writes on fails with want and leaves nothing behind.
func wantRefused(t *testing.T, s storage.Store, want error, write func(storage.Writer) error) {
	t.Helper()
	err := s.Update(t.Context(), func(w storage.Writer) error {
		_ = w.Put("before", nil)
		_ = write(w)
		_ = w.Put("after", nil)
		return nil
	})
	if !errors.Is(err, want) {
		t.Errorf("Update = %v, want %v", err, want)
	}
	view(t, s, func(r storage.Reader) {
		if keys := keysOf(r, "", ""); len(keys) > 0 {
			t.Errorf("%d keys were written, %.20q first", len(keys), keys[0])
		}
	})
}
