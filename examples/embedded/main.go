// Command embedded keeps a project plan within a Go program: no server, no
// socket. It builds a small plan, freezes it in a baseline, lets work begin late
// and tells what has changed since and how far the plan has slipped.
//
//	go run ./examples/embedded
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	store := memory.New() // buntdb.Open("plan.db", buntdb.Options{}) keeps it
	defer func() { err = errors.Join(err, store.Close()) }()
	svc := schedules.New(store, schedules.Config{})

	tower, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
	if err != nil {
		return err
	}
	plan := tower.Value().ID
	if err := fill(ctx, svc, plan); err != nil {
		return err
	}
	baseline, err := svc.CreateBaseline(ctx, plan, schedules.NewBaseline{Name: "As agreed"})
	if err != nil {
		return err
	}
	tasks := twinplatform.NewReplica(svc.In(plan).Tasks, schedules.TaskQuery{})
	if _, err := tasks.Sync(ctx); err != nil {
		return err
	}
	planned := tasks.Len()

	// Digging begins two days late, and the crane is no longer needed.
	_, err = svc.UpdateTask(ctx, plan, "dig", schedules.TaskPatch{
		PlannedStart: twinplatform.Set(twinplatform.At(monday.AddDate(0, 0, 2))),
	})
	if err != nil {
		return err
	}
	if _, err := svc.DeleteTasks(ctx, plan, []string{"crane"}); err != nil {
		return err
	}

	since, err := tasks.Sync(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d tasks, of which changed since the baseline:\n", planned)
	for _, change := range since.Records {
		task := change.Value
		agreed, err := agreedStart(ctx, svc, plan, baseline.Value().ID, task.ID)
		if err != nil {
			return err
		}
		if change.Deleted {
			fmt.Fprintf(out, "  %s: given up\n", task.Name)
			continue
		}
		fmt.Fprintf(out, "  %s: starts %s, %s later than agreed\n", task.Name, task.PlannedStart.Format(time.DateOnly), task.PlannedStart.Sub(agreed))
	}
	return nil
}

var monday = time.Date(2026, time.March, 2, 7, 0, 0, 0, time.UTC)

// fill plans a foundation: dig, pour, and a crane beside it.
func fill(ctx context.Context, svc *schedules.Service, plan string) error {
	_, err := svc.CreateTasks(ctx, plan, []schedules.NewTask{
		{ID: "foundation", Name: "Foundation", Type: schedules.Work},
		{ID: "dig", Name: "Dig", Type: schedules.Work, ParentID: "foundation", PlannedStart: twinplatform.At(monday), PlannedDuration: new(schedules.Seconds(72 * time.Hour))},
		{ID: "pour", Name: "Pour", Type: schedules.Work, ParentID: "foundation", PlannedStart: twinplatform.At(monday.AddDate(0, 0, 4)), PlannedDuration: new(schedules.Seconds(24 * time.Hour))},
		{ID: "crane", Name: "Set up the crane", Type: schedules.DeliveryTask, PlannedStart: twinplatform.At(monday)},
	})
	if err != nil {
		return err
	}
	_, err = svc.CreateTaskLinks(ctx, plan, []schedules.NewTaskLink{
		{PredecessorID: "dig", SuccessorID: "pour", Type: schedules.FinishToStart, Lag: schedules.Seconds(24 * time.Hour)},
		{PredecessorID: "crane", SuccessorID: "pour", Type: schedules.FinishToStart},
	})
	return err
}

// agreedStart is when a task was to start when the baseline was made.
func agreedStart(ctx context.Context, svc *schedules.Service, plan, baseline, taskID string) (time.Time, error) {
	for task, err := range twinplatform.AllIn(ctx, svc.In(plan).BaselineTasks, baseline, schedules.BaselineTaskQuery{}) {
		if err != nil {
			return time.Time{}, err
		}
		if task.TaskID == taskID {
			return task.StartDate.Time, nil
		}
	}
	return time.Time{}, fmt.Errorf("task %s is not in the baseline", taskID)
}
