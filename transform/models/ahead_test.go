package models_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// writerReads counts the keys that are read while a transaction has the writer.
type writerReads struct {
	storage.Store
	most int
}

func (s *writerReads) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error {
		reads := 0
		err := fn(readingWriter{w, &reads})
		s.most = max(s.most, reads)
		return err
	})
}

type readingWriter struct {
	storage.Writer
	reads *int
}

func (w readingWriter) Get(key string) ([]byte, error) {
	*w.reads++
	return w.Writer.Get(key)
}

func TestChangesetsAreCheckedBeforeTheyHaveTheWriter(t *testing.T) {
	t.Parallel()
	store := &writerReads{Store: memory.New()}
	svc := transform.New(store, transform.Config{Twins: modelstest.Twins{"source"}}).Models()
	ctx := t.Context()
	if _, err := svc.CreateModel(ctx, models.NewModel{ID: "model", TwinID: "source", DisplayName: "model"}); err != nil {
		t.Fatal(err)
	}
	inserted := make([]models.NewElement, models.MaxChanges)
	deleted := make([]string, len(inserted))
	for i := range inserted {
		deleted[i] = fmt.Sprintf("0x%06x", i)
		inserted[i] = models.NewElement{ID: deleted[i], Class: "Part", Category: "walls"}
	}
	for _, n := range []models.NewChangeset{{Inserted: inserted}, {Deleted: deleted}} {
		store.most = 0
		if _, err := svc.CreateChangeset(ctx, "model", n); err != nil || store.most > 100 {
			t.Errorf("%d insertions and %d deletions read %d keys in the writer: %v", len(n.Inserted), len(n.Deleted), store.most, err)
		}
	}
}
