package twinplatform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// A Go program calls a domain's service. Without a principal in the context it
// acts as the system.
func Example() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})

	tower, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
	if err != nil {
		log.Fatal(err)
	}
	plan := svc.In(tower.Value().ID)
	dig, err := plan.CreateTask(ctx, schedules.NewTask{Name: "Dig", Type: schedules.Work})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dig.Status, dig.Value().Name)

	_, err = plan.Task(ctx, "no such task")
	fmt.Println(errors.Is(err, twinplatform.NotFound), err)

	// Output:
	// Succeeded Dig
	// true TaskNotFound (taskId): The requested task is not available.
}

// A server mounts the REST API under its own prefix. An administrator of the account
// fills it.
func Example_mount() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	mux := http.NewServeMux()
	me := twinplatform.Principal{
		ID: "me", AccountID: "mine", Scopes: []string{twinplatform.ScopePlatform},
		AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	}
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"secret": me}),
		Twins:         p.Twins, Schedules: p.Schedules, Forms: p.Forms,
		RealityData: p.RealityData, Transform: p.Transform, Webhooks: p.Webhooks,
	})
	if err != nil {
		log.Fatal(err)
	}
	mux.Handle("/twin/", http.StripPrefix("/twin", h))
	go p.Run(ctx) // delivers events, works off what requests leave

	call := func(method, path, token, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
	w := call(http.MethodPost, "/twin/twins", "secret", `{"class": "Endeavor", "displayName": "Tower"}`)
	var made struct{ Twin struct{ ID string } }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
		log.Fatal(err)
	}
	fmt.Println("twin:", w.Code)
	w = call(http.MethodPost, "/twin/schedules", "secret", `{"id": "plan", "name": "Plan", "twinId": "`+made.Twin.ID+`"}`)
	fmt.Println("schedule:", w.Code)
	w = call(http.MethodGet, "/twin/schedules/plan/tasks", "secret", "")
	fmt.Println("tasks:", w.Code, w.Body)
	w = call(http.MethodGet, "/twin/schedules/plan", "", "")
	fmt.Println("unauthenticated:", w.Code, w.Body)

	// Output:
	// twin: 201
	// schedule: 201
	// tasks: 200 {"tasks":[],"_links":{"self":{"href":"http://example.com/twin/schedules/plan/tasks"},"next":null}}
	// unauthenticated: 401 {"error":{"code":"HeaderNotFound","message":"The Authorization header was not found in the request. Access denied."}}
}

// A copy is kept by reading a list once and then only what has changed, however many
// pages either has.
func Example_delta() {
	ctx := context.Background()
	svc := schedules.New(memory.New(), schedules.Config{})
	must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "tower", Name: "Tower", TwinID: "tower"}))
	planned := make([]schedules.NewTask, 200)
	givenUp := make([]string, 150) // more than a page holds
	for i := range planned {
		planned[i] = schedules.NewTask{ID: fmt.Sprintf("floor-%d", i), Name: "Floor", Type: schedules.Work}
		if i < len(givenUp) {
			givenUp[i] = planned[i].ID
		}
	}
	must(svc.In("tower").CreateTasks(ctx, planned))

	plan := svc.In("tower")
	tasks := twinplatform.NewReplica(plan.Tasks, schedules.TaskQuery{})
	if _, err := tasks.Sync(ctx); err != nil { // reads every page
		log.Fatal(err)
	}
	must(plan.DeleteTasks(ctx, givenUp)) // 150 of 200
	changed, err := tasks.Sync(ctx)      // reads what has changed since, every page of it
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(changed.Records), changed.Records[0].Deleted, tasks.Len())

	// Output:
	// 150 true 50
}

// The environment of a service is passed in: here a clock that does not advance, and
// operations that wait for Run.
func Example_surroundings() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	noon := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	svc := schedules.New(memory.New(), schedules.Config{Env: twinplatform.Env{
		Now:        func() time.Time { return noon },
		Background: true,
	}})
	must(svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "tower", Name: "Tower", TwinID: "tower"}))
	dig := must(svc.CreateTask(ctx, "tower", schedules.NewTask{Name: "Dig", Type: schedules.Work}))
	fmt.Println(dig.Status, dig.CreatedAt.Format(time.Kitchen))

	go svc.Run(ctx) // does what was accepted, until ctx is done
	op, err := dig.Wait(ctx)
	fmt.Println(op.Status, err)

	// Output:
	// NotStarted 12:00PM
	// Succeeded <nil>
}

func must[T any](result twinplatform.Result[T], err error) twinplatform.Result[T] {
	if err != nil {
		log.Fatal(err)
	}
	return result
}

// A receiver of webhooks receives verified events, each once.
func Example_receiver() {
	const secret = "the secret that POST /webhooks showed"
	events := receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		fmt.Println(m.EventType, string(m.Content))
		return nil
	})

	body := []byte(`{"eventType":"twins.twinCreated.v1","messageId":"1","content":{"displayName":"Pump house"}}`)
	for _, signedWith := range []string{secret, secret, "another"} {
		req := httptest.NewRequest(http.MethodPost, "/events", bytes.NewReader(body))
		receiver.Sign(req.Header, "1", time.Now(), body, signedWith)
		w := httptest.NewRecorder()
		events.ServeHTTP(w, req)
		fmt.Println(w.Code)
	}

	// Output:
	// twins.twinCreated.v1 {"displayName":"Pump house"}
	// 204
	// 204
	// 401
}
