package entity_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// barrel is a record that is changed at once, by callers who are judged.
type barrel struct {
	ID     string   `json:"id"`
	Height *float64 `json:"height"`
	Owners []string `json:"owners"`
	Size   size     `json:"size"`
	Tint   string   `json:"tint"`
}

type newBarrel struct {
	ID     string
	Height *float64
	Owners []string
	Size   size
	Tint   twinplatform.Optional[string]
}

type barrelPatch struct {
	Height twinplatform.Optional[float64]
	Owners twinplatform.Optional[[]string]
	Size   twinplatform.Optional[size]
	Tint   twinplatform.Optional[string]
}

var errSealed, errTaken, errMayNot = errors.New("sealed"), errors.New("taken"), errors.New("may not")

var barrels = entity.Kind[barrel, newBarrel, barrelPatch]{
	Records: &records.Collection[barrel]{Name: "barrels", Untracked: true, ID: func(b *barrel) string { return b.ID }},
	One:     "barrel", Many: "barrels", Resource: "barrel", Missing: missing, Bad: &bad,
	Members: func(r *barrel, n *newBarrel, p *barrelPatch) []entity.Member {
		return []entity.Member{
			entity.Text("id", &r.ID, &n.ID, nil),
			entity.Part("height", &r.Height, &n.Height, &p.Height, func(c *problem.Checks, name string, v *float64) { c.Quantity(name, *v) }),
			entity.Set("owners", &r.Owners, &n.Owners, &p.Owners).Required(),
			entity.Enum("size", &r.Size, &n.Size, &p.Size, []size{small, large}).Default(small).Blank(func(s size) bool { return s == "" }),
			entity.Optional("tint", &r.Tint, &n.Tint, &p.Tint).Valid(func(c *problem.Checks, name, v string) {
				if v == "" {
					c.Bad(name, "A tint has a name.")
				}
			}),
		}
	},
	Taken: func(*barrel) error { return errTaken },
	Sealed: func(b *barrel) error {
		if strings.HasPrefix(b.ID, "sealed") {
			return errSealed
		}
		return nil
	},
}

func TestMembersOfEverySortAreMadeAndChanged(t *testing.T) {
	t.Parallel()
	high, low := 2.0, -1.0
	for name, tt := range map[string]struct {
		request newBarrel
		want    []string
	}{
		"the least":      {newBarrel{Owners: []string{"a"}}, nil},
		"a null":         {newBarrel{Owners: []string{"a"}, Tint: twinplatform.Null[string]()}, nil},
		"what is not it": {newBarrel{Height: &low, Tint: twinplatform.Set("")}, []string{"InvalidRequest", "InvalidValue height", "MissingRequiredProperty owners", "InvalidValue tint"}},
	} {
		var c problem.Checks
		barrels.CheckNew(&tt.request, &c)
		if diff := cmp.Diff(tt.want, problemtest.Brief(c.Err(bad))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	v := *barrels.New(&newBarrel{ID: "a", Height: &high, Owners: []string{"b", "a", "b"}, Size: large, Tint: twinplatform.Set("red")})
	if diff := cmp.Diff(barrel{ID: "a", Height: &high, Owners: []string{"a", "b"}, Size: large, Tint: "red"}, v); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	var c problem.Checks
	cleared := barrelPatch{Height: twinplatform.Null[float64](), Size: twinplatform.Set(size("")), Tint: twinplatform.Null[string]()}
	barrels.CheckPatch("a", &cleared, &c)
	barrels.Apply(&cleared, &v, &c)
	if diff := cmp.Diff(barrel{ID: "a", Owners: []string{"a", "b"}, Size: small}, v); diff != "" || c.Err(bad) != nil {
		t.Errorf("cleared: %v (-want +got):\n%s", c.Err(bad), diff)
	}
	barrels.CheckPatch("a", &barrelPatch{Height: twinplatform.Set(low), Owners: twinplatform.Null[[]string](), Tint: twinplatform.Set("")}, &c)
	want := []string{"InvalidRequest", "InvalidValue height", "MissingRequiredProperty owners", "InvalidValue tint"}
	if diff := cmp.Diff(want, problemtest.Brief(c.Err(bad))); diff != "" {
		t.Errorf("cleared of what it needs: %s", diff)
	}
}

func TestMissingPermissionIsReportedLast(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	insert := func(id string) func(u *records.Update) error {
		return func(u *records.Update) error {
			v := *barrels.New(&newBarrel{ID: id, Owners: []string{"a"}})
			_, err := barrels.Insert(u, "yard", &v, &problem.Checks{})
			return err
		}
	}
	update := func(id string, p barrelPatch, may error) func(u *records.Update) error {
		return func(u *records.Update) error {
			_, err := barrels.Update(u, "yard", id, "", p, func(v, stored *barrel) error {
				if stored.Size != small || v.Size != p.Size.Or(small) {
					t.Errorf("judged from %s to %s", stored.Size, v.Size)
				}
				return may
			})
			return err
		}
	}
	erase := func(id string, may error) func(u *records.Update) error {
		return func(u *records.Update) error {
			return barrels.Erase(u, "yard", id, "", func(*barrel) error { return may })
		}
	}
	wrong, right := barrelPatch{Owners: twinplatform.Set([]string{})}, barrelPatch{Size: twinplatform.Set(large)}
	for _, step := range []struct {
		name string
		do   func(u *records.Update) error
		want error
	}{
		{"made", insert("a"), nil},
		{"made again", insert("a"), errTaken},
		{"made and sealed", insert("sealed"), nil},
		{"changed and not there", update("b", wrong, errMayNot), twinplatform.NotFound},
		{"changed and sealed", update("sealed", wrong, errMayNot), errSealed},
		{"changed wrongly", update("a", wrong, errMayNot), twinplatform.Invalid},
		{"changed by a stranger", update("a", right, errMayNot), errMayNot},
		{"changed", update("a", right, nil), nil},
		{"erased and not there", erase("b", errMayNot), twinplatform.NotFound},
		{"erased and sealed", erase("sealed", errMayNot), errSealed},
		{"erased by a stranger", erase("a", errMayNot), errMayNot},
		{"erased", erase("a", nil), nil},
		{"made once more", insert("a"), nil},
	} {
		if err := records.New(store).Update(t.Context(), step.do); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.name, err, step.want)
		}
	}
}
