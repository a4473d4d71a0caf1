package testharness_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/examples/testharness"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// newClient returns a client of a plan in its own world. While the client sleeps, the
// clock of that world moves on, and the test does not wait.
func newClient(t *testing.T) (*testharness.Client, *httpapitest.Harness) {
	t.Helper()
	tw := httpapitest.New(t)
	plan := schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: tw.NewTwin("Bridge")}
	if _, err := tw.Schedules.CreateSchedule(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	return &testharness.Client{HTTP: tw.Client(), URL: tw.URL + "/schedules/plan", Sleep: tw.Advance}, tw
}

func wantTask(t *testing.T, tw *httpapitest.Harness, id string) {
	t.Helper()
	if _, err := tw.Schedules.In("plan").Task(t.Context(), id); err != nil {
		t.Errorf("the task %s: %v", id, err)
	}
}

func TestClientCreatesATask(t *testing.T) {
	t.Parallel()
	client, tw := newClient(t)
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	wantTask(t, tw, "dig")
	tw.Journal.RequireAllRead(t) // nothing was sent that no one reads
}

func TestClientWaitsAsLongAsItIsAsked(t *testing.T) {
	t.Parallel()
	client, tw := newClient(t)
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Status: 429, RetryAfter: time.Minute})
	before := tw.Now()
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	if waited := tw.Now().Sub(before); waited != time.Minute {
		t.Errorf("it waited %v", waited)
	}
	tw.Journal.Require(t, "tasks.create", 2)
	wantTask(t, tw, "dig")
}

func TestClientMakesOneTaskThoughTheAnswerWasLost(t *testing.T) {
	t.Parallel()
	client, tw := newClient(t)
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Lost: true})
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	tw.Journal.Require(t, "tasks.create", 2)
	wantTask(t, tw, "dig")
}

func TestClientFollowsAnOperationToItsEnd(t *testing.T) {
	t.Parallel()
	client, tw := newClient(t)
	tw.Operations.Hold("tasks.create").After(10 * time.Second)
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	wantTask(t, tw, "dig")
}

func TestClientReportsWhyAnOperationFailed(t *testing.T) {
	t.Parallel()
	client, tw := newClient(t)
	tw.Operations.Hold("tasks.create").AfterPolls(2).FailWith("ScheduleNotInitialized")
	err := client.CreateTask(t.Context(), "dig", "Dig")
	if err == nil || err.Error() != "The schedule is not initialized. Its current state is 'Processing'." {
		t.Errorf("it says %v", err)
	}
}

func TestEndpointReceivesATwinThoughItWasDownAtFirst(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tw.Webhooks.Subscribe(event.TypeTwinCreated)
	tw.Webhooks.FailNext(1, http.StatusBadGateway)
	var received []string
	tw.Webhooks.Handle(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		received = append(received, r.Header.Get("Webhook-Id"))
	}))
	tw.NewTwin("Pump house")
	tw.Webhooks.Drain(t.Context())
	tw.Advance(time.Minute)
	tw.Webhooks.Drain(t.Context())
	if len(received) != 1 {
		t.Errorf("it received %q", received)
	}
	for _, d := range tw.Webhooks.Deliveries() {
		if d.EventType != string(event.TypeTwinCreated) || d.Err != nil {
			t.Errorf("%s came, whose signature is judged: %v", d.EventType, d.Err)
		}
	}
}
