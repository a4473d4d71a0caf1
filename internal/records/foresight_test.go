package records_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// farAway is a shelf over a store to which the journeys are counted.
type farAway struct {
	shelf
	far *distant.Store
}

func newDistant(t *testing.T) *farAway {
	t.Helper()
	far := distant.Over(memory.New())
	t.Cleanup(func() { far.Close() })
	return &farAway{shelf{t: t, db: records.New(far), store: far}, far}
}

// took is how many journeys a view takes.
func (d *farAway) took(ctx context.Context, fn func(v *records.View) error) int {
	d.t.Helper()
	d.far.Journeys()
	if err := d.db.View(ctx, fn); err != nil {
		d.t.Fatal(err)
	}
	return d.far.Journeys()
}

// reading reads parts one by one.
func reading(ids ...string) func(v *records.View) error {
	return func(v *records.View) error {
		for _, id := range ids {
			if _, err := parts.Value(v, bin, id); err != nil && !errors.Is(err, records.ErrNotFound) {
				return err
			}
		}
		return nil
	}
}

func as(ctx context.Context, caller string) context.Context {
	return twinplatform.WithPrincipal(ctx, twinplatform.Principal{ID: caller})
}

func TestWhatACallerAsksForAgainIsReadTogether(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	for _, id := range []string{"a", "b", "c"} {
		d.put(part{ID: id, Group: "g"})
	}
	ann, bob := as(t.Context(), "ann"), as(t.Context(), "bob")
	all := func(v *records.View) error {
		if err := reading("a", "b", "missing")(v); err != nil {
			return err
		}
		n := 0
		for range parts.IDs(v, bin, "group", "g") {
			n++
		}
		if n != 3 {
			t.Errorf("the index has %d parts, want 3", n)
		}
		return nil
	}
	if n := d.took(ann, all); n != 4 {
		t.Errorf("the first time takes %d journeys, want one for each of 4 questions", n)
	}
	if n := d.took(ann, all); n != 1 {
		t.Errorf("the second time takes %d journeys, want 1", n)
	}
	if n := d.took(bob, all); n != 4 {
		t.Errorf("another caller takes %d journeys, want 4: habits are a caller's own", n)
	}
}

func TestWhatIsReadTogetherIsOfTheTransaction(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	for i := range 5 {
		name := fmt.Sprint(i)
		d.put(part{ID: "a", Name: name})
		d.put(part{ID: "b", Name: name})
		err := d.db.View(t.Context(), func(v *records.View) error {
			for _, id := range []string{"a", "b"} {
				if p, err := parts.Value(v, bin, id); err != nil || p.Name != name {
					t.Errorf("%s is %+v, %v; want the name %s", id, p, err, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := d.update(func(u *records.Update) error {
		if _, err := parts.Value(u, bin, "a"); err != nil {
			return err
		}
		if _, err := parts.Put(u, bin, &part{ID: "b", Name: "own"}); err != nil {
			return err
		}
		p, err := parts.Value(u, bin, "b")
		if err == nil && p.Name != "own" {
			t.Errorf("b is %+v within the transaction that wrote it", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHabitThatIsOfNoUseIsGivenUp(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	d.took(t.Context(), reading("a", "once"))
	d.took(t.Context(), reading("a"))
	if n := d.took(t.Context(), reading("a", "once")); n != 2 {
		t.Errorf("what was of no use takes %d journeys with the first, want 2", n)
	}
	for range 4 {
		d.took(t.Context(), reading("a", "b"))
	}
	d.took(t.Context(), reading("a"))
	if n := d.took(t.Context(), reading("a", "b")); n != 1 {
		t.Errorf("what was of use often takes %d journeys, want 1", n)
	}
}

func TestWhatIsAskedOfASubjectIsAskedOfAll(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	var ids, others []string
	for i := range 50 {
		ids, others = append(ids, fmt.Sprintf("part-%02d", i)), append(others, fmt.Sprintf("other-%02d", i))
		if i%2 == 0 {
			d.put(part{ID: ids[i], Group: others[i]})
		}
	}
	both := func(v *records.View) error {
		records.Subjects(v, others...)
		if err := reading(ids...)(v); err != nil {
			return err
		}
		found := 0
		for _, id := range others {
			for range parts.IDs(v, bin, "group", id) {
				found++
			}
		}
		if found != 25 {
			t.Errorf("%d parts are found, want 25", found)
		}
		return nil
	}
	ctx := records.WithSubjects(t.Context(), "work", ids...)
	if n := d.took(ctx, both); n != 2 {
		t.Errorf("takes %d journeys, want one for the records and one for the index", n)
	}
	if n := d.took(records.WithSubjects(t.Context(), "work", others...), both); n > 52 {
		t.Errorf("with other subjects it takes %d journeys", n)
	}
	if n := d.took(ctx, both); n != 1 {
		t.Errorf("the next time takes %d journeys, want 1", n)
	}
}

func TestIndexAndDeltaAreFollowedTogether(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	const n = 300
	from, err := d.list(records.Query[part]{ListOptions: twinplatform.ListOptions{Top: 10}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		d.put(part{ID: fmt.Sprintf("part-%03d", i), Group: "g"})
	}
	if err := d.delete("part-007"); err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]records.Query[part]{
		"index": {ListOptions: twinplatform.ListOptions{Top: 250}, Index: "group", Equals: "g"},
		"delta": {ListOptions: twinplatform.ListOptions{Top: 250, Delta: from.Delta}},
	} {
		d.far.Journeys()
		page, err := d.list(q)
		if err != nil || page.Len() != 250 || page.Next == "" {
			t.Errorf("%s: %d of a page of 250, %v", name, page.Len(), err)
		}
		if took := d.far.Journeys(); took > 3 {
			t.Errorf("%s: a page takes %d journeys, want 3 at most", name, took)
		}
	}
}

func TestManyRecordsAreCopiedInFewJourneys(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	const n = 600
	for i := range n {
		d.put(part{ID: fmt.Sprint(i), Name: "original", Group: "g"})
	}
	d.far.Journeys()
	progress := records.Copying{From: bin, To: bin + "-copy"}
	for whole, steps := false, 0; !whole; steps++ {
		if steps == n {
			t.Fatal("the copy does not end")
		}
		if err := d.update(func(u *records.Update) (err error) {
			next := progress
			whole, err = next.Run(u, []*records.Table{parts.Table()}, records.NewStep(u))
			progress = next
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if took := d.far.Journeys(); progress.Copied != n || took > n/10 {
		t.Errorf("%d records of %d were copied in %d journeys", progress.Copied, n, took)
	}
}
