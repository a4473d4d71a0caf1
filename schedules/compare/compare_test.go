package compare_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const hour = worktime.Hour

var monday = worktime.Date(2026, 1, 5, 8, 0, 0)

func office(t *testing.T) *worktime.Calendar {
	t.Helper()
	c, err := worktime.New(planner.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// file is the plan of a planner's file, changed before it is scheduled.
func file(t *testing.T, name string, change func(*planner.Plan)) *dated.Plan {
	t.Helper()
	f, err := os.Open("../planner/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := planner.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(p)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s.Dated()
}

var files = []string{"mspdi-mp_j30_a2_nr1.xml", "MultiprojectWithExternal.xer", "MultiprojectWithExternal.xml", "BaselineProjects.xml", "p6-5.0-roles-resources.xer"}

func TestAPlanDoesNotDifferFromItself(t *testing.T) {
	t.Parallel()
	for _, name := range files {
		p := file(t, name, nil)
		c := compare.Plans(p, p)
		want := compare.Totals{Tasks: compare.Counts{Unchanged: len(p.Tasks)}, Links: compare.Counts{Unchanged: len(p.Links)}}
		want.BaselineStart, want.BaselineFinish, want.Start, want.Finish = c.Totals.Start, c.Totals.Finish, c.Totals.Start, c.Totals.Finish
		if diff := cmp.Diff(want, c.Totals); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestALongerTaskMovesWhatDependsOnIt(t *testing.T) {
	t.Parallel()
	const longer = 16 * hour
	before := file(t, files[0], nil)
	critical := -1
	for i := range before.Tasks {
		if before.Tasks[i].Critical && before.Tasks[i].Duration > 0 {
			critical = i
			break
		}
	}
	after := file(t, files[0], func(p *planner.Plan) { p.Tasks[critical].Duration += longer })
	c := compare.Plans(before, after)
	if got := c.Tasks[critical].Variance; got.Start != 0 || got.Finish != longer || got.Duration != longer {
		t.Errorf("the task that was changed: %+v", got)
	}
	if c.Totals.FinishVariance != longer || c.Totals.Longer != 1 || c.Totals.Later < 2 || c.Totals.Earlier+c.Totals.Shorter != 0 {
		t.Errorf("%+v", c.Totals)
	}
	if c.Totals.Links.Unchanged != len(before.Links) || c.Totals.Tasks.Added+c.Totals.Tasks.Removed != 0 {
		t.Errorf("%+v", c.Totals)
	}
	for i := range c.Tasks {
		row, a, b := &c.Tasks[i], &before.Tasks[i], &after.Tasks[i]
		if got, want := row.Variance.Finish, after.CalendarOf(i).Between(a.Finish, b.Finish); got != want {
			t.Errorf("%s finishes %d s later, want %d", row.Code, got, want)
		}
		if got, want := *row.Variance.TotalFloat, b.TotalFloat-a.TotalFloat; got != want {
			t.Errorf("%s has %d s more float, want %d", row.Code, got, want)
		}
		if moved := a.Dates != b.Dates || a.Duration != b.Duration; !moved && row.Change != compare.Unchanged {
			t.Errorf("%s is %s", row.Code, row.Change)
		}
	}
}

// small are two plans that differ in all ways.
func small(t *testing.T) (before, after *dated.Plan) {
	t.Helper()
	c := office(t)
	at := func(id string, from, hours int64, float int64) dated.Task {
		return dated.Task{ID: id, Code: strings.ToUpper(id), Name: "=cmd|' /C calc'!A0", Parent: dated.None, Duration: hours * hour, Dates: cpm.Dates{
			Start: c.Start(c.Add(monday, from*hour)), Finish: c.Add(c.Start(c.Add(monday, from*hour)), hours*hour), HasFloat: true, TotalFloat: float * hour, Critical: float <= 0,
		}}
	}
	before = &dated.Plan{
		Projects: []dated.Project{{Calendar: c}},
		Tasks:    []dated.Task{at("a", 0, 8, 0), at("b", 8, 8, 4), at("gone", 0, 4, 40), at("undated", 0, 8, 0)},
		Links: []dated.Link{
			{ID: "1", Predecessor: 0, Successor: 1, Type: cpm.StartToStart, Lag: hour},
			{ID: "2", Predecessor: 0, Successor: 1},
			{ID: "3", Predecessor: 2, Successor: 1},
			{ID: "4", Predecessor: 1, Successor: 3},
		},
	}
	after = &dated.Plan{
		Projects: []dated.Project{{Calendar: c}},
		Tasks:    []dated.Task{at("b", 16, 12, 0), at("a", 0, 8, -2), at("new", 0, 8, 80), at("undated", 0, 8, 0)},
		Links: []dated.Link{
			{ID: "5", Predecessor: 1, Successor: 0, Lag: 2 * hour},
			{ID: "6", Predecessor: 1, Successor: 0, Type: cpm.StartToStart, Lag: hour},
			{ID: "7", Predecessor: 2, Successor: 0, Type: cpm.FinishToFinish, Lag: 50, Percent: true},
			{ID: "8", Predecessor: 0, Successor: 3, Type: cpm.FinishToFinish, Elapsed: true},
		},
	}
	after.Tasks[3].Dates = cpm.Dates{}
	return before, after
}

func TestTasksAndLinksCameWentAndChanged(t *testing.T) {
	t.Parallel()
	c := compare.Plans(small(t))
	var got []string
	for _, x := range c.Tasks {
		got = append(got, x.ID+" "+string(x.Change))
	}
	for _, x := range c.Links {
		got = append(got, x.ID+" "+string(x.Change)+" "+x.PredecessorID+" "+x.SuccessorID)
	}
	want := []string{
		"b Changed", "a Changed", "new Added", "undated Changed", "gone Removed",
		"5 Changed a b", "6 Unchanged a b", "7 Added new b", "8 Changed b undated", "3 Removed gone b",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	float := int64(-4 * hour)
	if diff := cmp.Diff(&compare.Variance{Start: 8 * hour, Finish: 12 * hour, Duration: 4 * hour, TotalFloat: &float}, c.Tasks[0].Variance); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	totals := compare.Totals{
		Tasks: compare.Counts{Changed: 3, Added: 1, Removed: 1}, Links: compare.Counts{Unchanged: 1, Changed: 2, Added: 1, Removed: 1},
		Later: 1, Longer: 1, BecameCritical: 1, BaselineStart: monday, Start: monday,
		BaselineFinish: monday + worktime.Day + 8*hour, Finish: monday + 3*worktime.Day + 4*hour, FinishVariance: 12 * hour,
	}
	if diff := cmp.Diff(totals, c.Totals); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheEndOfADayAndTheBeginningOfTheNextAreNoVariance(t *testing.T) {
	t.Parallel()
	before, _ := small(t)
	after, _ := small(t)
	after.Tasks[0].Finish = monday + worktime.Day // 8:00 of the next day, not 16:00
	c := compare.Plans(before, after)
	if got := c.Tasks[0]; got.Change != compare.Unchanged || got.Variance.Finish != 0 {
		t.Errorf("%s %+v", got.Change, got.Variance)
	}
}

func TestManyLinksBetweenTwoTasksAreComparedInTheirNumber(t *testing.T) {
	t.Parallel()
	const n = 200_000
	p := &dated.Plan{Tasks: []dated.Task{{ID: "a"}, {ID: "b"}}}
	for i := range n {
		p.Links = append(p.Links, dated.Link{Successor: 1, Lag: int64(i % 3)})
	}
	less := &dated.Plan{Tasks: p.Tasks, Links: p.Links[:n/2]}
	c := compare.Plans(p, less)
	if want := (compare.Counts{Unchanged: n / 2, Removed: n / 2}); c.Totals.Links != want {
		t.Errorf("%+v", c.Totals.Links)
	}
}

// Whatever two plans are, each comparison is the other one seen from behind.
func TestAComparisonTurnedRoundIsTheOther(t *testing.T) {
	t.Parallel()
	calendar := office(t)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		plan := func() *dated.Plan {
			p := &dated.Plan{Projects: []dated.Project{{Calendar: calendar}}}
			for _, id := range r.Perm(8)[:1+r.IntN(7)] {
				start := monday + worktime.Time(r.Int64N(20*worktime.Day))
				p.Tasks = append(p.Tasks, dated.Task{
					ID: fmt.Sprint(id), Code: fmt.Sprint(r.IntN(12)), Parent: dated.None, Duration: r.Int64N(3) * hour,
					Dates: cpm.Dates{Start: start, Finish: start + worktime.Time(r.Int64N(9*hour)), HasFloat: r.IntN(3) > 0, TotalFloat: r.Int64N(3), Critical: r.IntN(2) > 0},
				})
			}
			for range r.IntN(20) {
				p.Links = append(p.Links, dated.Link{
					Predecessor: r.IntN(len(p.Tasks)), Successor: r.IntN(len(p.Tasks)), Type: cpm.LinkType(r.IntN(2)), Lag: r.Int64N(2),
				})
			}
			return p
		}
		a, b := plan(), plan()
		there, back := compare.Plans(a, b).Totals, compare.Plans(b, a).Totals
		turned := compare.Totals{
			Tasks:          compare.Counts{Unchanged: back.Tasks.Unchanged, Changed: back.Tasks.Changed, Added: back.Tasks.Removed, Removed: back.Tasks.Added},
			Links:          compare.Counts{Unchanged: back.Links.Unchanged, Changed: back.Links.Changed, Added: back.Links.Removed, Removed: back.Links.Added},
			Later:          back.Earlier,
			Earlier:        back.Later,
			Longer:         back.Shorter,
			Shorter:        back.Longer,
			BecameCritical: back.NoLongerCritical, NoLongerCritical: back.BecameCritical,
			BaselineStart: back.Start, BaselineFinish: back.Finish, Start: back.BaselineStart, Finish: back.BaselineFinish,
			StartVariance: -back.StartVariance, FinishVariance: -back.FinishVariance,
		}
		if diff := cmp.Diff(turned, there); diff != "" {
			t.Errorf("seed %d (-want +got)\n%s", seed, diff)
		}
		if n := there.Tasks; n.Unchanged+n.Changed+n.Added != len(b.Tasks) || n.Unchanged+n.Changed+n.Removed != len(a.Tasks) {
			t.Errorf("seed %d: %+v of %d and %d tasks", seed, n, len(a.Tasks), len(b.Tasks))
		}
		if n := there.Links; n.Unchanged+n.Changed+n.Added != len(b.Links) || n.Unchanged+n.Changed+n.Removed != len(a.Links) {
			t.Errorf("seed %d: %+v of %d and %d links", seed, n, len(a.Links), len(b.Links))
		}
	}
}

func TestCSVHasALineForEachAndNoFormula(t *testing.T) {
	t.Parallel()
	c := compare.Plans(small(t))
	var tasks, links strings.Builder
	if err := c.WriteTasks(&tasks); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteLinks(&links); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{tasks.String(), links.String()} {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 6 {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, field := range slices.Concat(rows...) {
			if strings.HasPrefix(field, "=") {
				t.Errorf("%q", field)
			}
		}
	}
	wantTask := "Changed,b,B,'=cmd|' /C calc'!A0,2026-01-06T08:00:00,2026-01-07T08:00:00,28800,2026-01-06T16:00:00,2026-01-08T12:00:00,43200,28800,43200,14400,14400,0,-14400,false,true\n"
	wantLink := "Added,7,new,b,NEW,B,,FF,,50,,true,,false\n"
	if !strings.Contains(tasks.String(), wantTask) || !strings.Contains(links.String(), wantLink) {
		t.Errorf("%s\n%s", tasks.String(), links.String())
	}
}

func BenchmarkPlans100000Tasks(b *testing.B) {
	p := &dated.Plan{}
	for i := range 100_000 {
		id := "A" + strings.Repeat("0", i%5) + string(rune('a'+i%26)) + worktime.Time(i).String()
		p.Tasks = append(p.Tasks, dated.Task{ID: id, Parent: dated.None, Dates: cpm.Dates{Start: monday, Finish: monday + worktime.Time(i)}})
		p.Links = append(p.Links, dated.Link{Predecessor: i, Successor: i / 2})
	}
	for b.Loop() {
		compare.Plans(p, p)
	}
}
