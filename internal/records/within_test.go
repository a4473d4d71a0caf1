package records_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestAContextWithinATransactionReadsThroughIt(t *testing.T) {
	t.Parallel()
	store := memory.New()
	db, neighbour := records.New(store), records.New(store)
	elsewhere := records.New(memory.New())
	c := records.Collection[string]{Name: "words", ID: func(*string) string { return "w" }}
	word := "dig"
	err := db.Update(t.Context(), func(u *records.Update) error {
		if _, err := c.Put(u, "s", &word); err != nil {
			return err
		}
		seen := func(ctx context.Context, db *records.DB) (has bool) {
			err := db.View(ctx, func(v *records.View) (err error) {
				has, err = c.Has(v, "s", "w")
				return err
			})
			if err != nil {
				t.Error(err)
			}
			return has
		}
		if !seen(u.Within(t.Context()), neighbour) {
			t.Error("a view within the transaction does not see what the transaction wrote")
		}
		if seen(t.Context(), neighbour) {
			t.Error("a view in a plain context sees what was not committed")
		}
		if seen(u.Within(t.Context()), elsewhere) {
			t.Error("a view of another store reads through the transaction")
		}
		if neighbour.Update(u.Within(t.Context()), func(*records.Update) error { return nil }) == nil {
			t.Error("an update within a transaction is not refused")
		}
		twice := word + word
		put := func(u *records.Update) error { _, err := c.Put(u, "t", &twice); return err }
		if err := neighbour.Join(u.Within(t.Context()), put); err != nil {
			t.Errorf("joining the transaction: %v", err)
		}
		if has, err := c.Has(u, "t", "w"); !has || err != nil {
			t.Errorf("what joined wrote elsewhere: %v", err)
		}
		if elsewhere.Join(u.Within(t.Context()), put) == nil || neighbour.Join(t.Context(), put) == nil {
			t.Error("a transaction is joined from outside")
		}
		return elsewhere.Update(u.Within(t.Context()), func(*records.Update) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(v *records.View) error {
		return neighbour.Join(v.Within(t.Context()), func(*records.Update) error { return nil })
	})
	if err == nil {
		t.Error("a transaction that only reads is joined")
	}
}
