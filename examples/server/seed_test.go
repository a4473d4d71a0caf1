package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const tower = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"

// seederOver returns a seeder over a store, as a start of the server makes it.
func seederOver(store storage.Store) *seeder {
	s, err := newSeeder(store, demoPrincipal, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	return s
}

func count(t *testing.T, svc *schedules.Service, scheduleID string) (tasks, links int) {
	t.Helper()
	top := schedules.MaxTop
	all := twinplatform.ListOptions{Top: &top}
	taskPage, err := svc.Tasks(t.Context(), scheduleID, schedules.TaskQuery{ListOptions: all})
	if err != nil {
		t.Fatal(err)
	}
	linkPage, err := svc.TaskLinks(t.Context(), scheduleID, schedules.TaskLinkQuery{ListOptions: all})
	if err != nil {
		t.Fatal(err)
	}
	return taskPage.Len(), linkPage.Len()
}

func TestLargeSeedGoesInBatches(t *testing.T) {
	t.Parallel()
	// 2,500 tasks in chains of 50, each child long before its parent.
	plan := worldSchedule{NewSchedule: schedules.NewSchedule{ID: "s", Name: "Large", TwinID: tower}}
	for i := range 2500 {
		task := schedules.NewTask{ID: fmt.Sprintf("t%d", i), Name: "Task", Type: schedules.Work}
		if i%50 != 49 {
			task.ParentID = fmt.Sprintf("t%d", i+1)
		}
		plan.Tasks = append(plan.Tasks, task)
		if i >= 50 {
			plan.TaskLinks = append(plan.TaskLinks, schedules.NewTaskLink{
				PredecessorID: fmt.Sprintf("t%d", i-50), SuccessorID: task.ID, Type: schedules.FinishToStart,
			})
		}
	}
	s := seederOver(memory.New())
	if err := s.apply(t.Context(), &world{Twins: []worldTwin{{ID: tower}}, Schedules: []worldSchedule{plan}}); err != nil {
		t.Fatal(err)
	}
	if tasks, links := count(t, s.Schedules, "s"); tasks != 2500 || links != 2450 {
		t.Errorf("the schedule has %d tasks and %d links, want 2500 and 2450", tasks, links)
	}
}

func TestInterruptedSeedBeginsAnew(t *testing.T) {
	t.Parallel()
	w, err := loadWorld(seedFile)
	if err != nil {
		t.Fatal(err)
	}
	died := errors.New("died")
	finished := false
	for n := 0; !finished; n++ {
		store := memory.New()
		left := n
		first := seederOver(&failing{Store: store, left: &left, err: died})
		err := first.apply(t.Context(), w)
		if finished = err == nil; !finished && twinplatform.Cause(err) == nil {
			t.Fatalf("after %d writes: %v", n, err)
		}

		second := seederOver(store)
		if err := second.apply(t.Context(), w); err != nil {
			t.Fatalf("after %d writes: %v", n, err)
		}
		if tasks, links := count(t, second.Schedules, w.Schedules[0].ID); tasks != 64 || links != 96 {
			t.Fatalf("after %d writes the schedule has %d tasks and %d links", n, tasks, links)
		}
	}
}

// failing is a store whose process dies after a number of commits.
type failing struct {
	storage.Store
	left *int
	err  error
}

func (f *failing) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if *f.left == 0 {
		return f.err
	}
	*f.left--
	return f.Store.Update(ctx, fn)
}

func TestScheduleOfTheUsersIsNotSeededOver(t *testing.T) {
	t.Parallel()
	s := seederOver(memory.New())
	if err := s.apply(t.Context(), &world{Twins: []worldTwin{{ID: tower}}}); err != nil {
		t.Fatal(err)
	}
	plan := worldSchedule{NewSchedule: schedules.NewSchedule{ID: "s", Name: "Plan", TwinID: tower}}
	if _, err := s.Schedules.CreateSchedule(t.Context(), plan.NewSchedule); err != nil {
		t.Fatal(err)
	}
	err := s.apply(t.Context(), &world{Schedules: []worldSchedule{plan}})
	if err == nil || !strings.Contains(err.Error(), "does not come from a seed") {
		t.Errorf("apply returns %v", err)
	}
}

func TestParentsComeFirst(t *testing.T) {
	t.Parallel()
	task := func(id, parent string) schedules.NewTask { return schedules.NewTask{ID: id, ParentID: parent} }
	for _, tt := range []struct {
		name  string
		tasks []schedules.NewTask
		want  string
	}{
		{"none", nil, ""},
		{"order is kept", []schedules.NewTask{task("a", ""), task("b", ""), task("c", "a")}, "a b c"},
		{"chain backwards", []schedules.NewTask{task("c", "b"), task("b", "a"), task("a", "")}, "a b c"},
		{"parent elsewhere", []schedules.NewTask{task("b", "a")}, "b"},
		{"circle", []schedules.NewTask{task("a", "b"), task("b", "a")}, "b a"},
		{"no ids", []schedules.NewTask{task("", ""), task("", "")}, " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, task := range parentsFirst(tt.tasks, func(t *schedules.NewTask) string { return t.ID }, func(t *schedules.NewTask) string { return t.ParentID }) {
				got = append(got, task.ID)
			}
			wantSame(t, "order", tt.want, strings.Join(got, " "))
		})
	}
}

// seederStore is a store with one twin.
func seederStore(t *testing.T) storage.Store {
	t.Helper()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	if err := seederOver(store).apply(t.Context(), &world{Twins: []worldTwin{{ID: tower}}}); err != nil {
		t.Fatal(err)
	}
	return store
}
