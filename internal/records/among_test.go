package records_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// among is the list of the records of some groups.
func among(groups ...string) records.Query[part] {
	return records.Query[part]{Op: "list", Index: "group", Among: func(records.Reading, records.Scope) ([]string, error) { return groups, nil }}
}

// ids reads the list to its end.
func (s *shelf) ids(q records.Query[part]) (ids []string) {
	s.t.Helper()
	for {
		page := s.mustList(q)
		all, err := page.Values()
		if err != nil {
			s.t.Fatal(err)
		}
		for _, p := range all {
			ids = append(ids, p.ID)
		}
		if q.Continuation = page.Next; page.Next == "" {
			return ids
		}
	}
}

func TestRecordsWithAnyOfSeveralValuesAreListedByValue(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		long := strings.Repeat("名", 100)
		for i := range 12 {
			s.put(part{ID: fmt.Sprintf("p%02d", i), Group: []string{"a", "a/b", long, "none of them"}[i%4]})
		}
		s.put(part{ID: "in no group"})
		whole := s.ids(among("a/b", long, "empty", "a", "a"))
		for _, q := range []records.Query[part]{among("a"), among("a/b"), among(long)} {
			if own := s.ids(q); len(own) != 3 || !strings.Contains(strings.Join(whole, " "), strings.Join(own, " ")) {
				t.Errorf("%v does not list %v together", whole, own)
			}
		}
		if len(whole) != 9 {
			t.Errorf("listed %v", whole)
		}
		for size := 1; size <= 10; size++ {
			q := among(long, "a", "a/b", "empty")
			q.Top = size
			if diff := cmp.Diff(whole, s.ids(q)); diff != "" {
				t.Errorf("by %d (-whole +paged):\n%s", size, diff)
			}
		}
		odd := among("a", "a/b")
		odd.Filter, odd.Match = "p04", func(p *part) bool { return p.ID == "p04" || p.ID == "p02" }
		if diff := cmp.Diff([]string{"p04"}, s.ids(odd)); diff != "" {
			t.Errorf("those that match as well (-want +got):\n%s", diff)
		}
		if got := s.ids(among()); got != nil {
			t.Errorf("no value lists %v", got)
		}
	})
}

func TestRecordsWhoseIDsBeginWithAnyOfSeveralAreListedByID(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for _, id := range []string{"a/1", "a/2", "ab/1", "b/1", "b/2", "c/1"} {
			s.put(part{ID: id, Group: "g"})
		}
		for size := 1; size <= 5; size++ {
			q := among("c/", "a/", "b", "b/", "a/", "d")
			q.Index, q.Top = "", size
			if diff := cmp.Diff([]string{"a/1", "a/2", "b/1", "b/2", "c/1"}, s.ids(q)); diff != "" {
				t.Errorf("by %d (-want +got):\n%s", size, diff)
			}
		}
	})
}

func TestListOfSeveralValuesGoesOnWhereItWasWhateverTheyAreBy(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		for i := range 9 {
			s.put(part{ID: fmt.Sprintf("p%d", i), Group: []string{"a", "b", "c"}[i/3]})
		}
		q := among("a", "b", "c")
		q.Top = 4
		first := s.mustList(q)
		if first.Len() != 4 || first.Next == "" || first.Delta != "" {
			t.Fatalf("%d records, next %q, delta %q", first.Len(), first.Next, first.Delta)
		}
		rest := among("c", "a")
		rest.Continuation = first.Next
		if diff := cmp.Diff([]string{"p6", "p7", "p8"}, s.ids(rest)); diff != "" {
			t.Errorf("without the value of the place (-want +got):\n%s", diff)
		}
		last := s.mustList(among("a"))
		if last.Delta != "" {
			t.Errorf("the list has the delta token %q", last.Delta)
		}
		one := records.Query[part]{Op: "list", Index: "group"}
		refused := among("a")
		refused.Delta = s.mustList(one).Delta
		if _, err := s.list(refused); !errors.Is(err, records.ErrDelta) {
			t.Errorf("a delta token is taken: %v", err)
		}
	})
}
