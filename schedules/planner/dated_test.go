package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestADatedPlanHasTheTasksOfItsFileWithTheirDates(t *testing.T) {
	t.Parallel()
	plan := read(t, "mspdi-mp_j30_a2_nr1.xml", planner.Options{})
	s, err := plan.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	d := s.Dated()
	if len(d.Tasks) != len(plan.Tasks) || len(d.Links) != len(plan.Links) || d.Network.Len() != len(d.Tasks) {
		t.Fatalf("%d tasks, %d links", len(d.Tasks), len(d.Links))
	}
	resources := 0
	for i := range d.Tasks {
		resources += d.Tasks[i].Resources
		if d.Tasks[i].Dates != s.Dates(i) || d.Tasks[i].Name != plan.Tasks[i].Name ||
			d.Tasks[i].Duration != plan.Tasks[i].Duration {
			t.Errorf("%+v", d.Tasks[i])
		}
	}
	if resources != len(plan.Assignments) {
		t.Errorf("%d assignments", resources)
	}
}

func TestADatedTaskThatHasBegunTookTheTimeUntilWhatRemains(t *testing.T) {
	t.Parallel()
	s, err := small().Schedule()
	if err != nil {
		t.Fatal(err)
	}
	d := s.Dated()
	dig := d.Tasks[1]
	if dig.Duration != 24*worktime.Hour || dig.Remaining != 8*worktime.Hour || dig.Parent != 0 {
		t.Errorf("%+v", dig)
	}
	if got := d.Tasks[0].Duration; got != 24*worktime.Hour {
		t.Errorf("the summary takes %d seconds", got)
	}
	only := d.Only(1)
	want := []string{"other"}
	var got []string
	for i := range only.Tasks {
		got = append(got, only.Tasks[i].Code)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(only.Links) != 0 {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := only.Tasks[0]; got.Node != 2 || got.Parent != dated.None {
		t.Errorf("%+v", got)
	}
}

// small is a plan of P6 with a task that has begun, and one of another project.
func small() *planner.Plan {
	monday := worktime.Date(2026, 1, 5, 8, 0, 0)
	return &planner.Plan{
		Format: planner.XER,
		Projects: []planner.Project{
			{ID: "1", Name: "One", Start: monday, DataDate: monday + 2*worktime.Day},
			{ID: "2", Name: "Two", Start: monday},
		},
		Tasks: []planner.Task{
			{ID: "wbs", Code: "wbs", Kind: cpm.Summary, ProjectID: "1"},
			{
				ID: "dig", Code: "dig", ParentID: "wbs", ProjectID: "1", Duration: 40 * worktime.Hour,
				Remaining: 8 * worktime.Hour, ActualStart: monday,
			},
			{ID: "other", Code: "other", ProjectID: "2", Duration: 8 * worktime.Hour, Remaining: 8 * worktime.Hour},
		},
		Links: []planner.Link{{ID: "across", PredecessorID: "dig", SuccessorID: "other"}},
	}
}

func TestADatedPlanHasTheBaselineWithWhichTheToolCompares(t *testing.T) {
	t.Parallel()
	plan := read(t, "BaselineProjects.xml", planner.Options{})
	s, err := plan.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Baselines) != 2 {
		t.Fatalf("%d baselines", len(plan.Baselines))
	}
	plan.Baselines[0].Current, plan.Baselines[1].Current = true, false
	d, b := s.Dated(), s.DatedBaseline(&plan.Baselines[0])
	places, found := dated.Match(d, b), 0
	for i := range d.Tasks {
		at := places[i]
		if at == dated.None {
			if d.Tasks[i].Baseline != (dated.Span{}) {
				t.Errorf("%s has the baseline %+v", d.Tasks[i].Code, d.Tasks[i].Baseline)
			}
			continue
		}
		found++
		if got, want := d.Tasks[i].Baseline, (dated.Span{
			Start: b.Tasks[at].Start, Finish: b.Tasks[at].Finish, Duration: b.Tasks[at].Duration,
		}); got != want || got.Start == 0 {
			t.Errorf("%s has the baseline %+v, want %+v", d.Tasks[i].Code, got, want)
		}
	}
	if found != len(plan.Baselines[0].Tasks) || found == 0 {
		t.Errorf("%d tasks are in the baseline", found)
	}
}

func TestWhatIsAboveTheTasksOfABaselineSpansThemThereToo(t *testing.T) {
	t.Parallel()
	p, monday := small(), worktime.Date(2026, 1, 5, 8, 0, 0)
	p.Baselines = []planner.Baseline{{ID: "b", ProjectID: "1", Tasks: []planner.BaselineTask{
		{ID: "b1", TaskID: "dig", Start: monday, Finish: monday + 8*worktime.Hour, Duration: 8 * worktime.Hour},
		{ID: "b2", Code: "gone", Start: monday, Finish: monday},
	}, Links: []planner.Link{{ID: "l", PredecessorID: "b1", SuccessorID: "b2"}}}}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	d := s.DatedBaseline(&p.Baselines[0])
	type row struct {
		ID            string
		Start, Finish worktime.Time
	}
	var got []row
	for i := range d.Tasks {
		got = append(got, row{d.Tasks[i].ID, d.Tasks[i].Start, d.Tasks[i].Finish})
	}
	want := []row{
		{"dig", monday, monday + 8*worktime.Hour},
		{"b2", monday, monday},
		{"wbs", monday, monday + 8*worktime.Hour},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Links) != 1 || d.Links[0].Successor != 1 {
		t.Errorf("%+v (-want +got)\n%s", d.Links, diff)
	}
}
