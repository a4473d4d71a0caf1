package shards_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestModelOfAnAccountOverANetwork(t *testing.T) {
	t.Parallel()
	storagetest.RunModel(t, in(another, func(testing.TB) []storage.Store {
		return []storage.Store{distant.Over(memory.New()), distant.Over(memory.New())}
	}))
}

// Whether the shard is in its place is read along with what is read first.
func TestTransactionsTakeNoMoreJourneysThanWithoutShards(t *testing.T) {
	t.Parallel()
	home, other := distant.Over(memory.New()), distant.Over(memory.New())
	s := open(t, alone, home, other)
	shard := another(s)
	if err := s.Assign(t.Context(), "ann", shard); err != nil {
		t.Fatal(err)
	}
	put(t, s, "ann", "a", "1")
	at := home
	if n := other.Journeys(); n > 0 && len(records(t, other)) > 0 {
		at = other
	}
	single := distant.Over(memory.New())
	put(t, single, "", "a", "1")
	ctx := storage.WithAccount(t.Context(), "ann")
	for name, transaction := range map[string]func(ctx context.Context, s storage.Store) error{
		"get": func(ctx context.Context, s storage.Store) error {
			return s.View(ctx, func(r storage.Reader) error { _, err := r.Get("a"); return err })
		},
		"declared": func(ctx context.Context, s storage.Store) error {
			return s.Update(ctx, func(w storage.Writer) error {
				if err := storage.Prefetch(w, []string{"a", "b"}, storage.Range{Prefix: "c", Limit: 5}); err != nil {
					return err
				}
				if _, err := w.Get("a"); err != nil {
					return err
				}
				for range storage.ScanLimit(w, "c", "", 5) {
				}
				return w.Put("b", []byte("2"))
			})
		},
		"get and put": func(ctx context.Context, s storage.Store) error {
			return s.Update(ctx, func(w storage.Writer) error {
				if _, err := w.Get("a"); err != nil {
					return err
				}
				return w.Put("a", []byte("2"))
			})
		},
	} {
		single.Journeys()
		at.Journeys()
		if err := transaction(ctx, single); err != nil {
			t.Fatal(err)
		}
		if err := transaction(ctx, s); err != nil {
			t.Fatal(err)
		}
		if want, got := single.Journeys(), at.Journeys(); got != want {
			t.Errorf("%s: %d journeys, want %d", name, got, want)
		}
	}
}

var _ storage.Store = (*shards.Store)(nil)
