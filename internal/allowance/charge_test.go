package allowance_test

import (
	"errors"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

// A charged caller is in debt by a minute at most, and gets the right time when it is
// paid.
func TestDebtsAreBoundedAndPaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		charges []int
		wait    time.Duration
	}{
		{[]int{59}, time.Second},
		{[]int{60}, 2 * time.Second},
		{[]int{30, 45}, 17 * time.Second},
		{[]int{1_000_000}, 61 * time.Second},
		{[]int{100, 100, 100}, 61 * time.Second},
	} {
		now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
		a := allowance.New(60, func() time.Time { return now })
		if err := a.Take(t.Context(), "me"); err != nil {
			t.Fatal(err)
		}
		for _, n := range tt.charges {
			a.Charge(t.Context(), "me", n)
		}
		e, ok := errors.AsType[*twinplatform.Error](a.Take(t.Context(), "me"))
		if !ok || e.RetryAfter != tt.wait {
			t.Fatalf("charged %v: %v, want a wait of %v", tt.charges, e, tt.wait)
		}
		if err := a.Take(t.Context(), "you"); err != nil {
			t.Errorf("charged %v: another: %v", tt.charges, err)
		}
		now = now.Add(tt.wait)
		if err := a.Take(t.Context(), "me"); err != nil {
			t.Errorf("charged %v: after %v: %v", tt.charges, tt.wait, err)
		}
	}
}
