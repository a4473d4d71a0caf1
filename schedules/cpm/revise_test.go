package cpm_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestRevisedPlanEqualsAFullSchedule changes tasks of random networks of every
// kind one after the other, and holds each result to one from the beginning, and its network to
// the dates that it has.
func TestRevisedPlanEqualsAFullSchedule(t *testing.T) {
	t.Parallel()
	calendars := []*worktime.Calendar{office(t), worktime.Continuous, nil}
	revised, summaries := 0, 0
	for seed := range testsize.Seeds(400, 400) {
		r := rand.New(rand.NewPCG(seed, 3))
		o := cpm.Options{
			Project: cpm.Project{Calendar: calendars[0], Start: begin, DataDate: begin + worktime.Time(r.IntN(3)*86400)},
			Profile: cpm.Profile(r.IntN(2)), Progress: cpm.Progress(r.IntN(3)), Lag: cpm.LagCalendar(r.IntN(5)), Together: r.IntN(2) == 0,
		}
		tasks, build := anyNetwork(r, calendars)
		res, err := cpm.Schedule(build(tasks, begin), o)
		if err != nil {
			t.Fatal(seed, err)
		}
		for edit := range 8 {
			changes := map[int]cpm.Task{}
			for range 1 + r.IntN(2) {
				i := r.IntN(len(tasks))
				next := anyTask(r, calendars, i, tasks[i].Project)
				next.Kind = res.Network().Task(i).Kind // what others are below is a summary
				changes[i] = next
			}
			before, lent := allDates(res, len(tasks)), res.Network()
			touched, ok, err := res.Revise(changes)
			if err != nil {
				t.Fatal(seed, err)
			}
			for i, next := range changes {
				if tasks[i] = next; ok && next.Kind == cpm.Summary {
					summaries++
				}
			}
			want, err := cpm.Schedule(build(tasks, begin), o)
			if err != nil {
				t.Fatal(seed, err)
			}
			if !ok {
				res = want
				continue
			}
			revised++
			now := allDates(res, len(tasks))
			for name, of := range map[string]struct {
				network *cpm.Network
				dates   []cpm.Dates
			}{"before": {lent, before}, "now": {res.Network(), now}} {
				found, err := cpm.Schedule(of.network, o)
				if err != nil {
					t.Fatal(seed, err)
				}
				if d := cmp.Diff(of.dates, allDates(found, len(tasks))); d != "" {
					t.Fatalf("seed %d, edit %d: the network of %s has other dates (-as found +of the network)\n%s", seed, edit, name, d)
				}
			}
			if d := cmp.Diff(allDates(want, len(tasks)), now); d != "" {
				t.Fatalf("seed %d, edit %d: (-again +revised)\n%s", seed, edit, d)
			}
			if d := cmp.Diff(allLinks(want, build(tasks, begin).Links()), allLinks(res, build(tasks, begin).Links())); d != "" {
				t.Fatalf("seed %d, edit %d: links (-again +revised)\n%s", seed, edit, d)
			}
			for _, i := range touched {
				before[i] = now[i]
			}
			if d := cmp.Diff(before, now); d != "" {
				t.Fatalf("seed %d, edit %d: changed and not reported\n%s", seed, edit, d)
			}
		}
	}
	if revised < 1000 || summaries < 100 {
		t.Errorf("%d revisions only, of %d summaries", revised, summaries)
	}
}

// TestPlansBefore1970AreScheduledAsLaterOnes schedules random networks of every kind, and the
// same a century of weeks earlier.
func TestPlansBefore1970AreScheduledAsLaterOnes(t *testing.T) {
	t.Parallel()
	const earlier = -100 * 52 * 7 * worktime.Day
	calendars := []*worktime.Calendar{office(t), worktime.Continuous, nil}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		o := cpm.Options{
			Project: cpm.Project{Calendar: calendars[0], Start: begin, DataDate: begin + worktime.Time(r.IntN(3)*86400)},
			Profile: cpm.Profile(r.IntN(2)), Progress: cpm.Progress(r.IntN(3)), Lag: cpm.LagCalendar(r.IntN(5)), Together: r.IntN(2) == 0,
		}
		tasks, build := anyNetwork(r, calendars)
		late, err := cpm.Schedule(build(tasks, begin), o)
		if err != nil {
			t.Fatal(seed, err)
		}
		o.Start, o.DataDate = o.Start+earlier, o.DataDate+earlier
		var moved []cpm.Task
		for _, task := range tasks {
			moved = append(moved, shifted(task, earlier))
		}
		early, err := cpm.Schedule(build(moved, begin+earlier), o)
		if err != nil {
			t.Fatal(seed, err)
		}
		for i := range tasks {
			if d := cmp.Diff(shifted(late.Dates(i), earlier), early.Dates(i)); d != "" {
				t.Fatalf("seed %d, task %d: (-later, as if earlier +earlier)\n%s", seed, i, d)
			}
			if d := cmp.Diff(late.Warnings(), early.Warnings()); d != "" {
				t.Fatalf("seed %d: warnings (-later +earlier)\n%s", seed, d)
			}
		}
	}
}

// shifted is a value with all times in it moved by so many seconds.
func shifted[T any](v T, by worktime.Time) T {
	shift(reflect.ValueOf(&v).Elem(), by)
	return v
}

func shift(v reflect.Value, by worktime.Time) {
	switch {
	case v.Type() == reflect.TypeFor[worktime.Time]():
		if v.Int() != 0 {
			v.SetInt(v.Int() + int64(by))
		}
	case v.Kind() == reflect.Struct:
		for _, f := range v.Fields() {
			shift(f, by)
		}
	case v.Kind() == reflect.Slice && !v.IsNil():
		all := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			all.Index(i).Set(v.Index(i))
			shift(all.Index(i), by)
		}
		v.Set(all)
	}
}

func allDates(r *cpm.Result, n int) (all []cpm.Dates) {
	for i := range n {
		all = append(all, r.Dates(i))
	}
	return all
}

func allLinks(r *cpm.Result, links []cpm.Link) (all []cpm.LinkDates) {
	for i := range links {
		all = append(all, r.Link(i))
	}
	return all
}

// anyNetwork is the tasks of one, and how it is made of them.
func anyNetwork(r *rand.Rand, calendars []*worktime.Calendar) (tasks []cpm.Task, build func(tasks []cpm.Task, begin worktime.Time) *cpm.Network) {
	n := 3 + r.IntN(25)
	for i := range n {
		tasks = append(tasks, anyTask(r, calendars, i, r.IntN(2)))
	}
	parents := map[int]int{}
	for i := 1; i < n; i++ { // what is below a summary is behind it
		if above := r.IntN(i); r.IntN(3) == 0 && tasks[above].Kind <= cpm.FinishMilestone && len(tasks) > 4 {
			parents[i] = above
		}
	}
	above := func(i, of int) bool {
		for at, ok := parents[of]; ok; at, ok = parents[at] {
			if at == i {
				return true
			}
		}
		return false
	}
	var links []cpm.Link
	for range r.IntN(3 * n) {
		a, b := r.IntN(n), r.IntN(n)
		if a, b = min(a, b), max(a, b); a == b || above(a, b) || len(parents) > 0 && r.IntN(2) == 0 {
			continue
		}
		l := cpm.Link{Predecessor: a, Successor: b, Type: cpm.LinkType(r.IntN(4)), Lag: int64(r.IntN(30)-10) * hour, Percent: r.IntN(6) == 0}
		if r.IntN(4) == 0 {
			l.Calendar = worktime.Continuous
		}
		links = append(links, l)
	}
	network := func(tasks []cpm.Task, links []cpm.Link, begin worktime.Time) *cpm.Network {
		n := cpm.NewNetwork()
		n.Project(cpm.Project{Start: begin + 86400, Critical: 4 * hour})
		for _, t := range tasks {
			n.Add(t)
		}
		for i := range tasks {
			if above, ok := parents[i]; ok {
				n.Nest(i, above)
			}
		}
		for _, l := range links {
			n.Join(l)
		}
		return n
	}
	// Links between what is below summaries may still go round: they are left out.
	for {
		if _, err := cpm.Schedule(network(tasks, links, begin), cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin}}); err == nil {
			return tasks, func(tasks []cpm.Task, begin worktime.Time) *cpm.Network { return network(tasks, links, begin) }
		}
		links = links[:len(links)-1]
	}
}

// anyTask is one of whichever kind, as far as it has come.
func anyTask(r *rand.Rand, calendars []*worktime.Calendar, i, project int) cpm.Task {
	t := cpm.Task{ID: fmt.Sprint(i), Project: project, Calendar: calendars[r.IntN(len(calendars))], Duration: int64(r.IntN(40)) * hour}
	at := func() worktime.Time { return begin + worktime.Time(r.IntN(10*24))*worktime.Time(hour) }
	if r.IntN(8) == 0 {
		t.Paused = int64(r.IntN(20)) * hour
	}
	switch r.IntN(12) {
	case 0:
		t.Kind = cpm.Kind(1 + r.IntN(4))
	case 1:
		t.ActualStart, t.Remaining = at(), int64(r.IntN(20))*hour
		if r.IntN(2) == 0 {
			t.Resume, t.ExpectedFinish = at(), at()
		}
	case 2:
		t.ActualStart = at()
		t.ActualFinish = t.ActualStart + worktime.Time(r.IntN(40))*worktime.Time(hour)
	case 3:
		t.Manual, t.Start = true, at()
		t.Finish = t.Start + worktime.Time(r.IntN(40))*worktime.Time(hour)
	case 4, 5, 6:
		t.Constraints = []cpm.Constraint{{Type: cpm.ConstraintType(1 + r.IntN(8)), Date: at()}}
		if r.IntN(20) == 0 {
			t.Constraints[0].Type = cpm.AsLateAsPossible
		}
	case 7:
		t.Deadline = at()
	}
	return t
}

// TestEachMemberOfATaskIsRevised gives a task another value of one member after the other.
func TestEachMemberOfATaskIsRevised(t *testing.T) {
	t.Parallel()
	members := reflect.TypeFor[cpm.Task]()
	for i := range members.NumField() {
		n := cpm.NewNetwork()
		n.Project(cpm.Project{Start: begin})
		n.Add(cpm.Task{Duration: hour, ActualStart: begin, Remaining: hour, Start: begin, Finish: begin})
		res, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}})
		if err != nil {
			t.Fatal(err)
		}
		next := n.Task(0)
		switch f := reflect.ValueOf(&next).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("another")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(1)
		case reflect.Int64:
			f.SetInt(int64(begin) + hour)
		case reflect.Uint8:
			f.SetUint(1)
		case reflect.Pointer:
			f.Set(reflect.ValueOf(worktime.Continuous))
		default:
			f.Set(reflect.ValueOf([]cpm.Constraint{{Type: cpm.StartNoEarlier, Date: begin}}))
		}
		if touched, ok, err := res.Revise(map[int]cpm.Task{0: next}); err != nil || ok && len(touched) == 0 {
			t.Errorf("another %s touches nothing: %v", members.Field(i).Name, err)
		}
	}
}

// chains is a plan of chains of a hundred tasks each, the first of them one day longer than
// all others.
func chains(tasks int) *cpm.Network {
	n := cpm.NewNetwork()
	for i := range tasks {
		n.Add(cpm.Task{ID: fmt.Sprint(i), Duration: 8 * hour})
		if i%100 != 0 {
			n.Join(cpm.Link{Predecessor: i - 1, Successor: i})
		}
	}
	longest := n.Task(0)
	longest.Duration *= 2
	return n.With(0, longest)
}

// TestARevisionTouchesWhatItReaches changes a task of a chain that is not critical: those
// behind it have other dates, and those before it another float.
func TestARevisionTouchesWhatItReaches(t *testing.T) {
	t.Parallel()
	res, err := cpm.Schedule(chains(10_000), cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}})
	if err != nil {
		t.Fatal(err)
	}
	touched, ok, err := res.Revise(map[int]cpm.Task{583: {ID: "583", Duration: 10 * hour}})
	var want []int
	for i := 500; i < 600; i++ {
		want = append(want, i)
	}
	if d := cmp.Diff(want, touched); d != "" || !ok || err != nil {
		t.Errorf("touched (-want +got), %t, %v\n%s", ok, err, d)
	}
}

// BenchmarkRevise changes the duration of one task in a plan of a million: the 17th before the
// end of a chain that is not critical, and one of the critical path, with which everything
// has other late dates.
func BenchmarkRevise(b *testing.B) {
	tasks := 1_000_000
	if testing.Short() {
		tasks /= 100
	}
	n := chains(tasks)
	for name, task := range map[string]int{"chain": tasks/2 + 83, "everything": 0} {
		b.Run(name, func(b *testing.B) {
			res, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office(b), Start: begin}})
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := res.Revise(map[int]cpm.Task{task: {Duration: 15 * hour}}); err != nil {
				b.Fatal(err) // the first takes what all need
			}
			for hours := int64(8); b.Loop(); hours = 8 + (hours+1)%8 {
				if _, ok, err := res.Revise(map[int]cpm.Task{task: {Duration: hours * hour}}); err != nil || !ok {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
