package main

import (
	"os"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// world is a platform with a plan and a model, and a mover of a task of the plan.
func world(t *testing.T, start time.Time) (*httpapitest.Harness, mover) {
	t.Helper()
	tw := httpapitest.New(t, httpapitest.WithWorld(os.DirFS("../server/testdata"), "world-j30.json"))
	paint := schedules.NewTask{ID: "paint", Name: "Paint", Type: schedules.Work, PlannedStart: twinplatform.At(start)}
	if _, err := tw.Schedules.In("mp-j30-a2-nr1").CreateTask(t.Context(), paint); err != nil {
		t.Fatal(err)
	}
	tw.Webhooks.Subscribe(event.TypeChangesReady, event.TypeTwinCreated)
	return tw, mover{client: tw.Client(), task: tw.URL + "/schedules/mp-j30-a2-nr1/tasks/paint"}
}

func TestTaskStartsAWeekLaterForEachChangeOfTheModel(t *testing.T) {
	t.Parallel()
	tw, m := world(t, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	tw.NewTwin("Pump house") // whose events it receives too
	for range 2 {
		if _, err := tw.Transform.Models().CreateChangeset(t.Context(), "frame", models.NewChangeset{}); err != nil {
			t.Fatal(err)
		}
	}
	tw.Webhooks.Drain(t.Context())
	for _, d := range tw.Webhooks.Deliveries() {
		if err := m.receive(t.Context(), d.Message); err != nil {
			t.Fatal(err)
		}
	}
	paint, err := tw.Schedules.In("mp-j30-a2-nr1").Task(t.Context(), "paint")
	if err != nil || paint.Value.PlannedStart.String() != "2026-03-16T09:00:00Z" {
		t.Errorf("the task starts %v: %v", paint.Value.PlannedStart, err)
	}
}

func TestAnEventIsDeliveredAgainWhenTheTaskCouldNotBeMoved(t *testing.T) {
	t.Parallel()
	tw, m := world(t, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if _, err := tw.Transform.Models().CreateChangeset(t.Context(), "frame", models.NewChangeset{}); err != nil {
		t.Fatal(err)
	}
	tw.Webhooks.Drain(t.Context())
	change := tw.Webhooks.Deliveries()[0].Message
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.update", Status: 409})
	if err := m.receive(t.Context(), change); err == nil {
		t.Error("it says that the task was moved")
	}
	if err := m.receive(t.Context(), change); err != nil {
		t.Error(err)
	}
	tw.Journal.Require(t, "tasks.update", 2)
}
