package schedules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
)

var (
	noCategory   = refusal{kind: twinplatform.NotFound, code: "ResourceStatusCategoryNotFound", target: "resourceStatusCategoryId"}
	noStatusSet  = refusal{kind: twinplatform.NotFound, code: "ResourceStatusSetNotFound", target: "resourceStatusSetId"}
	noStatusItem = refusal{kind: twinplatform.NotFound, code: "ResourceStatusItemNotFound", target: "resourceStatusItemId"}
)

// statuses makes status categories, sets and items from lines such as "c",
// "c/s" and "c/s/i".
func (p *plan) statuses(lines ...string) {
	p.Helper()
	for _, line := range lines {
		var err error
		switch path := strings.Split(line, "/"); len(path) {
		case 1:
			_, err = statuses.In(p.in()).CreateResourceStatusCategory(p.ctx, statuses.NewResourceStatusCategory{ID: path[0], Name: path[0]})
		case 2:
			_, err = statuses.In(p.in()).CreateResourceStatusSet(p.ctx, statuses.NewResourceStatusSet{ID: path[1], Name: path[1], StatusCategoryID: path[0]})
		case 3:
			_, err = statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{ID: path[2], Name: path[2], StatusSetID: path[1], Color: "#00ff00"})
		}
		if err != nil {
			p.Fatal(err)
		}
	}
}

func (p *plan) categories(o twinplatform.ListOptions) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.ResourceStatusCategory], error) {
		return statuses.In(p.in()).ResourceStatusCategories(p.ctx, statuses.ResourceStatusCategoryQuery{ListOptions: o})
	})
	return idList(all, func(c statuses.ResourceStatusCategory) (string, bool) { return c.ID, c.Deleted }), delta
}

// statusSets lists the sets of a category, or all.
func (p *plan) statusSets(category string, o twinplatform.ListOptions) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.ResourceStatusSet], error) {
		if category == "" {
			return statuses.In(p.in()).ResourceStatusSets(p.ctx, statuses.ResourceStatusSetQuery{ListOptions: o})
		}
		return statuses.In(p.in()).ResourceStatusSetsOf(p.ctx, category, statuses.ResourceStatusSetQuery{ListOptions: o})
	})
	return idList(all, func(s statuses.ResourceStatusSet) (string, bool) { return s.ID, s.Deleted }), delta
}

// statusItems lists the items of a set, or all.
func (p *plan) statusItems(set string, o twinplatform.ListOptions) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.ResourceStatusItem], error) {
		if set == "" {
			return statuses.In(p.in()).ResourceStatusItems(p.ctx, statuses.ResourceStatusItemQuery{ListOptions: o})
		}
		return statuses.In(p.in()).ResourceStatusItemsOf(p.ctx, set, statuses.ResourceStatusItemQuery{ListOptions: o})
	})
	return idList(all, itemListed), delta
}

func itemListed(i statuses.ResourceStatusItem) (string, bool) { return i.ID, i.Deleted }

// covers: Resource status set (S7)
// covers: Resource status item (S3)
func TestStatusesOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	category, err := statuses.In(p.in()).CreateResourceStatusCategory(p.ctx, statuses.NewResourceStatusCategory{ID: "c", Name: "Delivery"})
	if err != nil {
		t.Fatal(err)
	}
	set, err := statuses.In(p.in()).CreateResourceStatusSet(p.ctx, statuses.NewResourceStatusSet{ID: "s", Name: "Steel", StatusCategoryID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	item, err := statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{ID: "i", Name: "On site", StatusSetID: "s", Color: "#00Ff7a", Transparency: 40})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "category", string(category.Records[0].JSON), `{"deleted":false,"id":"c","name":"Delivery"}`)
	expect(t, "set", string(set.Records[0].JSON), `{"deleted":false,"id":"s","name":"Steel","statusCategoryId":"c"}`)
	expect(t, "item", string(item.Records[0].JSON),
		`{"color":"#00Ff7a","deleted":false,"id":"i","isVisible":true,"name":"On site","statusSetId":"s","transparency":40,"useOriginalTransparency":false}`)

	gotCategory, err := statuses.In(p.in()).ResourceStatusCategory(p.ctx, "c")
	if diff := cmp.Diff(category.Records[0], gotCategory); diff != "" || err != nil {
		t.Error(diff, err)
	}
	gotSet, err := statuses.In(p.in()).ResourceStatusSet(p.ctx, "s")
	if diff := cmp.Diff(set.Records[0], gotSet); diff != "" || err != nil {
		t.Error(diff, err)
	}
	gotItem, err := statuses.In(p.in()).ResourceStatusItem(p.ctx, "i")
	if diff := cmp.Diff(item.Records[0], gotItem); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestStatusItemKeepsHowItLooks(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.statuses("c", "c/s", "c/other")
	for _, transparency := range []int32{0, 1, 99, 100} {
		res, err := statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{
			Name: "i", StatusSetID: "s", Color: "#ABCDEF", IsVisible: new(false), Transparency: transparency, UseOriginalTransparency: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		want := statuses.ResourceStatusItem{ID: res.Value().ID, Name: "i", StatusSetID: "s", Color: "#ABCDEF", Transparency: transparency, UseOriginalTransparency: true}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			t.Error(diff)
		}
		res, err = statuses.In(p.in()).UpdateResourceStatusItem(p.ctx, want.ID, statuses.ResourceStatusItemPatch{
			Name: twinplatform.Set("j"), StatusSetID: twinplatform.Set("other"), Color: twinplatform.Set("#000000"),
			IsVisible: twinplatform.Null[bool](), Transparency: twinplatform.Set(100 - transparency), UseOriginalTransparency: twinplatform.Null[bool](),
		}, twinplatform.IfMatch(res.Records[0].ETag))
		if err != nil {
			t.Fatal(err)
		}
		want = statuses.ResourceStatusItem{ID: want.ID, Name: "j", StatusSetID: "other", Color: "#000000", IsVisible: true, Transparency: 100 - transparency}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStatusThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.statuses("c", "c/s", "c/s/i")
	long := strings.Repeat("x", schedules.MaxText+1)
	item := func(n statuses.NewResourceStatusItem) error {
		if n.Name == "" {
			n.Name = "i"
		}
		if n.StatusSetID == "" {
			n.StatusSetID = "s"
		}
		if n.Color == "" {
			n.Color = "#ffffff"
		}
		_, err := statuses.In(p.in()).CreateResourceStatusItem(p.ctx, n)
		return err
	}
	patchItem := func(id string, patch statuses.ResourceStatusItemPatch, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).UpdateResourceStatusItem(p.ctx, id, patch, pre...)
		return err
	}
	set := func(n statuses.NewResourceStatusSet) error {
		_, err := statuses.In(p.in()).CreateResourceStatusSet(p.ctx, n)
		return err
	}
	patchSet := func(id string, patch statuses.ResourceStatusSetPatch, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).UpdateResourceStatusSet(p.ctx, id, patch, pre...)
		return err
	}
	category := func(n statuses.NewResourceStatusCategory) error {
		_, err := statuses.In(p.in()).CreateResourceStatusCategory(p.ctx, n)
		return err
	}
	patchCategory := func(id string, patch statuses.ResourceStatusCategoryPatch, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).UpdateResourceStatusCategory(p.ctx, id, patch, pre...)
		return err
	}
	null := twinplatform.Null[string]()
	_, emptyItem := statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{})
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		err  error
		want refusal
	}{
		"category without name":      {category(statuses.NewResourceStatusCategory{}), invalid("MissingRequiredProperty name")},
		"category with a bad id":     {category(statuses.NewResourceStatusCategory{ID: "a/b", Name: "n"}), invalid("InvalidValue id")},
		"category with a long name":  {category(statuses.NewResourceStatusCategory{Name: long}), invalid("InvalidValue name")},
		"category there already":     {category(statuses.NewResourceStatusCategory{ID: "c", Name: "n"}), idTaken},
		"category unnamed":           {patchCategory("c", statuses.ResourceStatusCategoryPatch{Name: null}), invalid("MissingRequiredProperty name")},
		"category missing":           {patchCategory("x", statuses.ResourceStatusCategoryPatch{}), noCategory},
		"category of before":         {patchCategory("c", statuses.ResourceStatusCategoryPatch{}, twinplatform.IfMatch(`"0"`)), otherVersion},
		"set of nothing":             {set(statuses.NewResourceStatusSet{}), invalid("MissingRequiredProperty name", "MissingRequiredProperty statusCategoryId")},
		"set with a bad id":          {set(statuses.NewResourceStatusSet{ID: ".", Name: "n", StatusCategoryID: "c"}), invalid("InvalidValue id")},
		"set of a missing category":  {set(statuses.NewResourceStatusSet{Name: "n", StatusCategoryID: "x"}), invalid("InvalidValue statusCategoryId").saying("x")},
		"set there already":          {set(statuses.NewResourceStatusSet{ID: "s", Name: "n", StatusCategoryID: "c"}), idTaken},
		"set moved nowhere":          {patchSet("s", statuses.ResourceStatusSetPatch{StatusCategoryID: twinplatform.Set("x")}), invalid("InvalidValue statusCategoryId")},
		"set of no category":         {patchSet("s", statuses.ResourceStatusSetPatch{StatusCategoryID: null, Name: null}), invalid("MissingRequiredProperty name", "MissingRequiredProperty statusCategoryId")},
		"set missing":                {patchSet("x", statuses.ResourceStatusSetPatch{}), noStatusSet},
		"set of before":              {patchSet("s", statuses.ResourceStatusSetPatch{}, twinplatform.IfMatch(`"0"`)), otherVersion},
		"item of nothing":            {emptyItem, invalid("MissingRequiredProperty name", "MissingRequiredProperty statusSetId", "MissingRequiredProperty color")},
		"item with a bad id":         {item(statuses.NewResourceStatusItem{ID: "a\x00"}), invalid("InvalidValue id")},
		"item of a missing set":      {item(statuses.NewResourceStatusItem{StatusSetID: "x"}), invalid("InvalidValue statusSetId")},
		"item there already":         {item(statuses.NewResourceStatusItem{ID: "i"}), idTaken},
		"color without a hash":       {item(statuses.NewResourceStatusItem{Color: "00ff00"}), invalid("InvalidValue color")},
		"color too short":            {item(statuses.NewResourceStatusItem{Color: "#0f0"}), invalid("InvalidValue color")},
		"color too long":             {item(statuses.NewResourceStatusItem{Color: "#00ff00ff"}), invalid("InvalidValue color")},
		"color of no digits":         {item(statuses.NewResourceStatusItem{Color: "#00ff0g"}), invalid("InvalidValue color")},
		"transparency below nothing": {item(statuses.NewResourceStatusItem{Transparency: -1}), invalid("InvalidValue transparency")},
		"transparency above all":     {item(statuses.NewResourceStatusItem{Transparency: 101}), invalid("InvalidValue transparency")},
		"two violations":             {item(statuses.NewResourceStatusItem{Color: "red", Transparency: 101}), invalid("InvalidValue color", "InvalidValue transparency")},
		"item moved nowhere":         {patchItem("i", statuses.ResourceStatusItemPatch{StatusSetID: twinplatform.Set("x")}), invalid("InvalidValue statusSetId")},
		"item unnamed":               {patchItem("i", statuses.ResourceStatusItemPatch{Name: null, StatusSetID: null, Color: null}), invalid("MissingRequiredProperty name", "MissingRequiredProperty statusSetId", "MissingRequiredProperty color")},
		"item in no color":           {patchItem("i", statuses.ResourceStatusItemPatch{Color: twinplatform.Set("x"), Transparency: twinplatform.Set[int32](101)}), invalid("InvalidValue color", "InvalidValue transparency")},
		"item missing":               {patchItem("x", statuses.ResourceStatusItemPatch{}), noStatusItem},
		"item of before":             {patchItem("i", statuses.ResourceStatusItemPatch{}, twinplatform.IfMatch(`"0"`)), otherVersion},
	} {
		t.Run(name, func(t *testing.T) { tt.want.check(t, tt.err) })
	}
	categories, _ := p.categories(twinplatform.ListOptions{})
	sets, _ := p.statusSets("", twinplatform.ListOptions{})
	items, _ := p.statusItems("", twinplatform.ListOptions{})
	expect(t, "what is left by refused requests", categories+" "+sets+" "+items, "c s i")
}

// covers: Errors: error ScheduleNotFound
// covers: Errors: error ResourceStatusSetNotFound
// covers: Errors: error ResourceStatusCategoryNotFound
func TestMissingStatusesAreReported(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.statuses("c", "c/s", "c/s/i")
	for _, where := range []struct{ schedule, category, set, item string }{{p.id, "x", "x", "x"}, {"nowhere", "c", "s", "i"}} {
		_, err := statuses.In(p.svc.In(where.schedule)).ResourceStatusCategory(p.ctx, where.category)
		noCategory.check(t, err)
		_, err = statuses.In(p.svc.In(where.schedule)).ResourceStatusSetsOf(p.ctx, where.category, statuses.ResourceStatusSetQuery{})
		noCategory.check(t, err)
		_, err = statuses.In(p.svc.In(where.schedule)).ResourceStatusSet(p.ctx, where.set)
		noStatusSet.check(t, err)
		_, err = statuses.In(p.svc.In(where.schedule)).ResourceStatusItemsOf(p.ctx, where.set, statuses.ResourceStatusItemQuery{})
		noStatusSet.check(t, err)
		_, err = statuses.In(p.svc.In(where.schedule)).ResourceStatusItem(p.ctx, where.item)
		noStatusItem.check(t, err)
	}
	_, err := statuses.In(p.svc.In("nowhere")).ResourceStatusCategories(p.ctx, statuses.ResourceStatusCategoryQuery{})
	noSchedule.check(t, err)
	_, err = statuses.In(p.svc.In("nowhere")).ResourceStatusSets(p.ctx, statuses.ResourceStatusSetQuery{})
	noSchedule.check(t, err)
	_, err = statuses.In(p.svc.In("nowhere")).ResourceStatusItems(p.ctx, statuses.ResourceStatusItemQuery{})
	noSchedule.check(t, err)
	missing := func(r refusal) refusal { return r.saying("'x'") }
	_, err = statuses.In(p.in()).DeleteResourceStatusCategory(p.ctx, "x")
	missing(noCategory).check(t, err)
	_, err = statuses.In(p.in()).DeleteResourceStatusSet(p.ctx, "x")
	missing(noStatusSet).check(t, err)
	_, err = statuses.In(p.in()).DeleteResourceStatusItem(p.ctx, "x")
	missing(noStatusItem).check(t, err)
}

// covers: Conventions: rule $deltaToken on S3 and S17
// covers: Conventions: rule deltaToken on S2, S4, S5, S6, S7
func TestStatusListsSpellTheirDeltaTokenAsDocumented(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.statuses("c", "c/s", "c/s/i")
	bad := twinplatform.ListOptions{Delta: "x"}
	_, err := statuses.In(p.in()).ResourceStatusSetsOf(p.ctx, "c", statuses.ResourceStatusSetQuery{ListOptions: bad})
	invalid("InvalidValue delta").check(t, err)
	_, err = statuses.In(p.in()).ResourceStatusItemsOf(p.ctx, "s", statuses.ResourceStatusItemQuery{ListOptions: bad})
	invalid("InvalidValue delta").check(t, err)
	for _, top := range []int{-2, -1, schedules.MaxTop + 1} {
		o := twinplatform.ListOptions{Top: top}
		_, err := statuses.In(p.in()).ResourceStatusSetsOf(p.ctx, "c", statuses.ResourceStatusSetQuery{ListOptions: o})
		invalid("InvalidValue top").check(t, err)
		_, err = statuses.In(p.in()).ResourceStatusItemsOf(p.ctx, "s", statuses.ResourceStatusItemQuery{ListOptions: o})
		invalid("InvalidValue top").check(t, err)
	}
	o := twinplatform.ListOptions{Continuation: "x"}
	_, err = statuses.In(p.in()).ResourceStatusSetsOf(p.ctx, "c", statuses.ResourceStatusSetQuery{ListOptions: o})
	invalid("InvalidValue continuation").check(t, err)
	_, err = statuses.In(p.in()).ResourceStatusItemsOf(p.ctx, "s", statuses.ResourceStatusItemQuery{ListOptions: o})
	invalid("InvalidValue continuation").check(t, err)
}

// covers: operations resourceStatusCategories.listSets resourceStatusSets.listItems
func TestStatusListsHoldWhatBelongsToThem(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.statuses("c", "d", "c/s", "c/t", "d/u", "c/s/late", "c/s/early", "c/t/never")
		one := twinplatform.ListOptions{Top: 1}
		all, _ := p.statusSets("", one)
		expect(p, "all sets", all, "s t u")
		of, setsDelta := p.statusSets("c", one)
		expect(p, "sets of c", of, "s t")
		items, _ := p.statusItems("", one)
		expect(p, "all items", items, "early late never")
		items, itemsDelta := p.statusItems("s", one)
		expect(p, "items of s", items, "early late")

		for _, tt := range []struct {
			query statuses.ResourceStatusItemQuery
			want  string
		}{
			{statuses.ResourceStatusItemQuery{Name: "EVER"}, "never"},
			{statuses.ResourceStatusItemQuery{Name: "l"}, "early late"},
			{statuses.ResourceStatusItemQuery{Name: "e", StatusSetID: "s"}, "early late"},
			{statuses.ResourceStatusItemQuery{Name: "never", StatusSetID: "s"}, ""},
			{statuses.ResourceStatusItemQuery{StatusSetID: "t"}, "never"},
			{statuses.ResourceStatusItemQuery{StatusSetID: "x"}, ""},
		} {
			page, err := statuses.In(p.in()).ResourceStatusItems(p.ctx, tt.query)
			if err != nil {
				p.Fatal(err)
			}
			values, err := page.Values()
			if err != nil {
				p.Fatal(err)
			}
			expect(p, fmt.Sprintf("%+v", tt.query), idList(values, itemListed), tt.want)
		}

		// What moves away is deleted from the list that it leaves.
		if _, err := statuses.In(p.in()).UpdateResourceStatusSet(p.ctx, "t", statuses.ResourceStatusSetPatch{StatusCategoryID: twinplatform.Set("d")}); err != nil {
			p.Fatal(err)
		}
		if _, err := statuses.In(p.in()).UpdateResourceStatusItem(p.ctx, "late", statuses.ResourceStatusItemPatch{StatusSetID: twinplatform.Set("t")}); err != nil {
			p.Fatal(err)
		}
		p.statuses("c/v")
		changes, _ := p.statusSets("c", twinplatform.ListOptions{Delta: setsDelta})
		expect(p, "delta of the sets of c", changes, "-t v")
		changes, _ = p.statusItems("s", twinplatform.ListOptions{Delta: itemsDelta})
		expect(p, "delta of the items of s", changes, "-late")
	})
}

func TestDeletedStatusTakesAlongWhatItHolds(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.statuses("c", "d", "c/s", "c/t", "d/u", "c/s/i", "c/s/j", "c/t/k", "d/u/l")
		_, categoriesDelta := p.categories(twinplatform.ListOptions{})
		_, setsDelta := p.statusSets("", twinplatform.ListOptions{})
		_, setItemsDelta := p.statusItems("s", twinplatform.ListOptions{})
		_, itemsDelta := p.statusItems("", twinplatform.ListOptions{})

		item, err := statuses.In(p.in()).DeleteResourceStatusItem(p.ctx, "i")
		if err != nil || item.Status != twinplatform.OperationSucceeded || !slices.Equal(item.Subjects, []string{"i"}) {
			p.Errorf("operation %+v (%v)", item.Operation, err)
		}
		changes, _ := p.statusItems("s", twinplatform.ListOptions{Delta: setItemsDelta})
		expect(p, "delta of the items of s", changes, "-i")
		if _, err := statuses.In(p.in()).DeleteResourceStatusSet(p.ctx, "t"); err != nil {
			p.Fatal(err)
		}
		items, _ := p.statusItems("", twinplatform.ListOptions{})
		expect(p, "items", items, "j l")
		if _, err := statuses.In(p.in()).DeleteResourceStatusCategory(p.ctx, "c"); err != nil {
			p.Fatal(err)
		}
		changes, _ = p.categories(twinplatform.ListOptions{Delta: categoriesDelta})
		expect(p, "delta of the categories", changes, "-c")
		changes, _ = p.statusSets("", twinplatform.ListOptions{Delta: setsDelta})
		expect(p, "delta of the sets", changes, "-t -s")
		changes, _ = p.statusItems("", twinplatform.ListOptions{Delta: itemsDelta})
		expect(p, "delta of the items", changes, "-i -k -j")
	})
}

func TestDeletingALargeCategoryGoesInSteps(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.statuses("c", "c/s", "c/t", "d", "d/u", "d/u/stays")
	for i := range 1_300 {
		p.statuses(fmt.Sprintf("c/s/s-%04d", i), fmt.Sprintf("c/t/t-%04d", i))
	}
	op, err := statuses.In(p.in()).DeleteResourceStatusCategory(p.ctx, "c")
	if err != nil || op.Status != twinplatform.OperationSucceeded || op.PercentComplete != 100 {
		t.Fatalf("operation %+v (%v)", op.Operation, err)
	}
	sets, _ := p.statusSets("", twinplatform.ListOptions{})
	items, _ := p.statusItems("", twinplatform.ListOptions{})
	expect(t, "left", sets+" "+items, "u stays")
}
