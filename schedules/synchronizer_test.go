package schedules_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// covers: Synchronizer (S14)
// covers: Members of a synchronizer
// covers: Counts of a synchronization
// covers: Synchronization types
// covers: operations plannerSynchronizers.get
func TestSynchronizerShowsImports(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		res, err := synchronizers.In(p.in()).CreateSynchronizer(p.ctx, synchronizers.Synchronizer{
			ID: "planner", SynchronizerName: "Planner", ProjectName: "Tower", ProjectPath: `C:\plans\tower.xer`,
			Projects: []synchronizers.PlannerProject{{ID: "1", UserDefinedID: "T"}},
			SynchronizationDetails: synchronizers.SynchronizationDetails{
				Created:  synchronizers.SynchronizationCounts{Tasks: new(64), Links: new(96), UserFields: new(0)},
				Warnings: []synchronizers.SynchronizationWarning{{Message: "no calendar"}},
			},
		})
		if err != nil {
			p.Fatal(err)
		}
		nulls := `{"activityCodeValues":null,"activityCodeValuesAssignments":null,"activityCodes":null,"calendars":null,"companies":null,` +
			`"costCodes":null,"links":null,"resourceAssignments":null,"resourceCodeValues":null,"resourceCodeValuesAssignments":null,` +
			`"resourceCodes":null,"resourceRates":null,"resources":null,"risks":null,"taskCategories":null,"taskCosts":null,"tasks":null,` +
			`"userFieldValues":null,"userFields":null}`
		created := strings.NewReplacer(`"tasks":null`, `"tasks":64`, `"links":null`, `"links":96`, `"userFields":null`, `"userFields":0`).Replace(nulls)
		want := `{"deleted":false,"id":"planner","originalProjectName":"Tower","originalProjectPath":"C:\\plans\\tower.xer",` +
			`"originalSynchronizationTime":"2026-03-02T08:00:00Z","originalSynchronizationType":"Import","projectName":"Tower",` +
			`"projectPath":"C:\\plans\\tower.xer","projects":[{"id":"1","userDefinedId":"T"}],"synchronizationDetails":{"created":` + created +
			`,"deleted":` + nulls + `,"updated":` + nulls + `,"warnings":[{"message":"no calendar"}]},` +
			`"synchronizationTime":"2026-03-02T08:00:00Z","synchronizationType":"Import","synchronizerName":"Planner"}`
		rec, err := synchronizers.In(p.in()).Synchronizer(p.ctx, "planner")
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
			p.Errorf("synchronizer (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(rec.Value, res.Value()); diff != "" || rec.ETag == "" {
			p.Errorf("what the creation returned is not what is stored (ETag %s):\n%s", rec.ETag, diff)
		}

		for typ := range strings.FieldsSeq("Import Export SynchronizeFrom SynchronizeTo Unknown") {
			res, err := synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "planner", synchronizers.SynchronizerPatch{SynchronizationType: twinplatform.Set(synchronizers.SynchronizationType(typ))})
			if err != nil || string(res.Value().SynchronizationType) != typ {
				p.Fatal(res.Value(), err)
			}
		}
		before := rec.Value
		res, err = synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "planner", synchronizers.SynchronizerPatch{
			SynchronizationTime:    twinplatform.Set(at(5)),
			SynchronizationType:    twinplatform.Set(synchronizers.SynchronizationFrom),
			Projects:               twinplatform.Null[[]synchronizers.PlannerProject](),
			SynchronizationDetails: twinplatform.Set(synchronizers.SynchronizationDetails{Deleted: synchronizers.SynchronizationCounts{Risks: new(1)}}),
		})
		if err != nil {
			p.Fatal(err)
		}
		before.SynchronizationTime, before.SynchronizationType, before.Projects = at(5), synchronizers.SynchronizationFrom, []synchronizers.PlannerProject{}
		before.SynchronizationDetails = synchronizers.SynchronizationDetails{
			Deleted: synchronizers.SynchronizationCounts{Risks: new(1)}, Warnings: []synchronizers.SynchronizationWarning{},
		}
		if diff := cmp.Diff(before, res.Value()); diff != "" {
			p.Errorf("updated to (-want +got):\n%s", diff)
		}
		_, err = synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "planner", synchronizers.SynchronizerPatch{}, twinplatform.IfMatch(rec.ETag))
		otherVersion.check(p, err)
	})
}

// covers: Kinds of schedules: rule S14 is for v10
// covers: Errors: rule 404 of a missing synchronizer
func TestSynchronizerRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	create := func(y synchronizers.Synchronizer) error {
		_, err := synchronizers.In(p.in()).CreateSynchronizer(p.ctx, y)
		return err
	}
	if err := create(synchronizers.Synchronizer{ID: "there", SynchronizerName: "n"}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 10_001)
	invalid("MissingRequiredProperty synchronizerName").check(t, create(synchronizers.Synchronizer{}))
	invalid("InvalidValue id", "InvalidValue synchronizerName", "InvalidValue originalProjectName", "InvalidValue originalProjectPath",
		"InvalidValue originalSynchronizationType", "InvalidValue projectName", "InvalidValue projectPath", "InvalidValue synchronizationType",
		"MissingRequiredProperty projects[0].id", "InvalidValue projects[0].userDefinedId", "InvalidValue synchronizationDetails.warnings[0].message").
		check(t, create(synchronizers.Synchronizer{
			ID: "/", SynchronizerName: long, ProjectName: long, ProjectPath: long, SynchronizationType: "import",
			Projects:               []synchronizers.PlannerProject{{UserDefinedID: long}},
			SynchronizationDetails: synchronizers.SynchronizationDetails{Warnings: []synchronizers.SynchronizationWarning{{Message: long}}},
		}))
	invalid("InvalidValue projects", "InvalidValue synchronizationDetails.warnings").check(t, create(synchronizers.Synchronizer{
		SynchronizerName: "n", Projects: fill(schedules.MaxBatch+1, synchronizers.PlannerProject{ID: "p"}),
		SynchronizationDetails: synchronizers.SynchronizationDetails{Warnings: make([]synchronizers.SynchronizationWarning, schedules.MaxBatch+1)},
	}))
	idTaken.check(t, create(synchronizers.Synchronizer{ID: "there", SynchronizerName: "n"}))

	_, err := synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "there", synchronizers.SynchronizerPatch{SynchronizerName: twinplatform.Null[string](), SynchronizationType: twinplatform.Set(synchronizers.SynchronizationType("x"))})
	invalid("MissingRequiredProperty synchronizerName", "InvalidValue synchronizationType").check(t, err)
	_, err = synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "there", synchronizers.SynchronizerPatch{SynchronizationTime: twinplatform.Null[twinplatform.DateTime]()})
	invalid("InvalidValue synchronizationTime").check(t, err)
	_, err = synchronizers.In(p.in()).UpdateSynchronizer(p.ctx, "missing", synchronizers.SynchronizerPatch{})
	noPlanner.check(t, err)
	for _, schedule := range []string{p.id, "missing"} {
		_, err = synchronizers.In(p.svc.In(schedule)).Synchronizer(p.ctx, "missing")
		noPlanner.check(t, err)
	}

	if err := create(synchronizers.Synchronizer{ID: "counts", SynchronizerName: "n", SynchronizationDetails: synchronizers.SynchronizationDetails{
		Updated: synchronizers.SynchronizationCounts{Tasks: new(math.MaxInt)},
	}}); err != nil {
		t.Error(err)
	}
	p.v65()
	_, err = synchronizers.In(p.in()).Synchronizer(p.ctx, "any")
	noPlanner.check(t, err)
	invalid("InvalidParameter scheduleId").saying("v6.5").check(t, create(synchronizers.Synchronizer{SynchronizerName: "n"}))
}

// fill is n times the same.
func fill[T any](n int, v T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = v
	}
	return all
}
