package entity_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// shelf is a world of crates: lists of their labels.
type shelf struct {
	made []string
}

// shelfList is a list of a shelf.
func shelfList(name string, after ...string) *entity.List[*shelf] {
	return &entity.List[*shelf]{
		Name: name, After: after,
		Seed: func(_ context.Context, s *shelf) error {
			s.made = append(s.made, name)
			return nil
		},
	}
}

// scratch is a type of record with a name and no declaration.
var scratch = records.Collection[crate]{Name: "risks", ID: func(c *crate) string { return c.ID }}

func TestMissingDeclarationsOfATypeOfRecordAreNamed(t *testing.T) {
	t.Parallel()
	crates := entity.Keeps(&records.Collection[crate]{Name: "crates"}, shelfList("crates"))
	for name, tt := range map[string]struct {
		kinds []entity.Stored
		lists []string
		want  []string
	}{
		"all is declared": {
			[]entity.Stored{
				crates, entity.Keeps(&scratch, entity.InList("crates")), entity.Passes(&scratch),
				entity.Keeps(&scratch, entity.NotInWorld("they stay behind")),
			},
			[]string{"crates"},
			nil,
		},
		"a type is not declared": {
			[]entity.Stored{crates, {Name: "risks"}},
			[]string{"crates"},
			[]string{"risks: nothing says whether its records are in a world"},
		},
		"no reason is given": {
			[]entity.Stored{crates, entity.Keeps(&scratch, entity.NotInWorld(""))},
			[]string{"crates"},
			[]string{"risks: it names neither a list of the world nor a reason"},
		},
		"the world has no such list": {
			[]entity.Stored{crates, entity.Keeps(&scratch, shelfList("risks"))},
			[]string{"crates"},
			[]string{"risks: the world has no list risks"},
		},
		"a list is of no type": {
			[]entity.Stored{crates},
			[]string{"crates", "risks"},
			[]string{"risks: the list of the world is of no type of record"},
		},
	} {
		if diff := cmp.Diff(tt.want, entity.CheckWorld(tt.kinds, tt.lists)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestListsAreSeededBehindWhatTheirRecordsReferTo(t *testing.T) {
	t.Parallel()
	kinds := []entity.Stored{
		entity.Keeps(&scratch, shelfList("labels", "crates", "lids")),
		entity.Keeps(&scratch, entity.InList("labels")),
		entity.Keeps(&scratch, shelfList("crates", "floors")),
		entity.Keeps(&scratch, shelfList("floors")),
		entity.Keeps(&scratch, shelfList("lids")),
	}
	lists, err := entity.SeedOrder(entity.Lists[*shelf](kinds))
	if err != nil {
		t.Fatal(err)
	}
	var s shelf
	for _, l := range lists {
		if err := l.Seed(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"floors", "crates", "lids", "labels"}, s.made); diff != "" {
		t.Errorf("seeded (-want +got):\n%s", diff)
	}
	for name, wrong := range map[string]entity.World{
		"a reference to no list": shelfList("risks", "nowhere"),
		"a circle":               shelfList("risks", "risks"),
	} {
		all := append(slices.Clone(kinds), entity.Keeps(&scratch, wrong))
		if _, err := entity.SeedOrder(entity.Lists[*shelf](all)); err == nil || !strings.Contains(err.Error(), "risks") {
			t.Errorf("%s: %v, want risks named", name, err)
		}
	}
}

func TestParentsComeFirstAlsoInACircle(t *testing.T) {
	t.Parallel()
	type node [2]string
	of := func(n *node) (id, parent string) { return n[0], n[1] }
	got := entity.ParentsFirst([]node{{"c", "b"}, {"b", "a"}, {"", "c"}, {"a", ""}, {"x", "y"}, {"y", "x"}, {"z", "gone"}}, of)
	want := []node{{"a", ""}, {"b", "a"}, {"c", "b"}, {"", "c"}, {"y", "x"}, {"x", "y"}, {"z", "gone"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrorsOfASeedNameThePlaceInTheList(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	third := func(n int) error {
		if n == 3 {
			return full
		}
		return nil
	}
	items := []int{1, 2, 3, 4, 5}
	if err := entity.Each("crates", items, third); !errors.Is(err, full) || err.Error() != "crates[2]: full" {
		t.Errorf("one after the other: %v", err)
	}
	err := entity.Batches("crates", items, 2, func(batch []int) error { return third(batch[0]) })
	if !errors.Is(err, full) || err.Error() != "crates 3 to 4: full" {
		t.Errorf("in batches: %v", err)
	}
}
