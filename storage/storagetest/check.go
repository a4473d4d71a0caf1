package storagetest

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// put writes pairs of keys and values in one transaction.
func put(t *testing.T, s storage.Store, pairs ...string) {
	t.Helper()
	err := s.Update(t.Context(), func(w storage.Writer) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := w.Put(pairs[i], []byte(pairs[i+1])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("Update: %v", err)
	}
}

// wantValue fails the test when the key does not have the value.
func wantValue(t *testing.T, s storage.Store, key, want string) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		value, err := r.Get(key)
		if err == nil && string(value) != want {
			t.Errorf("Get(%q) = %q, want %q", key, value, want)
		}
		return err
	})
	if err != nil {
		t.Errorf("Get(%q): %v, want %q", key, err, want)
	}
}

// wantMissing fails the test when the key is there.
func wantMissing(t *testing.T, s storage.Store, key string) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		_, err := r.Get(key)
		return err
	})
	if !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("Get(%q): %v, want ErrNotFound", key, err)
	}
}

// keysOf collects the keys of a scan.
func keysOf(r storage.Reader, prefix, after string) []string {
	var keys []string
	for key := range r.Scan(prefix, after) {
		keys = append(keys, key)
	}
	return keys
}

// Dump returns everything a store holds, as one View sees it.
func Dump(ctx context.Context, s storage.Store) (map[string]string, error) {
	var all map[string]string
	err := s.View(ctx, func(r storage.Reader) error {
		all = make(map[string]string)
		for key, value := range r.Scan("", "") {
			all[key] = string(value)
		}
		return nil
	})
	return all, err
}
