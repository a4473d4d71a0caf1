package httpapitest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

func TestJournalHasEachExchangeWithWhatNothingRead(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	send(t, tw.Client(), "POST", tasks, `{"name":"Dig","type":"Work","planedStart":"2026-01-05T09:00:00Z"}`)
	send(t, tw.Client(), "GET", tasks+"?$top=5&limit=5", "")
	send(t, tw.ClientWith("wrong"), "GET", tasks, "")
	send(t, tw.Client(), "PUT", tw.URL+"/nowhere", "")
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.list", Status: 503})
	send(t, tw.Client(), "GET", tasks, "")
	var got []string
	for i, e := range tw.Journal.All() {
		if e.Number != i+1 || !e.At.Equal(tw.Now()) || e.RequestID == "" && e.Fault == nil {
			t.Errorf("%+v", e)
		}
		got = append(got, e.String()+" by "+e.Principal.DisplayName+" unread "+strings.Join(e.Unread, ","))
	}
	want := []string{
		"tasks.create: POST /schedules/plan/tasks → 400 InvalidSchedulesRequest by Admin unread planedStart",
		"tasks.list: GET /schedules/plan/tasks?$top=5&limit=5 → 200 by Admin unread limit",
		"tasks.list: GET /schedules/plan/tasks → 401 HeaderNotFound by  unread ",
		"PUT /nowhere → 404 ResourceNotFound by Admin unread ",
		"tasks.list: GET /schedules/plan/tasks → 503 StoreUnavailable by  unread ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
	tw.Journal.Require(t, "tasks.list", 3)
	failed := &failingTest{TB: t}
	tw.Journal.RequireAllRead(failed)
	if !strings.Contains(failed.text, "nothing read planedStart of tasks.create") || !strings.Contains(failed.text, "limit of tasks.list") {
		t.Errorf("failed with %q", failed.text)
	}
}

func TestJournalNamesTheNearestMiss(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	send(t, tw.Client(), "GET", tw.URL+"/twins", "")
	send(t, tw.Client(), "POST", tw.URL+"/schedules/plan/task", dig)
	for want, require := range map[string]func(testing.TB){
		"tasks.create (POST /schedules/{scheduleId}/tasks) was called 0 times, not once; the nearest is\n\t2. POST /schedules/plan/task → 404 ResourceNotFound": func(t testing.TB) {
			tw.Journal.Require(t, "tasks.create", 1)
		},
		"twins.list (GET /twins) was called once, not 0 times\n\t1. twins.list: GET /twins → 200": func(t testing.TB) { tw.Journal.Require(t, "twins.list", 0) },
		`there is no operation "S999"; did you mean "`:                                            func(t testing.TB) { tw.Journal.Require(t, "S999", 0) },
	} {
		failed := &failingTest{TB: t}
		if !failed.by(func() { require(failed) }) || !strings.Contains(failed.text, want) {
			t.Errorf("failed with\n%s\nwant\n%s", failed.text, want)
		}
	}
	tw.Journal.Clear()
	failed := &failingTest{TB: t}
	if !failed.by(func() { tw.Journal.Require(failed, "tasks.create", 1) }) || !strings.Contains(failed.text, "nothing else was") {
		t.Errorf("failed with %q", failed.text)
	}
	send(t, tw.Client(), "POST", tasks, dig)
	tw.Journal.Require(t, "tasks.create", 1)
}

func TestWaitingForACallEndsWithIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tw := httpapitest.New(t)
		go func() {
			for range 2 {
				res, err := tw.Client().Get(tw.URL + "/twins")
				if err == nil {
					_ = res.Body.Close()
				}
			}
		}()
		if err := tw.Journal.WaitFor(t.Context(), "twins.list", 2); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := tw.Journal.WaitFor(ctx, "tasks.create", 1)
		if err == nil || !strings.Contains(err.Error(), "the nearest is") {
			t.Errorf("a call that never comes: %v", err)
		}
	})
}

func TestJournalForgetsTheOldestExchanges(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	for range control.MaxExchanges + 1 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/nothing", nil)
		tw.ServeHTTP(httptest.NewRecorder(), r)
	}
	all := tw.Journal.All()
	if len(all) != control.MaxExchanges/2+1 || all[0].Number != control.MaxExchanges/2+1 || all[len(all)-1].Number != control.MaxExchanges+1 {
		t.Errorf("%d exchanges, from %d to %d", len(all), all[0].Number, all[len(all)-1].Number)
	}
}
