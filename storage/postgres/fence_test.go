package postgres_test

import (
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestAProcessBehindTheFenceWritesNothing(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	open := func() storage.Store {
		s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 2, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	earlier, later := open(), open()
	put := func(s storage.Store, key, value string) error {
		return s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, []byte(value)) })
	}
	passed := errors.New("a later format")
	earlier.(storage.Fenced).Fence("format", func(value []byte) error {
		if string(value) > "1" {
			return passed
		}
		return nil
	})
	if err := errors.Join(put(earlier, "format", "1"), put(earlier, "a", "before"), put(later, "format", "2")); err != nil {
		t.Fatal(err)
	}
	if err := put(earlier, "a", "behind"); !errors.Is(err, passed) || !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a write behind the fence: %v", err)
	}
	err := earlier.Update(t.Context(), func(w storage.Writer) error {
		if _, err := w.Get("a"); err != nil {
			return err
		}
		return w.Put("a", []byte("behind"))
	})
	if !errors.Is(err, passed) {
		t.Errorf("a write that reads first: %v", err)
	}
	err = earlier.View(t.Context(), func(r storage.Reader) error {
		value, err := r.Get("a")
		if string(value) != "before" {
			t.Errorf("a is %q", value)
		}
		return err
	})
	if err != nil {
		t.Errorf("reading behind the fence: %v", err)
	}
}
