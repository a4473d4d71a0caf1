package records_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestPagesAreFullAndTheLastEndsTheList(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 25 {
			s.put(part{ID: fmt.Sprintf("p%02d", i), Name: []string{"odd", "even"}[i%2], Group: fmt.Sprint(i % 5)})
		}
		even := records.Query[part]{Op: "list", Filter: "even", Match: func(p *part) bool { return p.Name == "even" }}
		group := records.Query[part]{Op: "list", Index: "group", Equals: "3"}
		both := group
		both.Filter, both.Match = even.Filter, even.Match
		prefix := records.Query[part]{Op: "list", Prefix: "p1"}
		for name, test := range map[string]struct {
			q     records.Query[part]
			total int
		}{
			"all": {records.Query[part]{Op: "list"}, 25}, "filter": {even, 12}, "index": {group, 5}, "index and filter": {both, 3}, "prefix": {prefix, 10},
		} {
			for size := 1; size <= 26; size++ {
				q, seen := test.q, 0
				q.ListOptions = top(size)
				for {
					page := s.mustList(q)
					seen += page.Len()
					if page.Next == "" {
						if page.Delta == "" {
							t.Errorf("%s by %d: the last page has no delta token", name, size)
						}
						break
					}
					if page.Len() != size || page.Delta != "" {
						t.Errorf("%s by %d: a page of %d that is not the last, delta token %q", name, size, page.Len(), page.Delta)
					}
					q.Continuation = page.Next
				}
				if seen != test.total {
					t.Errorf("%s by %d: %d records, want %d", name, size, seen, test.total)
				}
			}
		}
	})
}

// counting counts the records that scans of a store yield.
type counting struct {
	storage.Store
	scanned *int
}

func (c counting) View(ctx context.Context, fn func(storage.Reader) error) error {
	return c.Store.View(ctx, func(r storage.Reader) error { return fn(countingReader{r, c.scanned}) })
}

func (c counting) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return c.Store.Update(ctx, func(w storage.Writer) error {
		return fn(struct {
			countingReader
			writing
		}{countingReader{w, c.scanned}, w})
	})
}

// writing is what a storage.Writer adds to a storage.Reader.
type writing interface {
	Put(key string, value []byte) error
	Delete(key string) error
}

type countingReader struct {
	storage.Reader
	scanned *int
}

func (c countingReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for k, v := range c.Reader.Scan(prefix, after) {
			*c.scanned++
			if !yield(k, v) {
				return
			}
		}
	}
}

func TestWhatAFilterPassesOverIsScannedOnce(t *testing.T) {
	t.Parallel()
	scanned := 0
	s := &shelf{t: t, db: records.New(counting{memory.New(), &scanned})}
	const total = 1000
	for i := range total {
		s.put(part{ID: fmt.Sprintf("%04d", i), Name: fmt.Sprint(i % 100)})
	}
	scanned = 0
	q := records.Query[part]{
		Op: "list", ListOptions: top(2), Filter: "every hundredth",
		Match: func(p *part) bool { return p.Name == "99" },
	}
	pages := 0
	for {
		page := s.mustList(q)
		pages++
		if q.Continuation = page.Next; page.Next == "" {
			break
		}
	}
	if limit := total + pages; pages != 5 || scanned > limit {
		t.Errorf("%d pages scanned %d records, want 5 and at most %d", pages, scanned, limit)
	}
}

func TestPickedRecordsComeAsTheyAreNamed(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 5 {
			s.put(part{ID: fmt.Sprint(i), Name: "n"})
		}
		pick := func(names ...string) (page twinplatform.Page[part], err error) {
			err = s.db.View(t.Context(), func(v *records.View) error {
				page, err = parts.Pick(v, s.in(), names)
				return err
			})
			return page, err
		}
		page, err := pick("3", "0")
		if err != nil || page.Next != "" || page.Delta != "" {
			t.Fatalf("tokens %q and %q, %v", page.Next, page.Delta, err)
		}
		if diff := cmp.Diff([]string{"3", "0"}, ids(t, page)); diff != "" {
			t.Error(diff)
		}
		if _, err := pick("3", "9"); !errors.Is(err, records.ErrNotFound) {
			t.Errorf("what is not there: %v", err)
		}
	})
}

func TestSkippedRecordsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := &shelf{t: t, db: records.New(memory.New())}
	for i := range 5 {
		s.put(part{ID: fmt.Sprint(i)})
	}
	page := s.mustList(records.Query[part]{Op: "list", ListOptions: top(2), Skip: 2})
	if diff := cmp.Diff([]string{"2", "3"}, ids(t, page)); diff != "" {
		t.Error(diff)
	}
	if page.Next == "" {
		t.Error("the page claims to be the last")
	}
	if page := s.mustList(records.Query[part]{Op: "list", ListOptions: top(2), Skip: 9}); page.Len() != 0 || page.Next != "" {
		t.Errorf("behind the end: %d records, next %q", page.Len(), page.Next)
	}
}

func TestOrderedListPagesInItsOrder(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 7 {
			s.put(part{ID: fmt.Sprint(i), Name: fmt.Sprint(i * 5 % 7), Group: []string{"g", "h"}[i%2]})
		}
		q := records.Query[part]{
			Op: "list", ListOptions: top(2), Index: "group", Equals: "g",
			Order: "name desc", Compare: func(a, b *part) int { return strings.Compare(b.Name, a.Name) },
		}
		var names []string
		for {
			page := s.mustList(q)
			values, err := page.Values()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range values {
				names = append(names, p.Name)
			}
			if page.Next == "" {
				break
			}
			if page.Len() != 2 {
				t.Errorf("a page of %d that is not the last", page.Len())
			}
			q.Continuation = page.Next
		}
		if diff := cmp.Diff([]string{"6", "3", "2", "0"}, names); diff != "" {
			t.Error(diff)
		}
		q.Order, q.Compare = "", nil
		if _, err := s.list(q); !errors.Is(err, records.ErrContinuation) {
			t.Errorf("a list in another order took the token: %v", err)
		}
	})
}

func TestPageSizeHoldsItsBounds(t *testing.T) {
	t.Parallel()
	s := &shelf{t: t, db: records.New(memory.New())}
	for i := range 120 {
		s.put(part{ID: fmt.Sprintf("%03d", i)})
	}
	for _, n := range []int{-2, -1, 10_001} {
		if _, err := s.list(records.Query[part]{Op: "list", ListOptions: top(n)}); !errors.Is(err, records.ErrTop) {
			t.Errorf("$top=%d: %v", n, err)
		}
	}
	if page := s.mustList(records.Query[part]{Op: "list"}); page.Len() != 100 {
		t.Errorf("the default page has %d records", page.Len())
	}
	kept := records.Query[part]{Op: "list", DefaultTop: 50, MaxTop: 50, KeepTop: true, ListOptions: top(7)}
	first := s.mustList(kept)
	kept.ListOptions = twinplatform.ListOptions{Continuation: first.Next}
	if page := s.mustList(kept); page.Len() != 7 {
		t.Errorf("the page after one of 7 has %d records", page.Len())
	}
	kept.ListOptions = top(51)
	if _, err := s.list(kept); !errors.Is(err, records.ErrTop) {
		t.Errorf("above the list's own bound: %v", err)
	}
}

func TestTokensAreGoodForTheirListAlone(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 4 {
			s.put(part{ID: fmt.Sprint(i), Group: "g", Name: "n"})
		}
		q := records.Query[part]{Op: "list", ListOptions: top(3)}
		first := s.mustList(q)
		q.Continuation = first.Next
		last := s.mustList(q)

		named := func(p *part) bool { return p.Name == "n" }
		queries := map[string]records.Query[part]{
			"another operation": {Op: "other"},
			"another filter":    {Op: "list", Filter: "name=n", Match: named},
			"another index":     {Op: "list", Index: "group", Equals: "g"},
			"another prefix":    {Op: "list", Prefix: "1"},
			"another view":      {Op: "list", View: "somebody"},
		}
		for name, q := range queries {
			q.Continuation = first.Next
			if _, err := s.list(q); !errors.Is(err, records.ErrContinuation) {
				t.Errorf("%s took the continuation token: %v", name, err)
			}
			q.Continuation, q.Delta = "", last.Delta
			if _, err := s.list(q); !errors.Is(err, records.ErrDelta) {
				t.Errorf("%s took the delta token: %v", name, err)
			}
		}
		own := records.Query[part]{Op: "list"}
		for i := range len(first.Next) {
			for _, c := range []byte("A_-=z") {
				bad := first.Next[:i] + string(c) + first.Next[i+1:]
				if bad == first.Next {
					continue
				}
				own.Continuation = bad
				if _, err := s.list(own); !errors.Is(err, records.ErrContinuation) {
					t.Fatalf("changed at %d to %q the token is taken: %v", i, c, err)
				}
			}
		}
		for _, bad := range []string{" ", "x", "%", strings.Repeat("A", 5000), first.Next + "A", last.Delta} {
			own.Continuation = bad
			if _, err := s.list(own); !errors.Is(err, records.ErrContinuation) {
				t.Errorf("%.20q is taken as a continuation token: %v", bad, err)
			}
			own.Continuation = ""
		}
		own.Delta = first.Next
		if _, err := s.list(own); !errors.Is(err, records.ErrDelta) {
			t.Errorf("a continuation token is taken as a delta token: %v", err)
		}
		err := s.db.View(context.Background(), func(v *records.View) error {
			_, err := parts.List(v, "bin-2", records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Continuation: first.Next}})
			return err
		})
		if !errors.Is(err, records.ErrContinuation) {
			t.Errorf("another scope took the token: %v", err)
		}
	})
}

func TestTokensOutliveTheProcess(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 4 {
			s.put(part{ID: fmt.Sprint(i)})
		}
		first := s.mustList(records.Query[part]{Op: "list", ListOptions: top(3)})
		again := &shelf{t: t, db: records.New(s.store)}
		page := again.mustList(records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Continuation: first.Next}})
		if diff := cmp.Diff([]string{"3"}, ids(t, page)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestETagOfAListTellsChangesWithoutReadingIt(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		s.put(part{ID: "a"})
		q := records.Query[part]{Op: "list"}
		page := s.mustList(q)
		q.IfNoneMatch = page.ETag
		if got := s.mustList(q); !got.NotModified || got.Len() != 0 || got.ETag != page.ETag {
			t.Errorf("unchanged: %+v", got)
		}
		s.put(part{ID: "b"})
		changed := s.mustList(q)
		if changed.NotModified || changed.Len() != 2 || changed.ETag == page.ETag {
			t.Errorf("after a write: %+v", changed)
		}
		q.IfNoneMatch = changed.ETag
		if err := s.delete("b"); err != nil {
			t.Fatal(err)
		}
		if s.mustList(q).NotModified {
			t.Error("a deletion left the list unmodified")
		}
		other := records.Query[part]{Op: "list", ListOptions: top(1)}
		if s.mustList(other).ETag == s.mustList(records.Query[part]{Op: "list"}).ETag {
			t.Error("two requests share an ETag")
		}
	})
}

func TestDeltaTellsEachChangeOnceByItsLatest(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for _, id := range []string{"a", "b", "c", "d"} {
			s.put(part{ID: id, Name: "1"})
		}
		q := records.Query[part]{Op: "list"}
		q.Delta = s.mustList(q).Delta
		if page := s.mustList(q); page.Len() != 0 || page.Delta == "" {
			t.Errorf("without a change: %d records", page.Len())
		}
		s.put(part{ID: "b", Name: "2"})
		s.put(part{ID: "a", Name: "2"})
		s.put(part{ID: "b", Name: "3"})
		if err := s.delete("c"); err != nil {
			t.Fatal(err)
		}
		s.put(part{ID: "e", Name: "1"})
		for _, id := range []string{"d", "e"} {
			if err := s.delete(id); err != nil {
				t.Fatal(err)
			}
		}
		s.put(part{ID: "d", Name: "again"})
		page := s.mustList(q)
		values, err := page.Values()
		if err != nil {
			t.Fatal(err)
		}
		want := []part{
			{ID: "a", Name: "2"},
			{ID: "b", Name: "3"},
			{ID: "c", Name: "1", Deleted: true},
			{ID: "e", Name: "1", Deleted: true},
			{ID: "d", Name: "again"},
		}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Error(diff)
		}
		q.ListOptions = top(2)
		q.Delta = s.mustList(records.Query[part]{Op: "list"}).Delta
		s.put(part{ID: "x"})
		if diff := cmp.Diff([]string{"x"}, ids(t, s.mustList(q))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFilteredDeltaTellsWhatLeavesTheList(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		q := records.Query[part]{Op: "list", Index: "group", Equals: "g"}
		s.put(part{ID: "in", Group: "g"})
		s.put(part{ID: "leaves", Group: "g"})
		s.put(part{ID: "enters", Group: "h"})
		s.put(part{ID: "outside", Group: "h"})
		q.Delta = s.mustList(q).Delta
		s.put(part{ID: "leaves", Group: "h"})
		s.put(part{ID: "enters", Group: "g"})
		s.put(part{ID: "new elsewhere", Group: "h"})
		s.put(part{ID: "new", Group: "g"})
		if diff := cmp.Diff([]string{"leaves deleted", "enters", "new"}, ids(t, s.mustList(q))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFilteredDeltaIsSilentAboutWhatWasNeverInTheList(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		q := records.Query[part]{Op: "list", Index: "group", Equals: "g"}
		for _, id := range []string{"changes", "dies", "moves", "left before", "made elsewhere again"} {
			s.put(part{ID: id, Group: "h"})
		}
		s.put(part{ID: "left before", Group: "g"})
		s.put(part{ID: "left before", Group: "h"})
		s.put(part{ID: "made again", Group: "g"})
		q.Delta = s.mustList(q).Delta
		s.put(part{ID: "changes", Group: "h", Name: "new"})
		s.put(part{ID: "left before", Group: "h", Name: "new"})
		s.put(part{ID: "moves", Group: ""})
		for _, id := range []string{"dies", "made elsewhere again", "made again"} {
			if err := s.delete(id); err != nil {
				t.Fatal(err)
			}
		}
		s.put(part{ID: "made elsewhere again", Group: "h"})
		s.put(part{ID: "made again", Group: "h"})
		if diff := cmp.Diff([]string{"made again deleted"}, ids(t, s.mustList(q))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestUntrackedRecordsArePagedAndNotFollowed(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		plain := newParts()
		plain.Name, plain.Untracked = "plain", true
		err := s.update(func(u *records.Update) error {
			for _, id := range []string{"a", "b"} {
				if _, err := plain.Put(u, bin, &part{ID: id}); err != nil {
					return err
				}
			}
			page, err := plain.List(u, bin, records.Query[part]{Op: "list"})
			if err != nil {
				return err
			}
			if diff := cmp.Diff([]string{"a", "b"}, ids(t, page)); diff != "" || page.Delta != "" {
				t.Errorf("delta token %q, %s", page.Delta, diff)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		followed := s.mustList(records.Query[part]{Op: "list"}).Delta
		err = s.db.View(context.Background(), func(v *records.View) error {
			_, err := plain.List(v, bin, records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Delta: followed}})
			return err
		})
		if !errors.Is(err, records.ErrDelta) {
			t.Errorf("a delta token is taken: %v", err)
		}
	})
}

func TestRecordsOfAnEarlierVersionAreLifted(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		s.put(part{ID: "a", Name: "old"})
		s.put(part{ID: "b", Name: "gone"})
		if err := s.delete("b"); err != nil {
			t.Fatal(err)
		}
		later := newParts()
		later.Upgrades = []records.Upgrade{
			func(hidden, wire []byte) ([]byte, []byte, error) {
				return hidden, []byte(strings.Replace(string(wire), "old", "lifted", 1)), nil
			},
			func(hidden, wire []byte) ([]byte, []byte, error) {
				return []byte(`{"note":"added"}`), wire, nil
			},
		}
		err := s.update(func(u *records.Update) error {
			page, err := later.List(u, bin, records.Query[part]{Op: "list"})
			if err != nil {
				return err
			}
			if got := string(page.JSON()[0]); !strings.Contains(got, "lifted") {
				t.Errorf("the page holds %s", got)
			}
			values, err := page.Values()
			if diff := cmp.Diff([]part{{ID: "a", Name: "lifted", Hidden: partHidden{Note: "added"}}}, values); diff != "" {
				t.Error(diff)
			}
			if err != nil {
				return err
			}
			_, err = later.Modify(u, bin, "a", "", func(p *part) error { p.Name += "!"; return nil })
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.get("a"); err == nil {
			t.Error("an earlier version of the module read a later record")
		}
	})
}
