package dated_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestMatchFindsTasksByTheirKeysAndWhatIsLeftByItsCode(t *testing.T) {
	t.Parallel()
	before := &dated.Plan{Tasks: []dated.Task{
		{ID: "1", Key: "a", Code: "A"},
		{ID: "2", Code: "B"},
		{ID: "3", Key: "c", Code: "C"},
		{ID: "4", Code: "twice"},
		{ID: "5", Code: "twice"},
		{ID: "6", Code: "E", Kind: cpm.Summary},
		{ID: "7", Key: "same"},
		{ID: "8", Key: "same"},
	}}
	after := &dated.Plan{Tasks: []dated.Task{
		{ID: "x", Code: "C"},           // its code is that of the third
		{ID: "1", Key: "b", Code: "B"}, // its id is the first one's, which has a key
		{ID: "y", Key: "a", Code: "Z"},
		{ID: "z", Code: "twice"},
		{ID: "v", Code: "E"},
		{ID: "w", Key: "same"},
	}}
	want := []int{2, 1, 0, dated.None, dated.None, dated.None, dated.None, dated.None}
	if diff := cmp.Diff(want, dated.Match(before, after)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSetBaselineTakesTheDatesOfTheOtherPlan(t *testing.T) {
	t.Parallel()
	monday := worktime.Date(2026, 1, 5, 9, 0, 0)
	of := &dated.Plan{Tasks: []dated.Task{{ID: "a", Duration: 7, Dates: cpm.Dates{Start: monday, Finish: monday + 7}}}}
	p := &dated.Plan{Tasks: []dated.Task{{ID: "b", Baseline: dated.Span{Start: 1}}, {ID: "a"}}}
	p.SetBaseline(of)
	if got := p.Tasks[0].Baseline; got != (dated.Span{}) {
		t.Errorf("a task that is not there has %+v", got)
	}
	if got, want := p.Tasks[1].Baseline, (dated.Span{Start: monday, Finish: monday + 7, Duration: 7}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestATaskWithoutProjectOrCalendarIsWorkedOnAlways(t *testing.T) {
	t.Parallel()
	p := &dated.Plan{Tasks: []dated.Task{{ID: "a", Project: 3}, {ID: "b", Project: -1}}}
	for i := range p.Tasks {
		if p.CalendarOf(i) != worktime.Continuous || p.ProjectOf(i) != (dated.Project{}) {
			t.Errorf("%d: %v", i, p.ProjectOf(i))
		}
	}
}

func TestOnlyKeepsTheLinksWithinAProject(t *testing.T) {
	t.Parallel()
	p := &dated.Plan{
		Projects: []dated.Project{{Name: "one"}, {Name: "two"}},
		Tasks: []dated.Task{
			{ID: "a", Parent: dated.None}, {ID: "b", Parent: dated.None, Project: 1}, {ID: "c", Parent: 0}, {ID: "d", Parent: 1, Project: 1, Node: 3},
		},
		Links: []dated.Link{{ID: "within", Predecessor: 1, Successor: 3}, {ID: "across", Predecessor: 0, Successor: 3}},
	}
	got := p.Only(1)
	want := &dated.Plan{
		Name: "two", Projects: p.Projects,
		Tasks: []dated.Task{{ID: "b", Parent: dated.None, Project: 1}, {ID: "d", Parent: 0, Project: 1, Node: 3}},
		Links: []dated.Link{{ID: "within", Predecessor: 0, Successor: 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestATaskOfP6TakesWhatItTookAndWhatRemains(t *testing.T) {
	t.Parallel()
	monday := worktime.Date(2026, 1, 5, 0, 0, 0)
	p := &dated.Plan{Tasks: []dated.Task{
		{ID: "begun", ActualStart: monday, Dates: cpm.Dates{Start: monday, EarlyStart: monday + 50, Finish: monday + 80}},
		{ID: "done", ActualStart: monday, ActualFinish: monday + 20, Dates: cpm.Dates{Start: monday, Finish: monday + 20}},
		{ID: "planned", Dates: cpm.Dates{Start: monday, Finish: monday + 40}},
		{ID: "summary", Kind: cpm.Summary, Dates: cpm.Dates{Start: monday, Finish: monday + 80}},
	}}
	type measured struct{ duration, remaining int64 }
	var got []measured
	for i := range p.Tasks {
		p.Measure(i, dated.Work{Duration: 40, Remaining: 30, Spans: i == 3})
		got = append(got, measured{p.Tasks[i].Duration, p.Tasks[i].Remaining})
	}
	want := []measured{{80, 30}, {20, 0}, {40, 40}, {80, 80}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(measured{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p.Options.Profile = cpm.MSProject
	if p.Measure(0, dated.Work{Duration: 40, Remaining: 30}); p.Tasks[0].Duration != 40 {
		t.Errorf("in Microsoft Project it takes %d", p.Tasks[0].Duration)
	}
}

func TestAPlanIsCalledByItsProjects(t *testing.T) {
	t.Parallel()
	var p dated.Plan
	for i, want := range []string{"", "A", "A, B2", "A, B2, c", "A, B2, c and 1 more"} {
		if got := p.ProjectNames(); got != want {
			t.Errorf("%d projects are %q, want %q", i, got, want)
		}
		p.Projects = append(p.Projects, []dated.Project{{Name: "A", Code: "a"}, {Code: "B2", ID: "2"}, {ID: "c"}, {Name: "D"}, {}}[i])
	}
}
