package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func (p *plan) baseline(id string) schedules.Baseline {
	p.Helper()
	res, err := p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: id, Name: "Baseline " + id})
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

func (p *plan) baselineTasks(id string) []schedules.BaselineTask {
	p.Helper()
	all, _ := readAll(p, twinplatform.ListOptions{Top: schedules.MaxTop}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTask], error) {
		return p.in().BaselineTasks(p.ctx, id, schedules.BaselineTaskQuery{ListOptions: o})
	})
	return all
}

func (p *plan) baselineLinks(id string) []schedules.BaselineTaskLink {
	p.Helper()
	all, _ := readAll(p, twinplatform.ListOptions{Top: schedules.MaxTop}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTaskLink], error) {
		return p.in().BaselineTaskLinks(p.ctx, id, schedules.BaselineTaskLinkQuery{ListOptions: o})
	})
	return all
}

// covers: Baseline task (S5): rule it is as it was when added
// covers: Baseline task link (S2): rule it is as it was when added
func TestBaselineShowsTasksAndLinksAsTheyWere(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.create(
			schedules.NewTask{ID: "a", Name: "Dig", UserDefinedID: "A1", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(3600))},
			schedules.NewTask{ID: "b", Name: "Pour", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(60))},
			schedules.NewTask{ID: "c", Name: "Cure", Type: schedules.Work, PlannedStart: at(1), PlannedDuration: new(int32(60))},
			schedules.NewTask{ID: "d", Name: "Begin", Type: schedules.StartKeyDate, PlannedStart: at(5)},
			schedules.NewTask{ID: "e", Name: "Idle", Type: schedules.Work},
			schedules.NewTask{ID: "gone", Name: "gone", Type: schedules.Work},
		)
		p.patch("b", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(at(2))})
		p.patch("c", schedules.TaskPatch{Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(at(2)), ActualFinish: twinplatform.Set(at(4))})
		p.links("a FinishToStart b -60", "a StartToStart c")
		p.delete("gone")
		want := schedules.Baseline{CreatedOn: at(0), ID: "first", Name: "Baseline first"}
		got := p.baseline("first")
		if diff := cmp.Diff(want.Name+want.ID, got.Name+got.ID); diff != "" || got.Deleted || !got.CreatedOn.Equal(want.CreatedOn.Time) {
			t := fmt.Sprintf("%+v", got)
			p.Errorf("made %s, want %+v", t, want)
		}

		tasks := []schedules.BaselineTask{
			{BaselineID: "first", TaskID: "a", Name: "Dig", UserDefinedID: "A1", StartDate: at(1), FinishDate: at(2), Duration: 3600},
			{BaselineID: "first", TaskID: "b", Name: "Pour", StartDate: at(2), FinishDate: twinplatform.At(at(2).Add(60e9)), Duration: 60},
			{BaselineID: "first", TaskID: "c", Name: "Cure", StartDate: at(2), FinishDate: at(4), Duration: 7200},
			{BaselineID: "first", TaskID: "d", Name: "Begin", StartDate: at(5)},
			{BaselineID: "first", TaskID: "e", Name: "Idle"},
		}
		links := []schedules.BaselineTaskLink{
			{BaselineID: "first", TaskLinkID: "a-b", PredecessorID: "a", SuccessorID: "b", Type: schedules.FinishToStart, Lag: -60},
			{BaselineID: "first", TaskLinkID: "a-c", PredecessorID: "a", SuccessorID: "c", Type: schedules.StartToStart},
		}
		unchanged := func() {
			p.Helper()
			if diff := cmp.Diff(tasks, p.baselineTasks("first")); diff != "" {
				p.Errorf("tasks (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(links, p.baselineLinks("first")); diff != "" {
				p.Errorf("links (-want +got):\n%s", diff)
			}
		}
		unchanged()
		p.patch("a", schedules.TaskPatch{Name: twinplatform.Set("Dig deeper"), PlannedStart: twinplatform.Set(at(9))})
		p.delete("b", "c")
		unchanged()
		p.baseline("second")
		if n := len(p.baselineTasks("second")); n != 3 {
			p.Errorf("the second baseline has %d tasks, want 3", n)
		}
		if n := len(p.baselineLinks("second")); n != 0 {
			p.Errorf("the second baseline has %d links, want none", n)
		}
		unchanged()
	})
}

// covers: Baseline task (S5)
// covers: Baseline task link (S2)
// covers: operations baselineTasks.list baselineTaskLinks.list
func TestBaselineRowsOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a 2026-03-02T09:00:00Z 3600", "b")
	p.links("a FinishToStart b 60")
	p.baseline("first")
	tasks, err := p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{})
	if err != nil {
		t.Fatal(err)
	}
	links, err := p.in().BaselineTaskLinks(p.ctx, "first", schedules.BaselineTaskLinkQuery{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.in().Baselines(p.ctx, schedules.BaselineQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, rows := range [][][]byte{tasks.JSON(), links.JSON(), list.JSON()} {
		for _, row := range rows {
			got = append(got, string(row))
		}
	}
	want := []string{
		`{"baselineId":"first","deleted":false,"duration":3600,"finishDate":"2026-03-02T10:00:00Z","name":"a","startDate":"2026-03-02T09:00:00Z","taskId":"a","userDefinedId":""}`,
		`{"baselineId":"first","deleted":false,"duration":0,"finishDate":null,"name":"b","startDate":null,"taskId":"b","userDefinedId":""}`,
		`{"baselineId":"first","deleted":false,"lag":60,"predecessorId":"a","successorId":"b","taskLinkId":"a-b","type":"FinishToStart"}`,
		`{"createdOn":"2026-03-02T08:00:00Z","deleted":false,"id":"first","name":"Baseline first"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// covers: Errors: error BaselineNotFound
func TestBaselineRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.baseline("first")
	create := func(n schedules.NewBaseline) error {
		_, err := p.in().CreateBaseline(p.ctx, n)
		return err
	}
	invalid("MissingRequiredProperty name").check(t, create(schedules.NewBaseline{}))
	invalid("MissingRequiredProperty name").check(t, create(schedules.NewBaseline{Name: "  "}))
	invalid("InvalidValue id", "InvalidValue name").check(t, create(schedules.NewBaseline{ID: "a/b", Name: strings.Repeat("n", schedules.MaxText+1)}))
	idTaken.check(t, create(schedules.NewBaseline{ID: "first", Name: "again"}))

	remove := func(ids ...string) error {
		_, err := p.in().DeleteBaselines(p.ctx, ids)
		return err
	}
	invalid("MissingRequiredProperty baselineIds").check(t, remove())
	invalid("InvalidValue baselineIds").check(t, remove(make([]string, schedules.MaxBatch+1)...))
	refusal{kind: twinplatform.NotFound, code: "BaselineNotFound", target: "baselineIds", says: "'missing'"}.check(t, remove("first", "missing"))
	if _, err := p.in().Baseline(p.ctx, "first"); err != nil {
		t.Errorf("the refused deletion took the other baseline: %v", err)
	}
	for _, schedule := range []string{p.id, "missing"} {
		_, err := p.svc.In(schedule).BaselineTasks(p.ctx, "missing", schedules.BaselineTaskQuery{})
		noBaseline.check(t, err)
		_, err = p.svc.In(schedule).BaselineTaskLinks(p.ctx, "missing", schedules.BaselineTaskLinkQuery{})
		noBaseline.check(t, err)
		_, err = p.svc.In(schedule).Baseline(p.ctx, "missing")
		noBaseline.check(t, err)
	}
	_, err := p.svc.In("missing").Baselines(p.ctx, schedules.BaselineQuery{})
	noSchedule.check(t, err)
}

func TestDeletedBaselineIsGoneWithItsRows(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b", "c")
		empty := storetest.Keys(p, p.store)
		p.baseline("first")
		_, delta := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
			return p.in().Baselines(p.ctx, schedules.BaselineQuery{ListOptions: o})
		})
		page, err := p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{ListOptions: twinplatform.ListOptions{Top: 1}})
		if err != nil {
			p.Fatal(err)
		}
		res, err := p.in().DeleteBaselines(p.ctx, []string{"first", "first"})
		if err != nil {
			p.Fatal(err)
		}
		if res.ID == "" || res.Status != twinplatform.OperationSucceeded {
			p.Errorf("operation is %+v", res.Operation)
		}
		_, err = p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{})
		noBaseline.check(p, err)
		changes, _ := readAll(p, twinplatform.ListOptions{Delta: delta}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
			return p.in().Baselines(p.ctx, schedules.BaselineQuery{ListOptions: o})
		})
		if len(changes) != 1 || changes[0].ID != "first" || !changes[0].Deleted {
			p.Errorf("the delta says %+v, want the deleted baseline", changes)
		}
		// What is left is a tombstone, its place in the changes, the operation,
		// and when each of the two is forgotten.
		if left := storetest.Keys(p, p.store) - empty; left > 5 {
			p.Errorf("%d keys are left of the baseline", left)
		}

		p.delete("a")
		p.baseline("first")
		if n := len(p.baselineTasks("first")); n != 2 {
			p.Errorf("the baseline made again has %d tasks, want 2", n)
		}
		_, err = p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{ListOptions: twinplatform.ListOptions{Continuation: page.Next}})
		invalid("InvalidValue continuation").check(p, err)
	})
}

// TestLargeBaselineIsOneMoment makes baselines that take many transactions while others
// write what only fits together as a whole: all links always carry the same lag, tasks
// come and go in pairs, and the name of the last task counts how often the first one was
// renamed.
func TestLargeBaselineIsOneMoment(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		const n = 9_000
		tasks := many(n)
		p.create(tasks...)
		var lines []string
		for i := range 600 {
			lines = append(lines, fmt.Sprintf("task-%06d FinishToStart task-%06d", i*10, i*10+5))
		}
		p.links(lines...)
		stop := make(chan struct{})
		var writers sync.WaitGroup
		write := func(once func(i int32) error) {
			writers.Go(func() {
				for i := int32(1); ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					if err := once(i); err != nil {
						p.Error(err)
						return
					}
				}
			})
		}
		write(func(i int32) error {
			patches := make([]schedules.TaskLinkPatch, len(lines))
			for k, l := range newLinks(p, lines...) {
				patches[k] = schedules.TaskLinkPatch{ID: l.ID, Lag: twinplatform.Set(i)}
			}
			_, err := p.in().UpdateTaskLinks(p.ctx, patches)
			return err
		})
		write(func(i int32) error {
			pair := []string{fmt.Sprintf("pair-%d-left", i), fmt.Sprintf("z-pair-%d-right", i)}
			_, err := p.in().CreateTasks(p.ctx, []schedules.NewTask{
				{ID: pair[0], Name: pair[0], Type: schedules.Work}, {ID: pair[1], Name: pair[1], Type: schedules.Work},
			})
			if err == nil && i > 3 {
				_, err = p.in().DeleteTasks(p.ctx, []string{fmt.Sprintf("z-pair-%d-right", i-3), fmt.Sprintf("pair-%d-left", i-3)})
			}
			return err
		})
		for i := range 3 {
			id := fmt.Sprint(i)
			p.baseline(id)
			links := p.baselineLinks(id)
			if len(links) != len(lines) {
				p.Errorf("baseline %s has %d links, want %d", id, len(links), len(lines))
			}
			for _, l := range links {
				if l.Lag != links[0].Lag {
					p.Fatalf("baseline %s shows the links of two moments: lags %d and %d", id, l.Lag, links[0].Lag)
				}
			}
			pairs := make(map[string]int)
			old := 0
			for _, task := range p.baselineTasks(id) {
				if _, pair, ok := strings.Cut(task.Name, "pair-"); ok {
					number, _, _ := strings.Cut(pair, "-")
					pairs[number]++
				} else {
					old++
				}
			}
			for number, halves := range pairs {
				if halves != 2 {
					p.Errorf("baseline %s has half of the pair %s", id, number)
				}
			}
			if old != n || len(pairs) > 4 {
				p.Errorf("baseline %s has %d tasks and %d pairs", id, old, len(pairs))
			}
		}
		close(stop)
		writers.Wait()
	})
}

// interrupt does work that dies with its n-th transaction, and reports whether
// it did.
func (p *plan) interrupt(n int, work func(ctx context.Context, svc *schedules.Service) error) (died bool) {
	p.Helper()
	ctx, end := context.WithCancel(p.ctx)
	defer end()
	store := storetest.Over(p.store)
	store.Before(func() error {
		if n--; n == 0 {
			died = true
			end()
			return context.Canceled
		}
		return nil
	})
	err := work(ctx, newService(store, schedules.Config{}))
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, twinplatform.Unavailable) {
		p.Fatal(err)
	}
	return died
}

func TestInterruptedBaselineIsCompletedByTheNextProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	for n := 2; ; n += 1 + n/2 {
		p := inMemory(t)
		p.create(many(6_000)...)
		p.links("task-000000 FinishToStart task-000001 1", "task-000001 FinishToStart task-000002 1")
		died := p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error {
			_, err := svc.In(p.id).CreateBaseline(ctx, schedules.NewBaseline{ID: "b", Name: "b"})
			return err
		})
		if !died {
			if n < 4 {
				t.Fatalf("the baseline took %d transactions, want more to interrupt", n-1)
			}
			return
		}
		_, err := p.in().BaselineTasks(p.ctx, "b", schedules.BaselineTaskQuery{})
		noBaseline.check(t, err)
		next := newService(p.store, schedules.Config{})
		// The next work of a new process begins with what the old one left.
		if _, err := next.In(p.id).DeleteTasks(p.ctx, []string{"task-000000"}); err != nil {
			t.Fatal(err)
		}
		tasks, links := p.baselineTasks("b"), p.baselineLinks("b")
		if len(tasks) != 6_000 || len(links) != 2 {
			t.Errorf("interrupted at transaction %d, the baseline has %d tasks and %d links, want 6000 and 2", n, len(tasks), len(links))
		}
	}
}

// interruptBaseline leaves a baseline b half made.
func (p *plan) interruptBaseline(n int) {
	p.Helper()
	died := p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error {
		_, err := svc.In(p.id).CreateBaseline(ctx, schedules.NewBaseline{ID: "b", Name: "slow"})
		return err
	})
	if !died {
		p.Fatal("the baseline was done before it could be interrupted")
	}
}

func TestBaselineGivesWayToOneOfTheSameID(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(many(6_000)...)
	none := storetest.Keys(p, p.store)
	p.interruptBaseline(3)
	half := storetest.Keys(p, p.store)
	p.baseline("b") // by a service that was there before, and does not wait for the other
	whole := storetest.Keys(p, p.store)
	next := newService(p.store, schedules.Config{})
	if _, err := next.In(p.id).CreateTasks(p.ctx, []schedules.NewTask{{ID: "x", Name: "x", Type: schedules.Work}}); err != nil {
		t.Fatal(err)
	}
	rec, err := p.in().Baseline(p.ctx, "b")
	if err != nil || rec.Value.Name != "Baseline b" {
		t.Errorf("the baseline is %+v, %v", rec.Value, err)
	}
	if n := len(p.baselineTasks("b")); n != 6_000 {
		t.Errorf("the baseline has %d tasks, want 6000", n)
	}
	if left := storetest.Keys(p, p.store) - whole; left > none-half+10 {
		t.Errorf("the store went from %d over %d keys by %d: the copy that was given up is still there", half, whole, left)
	}
}

func TestDeletionOfBaselinesIsCompletedByTheNextProcess(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := inMemory(t)
	p.create(many(6_000)...)
	before := storetest.Keys(p, p.store)
	p.baseline("a")
	p.baseline("b")
	if !p.interrupt(3, func(ctx context.Context, svc *schedules.Service) error {
		_, err := svc.In(p.id).DeleteBaselines(ctx, []string{"a", "b"})
		return err
	}) {
		t.Fatal("the deletion was done before it could be interrupted")
	}
	_, err := p.in().BaselineTasks(p.ctx, "b", schedules.BaselineTaskQuery{})
	noBaseline.check(t, err)
	next := newService(p.store, schedules.Config{})
	if _, err := next.In(p.id).CreateTasks(p.ctx, []schedules.NewTask{{Name: "x", Type: schedules.Work}}); err != nil {
		t.Fatal(err)
	}
	if left := storetest.Keys(p, p.store) - before; left > 15 {
		t.Errorf("%d keys are left of the baselines", left)
	}
}

func TestBaselineInBackgroundShowsItsOutcome(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := newPlan(t, store, schedules.Config{Env: twinplatform.Env{Background: true}})
	inline := *p
	inline.svc = newService(store, schedules.Config{})
	inline.tasks("a", "b")
	ctx, stop := context.WithCancel(p.ctx)
	done := make(chan error, 1)
	res, err := p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "b", Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != twinplatform.OperationNotStarted || len(res.Records) != 0 || !cmp.Equal(res.Subjects, []string{"b"}) {
		t.Errorf("accepted as %+v", res)
	}
	_, err = p.in().Baseline(p.ctx, "b")
	noBaseline.check(t, err)
	again, err := p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "b", Name: "again"})
	if err != nil {
		t.Fatal(err) // the first one is not made yet
	}
	go func() { done <- p.svc.Run(ctx) }()
	if op, err := p.in().Wait(p.ctx, res.ID); err != nil || op.Status != twinplatform.OperationSucceeded {
		t.Errorf("the first ended as %+v, %v", op, err)
	}
	op, err := p.in().Wait(p.ctx, again.ID)
	if op.Status != twinplatform.OperationFailed || op.FailureDescription == "" {
		t.Errorf("the second ended as %+v, %v", op, err)
	}
	idTaken.check(t, err)
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := len(p.baselineTasks("b")); n != 2 {
		t.Errorf("the baseline has %d tasks, want 2", n)
	}
}
