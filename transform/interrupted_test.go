package transform_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// interrupted is a store in which something happens right before the next change.
type interrupted struct {
	storage.Store

	before func()
}

func (s *interrupted) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if happens := s.before; happens != nil {
		s.before = nil
		happens()
	}
	return s.Store.Update(ctx, fn)
}

// recordsIn is all that the area holds in a store.
func recordsIn(t *testing.T, store storage.Store) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("transform/", "") {
			if strings.HasPrefix(key, "transform/") {
				all[key] = string(value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
