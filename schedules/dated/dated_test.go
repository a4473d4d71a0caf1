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
