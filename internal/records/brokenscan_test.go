package records_test

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// breaking is a store whose scans may end behind the first record, as when a connection is
// lost: the loop ends, and the view fails.
type breaking struct {
	storage.Store
	broken bool
}

var errBroken = errors.New("the connection is lost")

// View implements storage.Store.
func (s *breaking) View(ctx context.Context, fn func(storage.Reader) error) error {
	if !s.broken {
		return s.Store.View(ctx, fn)
	}
	return s.Store.View(ctx, func(r storage.Reader) error {
		_ = fn(brokenReader{r})
		return errBroken
	})
}

// History implements storage.Historian.
func (*breaking) History(storage.Reader) (string, error) { return "", nil }

type brokenReader struct{ storage.Reader }

// Scan implements storage.Reader.
func (r brokenReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return storage.AtMost(r.Reader.Scan(prefix, after), 1)
}

func TestOrderOfAListThatWasNotReadToItsEndIsNotRemembered(t *testing.T) {
	t.Parallel()
	store := &breaking{Store: memory.New()}
	t.Cleanup(func() { store.Close() })
	s := &shelf{t: t, db: records.New(store), store: store}
	for _, id := range []string{"a", "b", "c"} {
		s.put(part{ID: id})
	}
	byName := records.Query[part]{Order: "id", Compare: func(a, b *part) int { return -cmp.Compare(a.ID, b.ID) }}
	store.broken = true
	if _, err := s.list(byName); !errors.Is(err, errBroken) {
		t.Fatalf("list: %v", err)
	}
	store.broken = false
	if page, err := s.list(byName); err != nil || page.Len() != 3 {
		t.Errorf("the list has %d parts, %v; want 3", page.Len(), err)
	}
}
