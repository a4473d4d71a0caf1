// Command replica keeps a copy of a plan's tasks in step with the platform: the
// first synchronization reads every page, each later one what has changed since.
//
//	go run ./examples/replica
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// floors is more than fits on a page.
const floors = 250

func run(ctx context.Context, out io.Writer) (err error) {
	store := memory.New()
	defer func() { err = errors.Join(err, store.Close()) }()
	svc := schedules.New(store, schedules.Config{})
	tower, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
	if err != nil {
		return err
	}
	plan := svc.In(tower.Value().ID)
	if _, err := plan.CreateTasks(ctx, everyFloor()); err != nil {
		return err
	}

	tasks := twinplatform.NewReplica(plan.Tasks, schedules.TaskQuery{})
	if err := synchronize(ctx, out, tasks); err != nil {
		return err
	}

	// One floor is given up, the others are renamed.
	if _, err := plan.DeleteTasks(ctx, []string{"floor-13"}); err != nil {
		return err
	}
	for id := range tasks.All() {
		if id == "floor-13" {
			continue
		}
		if _, err := plan.UpdateTask(ctx, id, schedules.TaskPatch{Name: twinplatform.Set("Pour " + id)}); err != nil {
			return err
		}
	}
	if err := synchronize(ctx, out, tasks); err != nil {
		return err
	}
	return synchronize(ctx, out, tasks) // nothing has changed
}

func synchronize(ctx context.Context, out io.Writer, tasks *twinplatform.Replica[schedules.Task]) error {
	changed, err := tasks.Sync(ctx)
	first, _ := tasks.Get("floor-1")
	fmt.Fprintf(out, "%d changes, %d tasks, the first is %q\n", len(changed.Records), tasks.Len(), first.Name)
	return err
}

func everyFloor() []schedules.NewTask {
	tasks := make([]schedules.NewTask, floors)
	for i := range tasks {
		tasks[i] = schedules.NewTask{
			ID: fmt.Sprintf("floor-%d", i+1), Name: fmt.Sprintf("Floor %d", i+1),
			Type: schedules.Work,
		}
	}
	return tasks
}
