// Command quickstart keeps a project plan within a Go program: no server, no socket. It
// makes a plan, follows the work to its end, lists it, and shows by a baseline how far
// digging has slipped.
//
//	go run ./examples/quickstart
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

	// Create a plan. Its handle says once for all calls which one is meant.
	tower, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
	if err != nil {
		return err
	}
	plan := svc.In(tower.Value().ID)
	monday := time.Date(2026, time.March, 2, 7, 0, 0, 0, time.UTC)
	tasks, err := plan.CreateTasks(ctx, []schedules.NewTask{
		{
			ID: "dig", Name: "Dig", Type: schedules.Work, PlannedStart: twinplatform.At(monday),
			PlannedDuration: new(schedules.Seconds(72 * time.Hour)),
		},
		{
			ID: "pour", Name: "Pour", Type: schedules.Work, PlannedStart: twinplatform.At(monday.AddDate(0, 0, 4)),
			PlannedDuration: new(schedules.Seconds(24 * time.Hour)),
		},
	})
	if err != nil {
		return err
	}

	// Follow the work: done already, unless operations run in the background.
	op, err := tasks.Wait(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, op.Kind, op.Status)

	// Freeze what was agreed, and begin two days late.
	agreed, err := plan.CreateBaseline(ctx, schedules.NewBaseline{Name: "As agreed"})
	if err != nil {
		return err
	}
	late := schedules.TaskPatch{PlannedStart: twinplatform.Set(twinplatform.At(monday.AddDate(0, 0, 2)))}
	if _, err := plan.UpdateTask(ctx, "dig", late); err != nil {
		return err
	}

	// List every page of what was agreed, next to what is planned now.
	for was, err := range twinplatform.AllIn(ctx, plan.BaselineTasks, agreed.Value().ID,
		schedules.BaselineTaskQuery{}) {
		if err != nil {
			return err
		}
		now, err := plan.Task(ctx, was.TaskID)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %v later\n", now.Value.Name, now.Value.PlannedStart.Sub(was.StartDate.Time))
	}
	return nil
}
