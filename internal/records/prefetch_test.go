package records_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
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

func TestDeclaredReadSetTakesOneJourney(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	for _, id := range []string{"a", "b", "c"} {
		d.put(part{ID: id, Group: "g"})
	}
	all := func(declared bool) func(v *records.View) error {
		return func(v *records.View) error {
			if declared {
				records.Declare(v, parts.Needs(bin, "b", "missing", "a")...)
				records.Declare(v, parts.NeedsIndexed(bin, "group", "g", "")...)
			}
			if err := reading("a", "b", "missing", "a")(v); err != nil {
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
	}
	if n := d.took(t.Context(), all(false)); n != 4 {
		t.Errorf("what is not declared takes %d journeys, want one for each of 4 questions", n)
	}
	if n := d.took(t.Context(), all(true)); n != 1 {
		t.Errorf("what is declared takes %d journeys, want 1", n)
	}
}

func TestReadSetOfTheContextIsReadWithWhatLeadsToTheScope(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	d.put(part{ID: "a"})
	d.took(t.Context(), reading("a")) // by which it is known that the store is remote
	ctx := d.db.WithNeeds(t.Context(), func(_ records.Reading, s records.Scope) []records.Need { return parts.Needs(s, "a", "b") })
	if n := d.took(ctx, func(v *records.View) error {
		records.DeclareIn(v, bin)
		records.DeclareIn(v, bin)
		return reading("c", "a", "b")(v)
	}); n != 1 {
		t.Errorf("takes %d journeys, want 1", n)
	}
}

func TestDeclaringReadsNothingByItself(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	d.put(part{ID: "first"}) // with which the history begins
	if n := d.took(t.Context(), func(v *records.View) error {
		records.Declare(v, parts.Needs(bin, "a")...)
		return nil
	}); n != 1 {
		t.Errorf("takes %d journeys, want the one with which it begins", n)
	}
	if n := d.took(t.Context(), func(v *records.View) error {
		for range 2 {
			if err := records.Prefetch(v, parts.Needs(bin, "a")...); err != nil {
				return err
			}
		}
		return nil
	}); n != 1 {
		t.Errorf("reading it ahead twice takes %d journeys, want 1", n)
	}
}

func TestWrittenKeysAreNotRead(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	d.put(part{ID: "first"})
	d.far.Journeys()
	if err := d.update(func(u *records.Update) error {
		if _, err := parts.Put(u, bin, &part{ID: "a"}); err != nil {
			return err
		}
		for range 2 {
			if _, err := parts.Value(u, bin, "a"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if n := d.far.Journeys(); n != 2 {
		t.Errorf("takes %d journeys, want one that reads and one that writes", n)
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

func TestWhatIsFoundByIDsIsFollowedLevelByLevel(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	var roots []string
	for i := range 50 {
		root := fmt.Sprintf("part-%02d", i)
		roots = append(roots, root)
		for n := range 2 {
			child := fmt.Sprint("child-", i, n)
			d.put(part{ID: child, Group: root})
			d.put(part{ID: fmt.Sprint("leaf-", i, n), Group: child})
		}
	}
	var below func() []records.Found
	below = func() []records.Found {
		f := parts.FoundBy("group")
		f.Of = below
		return []records.Found{f}
	}
	found := 0
	var walk func(v *records.View, id string) error
	walk = func(v *records.View, id string) error {
		for child := range parts.IDs(v, bin, "group", id) {
			found++
			if _, err := parts.Value(v, bin, child); err != nil {
				return err
			}
			if err := walk(v, child); err != nil {
				return err
			}
		}
		return nil
	}
	n := d.took(t.Context(), func(v *records.View) error {
		if err := records.Follow(v, bin, roots, below()); err != nil {
			return err
		}
		for _, root := range roots {
			if err := walk(v, root); err != nil {
				return err
			}
		}
		return nil
	})
	if n > 4 || found != 200 {
		t.Errorf("%d records below 50 are found in %d journeys, want 200 in one for each of 3 levels and one for the last records", found, n)
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

// What lost a race because it read much does not read as much again.
func TestAStepThatHasLostARaceDeclaresNoMoreThanItGoesThrough(t *testing.T) {
	t.Parallel()
	db := records.New(distant.Over(storagetest.Reruns(storagetest.Reruns(memory.New()))))
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
	all := make([]string, 3_000)
	values := func(yield func(string, error) bool) {
		for _, id := range all {
			if !yield(id, nil) {
				return
			}
		}
	}
	type read struct{ Loop, Sequence int }
	var did []read
	if err := db.Update(t.Context(), func(u *records.Update) error {
		step, r := records.NewStep(u), read{}
		r.Loop = records.NextTogether(u, 0, len(all))
		for _, err := range records.Together(u, 0, values, func(next []string) error {
			r.Sequence += len(next)
			return nil
		}) {
			if err != nil {
				return err
			}
			if more, err := step.Next(0); !more || err != nil {
				break
			}
		}
		did = append(did, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []read{{1_024, 3_000}, {1_024, 2_048}, {1_001, 1_001}, {501, 501}}
	if diff := cmp.Diff(want, did); diff != "" {
		t.Errorf("read together (-want +got):\n%s", diff)
	}
}

// What is declared after very many reads goes with the next of them, as before.
func TestDeclarationsAreReadTogetherAfterManyReads(t *testing.T) {
	t.Parallel()
	d := newDistant(t)
	d.put(part{ID: "first"}) // with which the history begins
	many := make([]string, 1<<16)
	for i := range many {
		many[i] = fmt.Sprint("before-", i)
	}
	var next []string
	for i := range 100 {
		next = append(next, fmt.Sprint("next-", i))
	}
	if n := d.took(t.Context(), func(v *records.View) error {
		if err := records.Prefetch(v, parts.Needs(bin, many...)...); err != nil {
			return err
		}
		records.Declare(v, parts.Needs(bin, next...)...)
		return reading(next...)(v)
	}); n != 2 {
		t.Errorf("takes %d journeys, want one for what was read before and one for what is declared", n)
	}
}
