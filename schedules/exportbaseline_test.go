package schedules_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/plantest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// allBaselines are those of the schedule.
func (p *plan) allBaselines() []schedules.Baseline {
	p.Helper()
	all, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
		return p.in().Baselines(p.ctx, schedules.BaselineQuery{ListOptions: o})
	})
	return all
}

// exportedPlan is the plan in the file of an export, with what the export warns of.
func (p *plan) exportedPlan(format exchange.PlannerFormat) (*planner.Plan, string) {
	p.Helper()
	out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: format, SynchronizerID: "out"})))
	if err != nil {
		p.Fatal(err)
	}
	var warned strings.Builder
	for _, w := range p.synchronizer("out").SynchronizationDetails.Warnings {
		warned.WriteString(w.Message + "\n")
	}
	return out, warned.String()
}

func TestBaselineThatIsMadeHereIsOneOfEachProject(t *testing.T) {
	t.Parallel()
	for _, format := range []exchange.PlannerFormat{exchange.FormatXER, exchange.FormatP6XML} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.importPlan(plannerFile(t, "MultiprojectWithExternal.xer"), exchange.PlannerImportOptions{})
			p.baseline("old")
			_, err := p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "contract", Name: "Vertrag", Code: "C-1", IsCurrent: true})
			if err != nil {
				t.Fatal(err)
			}
			out, _ := p.exportedPlan(format)
			var got []string
			for _, b := range out.Baselines {
				matched := 0
				for _, x := range b.Tasks {
					if x.TaskID != "" {
						matched++
					}
				}
				got = append(got, fmt.Sprintf("%s of %s, current %t, %d tasks, %d matched, %d links", b.Name, b.ProjectID, b.Current, len(b.Tasks), matched, len(b.Links)))
			}
			slices.Sort(got)
			want := []string{
				"Baseline old of 1, current false, 1 tasks, 1 matched, 0 links", "Baseline old of 2, current false, 2 tasks, 2 matched, 0 links",
				"Vertrag of 1, current true, 1 tasks, 1 matched, 0 links", "Vertrag of 2, current true, 2 tasks, 2 matched, 0 links",
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("baselines (-want +exported):\n%s", diff)
			}
			again := inMemory(t)
			again.importPlan(p.export(exchange.PlannerExport{Format: format}), exchange.PlannerImportOptions{})
			projects := make(map[twinplatform.NullString]int)
			for _, b := range again.allBaselines() {
				if projects[b.ProjectID]++; b.IsCurrent != (b.Name == "Vertrag") || b.IsCurrent != (b.Code == "C-1") {
					t.Errorf("imported again it is %+v", b)
				}
			}
			if len(projects) != 2 {
				t.Errorf("baselines are of the projects %v", projects)
			}
		})
	}
}

func TestBaselinesOfMicrosoftProjectKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content, err := plantest.Random(8, planner.MSPDI)
	if err != nil {
		t.Fatal(err)
	}
	p.importPlan(content, exchange.PlannerImportOptions{})
	for _, b := range p.allBaselines() {
		if _, err := p.in().DeleteBaselines(p.ctx, []string{b.ID}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"7", "Vertrag", "10"} {
		p.baseline(id)
	}
	if _, err := p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "now", Name: "Baseline 7", IsCurrent: true}); err != nil {
		t.Fatal(err)
	}
	numbers := func() (all []string, warned string) {
		t.Helper()
		out, warned := p.exportedPlan(exchange.FormatMSPDI)
		for _, b := range out.Baselines {
			all = append(all, b.ID)
		}
		return all, warned
	}
	got, warned := numbers()
	if want := []string{"0", "1", "7", "10"}; !slices.Equal(got, want) {
		t.Errorf("the baselines have the numbers %v, want %v", got, want)
	}
	for _, want := range []string{"baseline 1, 0: Its name, its code and its data date are left out", "Its links are left out."} {
		if !strings.Contains(warned, want) {
			t.Errorf("no warning says %q:\n%s", want, warned)
		}
	}
	for n := range 8 {
		p.baseline(fmt.Sprint("zz-", n))
	}
	got, warned = numbers()
	if len(got) != 11 || !strings.Contains(warned, "The baseline 'Baseline zz-7' was left out") {
		t.Errorf("with twelve, the numbers are %v, warned of:\n%s", got, warned)
	}
}

// TestBaselinesAreKnownAgainInAnExport imports a plan, and what the schedule exports of it into the
// same schedule: whatever numbers the file has, the baselines are those that are there.
func TestBaselinesAreKnownAgainInAnExport(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.importPlan(plannerFile(p, "BaselineProjects.xml"), exchange.PlannerImportOptions{})
		was := p.allBaselines()
		if len(was) != 2 || was[0].IsCurrent || !was[1].IsCurrent || was[0].Code == "" {
			p.Fatalf("the file has the baselines %+v", was)
		}
		rows := p.baselineTasks(was[1].ID)
		if len(rows) != 2 || rows[0].PlannedWork == 0 || rows[0].PlannedCost == 0 || rows[0].ExternalID == "" {
			p.Errorf("the rows are %+v", rows)
		}
		p.importPlan(p.export(exchange.PlannerExport{Format: exchange.FormatP6XML}), exchange.PlannerImportOptions{})
		if diff := gocmp.Diff(was, p.allBaselines()); diff != "" {
			p.Errorf("baselines (-before +after):\n%s", diff)
		}
		if diff := gocmp.Diff(rows, p.baselineTasks(was[1].ID)); diff != "" {
			p.Errorf("rows (-before +after):\n%s", diff)
		}
	})
}
