package twinplatform_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// office lets everybody of the account read, and those who plan change.
type office struct{ planners map[string]bool }

// Allowed implements twinplatform.Authorizer.
func (o office) Allowed(_ context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	if p.AccountID != target.AccountID {
		return false, nil
	}
	return permission == twinplatform.PermissionSchedulesRead || o.planners[p.ID], nil
}

// An authorizer of one's own decides what callers may do. What they may not see does
// not exist for them; what they may see but not change is forbidden.
func ExampleAuthorizer() {
	svc := schedules.New(memory.New(), schedules.Config{Env: twinplatform.Env{
		Authorizer: office{planners: map[string]bool{"ada": true}},
	}})
	as := func(id, account string) context.Context {
		return twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{ID: id, AccountID: account})
	}
	must(svc.CreateSchedule(as("ada", "acme"), schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}))

	for _, caller := range []context.Context{as("ada", "acme"), as("bob", "acme"), as("eve", "elsewhere")} {
		_, err := svc.CreateTask(caller, "plan", schedules.NewTask{Name: "Dig", Type: schedules.Work})
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// InsufficientPermissions: The caller does not have the permissions that this operation needs.: MissingPermission The permission 'schedules_modify' is missing.
	// ScheduleNotFound (scheduleId): The requested schedule is not available.
}

// Events are recorded with the changes that cause them, once someone has begun to take
// them up, as a webhook does. OnEvents is called when there are some.
func ExampleEnv_onEvents() {
	p, err := platform.New(memory.New(), platform.Config{Env: twinplatform.Env{
		OnEvents: func() { fmt.Println("something has happened") },
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	_, err = p.Webhooks.CreateWebhook(context.Background(), webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/", Scope: webhooks.AccountScope, ScopeID: "acme", EventTypes: webhooks.EventTypes(),
	})
	if err != nil {
		log.Fatal(err)
	}
	admin := twinplatform.Principal{ID: "ada", AccountID: "acme", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	must(p.Twins.CreateTwin(twinplatform.WithPrincipal(context.Background(), admin), twins.NewTwin{Class: twins.Thing, DisplayName: "Tower"}))
	// Output: something has happened
}

// In background mode a write is accepted, and done by the service's Run. Wait returns the
// outcome; the error of work that failed is that of Wait.
func ExampleResult_Wait() {
	ctx, stop := context.WithCancel(context.Background())
	svc := schedules.New(memory.New(), schedules.Config{Env: twinplatform.Env{Background: true}})
	must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "tower", Name: "Tower", TwinID: "tower"}))

	dig, err := svc.CreateTask(ctx, "tower", schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dig.Status)

	done := make(chan error, 1)
	go func() { done <- svc.Run(ctx) }()
	op, err := dig.Wait(ctx)
	fmt.Println(op.Status, err)
	stop()
	fmt.Println(<-done)
	// Output:
	// NotStarted
	// Succeeded <nil>
	// <nil>
}

// Errors are asked for their kind, for their code, and for what is wrong with what.
func ExampleError() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})
	must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}))

	_, err := svc.In("plan").Task(ctx, "dig")
	fmt.Println(errors.Is(err, twinplatform.NotFound), errors.Is(err, &twinplatform.Error{Code: "TaskNotFound"}))

	_, err = svc.CreateTask(ctx, "plan", schedules.NewTask{Type: "Wrok"})
	if refused, ok := errors.AsType[*twinplatform.Error](err); ok {
		fmt.Println(refused.Kind, refused.Code)
		for _, d := range refused.Details {
			fmt.Println(d.Target, d.Code)
		}
	}
	// Output:
	// true true
	// invalid InvalidSchedulesRequest
	// name MissingRequiredProperty
	// type InvalidValue
}

// All follows every page of a list.
func ExampleAll() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})
	for _, name := range []string{"Shell", "Facade", "Roof"} {
		must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: name, Name: name, TwinID: "tower"}))
	}
	query := schedules.ScheduleQuery{TwinID: "tower"}
	query.Top = 2
	for schedule, err := range twinplatform.All(ctx, svc.Schedules, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(schedule.Name)
	}
	// Output:
	// Facade
	// Roof
	// Shell
}

// A program that keeps the copy elsewhere, such as in a database, keeps the token with
// it.
func ExampleSync() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})
	must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}))
	plan := svc.In("plan")
	must(plan.CreateTask(ctx, schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work}))

	token := "" // of the last time
	for _, work := range []func(){
		func() {},
		func() { must(plan.DeleteTasks(ctx, []string{"dig"})) },
	} {
		work()
		changes, err := twinplatform.Sync(ctx, plan.Tasks, schedules.TaskQuery{}, token)
		if err != nil {
			log.Fatal(err)
		}
		if changes.Complete {
			fmt.Println("the copy is emptied first")
		}
		for _, c := range changes.Records {
			fmt.Println(c.ID, c.Deleted)
		}
		token = changes.Token // in the same transaction as the records
	}
	// Output:
	// the copy is emptied first
	// dig false
	// dig true
}
