package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// box has two members that are stored and never on the wire.
type box struct {
	ID string `json:"id"`

	Owner  string `json:"-"`
	Sealed bool   `json:"-"`
}

var boxes = records.Collection[box]{
	Name: "boxes", Untracked: true,
	ID: func(b *box) string { return b.ID },
	Hidden: func(b *box) any {
		return &struct {
			Owner  *string                `json:"owner"`
			Sealed records.OmitZero[bool] `json:"sealed,omitzero"`
		}{&b.Owner, records.OmitZero[bool]{Of: &b.Sealed}}
	},
}

func TestHiddenMembersAreKeptAndLeftOutWhileZero(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	db := records.New(store)
	for id, b := range map[string]box{"open": {Owner: "ann"}, "shut": {Sealed: true}} {
		b.ID = id
		err := db.Update(t.Context(), func(u *records.Update) error {
			if none, err := boxes.Lookup(u, bin, id); none != nil || err != nil {
				t.Errorf("%s is there before: %+v, %v", id, none, err)
			}
			if _, err := boxes.Insert(u, bin, &b); err != nil {
				return err
			}
			got, err := boxes.Lookup(u, bin, id)
			if diff := cmp.Diff(&b, got); diff != "" {
				t.Error(diff)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := store.View(t.Context(), func(r storage.Reader) error {
		for id, want := range map[string]string{"open": `{"owner":"ann"}{"id":"open"}`, "shut": `{"owner":"","sealed":true}{"id":"shut"}`} {
			stored, err := r.Get("bin-1/boxes/r/" + id)
			if err != nil {
				return err
			}
			if got := string(stored[max(0, len(stored)-len(want)):]); got != want {
				t.Errorf("%s is stored as %q", id, stored)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNumbersOfAHiddenPartAreReadIntoTheRecord(t *testing.T) {
	t.Parallel()
	type crate struct {
		ID    string `json:"id"`
		Count int    `json:"-"`
	}
	crates := records.Collection[crate]{
		Name: "crates", Untracked: true,
		ID: func(c *crate) string { return c.ID },
		Hidden: func(c *crate) any {
			return &struct {
				Count *int `json:"count"`
			}{&c.Count}
		},
	}
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	err := records.New(store).Update(t.Context(), func(u *records.Update) error {
		if _, err := crates.Insert(u, bin, &crate{ID: "full", Count: 12}); err != nil {
			return err
		}
		got, err := crates.Value(u, bin, "full")
		if diff := cmp.Diff(&crate{ID: "full", Count: 12}, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
