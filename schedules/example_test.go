package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var monday = time.Date(2026, time.March, 2, 7, 0, 0, 0, time.UTC)

// towerPlan makes a schedule with three tasks, and returns its handle.
func towerPlan(ctx context.Context, cfg schedules.Config) schedules.Plan {
	svc := schedules.New(memory.New(), cfg)
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "tower", Name: "Tower", TwinID: "tower"}); err != nil {
		log.Fatal(err)
	}
	plan := svc.In("tower")
	_, err := plan.CreateTasks(ctx, []schedules.NewTask{
		{ID: "dig", Name: "Dig", Type: schedules.Work, PlannedStart: twinplatform.At(monday), PlannedDuration: new(schedules.Seconds(72 * time.Hour))},
		{ID: "pour", Name: "Pour", Type: schedules.Work, PlannedStart: twinplatform.At(monday.AddDate(0, 0, 4)), PlannedDuration: new(schedules.Seconds(24 * time.Hour))},
		{ID: "crane", Name: "Set up the crane", Type: schedules.DeliveryTask, PlannedStart: twinplatform.At(monday)},
	})
	if err != nil {
		log.Fatal(err)
	}
	return plan
}

// A plan is made, the work followed to its end, and the tasks are listed.
func Example() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})
	tower, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
	if err != nil {
		log.Fatal(err)
	}
	plan := svc.In(tower.Value().ID)

	made, err := plan.CreateTasks(ctx, []schedules.NewTask{
		{ID: "foundation", Name: "Foundation", Type: schedules.Work},
		{ID: "dig", Name: "Dig", Type: schedules.Work, ParentID: "foundation"},
		{ID: "pour", Name: "Pour", Type: schedules.Work, ParentID: "foundation"},
	})
	if err != nil {
		log.Fatal(err)
	}
	op, err := made.Wait(ctx) // returns at once unless operations run in the background
	fmt.Println(op.Status, err)

	for task, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{ParentID: "foundation"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task.Name)
	}
	// Output:
	// Succeeded <nil>
	// Dig
	// Pour
}

// How far a plan has slipped is the plan now compared with a baseline.
func ExamplePlan_CreateBaseline() {
	ctx := context.Background()
	plan := towerPlan(ctx, schedules.Config{})
	agreed, err := plan.CreateBaseline(ctx, schedules.NewBaseline{Name: "As agreed"})
	if err != nil {
		log.Fatal(err)
	}
	late := twinplatform.At(monday.AddDate(0, 0, 2))
	if _, err := plan.UpdateTask(ctx, "dig", schedules.TaskPatch{PlannedStart: twinplatform.Set(late)}); err != nil {
		log.Fatal(err)
	}

	for was, err := range twinplatform.AllIn(ctx, plan.BaselineTasks, agreed.Value().ID, schedules.BaselineTaskQuery{}) {
		if err != nil {
			log.Fatal(err)
		}
		if was.TaskID == "dig" {
			fmt.Println(late.Sub(was.StartDate.Time), "later than agreed")
		}
	}
	// Output: 48h0m0s later than agreed
}

// Who changes what has been read says which version that was, and learns of it when
// someone else was faster.
func ExamplePlan_UpdateTask_concurrent() {
	ctx := context.Background()
	plan := towerPlan(ctx, schedules.Config{})
	read, err := plan.Task(ctx, "dig")
	if err != nil {
		log.Fatal(err)
	}
	rename := func(name string) error {
		_, err := plan.UpdateTask(ctx, "dig", schedules.TaskPatch{Name: twinplatform.Set(name)}, twinplatform.IfMatch(read.ETag))
		return err
	}
	fmt.Println(rename("Excavate"))
	fmt.Println(rename("Dig deeper"))
	// Output:
	// <nil>
	// VersionMismatch (ifMatch): The record was changed since it was read.
}

// Links order tasks; those that would form a cycle are refused, and none of the batch
// is made.
func ExamplePlan_CreateTaskLinks() {
	ctx := context.Background()
	plan := towerPlan(ctx, schedules.Config{})
	_, err := plan.CreateTaskLinks(ctx, []schedules.NewTaskLink{
		{PredecessorID: "dig", SuccessorID: "pour", Type: schedules.FinishToStart, Lag: schedules.Seconds(24 * time.Hour)},
		{PredecessorID: "pour", SuccessorID: "dig", Type: schedules.FinishToStart},
	})
	fmt.Println(errors.Is(err, twinplatform.Invalid))
	fmt.Println(err)
	// Output:
	// true
	// InvalidSchedulesRequest: The request is invalid.: InvalidValue (batch[1].successorId) The link would close the cycle pour → dig → pour.
}

// Tasks are listed by what is asked for, whatever the page size.
func ExampleTaskQuery() {
	ctx := context.Background()
	plan := towerPlan(ctx, schedules.Config{})
	underWay := schedules.TaskQuery{From: twinplatform.At(monday), To: twinplatform.At(monday.AddDate(0, 0, 1)), Type: schedules.Work}
	underWay.Top = 1
	for task, err := range twinplatform.All(ctx, plan.Tasks, underWay) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task.Name)
	}
	// Output: Dig
}

// A copy of all tasks is kept by reading what has changed, also when that is more
// than fits on a page.
func ExamplePlan_Tasks_delta() {
	ctx := context.Background()
	plan := towerPlan(ctx, schedules.Config{})
	var query schedules.TaskQuery
	query.Top = 2

	first, err := twinplatform.Sync(ctx, plan.Tasks, query, "")
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range []string{"dig", "pour"} {
		if _, err := plan.UpdateTask(ctx, id, schedules.TaskPatch{Name: twinplatform.Set(strings.ToUpper(id))}); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := plan.DeleteTasks(ctx, []string{"crane"}); err != nil {
		log.Fatal(err)
	}
	since, err := twinplatform.Sync(ctx, plan.Tasks, query, first.Token)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range since.Records {
		fmt.Println(c.ID, c.Value.Name, c.Deleted)
	}
	// Output:
	// dig DIG false
	// pour POUR false
	// crane Set up the crane true
}
