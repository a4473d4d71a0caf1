package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/xid"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestDescendingListIsTheListTurnedRound(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		random := rand.New(rand.NewPCG(1, 2))
		var want []string
		for i := range 700 {
			// Ids that lie close together, far apart, behind one another, and not in ASCII.
			id := []string{
				fmt.Sprintf("p%05d", i), fmt.Sprintf("%x", random.Uint64()), strings.Repeat("a", i%40+1) + fmt.Sprint(i), string(rune(random.IntN(0xd000)+0x20)) + fmt.Sprint(i),
			}[i%4]
			s.put(part{ID: id, Name: fmt.Sprint(i % 3)})
		}
		want = s.ids(records.Query[part]{Op: "list"})
		slices.Reverse(want)
		for _, size := range []int{1, 3, 100, 256, 699, 700, 701, 5000} {
			if diff := cmp.Diff(want, s.ids(records.Query[part]{Op: "list", ListOptions: top(size), Descending: true})); diff != "" {
				t.Errorf("by %d:\n%s", size, diff)
			}
		}
		third := func(p *part) bool { return p.Name == "0" }
		some := s.ids(records.Query[part]{Op: "list", Match: third, Filter: "0"})
		slices.Reverse(some)
		if diff := cmp.Diff(some, s.ids(records.Query[part]{Op: "list", ListOptions: top(7), Descending: true, Match: third, Filter: "0"})); diff != "" {
			t.Errorf("filtered:\n%s", diff)
		}
		begun := s.ids(records.Query[part]{Op: "list", Prefix: "p"})
		slices.Reverse(begun)
		if diff := cmp.Diff(begun, s.ids(records.Query[part]{Op: "list", ListOptions: top(7), Descending: true, Prefix: "p"})); diff != "" {
			t.Errorf("of a prefix:\n%s", diff)
		}
	})
}

func TestDescendingListHasNoDelta(t *testing.T) {
	t.Parallel()
	s := &shelf{t: t, db: records.New(memory.New())}
	s.put(part{ID: "a"})
	if page := s.mustList(records.Query[part]{Op: "list", Descending: true}); page.Len() != 1 || page.Delta != "" || page.Next != "" {
		t.Errorf("%d records, delta %q, next %q", page.Len(), page.Delta, page.Next)
	}
	delta := s.mustList(records.Query[part]{Op: "list"}).Delta
	if _, err := s.list(records.Query[part]{Op: "list", Descending: true, ListOptions: twinplatform.ListOptions{Delta: delta}}); err == nil {
		t.Error("a delta token is taken")
	}
}

func TestLastPageIsReadWithoutThoseBefore(t *testing.T) {
	t.Parallel()
	scanned := 0
	s := &shelf{t: t, db: records.New(counting{memory.New(), &scanned})}
	const total, size = 60_000, 50
	ids := make([]string, 0, total)
	for range total / 500 {
		err := s.update(func(u *records.Update) error {
			for range 500 {
				id := xid.New().String()
				ids = append(ids, id)
				if _, err := parts.Put(u, s.in(), &part{ID: id}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	scanned = 0
	q := records.Query[part]{Op: "list", ListOptions: top(size), Descending: true}
	page := s.mustList(q)
	for range 3 {
		q.Continuation = page.Next
		page = s.mustList(q)
	}
	values, err := page.Values()
	if err != nil || values[0].ID != ids[3*size] {
		t.Fatalf("the fourth page begins with %+v, %v", values[0], err)
	}
	if scanned > total/5 {
		t.Errorf("four pages of %d scan %d records of %d", size, scanned, total)
	}
	scanned = 0
	if got := s.ids(records.Query[part]{Op: "list", Descending: true, Match: func(p *part) bool { return p.ID == "none" }, Filter: "none"}); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	if scanned > 6*total {
		t.Errorf("a filter that nothing passes scans %d records of %d", scanned, total)
	}
}
