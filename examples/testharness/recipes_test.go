package testharness_test

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/examples/testharness"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// newPlan is a world with a real plan of 64 tasks, and a client of it.
func newPlan(t *testing.T, with ...httpapitest.Option) (*httpapitest.Harness, *testharness.Client) {
	t.Helper()
	world := httpapitest.WithWorld(os.DirFS("../server/testdata"), "world-j30.json")
	tw := httpapitest.New(t, append(with, world)...)
	return tw, &testharness.Client{HTTP: tw.Client(), URL: tw.URL + "/schedules/mp-j30-a2-nr1", Sleep: tw.Advance}
}

func TestRecipeRetry(t *testing.T) {
	t.Parallel()
	tw, client := newPlan(t)
	start := tw.Now()
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Status: 429, RetryAfter: time.Minute})
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	tw.Journal.Require(t, "tasks.create", 2)
	if waited := tw.Now().Sub(start); waited != time.Minute {
		t.Errorf("it waited %v", waited)
	}
}

func TestRecipeOperation(t *testing.T) {
	t.Parallel()
	tw, client := newPlan(t)
	tw.Operations.Hold("tasks.create").After(10 * time.Second) // Running until then
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Error(err)
	}
	tw.Operations.Hold("tasks.create").AfterPolls(2).FailWith("ScheduleNotInitialized")
	if err := client.CreateTask(t.Context(), "pour", "Pour"); err == nil {
		t.Error("it does not say that the operation failed")
	}
}

func TestRecipeLostAnswer(t *testing.T) {
	t.Parallel()
	tw, client := newPlan(t)
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Lost: true})
	if err := client.CreateTask(t.Context(), "dig", "Dig"); err != nil {
		t.Fatal(err)
	}
	tw.Journal.Require(t, "tasks.create", 2)
	if _, err := tw.Schedules.In("mp-j30-a2-nr1").Task(t.Context(), "dig"); err != nil {
		t.Error(err)
	}
}

// list is a page of tasks.
type list struct {
	Tasks []struct{ ID string }
	Links struct{ Next *struct{ Href string } } `json:"_links"`
	Delta string                                `json:"-"` // of the last page
}

func read(t *testing.T, client *http.Client, url string) (page list) {
	t.Helper()
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&page); err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res.Status, err)
	}
	page.Delta = res.Header.Get("Delta-Token")
	return page
}

func TestRecipePaging(t *testing.T) {
	t.Parallel()
	tw, client := newPlan(t)
	seen := make(map[string]bool)
	page := read(t, client.HTTP, client.URL+"/tasks?$top=50")
	if err := client.CreateTask(t.Context(), "0-dig", "Dig"); err != nil { // before what was read
		t.Fatal(err)
	}
	for page.Links.Next != nil {
		page = read(t, client.HTTP, page.Links.Next.Href)
	}
	for _, task := range read(t, client.HTTP, client.URL+"/tasks?$deltaToken="+page.Delta).Tasks {
		seen[task.ID] = true
	}
	if !seen["0-dig"] {
		t.Error("what was created between two pages is not among the changes")
	}
	tw.Journal.Require(t, "tasks.list", 3)
}

func TestRecipeRateLimit(t *testing.T) {
	t.Parallel()
	tw, client := newPlan(t, httpapitest.WithRate(2))
	start := tw.Now()
	for _, id := range []string{"dig", "pour", "paint"} {
		if err := client.CreateTask(t.Context(), id, id); err != nil {
			t.Fatal(err)
		}
	}
	if waited := tw.Now().Sub(start); waited == 0 {
		t.Error("it was never asked to wait")
	}
}

func TestRecipeExpiry(t *testing.T) {
	t.Parallel()
	tw, plan := newPlan(t)
	client := tw.ClientWith(tw.ExpiringToken(time.Hour, twinplatform.PermissionSchedulesRead))
	for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		res, err := client.Get(plan.URL)
		if err != nil || res.Body.Close() != nil || res.StatusCode != want {
			t.Error(res, err)
		}
		tw.Advance(time.Hour)
	}
}

func TestRecipeParallel(t *testing.T) {
	t.Parallel()
	tw, _ := newPlan(t)
	for _, id := range []string{"dig", "pour"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			own := tw.Fork(t) // the same world, with its own clock, faults and journal
			client := testharness.Client{HTTP: own.Client(), URL: own.URL + "/schedules/mp-j30-a2-nr1", Sleep: own.Advance}
			if err := client.CreateTask(t.Context(), id, id); err != nil {
				t.Fatal(err)
			}
			own.Journal.Require(t, "tasks.create", 1)
		})
	}
}
