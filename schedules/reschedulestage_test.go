package schedules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// beholder reads a plan between any two transactions of a rescheduling.
type beholder struct {
	*plan
	r        *rand.Rand
	dates    map[string]string // as they were read last
	copied   map[string]string // of a client that follows by deltas
	delta    string
	revision int64
	touched  map[string]bool // what others have changed since
	rested   int             // how often a plan came to rest
	keeps    int             // tasks and links of which networks are kept; 0 for the usual number
}

// chained is a plan of n tasks in a chain that are all at its beginning and are to move, with a
// hammock over them.
func (p *plan) chained(n int) *beholder {
	p.Helper()
	tasks := many(n)
	var links []schedules.NewTaskLink
	for i := range tasks {
		tasks[i].PlannedStart, tasks[i].PlannedDuration = at(0), new(int32(3600))
		if i > 0 {
			links = append(links, schedules.NewTaskLink{PredecessorID: tasks[i-1].ID, SuccessorID: tasks[i].ID, Type: schedules.FinishToStart})
		}
	}
	p.create(tasks...)
	p.create(schedules.NewTask{ID: "hammock", Name: "hammock", Type: schedules.LongHammock})
	for _, end := range []struct {
		task string
		as   schedules.TaskLinkType
	}{{tasks[0].ID, schedules.StartToStart}, {tasks[n-1].ID, schedules.FinishToFinish}} {
		links = append(links, schedules.NewTaskLink{PredecessorID: end.task, SuccessorID: "hammock", Type: end.as})
	}
	for len(links) > 0 {
		most := min(len(links), schedules.MaxBatch)
		if _, err := p.in().CreateTaskLinks(p.ctx, links[:most]); err != nil {
			p.Fatal(err)
		}
		links = links[most:]
	}
	b := &beholder{plan: p, r: rand.New(rand.NewPCG(uint64(n), 5)), copied: map[string]string{}, touched: map[string]bool{}}
	b.look()
	b.rested = 0
	return b
}

func span(t *schedules.Task) string {
	return t.PlannedStart.String() + "–" + t.PlannedFinish.String()
}

// look wants every reader to see one plan: whatever has moved since the last look, except for
// what others have moved, is where it comes to rest.
func (b *beholder) look() {
	b.Helper()
	tasks, _ := b.allTasks(twinplatform.ListOptions{Top: 100})
	now, last := map[string]string{}, tasks[len(tasks)-1]
	moved, hammock := 0, ""
	for i := range tasks {
		t := &tasks[i]
		now[t.ID] = span(t)
		switch {
		case t.Type == schedules.LongHammock:
			hammock = t.PlannedFinish.String()
		case b.dates[t.ID] != now[t.ID] && !b.touched[t.ID]:
			moved++
		}
		if b.r.IntN(50) == 0 {
			if one := b.task(t.ID); !cmp.Equal(one, *t) {
				b.Fatalf("listed and read alone: %s", cmp.Diff(*t, one))
			}
		}
	}
	if hammock != last.PlannedFinish.String() {
		b.Fatalf("the hammock ends at %s and what it ends with at %s", hammock, last.PlannedFinish)
	}
	rec, err := b.svc.Schedule(b.ctx, b.id)
	if err != nil {
		b.Fatal(err)
	}
	switch sim := b.simulate(); {
	case moved == 0 && rec.Value.PlanRevision != b.revision && len(b.touched) == 0:
		b.Fatalf("the plan has the revision %d and is as it was", rec.Value.PlanRevision)
	case b.dates == nil, moved == 0:
	case sim.TaskChangeCount != 0:
		b.Fatalf("%d tasks have moved, and %d are to move yet: %+v", moved, sim.TaskChangeCount, sim.TaskChanges[0])
	default:
		b.rested++
	}
	b.dates, b.revision, b.touched = now, rec.Value.PlanRevision, map[string]bool{}
	b.follow()
}

// follow wants a delta to list once all that has moved.
func (b *beholder) follow() {
	b.Helper()
	changes, delta := b.allTasks(twinplatform.ListOptions{Delta: b.delta, Top: 70})
	seen := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		if seen[c.ID] {
			b.Fatalf("the delta lists %s again", c.ID)
		}
		seen[c.ID] = true
		if b.copied[c.ID] = span(c); c.Deleted {
			delete(b.copied, c.ID)
		}
	}
	b.delta = delta
	if diff := cmp.Diff(b.dates, b.copied); diff != "" {
		b.Fatalf("what was followed (-read +followed)\n%s", diff)
	}
}

// between reschedules the plan with fn between any two of its transactions.
func (b *beholder) compared(fn func()) {
	b.Helper()
	store := storetest.Over(b.store)
	store.Before(func() error {
		fn()
		return nil
	})
	svc := newService(store, schedules.Config{})
	if b.keeps > 0 {
		rescheduling.Of(svc.In(b.id).Area()).Bound(b.keeps, 0)
	}
	if _, err := scheduling.In(svc.In(b.id)).Reschedule(b.ctx, scheduling.Rescheduling{}); err != nil {
		b.Fatal(err)
	}
}

// unstaged wants nothing to be left of stages in the store.
func (b *beholder) unstaged() {
	b.Helper()
	err := b.store.View(b.ctx, func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			if strings.HasPrefix(key, "schedule-") && (strings.Contains(key, "tasks/s/") || strings.Contains(key, "analyses/s/") || strings.HasSuffix(key, "/rev") && len(value) != 8) {
				b.Errorf("%s is left", key)
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func TestReadersSeeAPlanBeforeOrBehindItsRescheduling(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		n := 700
		if strings.HasSuffix(p.Name(), "/distant") {
			n = 1600 // of which fewer are written at once
		}
		b := p.chained(n)
		b.compared(b.look)
		b.look()
		if b.rested != 1 || b.revision != 1 {
			t.Errorf("the plan came to rest %d times, and has the revision %d", b.rested, b.revision)
		}
		b.unstaged()
		b.patch("task-000000", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](7200)})
		b.touched["task-000000"] = true
		charts := map[string]bool{}
		b.compared(func() {
			b.look()
			chart, err := analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{})
			if err != nil {
				p.Fatal(err)
			}
			charts[fmt.Sprintf("%d %s", b.revision, chart.Text)] = true
			all, _ := p.analyses(twinplatform.ListOptions{})
			for i, a := range all {
				if i > 0 && a.TaskID != "hammock" && a.EarlyStart.String()+"–"+a.EarlyFinish.String() != b.dates[a.TaskID] && b.revision == 2 {
					p.Fatalf("what was found of %s is %s–%s, and it is planned %s", a.TaskID, a.EarlyStart, a.EarlyFinish, b.dates[a.TaskID])
				}
			}
		})
		b.look()
		if len(charts) > 2 || b.revision != 2 {
			t.Errorf("%d charts were drawn of two plans, and the revision is %d", len(charts), b.revision)
		}
		b.unstaged()
	})
}

// TestReadersSeeAPlanThatIsTooLargeToBeKeptBeforeOrBehindItsRescheduling reschedules a plan that is
// larger than all that is kept of plans between calls.
func TestReadersSeeAPlanThatIsTooLargeToBeKeptBeforeOrBehindItsRescheduling(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	b := inMemory(t).chained(700)
	b.keeps = 100
	for round := range int64(2) {
		b.compared(b.look)
		b.look()
		if b.rested != int(round)+1 || b.revision != round+1 {
			t.Errorf("the plan came to rest %d times, and has the revision %d", b.rested, b.revision)
		}
		b.unstaged()
		b.patch("task-000000", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](7200)})
		b.touched["task-000000"] = true
		b.look()
	}
}

// TestReadersSeeFirstAnalysesOfAllTasksOrNone reschedules plans that have no analyses, of which one
// is where it is to be already, and follows their analyses by lists and deltas.
func TestReadersSeeFirstAnalysesOfAllTasksOrNone(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		onEachEngine(t, func(p *plan) {
			const n = 700
			b := p.chained(n)
			if inPlace {
				tasks := many(n)
				for i := range tasks {
					p.patch(tasks[i].ID, schedules.TaskPatch{PlannedStart: twinplatform.Set(at(float64(i)))})
				}
			}
			copied, delta, seen := map[string]schedules.SchedulingAnalysis{}, "", map[int]bool{}
			look := func() {
				p.Helper()
				all, _ := p.analyses(twinplatform.ListOptions{Top: 90})
				if seen[len(all)] = true; len(all) != 0 && len(all) != n+1 {
					p.Fatalf("there are %d analyses", len(all))
				}
				var changes []schedules.SchedulingAnalysis
				changes, delta = p.analyses(twinplatform.ListOptions{Delta: delta, Top: 90})
				for _, a := range changes {
					if _, twice := copied[a.TaskID]; twice || a.Deleted {
						p.Fatalf("the delta lists %+v", a)
					}
					copied[a.TaskID] = a
				}
				for _, a := range all {
					if diff := cmp.Diff(a, copied[a.TaskID]); diff != "" || len(copied) != len(all) {
						p.Fatalf("%d are followed of %d (-listed +followed)\n%s", len(copied), len(all), diff)
					}
				}
			}
			look()
			b.compared(look)
			look()
			if !seen[n+1] {
				p.Errorf("no analyses were seen")
			}
			b.unstaged()
		})
	}
}

func TestChangesDuringAReschedulingAreInItsPlan(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](12, 1) {
		p := inMemory(t)
		b := p.chained(600)
		b.r = rand.New(rand.NewPCG(seed, 9))
		changes, n := 0, 600
		transactions, changed := 0, 0
		b.compared(func() {
			transactions++
			b.look()
			if changes == 6 || b.r.IntN(3) > 0 {
				return
			}
			changes++
			changed = transactions
			id := fmt.Sprintf("task-%06d", b.r.IntN(n-1)) // what the hammock ends with stays
			var err error
			switch b.r.IntN(6) {
			case 0:
				_, err = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(1+b.r.IntN(9)) * 3600)})
			case 1:
				_, err = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Name: twinplatform.Set("another name")})
			case 2:
				if b.r.IntN(2) == 0 && id != "task-000000" {
					_, err = p.in().DeleteTasks(p.ctx, []string{id})
				}
			case 3:
				_, err = p.in().CreateTaskLinks(p.ctx, []schedules.NewTaskLink{{PredecessorID: id, SuccessorID: "task-000599", Type: schedules.FinishToStart, Lag: 7200}})
			case 4:
				_, err = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(5))})
			default:
				id = "hammock"
				_, err = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Comment: twinplatform.Set(fmt.Sprint(changes))})
			}
			b.touched[id] = true
			_ = err // what the schedule refuses changes nothing
		})
		if changed == transactions { // in which the operation ended: it is for another one
			b.compared(b.look)
		}
		b.look()
		if sim := b.simulate(); sim.TaskChangeCount != 0 {
			t.Errorf("seed %d: %d tasks are to move", seed, sim.TaskChangeCount)
		}
		b.unstaged()
	}
}

func TestReschedulingOfAPlanThatOthersKeepChangingComesToAnEnd(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	b := p.chained(600)
	changes := 0
	b.compared(func() {
		if changes++; changes > 24 {
			return
		}
		id := fmt.Sprintf("task-%06d", b.r.IntN(600))
		b.patch(id, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(1+b.r.IntN(9)) * 3600)})
		_, err := p.in().CreateTaskLinks(p.ctx, []schedules.NewTaskLink{{PredecessorID: id, SuccessorID: "task-000599", Type: schedules.StartToStart, Lag: int32(changes)}})
		_ = err // where it is there
	})
	if sim := b.simulate(); sim.TaskChangeCount != 0 {
		t.Errorf("%d tasks are to move", sim.TaskChangeCount)
	}
	b.unstaged()
}

func TestTwoReschedulingsAtOnceComeToOnePlan(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	b := p.chained(600)
	others := 0
	b.compared(func() {
		b.look()
		if others++; others%7 == 3 && others < 40 {
			svc := newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
			ctx, end := context.WithCancel(p.ctx)
			_, err := scheduling.In(svc.In(p.id)).Reschedule(ctx, scheduling.Rescheduling{})
			end()
			if err != nil {
				p.Fatal(err)
			}
		}
	})
	next := newService(p.store, schedules.Config{})
	if _, err := next.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "aside", Name: "aside", Type: schedules.Work, PlannedStart: at(0)}); err != nil {
		t.Fatal(err)
	}
	if sim := b.simulate(); sim.TaskChangeCount != 0 {
		t.Errorf("%d tasks are to move", sim.TaskChangeCount)
	}
	b.unstaged()
}

// TestOneProcessAtATimeReschedulesAPlan lets two processes reschedule one plan, a transaction of
// the one behind each of the other: readers see it before or behind all of it, and the second
// stages nothing.
func TestOneProcessAtATimeReschedulesAPlan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t)
		b := p.chained(600)
		var looking sync.Mutex
		var asked atomic.Int64
		clock := func() time.Time { // in which a step ends after few records
			return time.Now().Add(time.Duration(asked.Add(1)) * 100 * time.Microsecond)
		}
		var processes sync.WaitGroup
		for range 2 {
			store := storetest.Over(p.store)
			store.Before(func() error {
				func() {
					looking.Lock()
					defer looking.Unlock()
					b.look()
				}()
				time.Sleep(time.Millisecond) // while the other one does the next
				return nil
			})
			svc := newService(store, schedules.Config{Env: twinplatform.Env{Now: clock}})
			processes.Go(func() {
				if _, err := scheduling.In(svc.In(p.id)).Reschedule(p.ctx, scheduling.Rescheduling{}); err != nil {
					t.Error(err)
				}
			})
		}
		processes.Wait()
		b.look()
		if b.rested != 1 || b.revision != 1 {
			t.Errorf("the plan came to rest %d times, and has the revision %d", b.rested, b.revision)
		}
		b.unstaged()
	})
}

// TestAPlanIsRescheduledByAnotherOnceItsProcessIsDead lets a process end in the middle of a
// rescheduling without a word: another one reschedules the plan when the lease is over.
func TestAPlanIsRescheduledByAnotherOnceItsProcessIsDead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t)
		b := p.chained(600)
		ctx, bury := context.WithCancel(p.ctx)
		store, transactions := storetest.Over(p.store), 0
		store.Before(func() error {
			if transactions++; transactions > 4 { // it has staged, and not committed
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
		dead := newService(store, schedules.Config{})
		var process sync.WaitGroup
		process.Go(func() { _, _ = scheduling.In(dead.In(p.id)).Reschedule(ctx, scheduling.Rescheduling{}) })
		synctest.Wait()
		time.Sleep(time.Millisecond) // so that what is asked for now is behind that in the journal
		began := time.Now()
		next := newService(storetest.Over(p.store), schedules.Config{})
		if _, err := scheduling.In(next.In(p.id)).Reschedule(p.ctx, scheduling.Rescheduling{}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < twinplatform.DefaultLease/2 || took > twinplatform.DefaultLease+2*time.Second {
			t.Errorf("it took %v with a lease of %v", took, twinplatform.DefaultLease)
		}
		b.look()
		if sim := b.simulate(); sim.TaskChangeCount != 0 || b.rested != 1 {
			t.Errorf("%d tasks are to move, at rest %d times", sim.TaskChangeCount, b.rested)
		}
		bury()
		process.Wait()
	})
}

func TestReschedulingThatIsCutOffIsSeenWholeOrNotAtAll(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for n := 2; ; n += testsize.Of(1, 3) {
		p := inMemory(t)
		b := p.chained(450)
		died := p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error {
			_, err := scheduling.In(svc.In(p.id)).Reschedule(ctx, scheduling.Rescheduling{})
			return err
		})
		b.look()
		next := newService(p.store, schedules.Config{})
		b.svc = next
		if _, err := next.In(p.id).UpdateTask(p.ctx, "hammock", schedules.TaskPatch{Comment: twinplatform.Set("again")}); err != nil {
			t.Fatal(err)
		}
		b.look()
		if sim := b.simulate(); sim.TaskChangeCount != 0 || b.rested != 1 {
			t.Fatalf("cut off at transaction %d: %d tasks are to move, at rest %d times", n, sim.TaskChangeCount, b.rested)
		}
		b.unstaged()
		if !died {
			if n < 6 {
				t.Errorf("the rescheduling took %d transactions", n-1)
			}
			return
		}
	}
}
