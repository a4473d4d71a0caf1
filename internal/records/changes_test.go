package records_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

type leaf struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Deleted bool   `json:"deleted"`
}

var leaves = records.Collection[leaf]{
	Name: "leaves", ID: func(l *leaf) string { return l.ID }, MarkDeleted: func(l *leaf) { l.Deleted = true },
}

func TestChangesTellOfEachRecordOnceSinceARevision(t *testing.T) {
	t.Parallel()
	const tree records.Scope = "tree-1"
	long := strings.Repeat("長", 100)
	db := records.New(memory.New())
	var since uint64
	change := func(fn func(u *records.Update) error) {
		t.Helper()
		if err := db.Update(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	change(func(u *records.Update) error {
		for _, id := range []string{"a", "b", "c", "d", long} {
			if _, err := leaves.Insert(u, tree, &leaf{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	change(func(u *records.Update) (err error) {
		if since, err = tree.Revision(u); err != nil {
			return err
		}
		for _, text := range []string{"one", "two"} {
			if _, err := leaves.Put(u, tree, &leaf{ID: "c", Text: text}); err != nil {
				return err
			}
		}
		if err := leaves.Delete(u, tree, "b"); err != nil {
			return err
		}
		_, err = leaves.Put(u, tree, &leaf{ID: long, Text: "new"})
		return err
	})
	var changed, from []string
	err := db.View(t.Context(), func(v *records.View) error {
		for c, err := range leaves.Changes(v, tree, since) {
			if err != nil {
				return err
			}
			changed = append(changed, c.ID)
		}
		for l, err := range leaves.From(v, tree, "a") {
			if err != nil {
				return err
			}
			from = append(from, l.ID)
		}
		for range leaves.From(v, tree, long) {
			t.Error("something comes after the last id")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c", "b", long}, changed); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"c", "d", long}, from); diff != "" {
		t.Errorf("records after a (-want +got):\n%s", diff)
	}
	if err := db.ForgetIn(t.Context(), tree, time.Now(), always); err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(v *records.View) error {
		for _, err := range leaves.Changes(v, tree, since) {
			return err
		}
		return nil
	})
	if !errors.Is(err, records.ErrDeltaExpired) {
		t.Errorf("got %v after the deletion was forgotten", err)
	}
}
