package allowance_test

import (
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

func TestWhoWasAwayLongestIsForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	a := allowance.New(1, func() time.Time { return now })
	allowed := func(id string) bool { return a.Take(t.Context(), id) == nil }
	if !allowed("first") || allowed("first") {
		t.Fatal("an allowance of one")
	}
	for i := range allowance.MaxCallers {
		allowed(twinplatform.NewGUID())
		if i%1000 == 0 && allowed("first") {
			t.Fatal("forgotten while it keeps calling")
		}
	}
	for range allowance.MaxCallers {
		allowed(twinplatform.NewGUID())
	}
	if !allowed("first") {
		t.Error("remembered behind all others")
	}
}
