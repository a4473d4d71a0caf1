package schedules_test

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestAnImportedPlanHasTheDatesThatItsToolGivesIt imports small plans in which something counts that
// real files of P6 and of Microsoft Project were seen to hold, and compares what follows in the
// schedule with what follows in the file.
func TestAnImportedPlanHasTheDatesThatItsToolGivesIt(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("planner/testdata/cases/*.x*")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if filepath.Base(name) == "taskjuggler.xml" { // whose tasks are by hand, and begin at midnight
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, float := range []string{"FT_FF", "FT_SF", "FT_MIN"} {
				content := bytes.Replace(content, []byte("FT_FF"), []byte(float), 1)
				plan, err := planner.Read(bytes.NewReader(content))
				if err != nil {
					t.Fatal(err)
				}
				p := inMemory(t)
				p.importPlan(content, exchange.PlannerImportOptions{})
				p.followsAs(plan)
				if plan.Format == planner.MSPDI {
					return // which has one type of float
				}
			}
		})
	}
}

// followsAs compares what follows for the tasks of the schedule with what follows in the file from which
// they are.
func (p *plan) followsAs(file *planner.Plan) {
	p.Helper()
	s, err := file.Schedule()
	if err != nil {
		p.Fatal(err)
	}
	want, got := make(map[string]cpm.Dates), make(map[string]cpm.Dates)
	for i := range file.Tasks {
		t := &file.Tasks[i]
		if d := s.Dates(i); t.Kind != cpm.Summary {
			d.Longest, d.Start = false, 0
			want[cmp.Or(t.Code, t.ID)] = d
		}
	}
	local := func(d twinplatform.DateTime) worktime.Time {
		if d.IsZero() {
			return 0
		}
		return worktime.Of(d.Time, time.UTC)
	}
	all, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[exchange.PlannedTask], error) {
		return exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{ListOptions: o})
	})
	for _, t := range all {
		if p.task(t.TaskID).IsWBS {
			continue
		}
		c := t.Computed
		d := cpm.Dates{
			EarlyStart: local(c.EarlyStart), EarlyFinish: local(c.EarlyFinish), LateStart: local(c.LateStart), LateFinish: local(c.LateFinish),
			Finish: local(c.Finish), HasFloat: c.TotalFloat != nil, Critical: *c.Critical,
		}
		if d.HasFloat {
			d.TotalFloat, d.FreeFloat = *c.TotalFloat, *c.FreeFloat
		}
		got[string(t.Code)] = d
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		p.Errorf("(-in the file +in the schedule)\n%s", diff)
	}
}

// TestANegativeCriticalFloatGoesInAndOut imports one and exports it in each format.
func TestANegativeCriticalFloatGoesInAndOut(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("planner/testdata/cases/critical-float-negative.xer")
	if err != nil {
		t.Fatal(err)
	}
	p := inMemory(t)
	p.importPlan(content, exchange.PlannerImportOptions{})
	rec, err := p.in().ProjectScheduling(p.ctx)
	if err != nil || rec.Value.CriticalFloat != -57_600 {
		t.Fatalf("it is %d, %v", rec.Value.CriticalFloat, err)
	}
	path, err := scheduling.In(p.in()).CriticalPath(p.ctx)
	if err != nil || len(path.Tasks) > 0 {
		t.Errorf("critical are %+v, %v", path.Tasks, err)
	}
	for _, f := range []exchange.PlannerFormat{exchange.FormatXER, exchange.FormatP6XML, exchange.FormatMSPDI} {
		out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: f})))
		if err != nil || out.Projects[0].Critical != -57_600 {
			t.Errorf("as %s: %v, %v", f, out, err)
		}
	}
}

// TestTheTypeOfTotalFloatIsOneThatP6Has sets it, and refuses a word that is none.
func TestTheTypeOfTotalFloatIsOneThatP6Has(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, c := range []struct{ set, kept schedules.TotalFloatType }{
		{schedules.SmallestFloat, schedules.SmallestFloat}, {schedules.FinishFloat, ""}, {schedules.StartFloat, schedules.StartFloat},
	} {
		if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{TotalFloatType: twinplatform.Set(c.set)}); err != nil {
			t.Fatal(err)
		}
		rec, err := p.in().ProjectScheduling(p.ctx)
		if err != nil || rec.Value.TotalFloatType != c.kept {
			t.Errorf("%s is kept as %q, %v", c.set, rec.Value.TotalFloatType, err)
		}
	}
	_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{TotalFloatType: twinplatform.Set[schedules.TotalFloatType]("Float")})
	invalid("InvalidValue totalFloatType").check(t, err)
}
