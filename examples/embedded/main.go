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
	before, err := everyTask(ctx, svc, plan, "")
	if err != nil {
		return err
	}

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

	since, err := everyTask(ctx, svc, plan, before.delta)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d tasks, of which changed since the baseline:\n", len(before.tasks))
	for _, task := range since.tasks {
		agreed, err := agreedStart(ctx, svc, plan, baseline.Value().ID, task.ID)
		if err != nil {
			return err
		}
		if task.Deleted {
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
	seconds := func(d time.Duration) *int32 { return new(int32(d / time.Second)) }
	_, err := svc.CreateTasks(ctx, plan, []schedules.NewTask{
		{ID: "foundation", Name: "Foundation", Type: schedules.Work},
		{ID: "dig", Name: "Dig", Type: schedules.Work, ParentID: "foundation", PlannedStart: twinplatform.At(monday), PlannedDuration: seconds(72 * time.Hour)},
		{ID: "pour", Name: "Pour", Type: schedules.Work, ParentID: "foundation", PlannedStart: twinplatform.At(monday.AddDate(0, 0, 4)), PlannedDuration: seconds(24 * time.Hour)},
		{ID: "crane", Name: "Set up the crane", Type: schedules.Delivery, PlannedStart: twinplatform.At(monday)},
	})
	if err != nil {
		return err
	}
	_, err = svc.CreateTaskLinks(ctx, plan, []schedules.NewTaskLink{
		{PredecessorID: "dig", SuccessorID: "pour", Type: schedules.FinishToStart, Lag: *seconds(24 * time.Hour)},
		{PredecessorID: "crane", SuccessorID: "pour", Type: schedules.FinishToStart},
	})
	return err
}

// listing is a list of tasks, and the token that lists what changes later.
type listing struct {
	tasks []schedules.Task
	delta string
}

// everyTask follows the pages of the tasks, or of those changed since a delta
// token.
func everyTask(ctx context.Context, svc *schedules.Service, plan, delta string) (l listing, err error) {
	o := twinplatform.ListOptions{Delta: delta}
	for {
		page, err := svc.Tasks(ctx, plan, schedules.TaskQuery{ListOptions: o})
		if err != nil {
			return l, err
		}
		tasks, err := page.Values()
		if err != nil {
			return l, err
		}
		l.tasks = append(l.tasks, tasks...)
		if page.Next == "" {
			l.delta = page.Delta
			return l, nil
		}
		o.Continuation = page.Next
	}
}

// agreedStart is when a task was to start when the baseline was made.
func agreedStart(ctx context.Context, svc *schedules.Service, plan, baseline, taskID string) (time.Time, error) {
	tasks := twinplatform.Pages(twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTask], error) {
		return svc.BaselineTasks(ctx, plan, baseline, schedules.BaselineTaskQuery{ListOptions: o})
	})
	for task, err := range tasks {
		if err != nil {
			return time.Time{}, err
		}
		if task.TaskID == taskID {
			return task.StartDate.Time, nil
		}
	}
	return time.Time{}, fmt.Errorf("task %s is not in the baseline", taskID)
}
