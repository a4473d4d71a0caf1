package schedules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// The documented 404 of resource groups has no target.
var noGroup = refusal{kind: twinplatform.NotFound, code: "ResourceGroupNotFound"}

func (p *plan) group(n schedules.NewResourceGroup) schedules.ResourceGroup {
	p.Helper()
	if n.Name == "" {
		n.Name = n.ID
	}
	res, err := p.in().CreateResourceGroup(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	rec, err := p.in().ResourceGroup(p.ctx, res.Value().ID)
	if err != nil {
		p.Fatal(err)
	}
	same(p, rec, res.Records[0])
	return rec.Value
}

func (p *plan) join(group string, ids ...string) {
	p.Helper()
	if _, err := p.in().AddResourcesToGroup(p.ctx, group, ids); err != nil {
		p.Fatal(err)
	}
}

func (p *plan) leave(group string, ids ...string) {
	p.Helper()
	if _, err := p.in().RemoveResourcesFromGroup(p.ctx, group, ids); err != nil {
		p.Fatal(err)
	}
}

func (p *plan) allGroups(q schedules.ResourceGroupQuery) (groups []schedules.ResourceGroup, delta string) {
	p.Helper()
	return readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceGroup], error) {
		q.ListOptions = o
		return p.in().ResourceGroups(p.ctx, q)
	})
}

func (p *plan) members(group string, o twinplatform.ListOptions) (resources []schedules.Resource, delta string) {
	p.Helper()
	return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
		return p.in().GroupResources(p.ctx, group, schedules.ResourceQuery{ListOptions: o})
	})
}

func groupListed(g schedules.ResourceGroup) (string, bool) { return g.ID, g.Deleted }

func TestResourceGroupOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.group(schedules.NewResourceGroup{ID: "g"})
	rec, err := p.in().ResourceGroup(p.ctx, "g")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"deleted":false,"description":"","foremanResourceId":null,"generalForemanResourceId":null,"id":"g",`+
		`"name":"g","plannerResourceId":null,"superintendentResourceId":null,"url":null,"userDefinedId":null}`)
}

func TestResourceGroupIsChangedByWhatThePatchNames(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("ann", "bob")
		was := p.group(schedules.NewResourceGroup{
			ID: "g", Name: "Crane", Description: "d", URL: "u", UserDefinedID: "i",
			ForemanResourceID: "ann", GeneralForemanResourceID: "ann", PlannerResourceID: "bob", SuperintendentResourceID: "bob",
		})
		want := was
		want.Name, want.ForemanResourceID = "Tower crane", "bob"
		res, err := p.in().UpdateResourceGroup(p.ctx, "g", schedules.ResourceGroupPatch{Name: twinplatform.Set("Tower crane"), ForemanResourceID: twinplatform.Set("bob")})
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff(want, res.Value()); diff != "" {
			p.Error(diff)
		}
		none := twinplatform.Null[string]()
		res, err = p.in().UpdateResourceGroup(p.ctx, "g", schedules.ResourceGroupPatch{
			Description: none, URL: none, UserDefinedID: none,
			ForemanResourceID: none, GeneralForemanResourceID: none, PlannerResourceID: none, SuperintendentResourceID: none,
		}, twinplatform.IfMatch(res.Records[0].ETag))
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff(schedules.ResourceGroup{ID: "g", Name: "Tower crane"}, res.Value()); diff != "" {
			p.Errorf("null does not clear: %s", diff)
		}
	})
}

// covers: Errors: error ResourceGroupNotFound
func TestResourceGroupThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.group(schedules.NewResourceGroup{ID: "there"})
	long := strings.Repeat("x", schedules.MaxText+1)
	for name, tt := range map[string]struct {
		ask  schedules.NewResourceGroup
		want refusal
	}{
		"no name":  {schedules.NewResourceGroup{}, invalid("MissingRequiredProperty name")},
		"bad id":   {schedules.NewResourceGroup{ID: "..", Name: "g"}, invalid("InvalidValue id")},
		"id taken": {schedules.NewResourceGroup{ID: "there", Name: "g"}, idTaken},
		"no one in the roles": {
			schedules.NewResourceGroup{Name: "g", ForemanResourceID: "w", GeneralForemanResourceID: "x", PlannerResourceID: "y", SuperintendentResourceID: "z"},
			invalid("InvalidValue foremanResourceId", "InvalidValue generalForemanResourceId", "InvalidValue plannerResourceId", "InvalidValue superintendentResourceId"),
		},
		"texts too long": {
			schedules.NewResourceGroup{Name: long, Description: long, URL: long, UserDefinedID: long},
			invalid("InvalidValue name", "InvalidValue description", "InvalidValue url", "InvalidValue userDefinedId"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.in().CreateResourceGroup(p.ctx, tt.ask)
			tt.want.check(t, err)
		})
	}
	long2 := twinplatform.Set(long)
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		id    string
		patch schedules.ResourceGroupPatch
		want  refusal
	}{
		"name cleared": {"there", schedules.ResourceGroupPatch{Name: twinplatform.Null[string]()}, invalid("MissingRequiredProperty name")},
		"nobody":       {"there", schedules.ResourceGroupPatch{PlannerResourceID: twinplatform.Set("y")}, invalid("InvalidValue plannerResourceId")},
		"missing":      {"gone", schedules.ResourceGroupPatch{}, noGroup},
		"texts too long": {
			"there",
			schedules.ResourceGroupPatch{Name: long2, Description: long2, URL: long2, UserDefinedID: long2},
			invalid("InvalidValue name", "InvalidValue description", "InvalidValue url", "InvalidValue userDefinedId"),
		},
	} {
		t.Run("patch "+name, func(t *testing.T) {
			_, err := p.in().UpdateResourceGroup(p.ctx, tt.id, tt.patch)
			tt.want.check(t, err)
		})
	}
	_, err := p.in().UpdateResourceGroup(p.ctx, "there", schedules.ResourceGroupPatch{}, twinplatform.IfMatch(`"0"`))
	otherVersion.check(t, err)
	_, err = p.in().ResourceGroup(p.ctx, "gone")
	noGroup.check(t, err)
	_, err = p.svc.In("nowhere").ResourceGroup(p.ctx, "there")
	noGroup.check(t, err)
	_, err = p.svc.In("nowhere").ResourceGroups(p.ctx, schedules.ResourceGroupQuery{})
	noSchedule.check(t, err)
}

func TestResourceGroupFiltersHoldTogether(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("ann", "bob")
		p.group(schedules.NewResourceGroup{ID: "a", Name: "Tower Crane", PlannerResourceID: "ann", ForemanResourceID: "bob"})
		p.group(schedules.NewResourceGroup{ID: "b", Name: "Mobile crane", PlannerResourceID: "ann"})
		p.group(schedules.NewResourceGroup{ID: "c", Name: "Pump", PlannerResourceID: "bob", SuperintendentResourceID: "ann", GeneralForemanResourceID: "bob"})
		tests := []struct {
			query schedules.ResourceGroupQuery
			want  string
		}{
			{schedules.ResourceGroupQuery{}, "a b c"},
			{schedules.ResourceGroupQuery{Name: "CRANE"}, "a b"},
			{schedules.ResourceGroupQuery{Name: "Pump"}, "c"},
			{schedules.ResourceGroupQuery{Name: "ship"}, ""},
			{schedules.ResourceGroupQuery{PlannerResourceID: "ann"}, "a b"},
			{schedules.ResourceGroupQuery{ForemanResourceID: "bob"}, "a"},
			{schedules.ResourceGroupQuery{SuperintendentResourceID: "ann"}, "c"},
			{schedules.ResourceGroupQuery{GeneralForemanResourceID: "bob"}, "c"},
			{schedules.ResourceGroupQuery{PlannerResourceID: "ann", ForemanResourceID: "bob"}, "a"},
			{schedules.ResourceGroupQuery{PlannerResourceID: "ann", Name: "mobile"}, "b"},
			{schedules.ResourceGroupQuery{PlannerResourceID: "ann", SuperintendentResourceID: "ann"}, ""},
			{schedules.ResourceGroupQuery{PlannerResourceID: "nobody"}, ""},
		}
		for _, tt := range tests {
			groups, _ := p.allGroups(tt.query)
			expect(p, fmt.Sprintf("%+v", tt.query), idList(groups, groupListed), tt.want)
		}
		// A group that the filter holds no more is deleted from its delta.
		_, delta := p.allGroups(schedules.ResourceGroupQuery{PlannerResourceID: "ann"})
		if _, err := p.in().UpdateResourceGroup(p.ctx, "b", schedules.ResourceGroupPatch{PlannerResourceID: twinplatform.Set("bob")}); err != nil {
			p.Fatal(err)
		}
		groups, _ := p.allGroups(schedules.ResourceGroupQuery{PlannerResourceID: "ann", ListOptions: twinplatform.ListOptions{Delta: delta}})
		expect(p, "delta of the filtered list", idList(groups, groupListed), "-b")
		_, err := p.in().ResourceGroups(p.ctx, schedules.ResourceGroupQuery{PlannerResourceID: "bob", ListOptions: twinplatform.ListOptions{Delta: delta}})
		invalid("InvalidValue delta").check(p, err)
	})
}

// covers: operations resourceGroups.listResources
func TestGroupShowsItsResourcesAsTheyAre(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("ann", "bob", "cid", "dan")
		p.group(schedules.NewResourceGroup{ID: "g"})
		p.group(schedules.NewResourceGroup{ID: "g2"})
		res, err := p.in().AddResourcesToGroup(p.ctx, "g", []string{"cid", "ann", "bob"})
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "answer", idList(res.Values(), resourceListed), "cid ann bob")
		p.join("g2", "dan", "ann")
		p.join("g", "ann") // already in it
		members, delta := p.members("g", twinplatform.ListOptions{Top: 2})
		expect(p, "members", idList(members, resourceListed), "ann bob cid")
		for _, m := range members {
			rec, err := p.in().Resource(p.ctx, m.ID)
			if diff := cmp.Diff(rec.Value, m); diff != "" || err != nil {
				p.Errorf("member %s is not as the resource is: %s (%v)", m.ID, diff, err)
			}
		}

		p.patchResource("ann", schedules.ResourcePatch{Name: twinplatform.Set("Anne")})
		p.leave("g", "bob")
		p.deleteResources("cid")
		p.join("g", "dan")
		p.patchResource("bob", schedules.ResourcePatch{Name: twinplatform.Set("Bobby")}) // no member any more
		changes, delta := p.members("g", twinplatform.ListOptions{Delta: delta})
		expect(p, "delta", idList(changes, resourceListed), "ann -bob -cid dan")
		expect(p, "changed member", changes[0].Name, "Anne")
		expect(p, "member that left", changes[1].Name, "bob")
		other, _ := p.members("g2", twinplatform.ListOptions{})
		expect(p, "the other group", idList(other, resourceListed), "ann dan")
		expect(p, "member there", other[0].Name, "Anne")

		p.join("g", "bob")
		changes, _ = p.members("g", twinplatform.ListOptions{Delta: delta})
		expect(p, "delta after a return", idList(changes, resourceListed), "bob")
		if rec, err := p.in().Resource(p.ctx, "bob"); err != nil || rec.Value.Deleted {
			p.Errorf("leaving a group has deleted the resource: %+v, %v", rec.Value, err)
		}
	})
}

func TestWireFormOfAMemberIsThatOfTheResource(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resource(schedules.NewResource{ID: "ä", Name: "<Ä & \"B\">", Type: schedules.MaterialResource, UnitType: units.Bag, LeadTime: 7, Description: "\u2028\n"})
		p.group(schedules.NewResourceGroup{ID: "g"})
		p.join("g", "ä")
		p.patchResource("ä", schedules.ResourcePatch{URL: twinplatform.Set("https://ä.example/?a=1&b=<2>")})
		rec, err := p.in().Resource(p.ctx, "ä")
		if err != nil {
			p.Fatal(err)
		}
		page, err := p.in().GroupResources(p.ctx, "g", schedules.ResourceQuery{})
		if err != nil || page.Len() != 1 {
			p.Fatalf("%d members (%v)", page.Len(), err)
		}
		expect(p, "member", string(page.JSON()[0]), string(rec.JSON))
	})
}

// covers: Conventions: rule S17 has no If-None-Match and no ETag
func TestGroupListIsPagedByItsTokens(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a", "b", "c")
	p.group(schedules.NewResourceGroup{ID: "g"})
	p.group(schedules.NewResourceGroup{ID: "h"})
	p.join("g", "a", "b", "c")
	read := func(group string, o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
		return p.in().GroupResources(p.ctx, group, schedules.ResourceQuery{ListOptions: o})
	}
	page, err := read("g", twinplatform.ListOptions{Top: 2})
	if err != nil || page.Len() != 2 || page.Next == "" || page.Delta != "" || page.Top != 2 || page.ETag == "" {
		t.Fatalf("first page: %+v (%v)", page, err)
	}
	_, err = read("h", twinplatform.ListOptions{Continuation: page.Next})
	invalid("InvalidValue continuation").check(t, err)
	_, err = read("g", twinplatform.ListOptions{Delta: page.Next})
	invalid("InvalidValue delta").check(t, err)
	for _, top := range []int{-2, -1, schedules.MaxTop + 1} {
		_, err = read("g", twinplatform.ListOptions{Top: top})
		invalid("InvalidValue top").check(t, err)
	}
	_, err = read("nobody", twinplatform.ListOptions{})
	noGroup.check(t, err)
	_, err = p.svc.In("nowhere").GroupResources(p.ctx, "g", schedules.ResourceQuery{})
	noGroup.check(t, err)
}

func TestMembersThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a", "b")
	p.group(schedules.NewResourceGroup{ID: "g"})
	p.join("g", "a")
	add := func(group string, ids ...string) error {
		_, err := p.in().AddResourcesToGroup(p.ctx, group, ids)
		return err
	}
	remove := func(group string, ids ...string) error {
		_, err := p.in().RemoveResourcesFromGroup(p.ctx, group, ids)
		return err
	}
	invalid("MissingRequiredProperty resourceIds").check(t, add("g"))
	invalid("InvalidValue resourceIds").check(t, add("g", make([]string, schedules.MaxBatch+1)...))
	invalid("InvalidValue resourceIds[1]").saying("nobody").check(t, add("g", "b", "nobody"))
	noGroup.check(t, add("nogroup", "a"))
	invalid("MissingRequiredProperty resourceIds").check(t, remove("g"))
	noMember := refusal{kind: twinplatform.NotFound, code: "ResourceNotFound", target: "resourceIds", says: "'b'"}
	noMember.check(t, remove("g", "a", "b"))
	noGroup.check(t, remove("nogroup", "a"))
	members, _ := p.members("g", twinplatform.ListOptions{})
	expect(t, "members", idList(members, resourceListed), "a")
	p.leave("g", "a", "a")
}

func TestResourceIsInALimitedNumberOfGroups(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a")
	for i := range schedules.MaxGroupsOfResource {
		id := fmt.Sprint("g", i)
		p.group(schedules.NewResourceGroup{ID: id})
		p.join(id, "a")
	}
	p.group(schedules.NewResourceGroup{ID: "more"})
	_, err := p.in().AddResourcesToGroup(p.ctx, "more", []string{"a"})
	invalid("InvalidValue resourceIds[0]").check(t, err)
	p.patchResource("a", schedules.ResourcePatch{Name: twinplatform.Set("A")})
	for _, id := range []string{"g0", fmt.Sprint("g", schedules.MaxGroupsOfResource-1)} {
		members, _ := p.members(id, twinplatform.ListOptions{})
		expect(t, id, members[0].Name, "A")
	}
}

func TestDeletedResourceLeavesItsRoles(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("ann", "bob")
		p.group(schedules.NewResourceGroup{ID: "a", ForemanResourceID: "ann", GeneralForemanResourceID: "ann", PlannerResourceID: "ann", SuperintendentResourceID: "ann"})
		p.group(schedules.NewResourceGroup{ID: "b", ForemanResourceID: "bob"})
		_, delta := p.allGroups(schedules.ResourceGroupQuery{})
		p.deleteResources("ann")
		changes, _ := p.allGroups(schedules.ResourceGroupQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		if diff := cmp.Diff([]schedules.ResourceGroup{{ID: "a", Name: "a"}}, changes); diff != "" {
			p.Error(diff)
		}
	})
}

func TestDeletedGroupLeavesItsResources(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		var ids []string
		for i := range 1_500 {
			ids = append(ids, fmt.Sprintf("r-%04d", i))
		}
		p.resources(ids...)
		p.group(schedules.NewResourceGroup{ID: "g"})
		p.group(schedules.NewResourceGroup{ID: "h"})
		p.join("g", ids[:1_000]...)
		p.join("g", ids[1_000:]...)
		_, delta := p.allGroups(schedules.ResourceGroupQuery{})
		_, membersDelta := p.members("g", twinplatform.ListOptions{})

		res, err := p.in().DeleteResourceGroups(p.ctx, []string{"g"})
		if err != nil || res.Status != twinplatform.OperationSucceeded || !slices.Equal(res.Subjects, []string{"g"}) {
			p.Fatalf("operation: %+v (%v)", res.Operation, err)
		}
		changes, _ := p.allGroups(schedules.ResourceGroupQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		expect(p, "delta of the groups", idList(changes, groupListed), "-g")
		if left, _ := p.allResources(twinplatform.ListOptions{}); len(left) != len(ids) {
			p.Errorf("%d resources are left", len(left))
		}
		_, err = p.in().GroupResources(p.ctx, "g", schedules.ResourceQuery{})
		noGroup.check(p, err)
		_, err = p.in().DeleteResourceGroups(p.ctx, []string{"h", "g"})
		noGroup.saying("'g'").check(p, err)
		_, err = p.in().DeleteResourceGroups(p.ctx, nil)
		invalid("MissingRequiredProperty resourceGroupIds").check(p, err)

		// One made again under its id begins empty, and a delta shows that to clients of
		// the old one.
		p.group(schedules.NewResourceGroup{ID: "g"})
		p.join("g", ids[0])
		members, _ := p.members("g", twinplatform.ListOptions{})
		expect(p, "members of the new group", idList(members, resourceListed), ids[0])
		known, _ := p.members("g", twinplatform.ListOptions{Delta: membersDelta, Top: schedules.MaxTop})
		if n := strings.Count(idList(known, resourceListed), "-r-"); n != len(ids)-1 {
			p.Errorf("%d members of the old group are listed as gone, want %d", n, len(ids)-1)
		}
	})
}
