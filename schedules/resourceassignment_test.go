package schedules_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noAssignment = refusal{kind: twinplatform.NotFound, code: "ResourceAssignmentNotFound", target: "resourceAssignmentId"}

// assign lets a task use a resource.
func (p *plan) assign(n schedules.NewResourceAssignment) schedules.ResourceAssignment {
	p.Helper()
	if n.AppearanceProfileID == "" {
		n.AppearanceProfileID = "install"
	}
	res, err := p.in().CreateResourceAssignment(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	rec, err := p.in().ResourceAssignment(p.ctx, res.Value().ID)
	if err != nil {
		p.Fatal(err)
	}
	same(p, rec, res.Records[0])
	return rec.Value
}

// uses makes assignments from lines such as "dig crew", whose id is "dig-crew".
func (p *plan) uses(lines ...string) {
	p.Helper()
	for _, line := range lines {
		task, resource, _ := strings.Cut(line, " ")
		p.assign(schedules.NewResourceAssignment{ID: task + "-" + resource, TaskID: task, ResourceID: resource})
	}
}

// assignments lists assignments by id, the deleted ones marked.
func (p *plan) assignments(q schedules.ResourceAssignmentQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceAssignment], error) {
		q.ListOptions = o
		return p.in().ResourceAssignments(p.ctx, q)
	})
	return idList(all, assignmentListed), delta
}

// assignmentPatch is the patch of one assignment.
func assignmentPatch(fields schedules.ResourceAssignmentFields) schedules.ResourceAssignmentPatch {
	return schedules.ResourceAssignmentPatch{ResourceAssignmentFields: fields}
}

func assignmentListed(a schedules.ResourceAssignment) (string, bool) { return a.ID, a.Deleted }

// covers: Resource assignment
// covers: operations resourceAssignments.get resourceAssignments.create
func TestAssignmentOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("pour")
		p.resource(schedules.NewResource{ID: "concrete", Name: "Concrete", Type: schedules.MaterialResource, UnitType: units.CubicMeter})
		p.assign(schedules.NewResourceAssignment{
			ID: "a", TaskID: "pour", ResourceID: "concrete", AppearanceProfileID: "install",
			PlannedUtilization: schedules.Utilization{PercentOfOneResourceUnitPerDay: 50, PercentOfTotalResourceUnitsPerDay: 25, ResourceCount: 2, ResourceUnits: 12.5, ResourceUnitsPerDay: 2.5},
			ActualUtilization:  schedules.ActualUtilization{ResourceCount: 1, ResourceUnits: 4.5},
		})
		rec, err := p.in().ResourceAssignment(p.ctx, "a")
		if err != nil || rec.ETag == "" {
			p.Fatal(rec.ETag, err)
		}
		want := `{"actualUtilization":{"resourceCount":1,"resourceUnits":4.5},"appearanceProfileId":"install","deleted":false,"id":"a",` +
			`"plannedUtilization":{"percentOfOneResourceUnitPerDay":50,"percentOfTotalResourceUnitsPerDay":25,"resourceCount":2,"resourceUnits":12.5,"resourceUnitsPerDay":2.5},` +
			`"remainingUtilization":{"percentOfOneResourceUnitPerDay":50,"percentOfTotalResourceUnitsPerDay":25,"resourceCount":2,"resourceUnits":8,"resourceUnitsPerDay":2.5},` +
			`"resourceId":"concrete","taskId":"pour"}`
		if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
			p.Error(diff)
		}
	})
}

// covers: Resource assignment: rule an appearance profile must be given
// covers: Resource assignment: rule wholeUnits resources are assigned in whole numbers
func TestAssignmentThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resources("crew")
	p.resource(schedules.NewResource{ID: "sand", Name: "Sand", Type: schedules.MaterialResource})
	p.uses("dig crew")
	good := schedules.NewResourceAssignment{TaskID: "dig", ResourceID: "crew", AppearanceProfileID: "install"}
	for name, tt := range map[string]struct {
		change func(*schedules.NewResourceAssignment)
		want   refusal
	}{
		"nothing given": {
			func(n *schedules.NewResourceAssignment) { *n = schedules.NewResourceAssignment{} },
			invalid("MissingRequiredProperty taskId", "MissingRequiredProperty resourceId", "MissingRequiredProperty appearanceProfileId"),
		},
		"a task that is not there": {
			func(n *schedules.NewResourceAssignment) { n.TaskID = "nothing" }, invalid("InvalidValue taskId"),
		},
		"a resource that is not there": {
			func(n *schedules.NewResourceAssignment) { n.ResourceID = "nobody" }, invalid("InvalidValue resourceId"),
		},
		"too long": {
			func(n *schedules.NewResourceAssignment) {
				n.ID, n.AppearanceProfileID = strings.Repeat("x", 129), strings.Repeat("x", 10_001)
			}, invalid("InvalidValue id", "InvalidValue appearanceProfileId"),
		},
		"an id that another has": {func(n *schedules.NewResourceAssignment) { n.ID = "dig-crew" }, idTaken},
		"made deleted": {
			func(n *schedules.NewResourceAssignment) { n.Deleted = twinplatform.Set(true) }, invalid("InvalidValue deleted"),
		},
		"negative": {
			func(n *schedules.NewResourceAssignment) {
				n.PlannedUtilization = schedules.Utilization{PercentOfOneResourceUnitPerDay: -1, PercentOfTotalResourceUnitsPerDay: -1, ResourceCount: -1, ResourceUnits: -1, ResourceUnitsPerDay: -1}
				n.ActualUtilization = schedules.ActualUtilization{ResourceCount: -1, ResourceUnits: math.Inf(1)}
				n.RemainingUtilization = &schedules.Utilization{ResourceUnitsPerDay: math.NaN()}
			},
			invalid("InvalidValue plannedUtilization.percentOfOneResourceUnitPerDay", "InvalidValue plannedUtilization.percentOfTotalResourceUnitsPerDay",
				"InvalidValue plannedUtilization.resourceUnitsPerDay", "InvalidValue plannedUtilization.resourceCount", "InvalidValue plannedUtilization.resourceUnits",
				"InvalidValue remainingUtilization.resourceUnitsPerDay",
				"InvalidValue actualUtilization.resourceCount", "InvalidValue actualUtilization.resourceUnits"),
		},
		"half a person": {
			func(n *schedules.NewResourceAssignment) {
				n.PlannedUtilization = schedules.Utilization{ResourceCount: 0.5, ResourceUnits: 0.5, ResourceUnitsPerDay: 0.5}
				n.ActualUtilization = schedules.ActualUtilization{ResourceCount: 0.25, ResourceUnits: 0.25}
				n.RemainingUtilization = new(schedules.Utilization)
			},
			invalid("InvalidValue plannedUtilization.resourceCount", "InvalidValue plannedUtilization.resourceUnits",
				"InvalidValue actualUtilization.resourceCount", "InvalidValue actualUtilization.resourceUnits"),
		},
		"half a cubic meter": {func(n *schedules.NewResourceAssignment) {
			n.ResourceID, n.PlannedUtilization = "sand", schedules.Utilization{ResourceCount: 0.5, ResourceUnits: 0.5}
		}, refusal{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := good
			tt.change(&n)
			_, err := p.in().CreateResourceAssignment(p.ctx, n)
			if tt.want.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			tt.want.check(t, err)
		})
	}
}

// covers: operations resourceAssignments.createMany
func TestBatchOfAssignmentsIsMadeWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig", "pour")
	p.resources("crew")
	one := schedules.NewResourceAssignment{ID: "a", TaskID: "dig", ResourceID: "crew", AppearanceProfileID: "install"}
	other := schedules.NewResourceAssignment{TaskID: "nothing", ResourceID: "crew", AppearanceProfileID: "install"}
	create := func(batch ...schedules.NewResourceAssignment) error {
		_, err := p.in().CreateResourceAssignments(p.ctx, batch)
		return err
	}
	invalid("InvalidValue batch[1].taskId").check(t, create(one, other))
	idTaken.check(t, create(one, one))
	invalid("MissingRequiredProperty batch").check(t, create())
	invalid("InvalidValue batch").check(t, create(make([]schedules.NewResourceAssignment, schedules.MaxBatch+1)...))
	if ids, _ := p.assignments(schedules.ResourceAssignmentQuery{}); ids != "" {
		t.Errorf("refused batches made %s", ids)
	}
	other.ID, other.TaskID = "b", "pour"
	if err := create(one, other); err != nil {
		t.Fatal(err)
	}
	// A task may use a resource in several ways.
	if err := create(schedules.NewResourceAssignment{ID: "c", TaskID: "dig", ResourceID: "crew", AppearanceProfileID: "remove"}); err != nil {
		t.Fatal(err)
	}
	if ids, _ := p.assignments(schedules.ResourceAssignmentQuery{}); ids != "a b c" {
		t.Errorf("there are %s", ids)
	}
}

// TestResourcesAreUsedByTasks is the sentence of the specification: a resource is
// "a human, equipment, material or location used by Tasks".
//
// covers: Resource assignment: rule a resource is "a human, equipment, material or location used by Tasks"
// covers: operations resourceAssignments.list resourceAssignments.listOfTask
// covers: operations resourceAssignments.listOfResource
func TestResourcesAreUsedByTasks(t *testing.T) {
	t.Parallel()
	for _, v65 := range []bool{false, true} {
		onEachEngine(t, func(p *plan) {
			if v65 {
				p.v65()
			}
			p.tasks("dig", "pour", "idle")
			for id, typ := range map[string]schedules.ResourceType{
				"crew": schedules.HumanResource, "crane": schedules.EquipmentResource, "concrete": schedules.MaterialResource, "yard": schedules.LocationResource,
			} {
				p.resource(schedules.NewResource{ID: id, Name: id, Type: typ})
			}
			p.uses("dig crew", "dig crane", "pour crew", "pour concrete", "pour yard")
			for _, tt := range []struct {
				q    schedules.ResourceAssignmentQuery
				want string
			}{
				{schedules.ResourceAssignmentQuery{}, "dig-crane dig-crew pour-concrete pour-crew pour-yard"},
				{schedules.ResourceAssignmentQuery{TaskID: "pour"}, "pour-concrete pour-crew pour-yard"},
				{schedules.ResourceAssignmentQuery{ResourceID: "crew"}, "dig-crew pour-crew"},
				{schedules.ResourceAssignmentQuery{TaskID: "pour", ResourceID: "crew"}, "pour-crew"},
				{schedules.ResourceAssignmentQuery{TaskID: "nothing"}, ""},
			} {
				tt.q.Top = 2
				if got, _ := p.assignments(tt.q); got != tt.want {
					p.Errorf("%+v lists %q, want %q", tt.q, got, tt.want)
				}
			}
			page, err := p.in().ResourceAssignmentsOfTask(p.ctx, "dig", schedules.ResourceAssignmentQuery{TaskID: "pour", ResourceID: "crew"})
			if err != nil || page.Len() != 1 {
				p.Errorf("the task uses %d, %v", page.Len(), err)
			}
			page, err = p.in().ResourceAssignmentsOfResource(p.ctx, "crew", schedules.ResourceAssignmentQuery{})
			if err != nil || page.Len() != 2 {
				p.Errorf("the resource is used %d times, %v", page.Len(), err)
			}
			page, err = p.in().ResourceAssignmentsOfTask(p.ctx, "idle", schedules.ResourceAssignmentQuery{})
			if err != nil || page.Len() != 0 {
				p.Errorf("the idle task uses %d, %v", page.Len(), err)
			}
			_, err = p.in().ResourceAssignmentsOfTask(p.ctx, "nothing", schedules.ResourceAssignmentQuery{})
			noTask.check(p, err)
			_, err = p.in().ResourceAssignmentsOfResource(p.ctx, "nobody", schedules.ResourceAssignmentQuery{})
			noResource.check(p, err)
		})
	}
}

// covers: operations resourceAssignments.update
func TestAssignmentIsChangedAndNotMoved(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig", "pour")
	p.resources("crew")
	made := p.assign(schedules.NewResourceAssignment{ID: "a", TaskID: "dig", ResourceID: "crew", PlannedUtilization: schedules.Utilization{ResourceUnits: 8, ResourceUnitsPerDay: 2}})
	update := func(patch schedules.ResourceAssignmentFields, pre ...twinplatform.Precondition) (schedules.ResourceAssignment, error) {
		res, err := p.in().UpdateResourceAssignment(p.ctx, "a", assignmentPatch(patch), pre...)
		if err != nil {
			return schedules.ResourceAssignment{}, err
		}
		return res.Value(), nil
	}
	for _, tt := range []struct {
		what  string
		patch schedules.ResourceAssignmentFields
		want  func(*schedules.ResourceAssignment)
	}{
		{"what was taken is not left", schedules.ResourceAssignmentFields{ActualUtilization: twinplatform.Set(schedules.ActualUtilization{ResourceUnits: 3})}, func(a *schedules.ResourceAssignment) {
			a.ActualUtilization.ResourceUnits, a.RemainingUtilization.ResourceUnits = 3, 5
		}},
		{"more is taken than was planned", schedules.ResourceAssignmentFields{ActualUtilization: twinplatform.Set(schedules.ActualUtilization{ResourceUnits: 9})}, func(a *schedules.ResourceAssignment) {
			a.ActualUtilization.ResourceUnits, a.RemainingUtilization.ResourceUnits = 9, 0
		}},
		{"what is left may be given", schedules.ResourceAssignmentFields{RemainingUtilization: twinplatform.Set(schedules.Utilization{ResourceUnits: 4})}, func(a *schedules.ResourceAssignment) {
			a.RemainingUtilization = schedules.Utilization{ResourceUnits: 4}
		}},
		{"and stays with another look", schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Set("remove")}, func(a *schedules.ResourceAssignment) {
			a.AppearanceProfileID = "remove"
		}},
		{"null forgets it", schedules.ResourceAssignmentFields{RemainingUtilization: twinplatform.Null[schedules.Utilization]()}, func(a *schedules.ResourceAssignment) {
			a.RemainingUtilization = schedules.Utilization{ResourceUnitsPerDay: 2}
		}},
		{"null plans nothing", schedules.ResourceAssignmentFields{PlannedUtilization: twinplatform.Null[schedules.Utilization]()}, func(a *schedules.ResourceAssignment) {
			a.PlannedUtilization, a.RemainingUtilization = schedules.Utilization{}, schedules.Utilization{}
		}},
		{"as it was read", schedules.ResourceAssignmentFields{TaskID: twinplatform.Set("dig"), ResourceID: twinplatform.Set("crew")}, func(*schedules.ResourceAssignment) {}},
	} {
		want := made
		tt.want(&want)
		got, err := update(tt.patch)
		if err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tt.what, diff)
		}
		made = got
	}
	_, err := update(schedules.ResourceAssignmentFields{TaskID: twinplatform.Set("pour"), ResourceID: twinplatform.Set("other")})
	invalid("InvalidValue taskId", "InvalidValue resourceId").check(t, err)
	_, err = update(schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Null[string]()})
	invalid("MissingRequiredProperty appearanceProfileId").check(t, err)
	_, err = update(schedules.ResourceAssignmentFields{PlannedUtilization: twinplatform.Set(schedules.Utilization{ResourceCount: 1.5})})
	invalid("InvalidValue plannedUtilization.resourceCount", "InvalidValue remainingUtilization.resourceCount").check(t, err)
	_, err = update(schedules.ResourceAssignmentFields{}, twinplatform.IfMatch(`"stale"`))
	otherVersion.check(t, err)
	_, err = p.in().UpdateResourceAssignment(p.ctx, "nothing", schedules.ResourceAssignmentPatch{})
	noAssignment.check(t, err)
}

// covers: operations resourceAssignments.updateMany
func TestAssignmentsAreChangedTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig", "pour")
	p.resources("crew")
	p.uses("dig crew", "pour crew")
	change := func(id, profile string) schedules.ResourceAssignmentChange {
		return schedules.ResourceAssignmentChange{ID: id, ResourceAssignmentFields: schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Set(profile)}}
	}
	update := func(changes ...schedules.ResourceAssignmentChange) error {
		_, err := p.in().UpdateResourceAssignments(p.ctx, changes)
		return err
	}
	invalid("MissingRequiredProperty resourceAssignments[1].id").check(t, update(change("dig-crew", "remove"), change("", "remove")))
	refusal{kind: twinplatform.NotFound, code: "ResourceAssignmentNotFound", target: "resourceAssignmentId", says: "'nothing'"}.
		check(t, update(change("dig-crew", "remove"), change("nothing", "remove")))
	half := change("pour-crew", "remove")
	half.ActualUtilization = twinplatform.Set(schedules.ActualUtilization{ResourceUnits: 0.5})
	invalid("InvalidValue resourceAssignments[1].actualUtilization.resourceUnits").check(t, update(change("dig-crew", "remove"), half))
	invalid("MissingRequiredProperty resourceAssignments").check(t, update())
	invalid("InvalidValue resourceAssignments").check(t, update(make([]schedules.ResourceAssignmentChange, schedules.MaxBatch+1)...))
	profiles := func() (said string) {
		page, err := p.in().ResourceAssignments(p.ctx, schedules.ResourceAssignmentQuery{})
		if err != nil {
			t.Fatal(err)
		}
		all, _ := page.Values()
		for _, a := range all {
			said += a.ID + " " + a.AppearanceProfileID + ";"
		}
		return said
	}
	if got := profiles(); got != "dig-crew install;pour-crew install;" {
		t.Errorf("refused changes left %s", got)
	}
	if err := update(change("pour-crew", "remove"), change("dig-crew", "maintain")); err != nil {
		t.Fatal(err)
	}
	if got := profiles(); got != "dig-crew maintain;pour-crew remove;" {
		t.Errorf("became %s", got)
	}
}

// TestResourceInUseIsNotDeleted also deletes what is above a used resource,
// and many tasks and resources at once.
//
// covers: Resource assignment: rule a resource in use says so when it is deleted
func TestResourceInUseIsNotDeleted(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("dig", "pour")
		p.resources("firm", "crew firm", "mate crew", "free")
		p.uses("dig mate", "pour mate")
		inUse := refusal{kind: twinplatform.Conflict, code: "ResourceInUse", target: "resourceIds", says: "'mate' is used by the task"}
		for _, ids := range [][]string{{"mate"}, {"firm"}, {"free", "crew"}} {
			_, err := p.in().DeleteResources(p.ctx, ids)
			inUse.check(p, err)
		}
		if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 4 {
			p.Errorf("%d of 4 resources are left after refused deletions", len(all))
		}
		if _, err := p.in().DeleteResourceAssignments(p.ctx, []string{"dig-mate"}); err != nil {
			p.Fatal(err)
		}
		_, delta := p.assignments(schedules.ResourceAssignmentQuery{})
		p.delete("pour") // which takes its assignments along
		if got, _ := p.assignments(schedules.ResourceAssignmentQuery{ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "-pour-mate" {
			p.Errorf("with the task went %q", got)
		}
		if op := p.deleteResources("firm", "free"); op.Status != twinplatform.OperationSucceeded {
			p.Errorf("deleting what nothing uses: %+v", op)
		}
	})
}

// covers: operations resourceAssignments.delete resourceAssignments.deleteMany
func TestDeletionOfAssignmentsIsRefusedWhole(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resources("crew")
	p.uses("dig crew")
	remove := func(ids ...string) error {
		_, err := p.in().DeleteResourceAssignments(p.ctx, ids)
		return err
	}
	invalid("MissingRequiredProperty resourceAssignmentIds").check(t, remove())
	invalid("InvalidValue resourceAssignmentIds").check(t, remove(make([]string, schedules.MaxBatch+1)...))
	refusal{kind: twinplatform.NotFound, code: "ResourceAssignmentNotFound", target: "resourceAssignmentIds", says: "'nothing'"}.check(t, remove("dig-crew", "nothing"))
	if ids, _ := p.assignments(schedules.ResourceAssignmentQuery{}); ids != "dig-crew" {
		t.Errorf("refused deletions left %q", ids)
	}
}

func TestManyAssignmentsGoWithTheirTaskInSteps(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resources("crew")
	batch := make([]schedules.NewResourceAssignment, schedules.MaxBatch)
	for i := range batch {
		batch[i] = schedules.NewResourceAssignment{TaskID: "dig", ResourceID: "crew", AppearanceProfileID: strings.Repeat("x", schedules.MaxText)}
	}
	for range 3 {
		if _, err := p.in().CreateResourceAssignments(p.ctx, batch); err != nil {
			t.Fatal(err)
		}
	}
	p.delete("dig")
	if ids, _ := p.assignments(schedules.ResourceAssignmentQuery{}); ids != "" {
		t.Errorf("left are %.100s", ids)
	}
	p.deleteResources("crew")
}

func TestResourceIsNotMadeWholeWhileItIsDivided(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resource(schedules.NewResource{ID: "crane", Name: "Crane", Type: schedules.EquipmentResource, WholeUnits: new(false)})
	p.assign(schedules.NewResourceAssignment{ID: "half", TaskID: "dig", ResourceID: "crane", PlannedUtilization: schedules.Utilization{ResourceUnits: 0.5}})
	whole := schedules.ResourcePatch{WholeUnits: twinplatform.Set(true)}
	_, err := p.in().UpdateResource(p.ctx, "crane", whole)
	invalid("InvalidValue wholeUnits").saying("'half'").check(t, err)
	p.patchResource("crane", schedules.ResourcePatch{Name: twinplatform.Set("Tower crane")})
	if _, err := p.in().UpdateResourceAssignment(p.ctx, "half", assignmentPatch(schedules.ResourceAssignmentFields{PlannedUtilization: twinplatform.Set(schedules.Utilization{ResourceUnits: 1})})); err != nil {
		t.Fatal(err)
	}
	p.patchResource("crane", whole)
	_, err = p.in().UpdateResourceAssignment(p.ctx, "half", assignmentPatch(schedules.ResourceAssignmentFields{ActualUtilization: twinplatform.Set(schedules.ActualUtilization{ResourceUnits: 0.5})}))
	invalid("InvalidValue remainingUtilization.resourceUnits", "InvalidValue actualUtilization.resourceUnits").check(t, err)
}

func TestAssignmentsAreForThoseWhoMayAlone(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig")
	p.resources("crew")
	p.uses("dig crew")
	stranger := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "x", AccountID: "elsewhere"})
	_, err := p.in().ResourceAssignment(stranger, "dig-crew")
	noAssignment.check(t, err)
	_, err = p.in().ResourceAssignments(stranger, schedules.ResourceAssignmentQuery{})
	noSchedule.check(t, err)
	_, err = p.in().ResourceAssignmentsOfTask(stranger, "dig", schedules.ResourceAssignmentQuery{})
	noTask.check(t, err)
	_, err = p.in().ResourceAssignmentsOfResource(stranger, "crew", schedules.ResourceAssignmentQuery{})
	noResource.check(t, err)
	_, err = p.in().DeleteResourceAssignments(stranger, []string{"dig-crew"})
	noSchedule.check(t, err)
	_, err = p.in().ResourceAssignment(p.ctx, "nothing")
	noAssignment.check(t, err)
}

func TestAssignmentsInBackgroundAreMadeByRun(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	p.tasks("dig")
	p.resources("crew")
	p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
	p.background()
	res, err := p.in().CreateResourceAssignment(p.ctx, schedules.NewResourceAssignment{ID: "a", TaskID: "dig", ResourceID: "crew", AppearanceProfileID: "install", RemainingUtilization: &schedules.Utilization{ResourceUnits: 7}})
	if err != nil || len(res.Records) != 0 || res.Status.Done() {
		t.Fatalf("accepted as %+v, %v", res, err)
	}
	p.await(res.Operation)
	change := schedules.ResourceAssignmentChange{ID: "a"}
	change.AppearanceProfileID = twinplatform.Set("remove")
	if res, err = p.in().UpdateResourceAssignments(p.ctx, []schedules.ResourceAssignmentChange{change}); err != nil {
		t.Fatal(err)
	}
	p.await(res.Operation)
	rec, err := p.in().ResourceAssignment(p.ctx, "a")
	if err != nil || rec.Value.AppearanceProfileID != "remove" || rec.Value.RemainingUtilization.ResourceUnits != 7 {
		t.Errorf("became %+v, %v", rec.Value, err)
	}
}

// Whatever comes and goes between any two calls, a copy of what a task uses that only
// pages and follows deltas equals the truth.
func TestCopyOfATasksAssignmentsEqualsTheTruth(t *testing.T) {
	t.Parallel()
	histories := 40
	if testing.Short() {
		histories = 10
	}
	onEachEngine(t, func(p *plan) {
		for seed := range histories {
			p.id = fmt.Sprint("history-", seed)
			p.schedule(schedules.NewSchedule{ID: p.id, Name: p.id, TwinID: "twin"})
			p.tasks("dig", "pour")
			p.resources("r0", "r1", "r2")
			rnd := rand.New(rand.NewPCG(uint64(seed), 3))
			f := copyOf[schedules.ResourceAssignment]{listed: assignmentListed, fetch: func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceAssignment], error) {
				return p.in().ResourceAssignmentsOfTask(p.ctx, "dig", schedules.ResourceAssignmentQuery{ListOptions: o})
			}}
			for range 20 + rnd.IntN(40) {
				for range rnd.IntN(5) {
					p.changeAssignments(rnd)
				}
				f.step(p, 1+rnd.IntN(3))
			}
			f.complete(p)
			all, _ := readAll(p, twinplatform.ListOptions{}, f.fetch)
			want := make(map[string]schedules.ResourceAssignment)
			for _, a := range all {
				want[a.ID] = a
			}
			if diff := cmp.Diff(want, f.have); diff != "" {
				p.Fatalf("history %d: the copy differs (-want +copy):\n%s", seed, diff)
			}
		}
	})
}

// changeAssignments makes, changes or deletes an assignment at random.
func (p *plan) changeAssignments(rnd *rand.Rand) {
	p.Helper()
	id := fmt.Sprint("a", rnd.IntN(8))
	_, err := p.in().ResourceAssignment(p.ctx, id)
	switch {
	case err != nil:
		p.assign(schedules.NewResourceAssignment{ID: id, TaskID: []string{"dig", "pour"}[rnd.IntN(2)], ResourceID: fmt.Sprint("r", rnd.IntN(3))})
	case rnd.IntN(2) == 0:
		_, err = p.in().UpdateResourceAssignment(p.ctx, id, assignmentPatch(schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Set(fmt.Sprint(rnd.IntN(9)))}))
		if err != nil {
			p.Fatal(err)
		}
	default:
		if _, err = p.in().DeleteResourceAssignments(p.ctx, []string{id}); err != nil {
			p.Fatal(err)
		}
	}
}

// copyOf is a copy of a list that is kept by pages and deltas alone.
type copyOf[T any] struct {
	fetch       func(twinplatform.ListOptions) (twinplatform.Page[T], error)
	listed      func(T) (id string, deleted bool)
	have        map[string]T
	next, delta string
}

// step fetches one page and reports whether the copy is complete with it.
func (f *copyOf[T]) step(p *plan, size int) (complete bool) {
	p.Helper()
	o := twinplatform.ListOptions{Top: size}
	switch {
	case f.next != "":
		o.Continuation = f.next
	case f.delta != "":
		o.Delta = f.delta
	default:
		f.have = make(map[string]T)
	}
	page, err := f.fetch(o)
	if err != nil {
		p.Fatal(err)
	}
	for v, err := range page.OnPage() {
		if err != nil {
			p.Fatal(err)
		}
		if id, deleted := f.listed(v); deleted {
			delete(f.have, id)
		} else {
			f.have[id] = v
		}
	}
	if f.next = page.Next; f.next == "" {
		f.delta = page.Delta
	}
	return f.next == ""
}

// complete follows the list to its present end: the first completion may be that of
// a listing under way.
func (f *copyOf[T]) complete(p *plan) {
	p.Helper()
	for completions := 0; completions < 2; {
		if f.step(p, 100) {
			completions++
		}
	}
}
