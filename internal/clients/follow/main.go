//go:build generated

// Command follow does with a generated client what most programs do first: it
// makes a schedule with tasks, follows the operations that make them, and pages
// through what is there.
//
//	follow http://localhost:8080 token twinId
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/seed-933f9a09/twinplatform/internal/clients/client"
)

const tasks = 5

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url, token, twinID string) error {
	c, err := client.NewClientWithResponses(url,
		client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	if err != nil {
		return err
	}
	schedule, err := c.SchedulesCreateWithResponse(ctx, nil, client.SchedulesNewSchedule{Name: "Tower", TwinID: twinID})
	if err != nil || schedule.JSON201 == nil {
		return fmt.Errorf("no schedule: %w %s", err, schedule.Body)
	}
	plan := schedule.JSON201.Schedule.ID
	for i := range tasks {
		if err := addTask(ctx, c, plan, fmt.Sprintf("Task %d", i+1)); err != nil {
			return err
		}
	}
	n, err := countTasks(ctx, c, plan)
	if err != nil || n != tasks {
		return fmt.Errorf("%d tasks: %w", n, err)
	}
	refused, err := c.TasksCreateWithResponse(ctx, plan, nil,
		client.SchedulesNewTask{Type: client.SchedulesTaskTypeWork})
	if err != nil || refused.JSON400 == nil || refused.JSON400.Error.Code != "InvalidSchedulesRequest" {
		return fmt.Errorf("a task without a name: %w %s", err, refused.Body)
	}
	fmt.Println(n, "tasks")
	return nil
}

// addTask makes a task and follows the operation that does so.
func addTask(ctx context.Context, c *client.ClientWithResponses, plan, name string) error {
	made, err := c.TasksCreateWithResponse(ctx, plan, nil,
		client.SchedulesNewTask{Name: name, Type: client.SchedulesTaskTypeWork})
	if err != nil || made.JSON202 == nil || made.JSON202.Operation.ID == "" {
		return fmt.Errorf("no task: %w %s", err, made.Body)
	}
	for {
		o, err := c.OperationsGetWithResponse(ctx, plan, made.JSON202.Operation.ID, nil)
		if err != nil || o.JSON200 == nil {
			return fmt.Errorf("no operation: %w", err)
		}
		switch o.JSON200.Operation.Status {
		case client.TwinplatformOperationStatusSucceeded:
			return nil
		case client.TwinplatformOperationStatusFailed:
			return fmt.Errorf("%s failed", name)
		}
	}
}

// countTasks pages through the tasks, two at a time.
func countTasks(ctx context.Context, c *client.ClientWithResponses, plan string) (n int, err error) {
	two := 2
	q := client.TasksListParams{Top: &two}
	for {
		page, err := c.TasksListWithResponse(ctx, plan, &q)
		if err != nil || page.JSON200 == nil {
			return n, fmt.Errorf("no page: %w", err)
		}
		n += len(page.JSON200.Tasks)
		if page.JSON200.UnderscoreLinks.Next == nil {
			return n, nil
		}
		q.ContinuationToken = page.Headers200.ContinuationToken
	}
}
