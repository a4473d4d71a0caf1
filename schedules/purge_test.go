package schedules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// covers: Conventions: rule deleted is carried by every record of a list
func TestPurgeForgetsDeletionsOfAnAge(t *testing.T) {
	t.Parallel()
	now := morning
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return now }}})
	p.tasks("a", "b", "c", "d")
	_, beginning := p.allTasks(twinplatform.ListOptions{})
	purge := func(age time.Duration) {
		t.Helper()
		if err := p.in().PurgeDeleted(p.ctx, age); err != nil {
			t.Fatal(err)
		}
	}
	changes := func(delta string) (ids string) {
		t.Helper()
		all, _ := p.allTasks(twinplatform.ListOptions{Delta: delta})
		for _, c := range all {
			ids += c.ID + " "
		}
		return strings.TrimSpace(ids)
	}
	refused := func(delta string) {
		t.Helper()
		_, err := p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		invalid("InvalidValue delta").saying("anew").check(t, err)
	}
	const day = 24 * time.Hour
	p.delete("a")
	purge(day) // the age of a is known from here on
	if got := changes(beginning); got != "a" {
		t.Errorf("the first call forgot something: the delta lists %q", got)
	}
	now = now.Add(day)
	p.delete("b")
	_, between := p.allTasks(twinplatform.ListOptions{})
	p.delete("c")
	purge(day) // forgets a, and marks b and c
	refused(beginning)
	if got := changes(between); got != "c" {
		t.Errorf("the delta of the day lists %q, want c", got)
	}
	now = now.Add(day - time.Second)
	purge(day)
	if got := changes(between); got != "c" {
		t.Errorf("a second before its time: the delta lists %q, want c", got)
	}
	now = now.Add(time.Second)
	purge(day)
	refused(between)
	p.tasks("a") // made again after its deletion is forgotten
	_, latest := p.allTasks(twinplatform.ListOptions{})
	p.delete("a", "d")
	if got := changes(latest); got != "a d" {
		t.Errorf("the delta lists %q, want a and d", got)
	}
	purge(0)
	refused(latest)
	_, after := p.allTasks(twinplatform.ListOptions{})
	if got := changes(after); got != "" {
		t.Errorf("the delta of now lists %q", got)
	}
	invalid("InvalidValue olderThan").check(t, p.in().PurgeDeleted(p.ctx, -1))
}

func TestPurgeForgetsOperationsThatEndedLongAgo(t *testing.T) {
	t.Parallel()
	now := morning
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return now }}})
	create := func(id string) string {
		t.Helper()
		res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: id, Name: id, Type: schedules.Work})
		if err != nil {
			t.Fatal(err)
		}
		return res.ID
	}
	old := create("a")
	now = now.Add(24 * time.Hour)
	fresh := create("b")
	if err := p.in().PurgeDeleted(p.ctx, time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := p.in().Operation(p.ctx, old); twinplatform.AsError(err).Code != "OperationNotFound" {
		t.Errorf("the operation of yesterday: %v", err)
	}
	if _, err := p.in().Operation(p.ctx, fresh); err != nil {
		t.Errorf("the operation of now: %v", err)
	}
}

func TestPurgeGivesSpaceBack(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("stays")
		if err := p.in().PurgeDeleted(p.ctx, 0); err != nil {
			p.Fatal(err)
		}
		before := storetest.Keys(p, p.store)
		all := many(6_000)
		p.create(all...)
		for len(all) > 0 {
			ids := make([]string, 1_000)
			for i := range ids {
				ids[i] = all[i].ID
			}
			p.delete(ids...)
			all = all[1_000:]
		}
		if err := p.in().PurgeDeleted(p.ctx, 0); err != nil {
			p.Fatal(err)
		}
		if left := storetest.Keys(p, p.store) - before; left > 6 { // an operation for each deletion
			p.Errorf("%d keys are left of what was deleted", left)
		}
	})
}

func TestBaselineUnderWayOutlivesAPurge(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := inMemory(t)
	p.create(many(6_000)...)
	// The next process purges before it completes the baseline.
	p.interruptBaseline(3)
	p.delete("task-000000")
	if err := p.in().PurgeDeleted(p.ctx, 0); err != nil {
		t.Fatal(err)
	}
	next := newService(p.store, schedules.Config{})
	if _, err := next.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "x", Type: schedules.Work}); err != nil {
		t.Fatal(err)
	}
	if n := len(p.baselineTasks("b")); n != 5_999 {
		t.Errorf("the baseline has %d tasks, want 5999", n)
	}
}
