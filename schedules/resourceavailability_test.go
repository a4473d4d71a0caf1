package schedules_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// availability is what is left of a resource.
func (p *plan) availability(id string) schedules.ResourceAvailability {
	p.Helper()
	rec, err := p.in().ResourceAvailability(p.ctx, id)
	if err != nil {
		p.Fatal(err)
	}
	return rec.Value
}

// sand makes 100 tons of a material.
func (p *plan) sand() {
	p.Helper()
	p.resource(schedules.NewResource{ID: "sand", Name: "Sand", Type: schedules.MaterialResource, UnitType: units.MetricTon, Quantity: new(100.0)})
}

func ofUnits(planned, taken float64) schedules.NewResourceAssignment {
	return schedules.NewResourceAssignment{
		PlannedUtilization: schedules.Utilization{ResourceUnits: planned}, ActualUtilization: schedules.ActualUtilization{ResourceUnits: taken},
	}
}

// covers: Rules of resources: rule "false: available quantity decreases as used"
// covers: operations resources.getAvailability
func TestQuantityThatIsAvailableDecreasesAsTasksUseIt(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.sand()
		p.tasks("pave", "fill")
		left := func(when string, used, reserved, available float64) {
			p.Helper()
			want := schedules.ResourceAvailability{
				AvailableQuantity: new(available), Quantity: new(100.0), Renewable: false, ReservedQuantity: reserved,
				ResourceID: "sand", UnitType: units.MetricTon, UsedQuantity: used,
			}
			if diff := cmp.Diff(want, p.availability("sand")); diff != "" {
				p.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		left("unused", 0, 0, 100)
		for task, n := range map[string]schedules.NewResourceAssignment{"pave": ofUnits(40, 10), "fill": ofUnits(25, 0)} {
			n.ID, n.TaskID, n.ResourceID = task, task, "sand"
			p.assign(n)
		}
		left("assigned", 10, 55, 35)
		if _, err := p.in().UpdateResourceAssignment(p.ctx, "pave", assignmentPatch(schedules.ResourceAssignmentFields{
			ActualUtilization: twinplatform.Set(schedules.ActualUtilization{ResourceUnits: 52.5}),
		})); err != nil {
			p.Fatal(err)
		}
		left("more than was planned", 52.5, 25, 22.5)
		if _, err := p.in().UpdateResourceAssignment(p.ctx, "fill", assignmentPatch(schedules.ResourceAssignmentFields{
			PlannedUtilization: twinplatform.Set(schedules.Utilization{ResourceUnits: 60}),
		})); err != nil {
			p.Fatal(err)
		}
		left("short", 52.5, 60, -12.5)
		p.delete("pave")
		left("without the task", 0, 60, 40)
		if _, err := p.in().DeleteResourceAssignments(p.ctx, []string{"fill"}); err != nil {
			p.Fatal(err)
		}
		left("without the assignment", 0, 0, 100)
	})
}

// covers: Rules of resources: rule "True: released after Task completion and reusable"
func TestUseLeavesWhatThereIsOfARenewableResource(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resource(schedules.NewResource{ID: "crew", Name: "Crew", Type: schedules.HumanResource, Quantity: new(5.0)})
	n := ofUnits(80, 30)
	n.TaskID, n.ResourceID = "dig", "crew"
	p.assign(n)
	want := schedules.ResourceAvailability{
		AvailableQuantity: new(5.0), Quantity: new(5.0), Renewable: true, ResourceID: "crew", UnitType: units.Unknown,
	}
	if diff := cmp.Diff(want, p.availability("crew")); diff != "" {
		t.Errorf("renewable (-want +got):\n%s", diff)
	}
	p.patchResource("crew", schedules.ResourcePatch{Renewable: twinplatform.Set(false)})
	want.Renewable, want.UsedQuantity, want.ReservedQuantity, want.AvailableQuantity = false, 30, 50, new(-75.0)
	if diff := cmp.Diff(want, p.availability("crew")); diff != "" {
		t.Errorf("used up (-want +got):\n%s", diff)
	}
}

func TestAvailabilityOfAResourceWithoutAQuantityIsItsUseAlone(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.sand()
	p.tasks("pave")
	n := ofUnits(40, 12)
	n.TaskID, n.ResourceID = "pave", "sand"
	p.assign(n)
	if r := p.patchResource("sand", schedules.ResourcePatch{Quantity: twinplatform.Null[float64]()}); r.Quantity != nil {
		t.Errorf("the quantity is %v once it is cleared", *r.Quantity)
	}
	rec, err := p.in().ResourceAvailability(p.ctx, "sand")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"availableQuantity":null,"quantity":null,"renewable":false,"reservedQuantity":28,"resourceId":"sand",`+
		`"unitType":"MetricTon","usedQuantity":12}`)
	p.patchResource("sand", schedules.ResourcePatch{Quantity: twinplatform.Set(40.0)})
	later, err := p.in().ResourceAvailability(p.ctx, "sand")
	if err != nil || later.ETag == rec.ETag {
		t.Errorf("the version stays %s as the quantity changes (%v)", rec.ETag, err)
	}
	if available := later.Value.AvailableQuantity; available == nil || *available != 0 {
		t.Errorf("available: %+v", later.Value)
	}
}

func TestResourceShowsItsQuantityWhereItHasOne(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.sand()
	p.group(schedules.NewResourceGroup{ID: "heap", Name: "Heap"})
	p.join("heap", "sand")
	p.patchResource("sand", schedules.ResourcePatch{Quantity: twinplatform.Set(0.5)})
	rec, err := p.in().Resource(p.ctx, "sand")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"calendarId":null,"deleted":false,"description":"","email":"","id":"sand","leadTime":0,"name":"Sand",`+
		`"parentId":null,"quantity":0.5,"renewable":false,"ruleId":null,"type":"Material","unitType":"MetricTon","url":null,"userDefinedId":null,"wholeUnits":false}`)
	if members, _ := p.members("heap", twinplatform.ListOptions{}); len(members) != 1 || cmp.Diff(rec.Value, members[0]) != "" {
		t.Errorf("in its group: %+v", members)
	}
}

func TestQuantityThatNoResourceCanHaveIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.sand()
	bad := invalid("InvalidValue quantity")
	for what, n := range map[string]schedules.NewResource{
		"negative": {Name: "r", Type: schedules.MaterialResource, Quantity: new(-1.0)},
		"endless":  {Name: "r", Type: schedules.MaterialResource, Quantity: new(math.Inf(1))},
		"divided":  {Name: "r", Type: schedules.EquipmentResource, Quantity: new(1.5)},
	} {
		t.Log(what)
		_, err := p.in().CreateResource(p.ctx, n)
		bad.check(t, err)
	}
	for what, patch := range map[string]schedules.ResourcePatch{
		"negative":      {Quantity: twinplatform.Set(-1.0)},
		"divided":       {Quantity: twinplatform.Set(1.5), WholeUnits: twinplatform.Set(true)},
		"made so later": {WholeUnits: twinplatform.Set(true)},
	} {
		t.Log(what)
		if what == "made so later" {
			p.patchResource("sand", schedules.ResourcePatch{Quantity: twinplatform.Set(7.25)})
		}
		_, err := p.in().UpdateResource(p.ctx, "sand", patch)
		bad.check(t, err)
	}
	_, err := p.in().ResourceAvailability(p.ctx, "nothing")
	noResource.check(t, err)
	_, err = p.svc.In("missing").ResourceAvailability(p.ctx, "sand")
	noResource.check(t, err)
}
