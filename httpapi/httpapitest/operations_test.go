package httpapitest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// progress is an operation as a client sees it.
type progress struct {
	Status             string
	PercentComplete    int
	FailureDescription string
}

// poll asks for the operation that an answer names.
func poll(t *testing.T, tw *httpapitest.Harness, accepted answered) progress {
	t.Helper()
	a := send(t, tw.Client(), "GET", accepted.header.Get("Operation-Location"), "")
	var body struct{ Operation progress }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.status != http.StatusOK {
		t.Fatalf("answer %d %s: %v", a.status, a.body, err)
	}
	return body.Operation
}

// accepted creates the task dig.
func accepted(t *testing.T, tw *httpapitest.Harness, tasks string) answered {
	t.Helper()
	a := send(t, tw.Client(), "POST", tasks, dig)
	if a.status != http.StatusAccepted {
		t.Fatalf("answer %d %s", a.status, a.body)
	}
	return a
}

func wantProgress(t *testing.T, got, want progress) {
	t.Helper()
	if got != want {
		t.Errorf("the operation is %+v, want %+v", got, want)
	}
}

// wantTask checks whether the task dig is there.
func wantTask(t *testing.T, tw *httpapitest.Harness, tasks string, status int) {
	t.Helper()
	if a := send(t, tw.Client(), "GET", tasks+"/dig", ""); a.status != status {
		t.Errorf("the task answers %d, want %d", a.status, status)
	}
}

var (
	running   = progress{Status: "Running", PercentComplete: 50}
	succeeded = progress{Status: "Succeeded", PercentComplete: 100}
)

func TestHeldOperationIsRunningUntilItIsReleased(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	hold := tw.Operations.Hold("tasks.create")
	a := accepted(t, tw, tasks)
	wantProgress(t, poll(t, tw, a), running)
	wantTask(t, tw, tasks, http.StatusNotFound)
	hold.Percent(75)
	wantProgress(t, poll(t, tw, a), progress{Status: "Running", PercentComplete: 75})
	if held := hold.Held(); len(held) != 1 || held[0].ID != a.header.Get("Operation-Id") {
		t.Errorf("held are %v", held)
	}
	hold.Release()
	wantProgress(t, poll(t, tw, a), succeeded)
	wantTask(t, tw, tasks, http.StatusOK)
	if a := send(t, tw.Client(), "PATCH", tasks+"/dig", `{"name":"Deeper"}`); a.status != http.StatusOK {
		t.Errorf("what is not held answers %d", a.status)
	}
}

func TestOtherWorkContinuesWhileAnOperationIsHeld(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Operations.Hold("tasks.create")
	a := accepted(t, tw, tasks)
	for range 2 {
		if b := send(t, tw.Client(), "POST", tasks+"/batch", `{"batch":[{"name":"Pour","type":"Work"}]}`); b.status != http.StatusOK {
			t.Fatalf("answer %d %s", b.status, b.body)
		}
	}
	wantProgress(t, poll(t, tw, a), running)
}

func TestHeldOperationFailsWithADocumentedError(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	hold := tw.Operations.Hold("tasks.create")
	a := accepted(t, tw, tasks)
	hold.FailWith("ScheduleNotInitialized")
	failed := progress{"Failed", 100, "The schedule is not initialized. Its current state is 'Processing'."}
	wantProgress(t, poll(t, tw, a), failed)
	wantTask(t, tw, tasks, http.StatusNotFound)
	wantProgress(t, poll(t, tw, accepted(t, tw, tasks)), failed) // the next one too

	op, err := tw.Schedules.In("plan").Operation(t.Context(), a.header.Get("Operation-Id"))
	if err != nil || op.Value.Failure == nil || op.Value.Failure.Code != "ScheduleNotInitialized" || !errors.Is(op.Value.Failure, twinplatform.Conflict) {
		t.Errorf("through Go it failed with %v, %v", op.Value.Failure, err)
	}
	hold.Release()
	wantProgress(t, poll(t, tw, accepted(t, tw, tasks)), succeeded)
}

func TestHeldOperationEndsByTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Operations.Hold("tasks.create").After(time.Minute)
	a := accepted(t, tw, tasks)
	tw.Advance(time.Minute - 1)
	wantProgress(t, poll(t, tw, a), running)
	tw.Advance(1)
	wantProgress(t, poll(t, tw, a), succeeded)
}

func TestHeldOperationEndsAfterSoManyPolls(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Operations.Hold("tasks.create").AfterPolls(2).FailWith("TaskNotFound")
	a := accepted(t, tw, tasks)
	wantProgress(t, poll(t, tw, a), running)
	wantProgress(t, poll(t, tw, a), running)
	wantProgress(t, poll(t, tw, a), progress{"Failed", 100, "The requested task is not available."})
}

func TestHeldWritesOfRecordsAreOperations(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	accepted(t, tw, tasks)
	hold := tw.Operations.Hold("tasks.update")
	a := send(t, tw.Client(), "PATCH", tasks+"/dig", `{"name":"Deeper"}`)
	if a.status != http.StatusAccepted {
		t.Fatalf("answer %d %s", a.status, a.body)
	}
	wantProgress(t, poll(t, tw, a), running)
	hold.Release()
	if b := send(t, tw.Client(), "GET", tasks+"/dig", ""); !strings.Contains(b.body, `"name":"Deeper"`) {
		t.Errorf("the task is %s", b.body)
	}
}

func TestHeldOperationIsRefusedWhatItMayNotDo(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Operations.Hold("tasks.create")
	if a := send(t, tw.Client(), "POST", tasks, `{"name":"Dig"}`); a.status != http.StatusBadRequest {
		t.Errorf("answer %d %s", a.status, a.body)
	}
}

// The release wakes a caller that waits through Go.
func TestWaitEndsWithTheHold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tw := httpapitest.New(t)
		plan(t, tw)
		hold := tw.Operations.Hold("tasks.create")
		res, err := tw.Schedules.CreateTask(t.Context(), "plan", schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work})
		if err != nil || res.Status != twinplatform.OperationRunning || res.PercentComplete != 50 {
			t.Fatalf("result %+v, %v", res, err)
		}
		ended := make(chan twinplatform.OperationStatus)
		go func() {
			op, err := res.Wait(t.Context())
			if err != nil {
				t.Error(err)
			}
			ended <- op.Status
		}()
		time.Sleep(time.Hour)
		select {
		case status := <-ended:
			t.Fatalf("Wait returned %s while the operation was held", status)
		default:
		}
		hold.Release()
		if status := <-ended; status != twinplatform.OperationSucceeded {
			t.Errorf("the operation is %s", status)
		}
	})
}

func TestEachEndOfATransformationIsShownAndReachedByItsID(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	s := &scene{T: t, tw: tw}
	s.twin = s.made("/twins", "twin", `{"class":"Thing","displayName":"Tower"}`)
	s.model = s.made("/models", "model", `{"twinId":"`+s.twin+`","displayName":"Tower"}`)
	tw.Webhooks.Subscribe(event.TypeTransformationJobCompleted)
	body := `{"configurationId":"` + s.configuration() + `"}`
	tw.Operations.Hold("transformations.create")
	end := func(code string) func(id string) {
		return func(id string) {
			if err := tw.Operations.End(t.Context(), id, code); err != nil {
				t.Fatal(err)
			}
		}
	}
	for want, end := range map[string]func(id string){
		"Succeeded": end(""), "Failed": end("ConfigurationNotFound"),
		"Aborted": func(id string) { s.ask(http.MethodDelete, "/transformations/"+id, ""); end("")(id) },
	} {
		id := s.made("/transformations", "transformation", body)
		status := func() (out struct{ Transformation transform.Transformation }) {
			a := send(t, tw.Client(), http.MethodGet, tw.URL+"/transformations/"+id, "")
			if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != http.StatusOK {
				t.Fatal(a.status, a.body, err)
			}
			return out
		}
		if got := status().Transformation; got.Status != transform.Created {
			t.Errorf("held, it is %s", got.Status)
		}
		held := tw.Operations.Held()
		if len(held) != 1 || len(held[0].Subjects) != 1 || held[0].Subjects[0] != id {
			t.Fatalf("held are %v", held)
		}
		end(id)
		if got := status().Transformation; string(got.Status) != want || (got.ErrorCode == "ConfigurationNotFound") != (want == "Failed") {
			t.Errorf("it is %s, %s %s, and not %s", got.Status, got.ErrorCode, got.ErrorMessage, want)
		}
		tw.Webhooks.Drain(t.Context())
		deliveries := tw.Webhooks.Deliveries()
		if n := len(deliveries); n == 0 || !strings.Contains(string(deliveries[n-1].Body), `"status":"`+want+`"`) || !strings.Contains(string(deliveries[n-1].Body), id) {
			t.Errorf("the end %s was not delivered: %v", want, deliveries)
		}
	}
}

func TestRestoredStateHoldsNothing(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	hold := tw.Operations.Hold("tasks.create")
	before := tw.Snapshot()
	accepted(t, tw, tasks)
	tw.Restore(before)
	if held := hold.Held(); len(held) != 0 {
		t.Errorf("held are %v, of a world that was reset", held)
	}
	a := accepted(t, tw, tasks)
	wantProgress(t, poll(t, tw, a), running)
	hold.Release()
	wantProgress(t, poll(t, tw, a), succeeded)
}

// misuse collects what a harness says to its test.
type misuse struct {
	testing.TB
	said string
}

func (m *misuse) Helper() {}

func (m *misuse) Fatalf(format string, args ...any) {
	m.said = format
	panic(m)
}

func TestMisuseOfHoldsFailsTheTest(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*httpapitest.Operations){
		"a kind that does not exist":  func(o *httpapitest.Operations) { o.Hold("tasks.paint") },
		"a kind that is done at once": func(o *httpapitest.Operations) { o.Hold("schedules.delete") },
		"a code that does not exist":  func(o *httpapitest.Operations) { o.Hold("tasks.create").FailWith("OutOfPaint") },
		"finished and running":        func(o *httpapitest.Operations) { o.Hold("tasks.create").Percent(100) },
		"a negative time":             func(o *httpapitest.Operations) { o.Hold("tasks.create").After(-1) },
		"a negative number of polls":  func(o *httpapitest.Operations) { o.Hold("tasks.create").AfterPolls(-1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endsTheTest(t, func(tw *httpapitest.Harness) { do(tw.Operations) })
		})
	}
}

// endsTheTest fails unless do ends the test that the harness is in, and says why.
func endsTheTest(t *testing.T, do func(tw *httpapitest.Harness)) {
	t.Helper()
	m := &misuse{TB: t}
	tw := httpapitest.New(m)
	defer func() {
		if recover() != any(m) || m.said == "" {
			t.Error("the test continues")
		}
	}()
	do(tw)
}
