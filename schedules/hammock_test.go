package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// covers: Task types: rule ShortHammock spans the shortest duration between its neighbours
// covers: Task types: rule LongHammock spans the longest such duration
func TestHammockSpansItsNeighbours(t *testing.T) {
	t.Parallel()
	type span struct{ start, finish twinplatform.DateTime }
	tests := []struct {
		name        string
		links       []string
		long, short span
	}{
		{
			name:  "from predecessors' finish to successors' start",
			links: []string{"a FinishToStart h", "b FinishToStart h", "h FinishToStart x", "h FinishToStart y"},
			long:  span{at(2), at(30)}, short: span{at(5), at(20)},
		},
		{
			name:  "lags move the anchors, leads move them back",
			links: []string{"a FinishToStart h 3600", "h FinishToStart x 7200", "h FinishToStart y -3600"},
			long:  span{at(3), at(31)}, short: span{at(3), at(18)},
		},
		{
			name:  "start to start and finish to finish hold the named ends",
			links: []string{"a StartToStart h", "b StartToStart h", "x FinishToFinish h", "y FinishToFinish h"},
			long:  span{at(1), at(31)}, short: span{at(3), at(22)},
		},
		{
			name:  "start to finish holds the finish",
			links: []string{"a FinishToStart h", "x StartToFinish h"},
			long:  span{at(2), at(20)}, short: span{at(2), at(20)},
		},
		{
			name:  "an unknown link is taken for finish to start",
			links: []string{"a Unknown h", "h Unknown x"},
			long:  span{at(2), at(20)}, short: span{at(2), at(20)},
		},
		{
			name:  "a milestone holds by its one date",
			links: []string{"begin FinishToStart h", "h FinishToStart end"},
			long:  span{at(0), at(40)}, short: span{at(0), at(40)},
		},
		{
			name:  "without successors there is no finish",
			links: []string{"a FinishToStart h"},
			long:  span{start: at(2)}, short: span{start: at(2)},
		},
		{
			name:  "neighbours without dates hold nothing",
			links: []string{"undated FinishToStart h", "h FinishToStart undated2"},
		},
		{
			name:  "crossing anchors leave a short hammock empty",
			links: []string{"x FinishToStart h", "h FinishToStart b"},
			long:  span{at(22), at(22)}, short: span{at(22), at(22)},
		},
	}
	for _, test := range tests {
		for _, typ := range []schedules.TaskType{schedules.LongHammock, schedules.ShortHammock} {
			t.Run(string(typ)+" "+test.name, func(t *testing.T) {
				t.Parallel()
				p := inMemory(t)
				p.create(
					schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(3600))},
					schedules.NewTask{ID: "b", Name: "b", Type: schedules.Work, PlannedStart: at(3), PlannedDuration: new(int32(7200))},
					schedules.NewTask{ID: "x", Name: "x", Type: schedules.Work, PlannedStart: at(20), PlannedDuration: new(int32(7200))},
					schedules.NewTask{ID: "y", Name: "y", Type: schedules.Work, PlannedStart: at(30), PlannedDuration: new(int32(3600))},
					schedules.NewTask{ID: "begin", Name: "begin", Type: schedules.StartKeyDate, PlannedStart: at(0)},
					schedules.NewTask{ID: "end", Name: "end", Type: schedules.FinishKeyDate, PlannedFinish: at(40)},
					schedules.NewTask{ID: "undated", Name: "undated", Type: schedules.Work},
					schedules.NewTask{ID: "undated2", Name: "undated2", Type: schedules.Work},
					schedules.NewTask{ID: "h", Name: "h", Type: typ},
				)
				p.links(test.links...)
				want := test.long
				if typ == schedules.ShortHammock {
					want = test.short
				}
				h := p.task("h")
				if got := (span{h.PlannedStart, h.PlannedFinish}); !got.start.Equal(want.start.Time) || !got.finish.Equal(want.finish.Time) {
					t.Errorf("spans %v to %v, want %v to %v", got.start, got.finish, want.start, want.finish)
				}
				var duration *int32
				if !want.start.IsZero() && !want.finish.IsZero() {
					duration = new(int32(want.finish.Sub(want.start.Time) / time.Second))
				}
				if diff := cmp.Diff(duration, h.PlannedDuration); diff != "" {
					t.Errorf("duration (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// covers: Task types: rule dates of hammocks are derived and cannot be edited
func TestHammockDatesCannotBeSet(t *testing.T) {
	t.Parallel()
	for _, typ := range []schedules.TaskType{schedules.LongHammock, schedules.ShortHammock} {
		p := inMemory(t)
		p.create(schedules.NewTask{ID: "h", Name: "h", Type: typ})
		_, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{
			Name: "h", Type: typ, PlannedStart: at(1), PlannedFinish: at(2), PlannedDuration: new(int32(3600)),
		})
		all := invalid("InvalidValue plannedStart", "InvalidValue plannedFinish", "InvalidValue plannedDuration").saying("derived")
		all.check(t, err)
		_, err = p.in().UpdateTask(p.ctx, "h", schedules.TaskPatch{
			PlannedStart: twinplatform.Set(at(1)), PlannedFinish: twinplatform.Set(at(2)), PlannedDuration: twinplatform.Set(int32(3600)),
		})
		all.check(t, err)
		for _, status := range []schedules.TaskStatus{schedules.Started, schedules.Finished} {
			_, err = p.in().UpdateTask(p.ctx, "h", schedules.TaskPatch{Status: twinplatform.Set(status)})
			invalid("InvalidValue status").check(t, err)
		}
	}
}

func TestStartedTaskCannotBecomeHammock(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("dig 2026-03-02T09:00:00Z 3600", "idle")
	for _, id := range []string{"dig", "idle"} {
		p.patch(id, schedules.TaskPatch{Status: twinplatform.Set(schedules.Started)})
		before := p.task(id)
		_, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Type: twinplatform.Set(schedules.LongHammock)})
		e := invalid("InvalidValue type")
		if id == "dig" { // which has a duration to lose as well
			e = invalid("InvalidValue type", "InvalidValue type")
		}
		e.check(t, err)
		if diff := cmp.Diff(before, p.task(id)); diff != "" {
			t.Errorf("the refused patch changed the task:\n%s", diff)
		}
	}
}

func TestLargestLeadDoesNotOverflow(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(
		schedules.NewTask{ID: "h", Name: "h", Type: schedules.LongHammock},
		schedules.NewTask{ID: "x", Name: "x", Type: schedules.Work, PlannedStart: at(0)},
	)
	p.links("h FinishToStart x -2147483648")
	want := twinplatform.At(morning.Add(2147483648 * time.Second))
	if got := p.task("h").PlannedFinish; !got.Equal(want.Time) {
		t.Errorf("finish is %v, want %v", got, want)
	}
}

// The date of a key date is the same on every calendar, and a lag from it is not.
func TestHammockFollowsTheCalendarThatALagIsOn(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.calendar(working("mornings", "08:00-12:00"))
	p.calendar(working("afternoons", "13:00-17:00"))
	begin := twinplatform.At(time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)) // a Monday
	p.create(
		schedules.NewTask{ID: "begin", Name: "begin", Type: schedules.StartKeyDate, PlannedStart: begin, CalendarID: "mornings"},
		schedules.NewTask{ID: "h", Name: "h", Type: schedules.LongHammock},
	)
	p.links("begin FinishToStart h 7200")
	starts := func(want string) {
		t.Helper()
		if got := p.task("h").PlannedStart.Format("Mon 15:04"); got != want {
			t.Errorf("it starts %s, want %s", got, want)
		}
	}
	starts("Mon 10:00")
	p.patch("begin", schedules.TaskPatch{CalendarID: twinplatform.Set("afternoons")})
	starts("Mon 15:00")
	p.patch("begin", schedules.TaskPatch{Name: twinplatform.Set("Begin")})
	starts("Mon 15:00")
}

// TestHammocksAreNeverStale makes random changes and compares every hammock with
// what its links say after each of them.
func TestHammocksAreNeverStale(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](8, 2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 7))
			p := inMemory(t)
			w := weaver{plan: p, r: r}
			for range 250 {
				w.change()
				w.compare()
			}
		})
	}
}

// weaver changes a plan at random.
type weaver struct {
	*plan
	r    *rand.Rand
	next int
}

var wovenTypes = []schedules.TaskType{
	schedules.Work, schedules.Work, schedules.StartKeyDate, schedules.FinishKeyDate, schedules.LongHammock, schedules.ShortHammock,
}

func (w *weaver) change() {
	tasks, _ := w.allTasks(twinplatform.ListOptions{})
	links, _ := w.allLinks(twinplatform.ListOptions{})
	pick := func() string { return tasks[w.r.IntN(len(tasks))].ID }
	types := []schedules.TaskLinkType{
		schedules.FinishToStart, schedules.StartToFinish, schedules.StartToStart, schedules.FinishToFinish, schedules.UnknownTaskLinkType,
	}
	typ, lag := types[w.r.IntN(len(types))], int32(w.r.IntN(20_000)-10_000)
	var err error
	switch n := w.r.IntN(12); {
	case n < 3 || len(tasks) < 4:
		w.next++
		t := schedules.NewTask{ID: fmt.Sprintf("t%03d", w.next), Name: "t", Type: wovenTypes[w.r.IntN(len(wovenTypes))]}
		if len(tasks) > 0 && w.r.IntN(3) == 0 {
			t.ParentID = pick()
		}
		w.date(&t)
		_, err = w.svc.CreateTask(w.ctx, w.id, t)
	case n < 6:
		batch := make([]schedules.NewTaskLink, 1+w.r.IntN(2))
		for i := range batch {
			batch[i] = schedules.NewTaskLink{PredecessorID: pick(), SuccessorID: pick(), Type: typ, Lag: lag}
		}
		_, err = w.in().CreateTaskLinks(w.ctx, batch)
	case n < 8:
		patch := schedules.TaskPatch{PlannedStart: twinplatform.Set(at(float64(w.r.IntN(1000))))}
		if w.r.IntN(2) == 0 {
			patch = schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(w.r.IntN(100_000)))}
		}
		_, err = w.in().UpdateTask(w.ctx, pick(), patch)
	case n < 9:
		_, err = w.in().UpdateTask(w.ctx, pick(), schedules.TaskPatch{Type: twinplatform.Set(wovenTypes[w.r.IntN(len(wovenTypes))])})
	case n < 10 && len(links) > 0:
		patch := schedules.TaskLinkPatch{ID: links[w.r.IntN(len(links))].ID, Type: twinplatform.Set(typ), Lag: twinplatform.Set(lag)}
		if w.r.IntN(2) == 0 {
			patch.SuccessorID = twinplatform.Set(pick())
		}
		_, err = w.in().UpdateTaskLinks(w.ctx, []schedules.TaskLinkPatch{patch})
	case n < 11 && len(links) > 0:
		_, err = w.in().DeleteTaskLinks(w.ctx, []string{links[w.r.IntN(len(links))].ID})
	default:
		_, err = w.in().DeleteTasks(w.ctx, []string{pick()})
	}
	if err != nil { // what is refused changes nothing, and the comparison holds
		if e := twinplatform.AsError(err); e.Kind != twinplatform.Invalid {
			w.Fatal(err)
		}
	}
}

func (w *weaver) date(t *schedules.NewTask) {
	switch t.Type {
	case schedules.Work:
		t.PlannedStart, t.PlannedDuration = at(float64(w.r.IntN(1000))), new(int32(w.r.IntN(100_000)))
	case schedules.StartKeyDate:
		t.PlannedStart = at(float64(w.r.IntN(1000)))
	case schedules.FinishKeyDate:
		t.PlannedFinish = at(float64(w.r.IntN(1000)))
	}
}

// compare derives every hammock again, from nothing but the lists.
func (w *weaver) compare() {
	w.Helper()
	tasks, _ := w.allTasks(twinplatform.ListOptions{})
	links, _ := w.allLinks(twinplatform.ListOptions{})
	byID := make(map[string]schedules.Task)
	for _, t := range tasks {
		byID[t.ID] = t
	}
	for _, h := range tasks {
		if h.Type != schedules.LongHammock && h.Type != schedules.ShortHammock {
			continue
		}
		var starts, finishes []time.Time
		for _, l := range links {
			var other schedules.Task
			var otherFinish, ownFinish bool
			lag := time.Duration(l.Lag) * time.Second
			predecessorFinish := l.Type != schedules.StartToStart && l.Type != schedules.StartToFinish
			successorFinish := l.Type == schedules.StartToFinish || l.Type == schedules.FinishToFinish
			switch h.ID {
			case l.SuccessorID:
				other, otherFinish, ownFinish = byID[l.PredecessorID], predecessorFinish, successorFinish
			case l.PredecessorID:
				other, otherFinish, ownFinish, lag = byID[l.SuccessorID], successorFinish, predecessorFinish, -lag
			default:
				continue
			}
			d := other.PlannedStart
			if otherFinish && other.Type != schedules.StartKeyDate || other.Type == schedules.FinishKeyDate {
				d = other.PlannedFinish
			}
			if other.Type == schedules.LongHammock || other.Type == schedules.ShortHammock || d.IsZero() {
				continue
			}
			if ownFinish {
				finishes = append(finishes, d.Add(lag))
			} else {
				starts = append(starts, d.Add(lag))
			}
		}
		start, finish := extreme(starts, h.Type == schedules.ShortHammock), extreme(finishes, h.Type == schedules.LongHammock)
		if !start.IsZero() && !finish.IsZero() && finish.Before(start) {
			finish = start
		}
		if !h.PlannedStart.Equal(start) || !h.PlannedFinish.Equal(finish) {
			w.Fatalf("%s %s spans %v to %v, its links say %v to %v", h.Type, h.ID, h.PlannedStart, h.PlannedFinish, start, finish)
		}
	}
}

// extreme is the latest or the earliest instant.
func extreme(all []time.Time, latest bool) (e time.Time) {
	for i, t := range all {
		if i == 0 || t.After(e) == latest {
			e = t
		}
	}
	return e
}

// TestHammockThatComesWhileTasksAreMovedFollowsThem makes the first hammock of a schedule when
// its rescheduling has seen the plan and has not written to it yet.
func TestHammockThatComesWhileTasksAreMovedFollowsThem(t *testing.T) {
	t.Parallel()
	store := storetest.Alone(memory.New())
	svc, ctx := newService(store, schedules.Config{}), t.Context()
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Plan", TwinID: "t"}); err != nil {
		t.Fatal(err)
	}
	plan := svc.In("s")
	for _, id := range []string{"dig", "pour"} {
		if _, err := svc.CreateTask(ctx, "s", benchTask(id)); err != nil {
			t.Fatal(err)
		}
	}
	link := func(from, to string) {
		_, err := plan.CreateTaskLinks(ctx, []schedules.NewTaskLink{{PredecessorID: from, SuccessorID: to, Type: schedules.FinishToStart}})
		if err != nil {
			t.Error(err)
		}
	}
	link("dig", "pour")
	updates := 0
	store.Before(func() error {
		if updates++; updates == 2 { // behind the one that accepts the work
			if _, err := svc.CreateTask(ctx, "s", schedules.NewTask{ID: "crane", Name: "crane", Type: schedules.LongHammock}); err != nil {
				t.Error(err)
			}
			link("pour", "crane")
		}
		return nil
	})
	if _, err := scheduling.In(plan).Reschedule(ctx, scheduling.Rescheduling{}); err != nil {
		t.Fatal(err)
	}
	pour, err := plan.Task(ctx, "pour")
	if err != nil {
		t.Fatal(err)
	}
	crane, err := plan.Task(ctx, "crane")
	if err != nil {
		t.Fatal(err)
	}
	// Three days of work each, from a Monday on.
	if want := time.Date(2026, 1, 8, 9, 0, 0, 0, time.UTC); !pour.Value.PlannedStart.Equal(want) {
		t.Errorf("the task begins at %s, want %s", pour.Value.PlannedStart, want)
	}
	if want := time.Date(2026, 1, 13, 9, 0, 0, 0, time.UTC); !crane.Value.PlannedStart.Equal(want) {
		t.Errorf("the hammock begins at %s, want %s", crane.Value.PlannedStart, want)
	}
}
