package entity_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

type size string

const (
	small size = "Small"
	large size = "Large"
)

type lid struct {
	Color string `json:"color"`
}

// crate is a record with a member of every sort.
type crate struct {
	Deleted bool   `json:"deleted"`
	ID      string `json:"id"`
	Label   string `json:"label"`
	Lid     *lid   `json:"lid"`
	Note    string `json:"note"`
	Open    bool   `json:"open"`
	Parent  string `json:"parentId"`
	Size    size   `json:"size"`
	State   size   `json:"state"`
	Weight  int32  `json:"weight"`
}

type newCrate struct {
	ID, Label, Note, Parent string
	Lid                     *lid
	Open                    *bool
	Size, State             size
	Weight                  int32
	Deleted                 twinplatform.Optional[bool]
}

type cratePatch struct {
	ID, Label, Note, Parent twinplatform.Optional[string]
	Lid                     twinplatform.Optional[lid]
	Open, Deleted           twinplatform.Optional[bool]
	Size, State             twinplatform.Optional[size]
	Weight                  twinplatform.Optional[int32]
}

var (
	missing = problem.NotFound("CrateNotFound", "crateId", "crate")
	bad     = twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidRequest", Message: "The request is invalid."}
)

var crateRecords = &records.Collection[crate]{
	Name:        "crates",
	ID:          func(c *crate) string { return c.ID },
	MarkDeleted: func(c *crate) { c.Deleted = true },
	Indexes:     []records.Index[crate]{{Name: "parent", Value: func(c *crate) string { return c.Parent }}},
}

var crates = entity.Kind[crate, newCrate, cratePatch]{
	Records: crateRecords,
	One:     "crate", Many: "crates", Batches: true, Resource: "crate", Missing: missing, Bad: &bad,
	Members: func(r *crate, n *newCrate, p *cratePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&r.ID, &n.ID, &p.ID),
			entity.Text("label", &r.Label, &n.Label, &p.Label).Max(5).Required(),
			entity.Text("note", &r.Note, &n.Note, &p.Note).Max(5),
			entity.Ref("parentId", &r.Parent, &n.Parent, &p.Parent, crateRecords).Owns(),
			entity.Part("lid", &r.Lid, &n.Lid, &p.Lid, func(c *problem.Checks, name string, l *lid) { c.Need(name+".color", l.Color, 5) }),
			entity.Pointer("open", &r.Open, &n.Open, &p.Open).Default(true),
			entity.Enum("size", &r.Size, &n.Size, &p.Size, []size{small, large}).Default(small),
			entity.Enum("state", &r.State, &n.State, &p.State, []size{small, large}),
			entity.Value("weight", &r.Weight, &n.Weight, &p.Weight).Valid(func(c *problem.Checks, name string, v int32) {
				if v < 0 {
					c.Bad(name, "A weight is 0 or more.")
				}
			}),
		}
	},
	Validate: func(_ records.Reading, _ records.Scope, v, stored *crate, c *problem.Checks) error {
		if stored != nil && stored.Size == large && v.Size == small {
			c.Bad("size", "A crate does not shrink.")
		}
		return nil
	},
}

var _ = entity.Relate("yard", []entity.Stored{entity.KeepsKind(&crates, entity.InList("crates"))})

func TestRequestReportsAllViolations(t *testing.T) {
	t.Parallel()
	no := false
	for name, tt := range map[string]struct {
		request newCrate
		want    []string
	}{
		"the least":      {newCrate{Label: "a"}, nil},
		"all of it":      {newCrate{ID: "a", Label: "a", Note: "n", Lid: &lid{"red"}, Open: &no, Size: large, Weight: 1, Deleted: twinplatform.Set(false)}, nil},
		"nothing":        {newCrate{}, []string{"InvalidRequest", "MissingRequiredProperty label"}},
		"part of a lid":  {newCrate{Label: "a", Lid: new(lid)}, []string{"InvalidRequest", "MissingRequiredProperty lid.color"}},
		"a blank label":  {newCrate{Label: " \t"}, []string{"InvalidRequest", "MissingRequiredProperty label"}},
		"what is not it": {newCrate{ID: "a/b", Label: "too long", Note: "too long", Size: "Huge", Weight: -1, Deleted: twinplatform.Set(true)}, []string{"InvalidRequest", "InvalidValue deleted", "InvalidValue id", "InvalidValue label", "InvalidValue note", "InvalidValue size", "InvalidValue weight"}},
	} {
		var c problem.Checks
		crates.CheckNew(&tt.request, &c)
		if diff := cmp.Diff(tt.want, problemtest.Brief(c.Err(bad))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPatchReportsAllViolations(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		patch cratePatch
		want  []string
	}{
		"nothing":              {cratePatch{}, nil},
		"the id as it is":      {cratePatch{ID: twinplatform.Set("a"), Deleted: twinplatform.Null[bool]()}, nil},
		"another id":           {cratePatch{ID: twinplatform.Set("b")}, []string{"InvalidRequest", "InvalidValue id"}},
		"what is cleared":      {cratePatch{Note: twinplatform.Null[string](), Lid: twinplatform.Null[lid](), Size: twinplatform.Null[size](), Open: twinplatform.Null[bool](), Weight: twinplatform.Null[int32]()}, nil},
		"what is needed":       {cratePatch{Label: twinplatform.Null[string](), Lid: twinplatform.Set(lid{})}, []string{"InvalidRequest", "MissingRequiredProperty label", "MissingRequiredProperty lid.color"}},
		"what no patch clears": {cratePatch{State: twinplatform.Null[size]()}, []string{"InvalidRequest", "InvalidValue state"}},
		"what is not it":       {cratePatch{Label: twinplatform.Set("too long"), Size: twinplatform.Set(size("Huge")), Weight: twinplatform.Set[int32](-1)}, []string{"InvalidRequest", "InvalidValue label", "InvalidValue size", "InvalidValue weight"}},
	} {
		var c problem.Checks
		crates.CheckPatch("a", &tt.patch, &c)
		if diff := cmp.Diff(tt.want, problemtest.Brief(c.Err(bad))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatIsLeftOutIsTheDefaultAndWhatIsClearedToo(t *testing.T) {
	t.Parallel()
	no := false
	v := *crates.New(&newCrate{ID: "a", Label: "a"})
	if diff := cmp.Diff(crate{ID: "a", Label: "a", Open: true, Size: small}, v); diff != "" {
		t.Errorf("made of the least (-want +got):\n%s", diff)
	}
	v = *crates.New(&newCrate{ID: "a", Label: "a", Note: "n", Lid: &lid{"red"}, Open: &no, Size: large, Weight: 3, Parent: "p"})
	if diff := cmp.Diff(crate{ID: "a", Label: "a", Note: "n", Lid: &lid{"red"}, Size: large, Weight: 3, Parent: "p"}, v); diff != "" {
		t.Errorf("made of all (-want +got):\n%s", diff)
	}
	var c problem.Checks
	crates.Apply(&cratePatch{
		Note: twinplatform.Null[string](), Lid: twinplatform.Null[lid](), Open: twinplatform.Null[bool](), Size: twinplatform.Null[size](),
		Weight: twinplatform.Null[int32](), Label: twinplatform.Set("b"),
	}, &v, &c)
	if diff := cmp.Diff(crate{ID: "a", Label: "b", Open: true, Size: small, Parent: "p"}, v); diff != "" {
		t.Errorf("cleared (-want +got):\n%s", diff)
	}
}

func TestABlankRecordHasTheDefaultsOfItsRows(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(crate{ID: "a", Open: true, Size: small}, *crates.Blank("a")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	crates.New(&newCrate{ID: "x", Label: "x", Note: "x", Size: large, Weight: 1})
	if diff := cmp.Diff(crate{ID: "b", Open: true, Size: small}, *crates.Blank("b")); diff != "" {
		t.Errorf("after another was made (-want +got):\n%s", diff)
	}
}

// TestNothingOfOneCallIsSeenByTheNext since the table of members is used again.
func TestNothingOfOneCallIsSeenByTheNext(t *testing.T) {
	t.Parallel()
	for i := range 100 {
		want := crate{ID: fmt.Sprint(i), Label: "a", Open: true, Size: small}
		crates.New(&newCrate{ID: "x", Label: "x", Note: "x", Size: large, Weight: 1})
		if diff := cmp.Diff(want, *crates.New(&newCrate{ID: want.ID, Label: "a"})); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestRecordsAreMadeChangedAndDeletedByTheirKind(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	db := records.New(store)
	update := func(fn func(u *records.Update) error) []string { return problemtest.Brief(db.Update(t.Context(), fn)) }
	insert := func(n newCrate) []string {
		return update(func(u *records.Update) error {
			v := *crates.New(&n)
			_, err := crates.Insert(u, "yard", &v, &problem.Checks{})
			return err
		})
	}
	modify := func(id, ifMatch string, p cratePatch) []string {
		return update(func(u *records.Update) error {
			_, err := crates.Modify(u, "yard", id, twinplatform.Condition(ifMatch), &p)
			return err
		})
	}
	remove := func(ids ...string) []string {
		return update(func(u *records.Update) error {
			d := entity.Deletion{IDs: ids}
			whole, err := crates.RemoveAll(u, "yard", &d)
			if err == nil && !whole {
				err = errors.New("not done in one step")
			}
			return err
		})
	}
	for _, step := range []struct {
		name      string
		got, want []string
	}{
		{"made", insert(newCrate{ID: "a", Label: "a", Size: large}), nil},
		{"made below it", insert(newCrate{ID: "b", Label: "b", Parent: "a"}), nil},
		{"made again", insert(newCrate{ID: "a", Label: "a"}), []string{"AlreadyExists"}},
		{"changed", modify("a", "", cratePatch{Weight: twinplatform.Set[int32](1)}), nil},
		{"changed against its rule", modify("a", "", cratePatch{Size: twinplatform.Set(small)}), []string{"InvalidRequest", "InvalidValue size"}},
		{"changed in another version", modify("a", `"x"`, cratePatch{Weight: twinplatform.Set[int32](2)}), []string{"VersionMismatch"}},
		{"changed and not there", modify("c", "", cratePatch{}), []string{"CrateNotFound"}},
		{"deleted with one that is not there", remove("a", "c"), []string{"CrateNotFound"}},
		{"deleted with what is below it", remove("a"), nil},
		{"deleted before", remove("b"), []string{"CrateNotFound"}},
	} {
		if diff := cmp.Diff(step.want, step.got); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
	}
}

func TestRequestsAndPatchesAreTakenOrRefusedWhole(t *testing.T) {
	t.Parallel()
	made, err := crates.Make(newCrate{ID: "a", Label: "a"})
	if diff := cmp.Diff(crate{ID: "a", Label: "a", Open: true, Size: small}, made); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if _, err := crates.Make(newCrate{}); err == nil {
		t.Error("a crate is made without a label")
	}
	if err := crates.Change("a", cratePatch{Lid: twinplatform.Set(lid{"red"})}, &made); err != nil || made.Lid == nil {
		t.Errorf("got %+v, %v", made, err)
	}
	if err := crates.Change("a", cratePatch{ID: twinplatform.Set("b")}, &made); err == nil {
		t.Error("an id is changed")
	}
}

func TestListsRefuseByTheErrorOfTheirKind(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	db := records.New(store)
	list := func(top int) (n int, refusal []string) {
		err := db.Update(t.Context(), func(u *records.Update) error {
			v := *crates.New(&newCrate{ID: "a", Label: "a"})
			if _, err := crates.Insert(u, "yard", &v, &problem.Checks{}); err != nil {
				return err
			}
			page, err := crates.List(u, "yard", problem.Paging{MaxTop: 10}, records.Query[crate]{ListOptions: twinplatform.ListOptions{Top: top}})
			n = page.Len()
			return err
		})
		return n, problemtest.Brief(err)
	}
	if _, refusal := list(11); !cmp.Equal(refusal, []string{"InvalidRequest", "InvalidValue top"}) {
		t.Errorf("a page too long: %v", refusal)
	}
	if n, refusal := list(10); n != 1 || refusal != nil {
		t.Errorf("%d crates, %v", n, refusal)
	}
}
