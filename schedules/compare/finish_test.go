package compare_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const day = 8 * hour

var linkTypes = map[string]cpm.LinkType{"FS": cpm.FinishToStart, "SS": cpm.StartToStart, "FF": cpm.FinishToFinish, "SF": cpm.StartToFinish}

// planned is a plan of lines such as "dig 5", a task of five days, "dig 5 from 2", one that
// starts on the third day at the earliest, and "dig-pour SS 2", a link with a lag of two.
func planned(t testing.TB, lines ...string) *dated.Plan {
	t.Helper()
	c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 8 * hour, To: 16 * hour}})})
	if err != nil {
		t.Fatal(err)
	}
	p := &dated.Plan{Projects: []dated.Project{{Calendar: c, Start: monday}}}
	n, places := cpm.NewNetwork(), make(map[string]int)
	for _, line := range lines {
		f := strings.Fields(line)
		var days, from int64
		if a, b, ok := strings.Cut(f[0], "-"); ok {
			l := dated.Link{ID: f[0], Predecessor: places[a], Successor: places[b]}
			if len(f) > 1 {
				l.Type = linkTypes[f[1]]
			}
			if len(f) > 2 {
				fmt.Sscan(f[2], &days)
				l.Lag = days * day
			}
			p.Links = append(p.Links, l)
			n.Join(cpm.Link{Predecessor: l.Predecessor, Successor: l.Successor, Type: l.Type, Lag: l.Lag})
			continue
		}
		fmt.Sscan(f[1], &days)
		task := cpm.Task{ID: f[0], Duration: days * day}
		if len(f) > 2 {
			fmt.Sscan(f[3], &from)
			task.Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: c.Start(c.Add(monday, from*day))}}
		}
		places[f[0]] = n.Add(task)
		p.Tasks = append(p.Tasks, dated.Task{ID: f[0], Parent: dated.None, Duration: days * day})
	}
	r, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: c, Start: monday}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tasks {
		p.Tasks[i].Dates = r.Dates(i)
	}
	for i := range p.Links {
		p.Links[i].LinkDates = r.Link(i)
	}
	return p
}

// undriven is a plan whose links do not say which of them drive, as baselines are kept.
func undriven(p *dated.Plan) *dated.Plan {
	for i := range p.Links {
		p.Links[i].LinkDates = cpm.LinkDates{}
	}
	return p
}

// causes are what moves a finish, in days.
func causes(m *compare.FinishMove) (all []string) {
	for _, c := range m.Causes {
		what := c.TaskID
		if c.LinkID != "" {
			what = c.LinkID
		}
		all = append(all, fmt.Sprintf("%s %s %+g", c.Reason, what, float64(c.By)/day))
	}
	return append(all, fmt.Sprintf("remainder %g of %g", float64(m.Remainder)/day, float64(m.Move)/day))
}

func TestAFinishMovesByWhatChangedOnThePathThatDrivesIt(t *testing.T) {
	t.Parallel()
	chain := []string{"a 5", "b 3", "c 2", "a-b", "b-c"}
	for name, c := range map[string]struct{ before, after, want []string }{
		"nothing changed":                   {chain, chain, []string{"remainder 0 of 0"}},
		"a task takes longer":               {chain, []string{"a 5", "b 7", "c 2", "a-b", "b-c"}, []string{"Duration b +4", "remainder 0 of 4"}},
		"a task takes less":                 {chain, []string{"a 5", "b 1", "c 2", "a-b", "b-c"}, []string{"Duration b -2", "remainder 0 of -2"}},
		"one takes longer, another less":    {chain, []string{"a 9", "b 2", "c 2", "a-b", "b-c"}, []string{"Duration a +4", "Duration b -1", "remainder 0 of 3"}},
		"a lag":                             {chain, []string{"a 5", "b 3", "c 2", "a-b FS 2", "b-c"}, []string{"Link a-b +2", "remainder 0 of 2"}},
		"another type of link":              {chain, []string{"a 5", "b 3", "c 2", "a-b SS", "b-c"}, []string{"Link a-b -5", "remainder 0 of -5"}},
		"a constraint on the first task":    {chain, []string{"a 5 from 2", "b 3", "c 2", "a-b", "b-c"}, []string{"Start a +2", "remainder 0 of 2"}},
		"a task between two":                {chain, []string{"a 5", "new 4", "b 3", "c 2", "a-new", "new-b", "b-c"}, []string{"AddedTask new +4", "remainder 0 of 4"}},
		"a task before all":                 {chain, []string{"new 1", "a 5", "b 3", "c 2", "new-a", "a-b", "b-c"}, []string{"AddedTask new +1", "remainder 0 of 1"}},
		"a task behind all":                 {chain, []string{"a 5", "b 3", "c 2", "new 3", "a-b", "b-c", "c-new"}, []string{"AddedTask new +3", "remainder 0 of 3"}},
		"a task taken away":                 {chain, []string{"a 5", "c 2", "a-c"}, []string{"RemovedTask b -3", "remainder 0 of -3"}},
		"a task taken away, another longer": {chain, []string{"a 9", "c 2", "a-c"}, []string{"Duration a +4", "RemovedTask b -3", "remainder 0 of 1"}},
		"float is used up first": {
			[]string{"x 6", "y 3", "z 2", "x-z", "y-z"},
			[]string{"x 6", "y 8", "z 2", "x-z", "y-z"},
			[]string{"Duration y +5", "Wait y-z -3", "remainder 0 of 2"},
		},
		"another path": {
			[]string{"x 6", "y 3"}, []string{"x 6", "y 8"}, []string{"Duration y +5", "remainder -3 of 2"},
		},
		"another path holds the finish then": {
			[]string{"x 6", "y 3"}, []string{"x 1", "y 3"}, []string{"Duration x -5", "remainder 2 of -3"},
		},
		"a link that was not there": {
			[]string{"a 5", "b 3"}, []string{"a 5", "b 3", "a-b"}, []string{"AddedLink a-b +5", "remainder -2 of 3"},
		},
		"a link that is there no more": {
			[]string{"a 5", "b 3", "a-b"}, []string{"a 5", "b 3"}, []string{"RemovedLink a-b -5", "remainder 2 of -3"},
		},
		"nothing of it was there": {[]string{"x 2"}, []string{"y 3"}, []string{"AddedTask y +3", "remainder -2 of 1"}},
		"no dates":                {nil, nil, []string{"remainder 0 of 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, baseline := range []*dated.Plan{planned(t, c.before...), undriven(planned(t, c.before...))} {
				if diff := cmp.Diff(c.want, causes(compare.Finish(baseline, planned(t, c.after...)))); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
		})
	}
}

func TestTheCausesOfAMovedFinishAndTheRemainderAreTheMove(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 28))
		lines := func(n int, keep float64) (all []string) {
			there := make(map[int]bool)
			for i := range n {
				if there[i] = r.Float64() < keep; there[i] {
					all = append(all, fmt.Sprintf("t%d %d%s", i, r.IntN(6), [...]string{"", "", "", fmt.Sprint(" from ", r.IntN(12))}[r.IntN(4)]))
				}
			}
			for i := range n {
				for j := i + 1; j < n; j++ {
					if there[i] && there[j] && r.Float64() < 0.3 {
						all = append(all, fmt.Sprintf("t%d-t%d %s %d", i, j, [...]string{"FS", "FS", "SS", "FF", "SF"}[r.IntN(5)], r.IntN(4)-1))
					}
				}
			}
			return all
		}
		before, after := planned(t, lines(12, 0.8)...), planned(t, lines(12, 0.8)...)
		if seed%2 == 0 {
			undriven(before)
		}
		m := compare.Finish(before, after)
		sum := m.Remainder
		for _, c := range m.Causes {
			if sum += c.By; c.By == 0 {
				t.Errorf("seed %d: %+v contributes nothing", seed, c)
			}
		}
		if want := after.Projects[0].Calendar.Between(m.BaselineFinish, m.Finish); sum != m.Move || m.Move != want {
			t.Errorf("seed %d: %d, the move is %d, want %d", seed, sum, m.Move, want)
		}
	}
}

func TestTheFinishOfAFileMovesByTheTaskThatTakesLonger(t *testing.T) {
	t.Parallel()
	for _, name := range files {
		before := file(t, name, nil)
		if m := compare.Finish(before, before); m.Move != 0 || len(m.Causes) > 0 || m.Remainder != 0 {
			t.Errorf("%s against itself: %+v", name, m)
		}
		last := -1
		for i := range before.Tasks {
			if x := &before.Tasks[i]; x.Kind == cpm.Work && x.Duration > 0 && !x.Ended() && (last < 0 || x.Finish > before.Tasks[last].Finish) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		after := file(t, name, func(p *planner.Plan) {
			p.Tasks[last].Duration += 160 * hour
			p.Tasks[last].Remaining += 160 * hour
		})
		m := compare.Finish(before, after)
		if len(m.Causes) == 0 || m.Move <= 0 {
			t.Fatalf("%s: %+v", name, m)
		}
		if c := m.Causes[0]; len(m.Causes) != 1 || c.Reason != compare.ChangedDuration || c.Code != before.Tasks[last].Code || c.By != m.Move-m.Remainder {
			t.Errorf("%s: %+v, of %s", name, m, before.Tasks[last].Code)
		}
	}
}
