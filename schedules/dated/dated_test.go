package dated_test

import (
	"math/rand/v2"
	"slices"
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

// What a copy of a project has other keys for is known by what it was copied from, by its code, and
// above tasks by the codes from the top down.
func TestMatchFindsTheTasksOfACopy(t *testing.T) {
	t.Parallel()
	node := func(id, code string, parent int) dated.Task {
		return dated.Task{ID: id, Code: code, Parent: parent, Kind: cpm.Summary}
	}
	before := &dated.Plan{Projects: []dated.Project{{Code: "BL"}}, Tasks: []dated.Task{
		node("1", "BL", dated.None), node("2", "1", 0), node("3", "2", 0), node("4", "1", 2),
		{ID: "5", Key: "k5", Template: "t5", Code: "A", Parent: 1},
		{ID: "6", Key: "k6", Template: "twice", Code: "B", Parent: 1},
		{ID: "7", Key: "k7", Template: "twice", Code: "C", Parent: 3},
	}}
	after := &dated.Plan{Projects: []dated.Project{{Code: "UP"}}, Tasks: []dated.Task{
		node("x1", "UP", dated.None), node("x2", "2", 0), node("x3", "1", 1), node("x4", "1", 0),
		{ID: "x5", Template: "t5", Code: "Z", Parent: 3},
		{ID: "x6", Template: "twice", Code: "C", Parent: 3, Kind: cpm.FinishMilestone},
		{ID: "x7", Template: "t9", Code: "A", Parent: 3},
	}}
	want := []int{0, 3, 1, 2, 4, dated.None, 5}
	if diff := cmp.Diff(want, dated.Match(before, after)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Names of one round are those of nothing where several have one, and are paired in their order
// where that is said; what a round has found is not looked for in the next.
func TestPairsFindsEachItemOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		names := func() []string {
			all := make([]string, rnd.IntN(12))
			for i := range all {
				all[i] = string("abcdefgh "[rnd.IntN(9)])
				if all[i] == " " {
					all[i] = ""
				}
			}
			return all
		}
		of, in := names(), names()
		second, there := names(), names()
		at := func(all []string) func(int) string {
			return func(i int) string {
				if i < len(all) {
					return all[i]
				}
				return ""
			}
		}
		rounds := []dated.Round{
			{Of: at(of), In: at(in), InOrder: seed%3 == 0}, {Of: at(second), In: at(there), Once: seed%2 == 0},
		}
		places, taken := dated.Pairs(len(of), len(in), rounds...), make(map[int]bool)
		first := dated.Pairs(len(of), len(in), rounds[0])
		for i, p := range places {
			switch {
			case p == dated.None:
				if slices.Contains(in, of[i]) && of[i] != "" && times(of, of[i]) == 1 && times(in, of[i]) == 1 {
					t.Errorf("seed %d: %d of %q is not found in %q", seed, i, of, in)
				}
				continue
			case taken[p]:
				t.Errorf("seed %d: %d is found twice", seed, p)
			case first[i] != dated.None && first[i] != p:
				t.Errorf("seed %d: %d is found at %d, not at %d", seed, i, p, first[i])
			case first[i] != dated.None && of[i] != in[p], first[i] == dated.None && at(second)(i) != at(there)(p):
				t.Errorf("seed %d: %d has another name than %d", seed, i, p)
			}
			taken[p] = true
		}
	}
}

func times(all []string, s string) (n int) {
	for _, v := range all {
		if v == s {
			n++
		}
	}
	return n
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

// Planned dates of a summary above nothing with dates do not move what is above it, and of what a summary spans no more
// remains than that takes.
func TestASummaryIsAsLongAsWhatIsBelowItAndNoMoreRemains(t *testing.T) {
	t.Parallel()
	at := func(id string, parent int, kind cpm.Kind, start, finish worktime.Time) dated.Task {
		return dated.Task{ID: id, Parent: parent, Kind: kind, Dates: cpm.Dates{Start: start, Finish: finish}}
	}
	p := &dated.Plan{Tasks: []dated.Task{
		at("site", dated.None, cpm.Summary, 1, 900), at("empty", 0, cpm.Summary, 10, 800),
		at("left", 0, cpm.Summary, 20, 700), at("dropped", 2, cpm.Work, 20, 700), at("dig", 0, cpm.Work, 100, 160),
	}}
	p.Tasks[0].ActualStart, p.Tasks[0].Remaining, p.Tasks[3].Inactive = 1, 500, true
	p.SpanSummaries()
	type dates struct {
		Start, Finish       worktime.Time
		Duration, Remaining int64
	}
	got := make(map[string]dates)
	for _, x := range p.Tasks[:3] {
		got[x.ID] = dates{x.Start, x.Finish, x.Duration, x.Remaining}
	}
	want := map[string]dates{"site": {100, 160, 60, 60}, "empty": {10, 800, 0, 0}, "left": {20, 700, 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
