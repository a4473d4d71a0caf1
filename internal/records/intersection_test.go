package records_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// crossed has an index of each of its members.
var crossed = records.Collection[part]{
	Name: "crossed", ID: func(p *part) string { return p.ID }, MarkDeleted: func(p *part) { p.Deleted = true },
	Indexes: []records.Index[part]{
		{Name: "group", Value: func(p *part) string { return p.Group }},
		{Name: "name", Value: func(p *part) string { return p.Name }},
		{Name: "both", Value: func(p *part) string { return p.Group + p.Name }},
	},
}

func TestAListOfSeveralIndexesHoldsWhatIsInAllOfThem(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		random := rand.New(rand.NewPCG(1, 2))
		var all []part
		err := s.update(func(u *records.Update) error {
			for i := range 300 {
				p := part{ID: fmt.Sprintf("%03d/%d", i, i), Group: []string{"a", "b", "a/b"}[random.IntN(3)], Name: []string{"x", "y"}[random.IntN(2)]}
				all = append(all, p)
				if _, err := crossed.Put(u, bin, &p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range []string{"", "a", "b", "a/b", "none"} {
			for _, name := range []string{"", "x", "none"} {
				var want []string
				for _, p := range all {
					if (group == "" || p.Group == group) && (name == "" || p.Name == name) {
						want = append(want, p.ID)
					}
				}
				for _, top := range []int{1, 7, 1_000} {
					if diff := cmp.Diff(want, crossing(t, s, group, name, top)); diff != "" {
						t.Errorf("group %q, name %q, by %d (-want +got):\n%s", group, name, top, diff)
					}
				}
			}
		}
	})
}

// crossing lists the crossed parts of a group and a name by pages.
func crossing(t *testing.T, s *shelf, group, name string, top int) (ids []string) {
	t.Helper()
	q := records.Query[part]{Op: "list", ListOptions: twinplatform.ListOptions{Top: top}}
	q.In("group", group)
	q.In("name", name)
	if group != "" && name != "" {
		q.In("both", group+name)
	}
	for {
		var page twinplatform.Page[part]
		err := s.db.View(t.Context(), func(v *records.View) (err error) {
			page, err = crossed.List(v, bin, q)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for p, err := range page.OnPage() {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, p.ID)
		}
		if q.Continuation = page.Next; page.Next == "" {
			return ids
		}
	}
}

func TestWhatAnotherIndexLacksIsNotRead(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		err := s.update(func(u *records.Update) error {
			for i := range 500 {
				p := part{ID: fmt.Sprintf("%03d", i), Group: "many", Name: []string{"rare", "common"}[min(i%250, 1)]}
				if _, err := crossed.Put(u, bin, &p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		q := records.Query[part]{Op: "list", Filter: "all", Match: func(*part) bool { read++; return true }}
		q.In("group", "many")
		q.In("name", "rare")
		err = s.db.View(t.Context(), func(v *records.View) error {
			page, err := crossed.List(v, bin, q)
			if page.Len() != 2 {
				t.Errorf("listed %d", page.Len())
			}
			return err
		})
		if err != nil || read != 2 {
			t.Errorf("%d records were read: %v", read, err)
		}
	})
}
