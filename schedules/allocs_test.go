//go:build !race

package schedules_test

import (
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// What the heap is asked for is most of what a call costs, and grows unseen. The bounds
// are a little above what there is; pools that a collection has emptied in between are
// within them.
//
//nolint:paralleltest // allocations are counted of the whole process
func TestCallsAllocateNoMoreThanTheyDid(t *testing.T) {
	ctx := t.Context()
	svc := newService(memory.New(), schedules.Config{})
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Tower", TwinID: "tower"}); err != nil {
		t.Fatal(err)
	}
	made := 0
	next := func() schedules.NewTask {
		made++
		return schedules.NewTask{ID: fmt.Sprintf("task-%05d", made), Name: "Pour the floor", Type: schedules.Work}
	}
	batch := func() (tasks []schedules.NewTask) {
		for range 100 {
			tasks = append(tasks, next())
		}
		return tasks
	}
	if _, err := svc.In("s").CreateTasks(ctx, batch()); err != nil {
		t.Fatal(err)
	}
	whole, err := svc.In("s").Tasks(ctx, schedules.TaskQuery{})
	if err != nil || whole.Delta == "" {
		t.Fatalf("a list of %d without a delta token, and %v", whole.Len(), err)
	}
	for i := range 10 {
		if _, err := svc.In("s").UpdateTask(ctx, fmt.Sprintf("task-%05d", i+1), schedules.TaskPatch{Name: twinplatform.Set("Changed")}); err != nil {
			t.Fatal(err)
		}
	}
	page := func(q schedules.TaskQuery, records int) func() error {
		return func() error {
			page, err := svc.In("s").Tasks(ctx, q)
			if err == nil && page.Len() != records {
				err = fmt.Errorf("a page of %d, want %d", page.Len(), records)
			}
			return err
		}
	}
	for _, c := range []struct {
		name string
		most float64
		call func() error
	}{
		{"get", 20, func() error { _, err := svc.In("s").Task(ctx, "task-00001"); return err }},
		{"page of 100", 60, page(schedules.TaskQuery{}, 100)},
		{"page of 100 as values", 300, func() error {
			page, err := svc.In("s").Tasks(ctx, schedules.TaskQuery{})
			if err == nil {
				_, err = page.Values()
			}
			return err
		}},
		{"delta of 10", 96, page(schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: whole.Delta}}, 10)},
		{"create with its operation", 85, func() error { _, err := svc.CreateTask(ctx, "s", next()); return err }},
		{"create a batch of 100", 2_050, func() error { _, err := svc.In("s").CreateTasks(ctx, batch()); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := testing.AllocsPerRun(100, func() {
				if err := c.call(); err != nil {
					t.Error(err)
				}
			})
			if got > c.most {
				t.Errorf("%.0f allocations, want %.0f at most", got, c.most)
			}
		})
	}
}
