package schedules_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// covers: Synchronizer (S14)
// covers: Members of a synchronizer
// covers: Counts of a synchronization
// covers: Synchronization types
// covers: operations plannerSynchronizers.get
func TestSynchronizerShowsImports(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		res, err := p.in().CreateSynchronizer(p.ctx, schedules.Synchronizer{
			ID: "planner", SynchronizerName: "Planner", ProjectName: "Tower", ProjectPath: `C:\plans\tower.xer`,
			Projects: []schedules.PlannerProject{{ID: "1", UserDefinedID: "T"}},
			SynchronizationDetails: schedules.SynchronizationDetails{
				Created:  schedules.SynchronizationCounts{Tasks: new(64), Links: new(96), UserFields: new(0)},
				Warnings: []schedules.SynchronizationWarning{{Message: "no calendar"}},
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
		rec, err := p.in().Synchronizer(p.ctx, "planner")
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
			res, err := p.in().UpdateSynchronizer(p.ctx, "planner", schedules.SynchronizerPatch{SynchronizationType: twinplatform.Set(schedules.SynchronizationType(typ))})
			if err != nil || string(res.Value().SynchronizationType) != typ {
				p.Fatal(res.Value(), err)
			}
		}
		before := rec.Value
		res, err = p.in().UpdateSynchronizer(p.ctx, "planner", schedules.SynchronizerPatch{
			SynchronizationTime:    twinplatform.Set(at(5)),
			SynchronizationType:    twinplatform.Set(schedules.SynchronizationFrom),
			Projects:               twinplatform.Null[[]schedules.PlannerProject](),
			SynchronizationDetails: twinplatform.Set(schedules.SynchronizationDetails{Deleted: schedules.SynchronizationCounts{Risks: new(1)}}),
		})
		if err != nil {
			p.Fatal(err)
		}
		before.SynchronizationTime, before.SynchronizationType, before.Projects = at(5), schedules.SynchronizationFrom, []schedules.PlannerProject{}
		before.SynchronizationDetails = schedules.SynchronizationDetails{
			Deleted: schedules.SynchronizationCounts{Risks: new(1)}, Warnings: []schedules.SynchronizationWarning{},
		}
		if diff := cmp.Diff(before, res.Value()); diff != "" {
			p.Errorf("updated to (-want +got):\n%s", diff)
		}
		_, err = p.in().UpdateSynchronizer(p.ctx, "planner", schedules.SynchronizerPatch{}, twinplatform.IfMatch(rec.ETag))
		otherVersion.check(p, err)
	})
}

// covers: Kinds of schedules: rule S14 is for v10
// covers: Errors: rule 404 of a missing synchronizer
func TestSynchronizerRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	create := func(y schedules.Synchronizer) error {
		_, err := p.in().CreateSynchronizer(p.ctx, y)
		return err
	}
	if err := create(schedules.Synchronizer{ID: "there", SynchronizerName: "n"}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 10_001)
	invalid("MissingRequiredProperty synchronizerName").check(t, create(schedules.Synchronizer{}))
	invalid("InvalidValue id", "InvalidValue synchronizerName", "InvalidValue originalProjectName", "InvalidValue originalProjectPath",
		"InvalidValue originalSynchronizationType", "InvalidValue projectName", "InvalidValue projectPath", "InvalidValue synchronizationType",
		"MissingRequiredProperty projects[0].id", "InvalidValue projects[0].userDefinedId", "InvalidValue synchronizationDetails.warnings[0].message").
		check(t, create(schedules.Synchronizer{
			ID: "/", SynchronizerName: long, ProjectName: long, ProjectPath: long, SynchronizationType: "import",
			Projects:               []schedules.PlannerProject{{UserDefinedID: long}},
			SynchronizationDetails: schedules.SynchronizationDetails{Warnings: []schedules.SynchronizationWarning{{Message: long}}},
		}))
	invalid("InvalidValue projects", "InvalidValue synchronizationDetails.warnings").check(t, create(schedules.Synchronizer{
		SynchronizerName: "n", Projects: fill(schedules.MaxBatch+1, schedules.PlannerProject{ID: "p"}),
		SynchronizationDetails: schedules.SynchronizationDetails{Warnings: make([]schedules.SynchronizationWarning, schedules.MaxBatch+1)},
	}))
	idTaken.check(t, create(schedules.Synchronizer{ID: "there", SynchronizerName: "n"}))

	_, err := p.in().UpdateSynchronizer(p.ctx, "there", schedules.SynchronizerPatch{SynchronizerName: twinplatform.Null[string](), SynchronizationType: twinplatform.Set(schedules.SynchronizationType("x"))})
	invalid("MissingRequiredProperty synchronizerName", "InvalidValue synchronizationType").check(t, err)
	_, err = p.in().UpdateSynchronizer(p.ctx, "there", schedules.SynchronizerPatch{SynchronizationTime: twinplatform.Null[twinplatform.DateTime]()})
	invalid("InvalidValue synchronizationTime").check(t, err)
	_, err = p.in().UpdateSynchronizer(p.ctx, "missing", schedules.SynchronizerPatch{})
	noPlanner.check(t, err)
	for _, schedule := range []string{p.id, "missing"} {
		_, err = p.svc.In(schedule).Synchronizer(p.ctx, "missing")
		noPlanner.check(t, err)
	}

	if err := create(schedules.Synchronizer{ID: "counts", SynchronizerName: "n", SynchronizationDetails: schedules.SynchronizationDetails{
		Updated: schedules.SynchronizationCounts{Tasks: new(math.MaxInt)},
	}}); err != nil {
		t.Error(err)
	}
	p.v65()
	_, err = p.in().Synchronizer(p.ctx, "any")
	noPlanner.check(t, err)
	invalid("InvalidParameter scheduleId").saying("v6.5").check(t, create(schedules.Synchronizer{SynchronizerName: "n"}))
}

// fill is n times the same.
func fill[T any](n int, v T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = v
	}
	return all
}
