package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Every row says what its requests are paid by, and all that changes records, clones,
// imports or computes by the work.
func TestEveryOperationDeclaresItsCost(t *testing.T) {
	t.Parallel()
	bytes := map[string]bool{"files.create": true, "twinImages.set": true} // a stream of them is one request
	for _, o := range httpapi.Operations() {
		work, known := httpapi.PaidByWork(o.ID)
		if changes := o.Method != http.MethodGet; !known || changes && work == bytes[o.ID] {
			t.Errorf("%s is paid by work: %v, and documents it: %v", o.ID, work, known)
		}
		for _, word := range []string{"critical-path", "driving-path", "gantt", "comparison", "scheduling-analyses", "quality"} {
			if strings.Contains(o.Path, word) && !work {
				t.Errorf("%s is paid by the request", o.ID)
			}
		}
	}
}

// costRate is the requests a minute of the tests of costs.
const costRate = 60

// paying is a schedule and who works on it, behind a limit.
func paying(t *testing.T, limit func(*httpapi.Config, *clock)) (caller, *clock) {
	t.Helper()
	c, svc := newClock(), schedules.New(memory.New(), schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	must[schedules.Schedule](t)(svc.CreateSchedule(t.Context(), schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower", Type: "v10"}))
	cfg := httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"root":  {ID: "root", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}},
			"other": {ID: "other", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}},
		}),
		Schedules: svc, Env: c.env(),
	}
	limit(&cfg, c)
	h, err := httpapi.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return caller{t, h, "root"}, c
}

// paidLimits are the ways to limit requests.
var paidLimits = map[string]func(*httpapi.Config, *clock){
	"in memory": func(cfg *httpapi.Config, _ *clock) { cfg.Rate = costRate },
	"in the store": func(cfg *httpapi.Config, c *clock) {
		cfg.RateLimiter, _ = ratelimit.New(memory.New(), ratelimit.Config{Rate: costRate, Now: c.env().Now})
	},
}

func tasksBatch(n, from int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%s{"id":"t%d","name":"Task %d","type":"Work"}`, map[bool]string{true: ","}[i > 0], from+i, i)
	}
	return `{"batch":[` + b.String() + `]}`
}

// Who writes much at once is asked for it before the next request, for as long as it
// says, and no one else is.
func TestBatchesArePaidByWhatTheyWrite(t *testing.T) {
	t.Parallel()
	for name, limit := range paidLimits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := paying(t, limit)
			made := 0
			for range 15 { // of 10 tasks each count one
				w.expect(200, "POST", "/schedules/plan/tasks/batch", tasksBatch(10, made))
				made += 10
			}
			for range 30 {
				w.expect(200, "GET", "/schedules/plan/tasks/t0", "")
			}
			c.now = c.now.Add(2 * time.Minute)
			w.expect(200, "POST", "/schedules/plan/tasks/batch", tasksBatch(1000, made))
			for range 3 {
				made += 1000
				if r := ask(w.h, "POST", "/schedules/plan/tasks/batch", tasksBatch(1000, made), "Authorization: Bearer root"); r.Code == http.StatusTooManyRequests {
					break
				}
			}
			r := w.expect(429, "GET", "/schedules/plan/tasks/t0", "")
			var wait int
			if _, err := fmt.Sscan(r.Header().Get("Retry-After"), &wait); err != nil || wait < 1 || wait > 62 {
				t.Fatalf("Retry-After: %q", r.Header().Get("Retry-After"))
			}
			caller{t, w.h, "other"}.expect(200, "GET", "/schedules/plan/tasks/t0", "")
			c.now = c.now.Add(time.Duration(wait-1) * time.Second)
			w.expect(429, "GET", "/schedules/plan/tasks/t0", "")
			c.now = c.now.Add(time.Second)
			w.expect(200, "GET", "/schedules/plan/tasks/t0", "")
		})
	}
}

// A clone of 30 bytes is paid by the records that it makes, and an analysis of a plan that
// others change by those of the plan.
func TestClonesAndAnalysesArePaidByRecords(t *testing.T) {
	t.Parallel()
	for name, limit := range paidLimits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range []struct {
				method, path, body string
				most               int
			}{
				{"POST", "/schedules/plan/clone", `{"name":"Copy"}`, 6},
				{"GET", "/schedules/plan/tasks/critical-path", "", 40},
			} {
				w, c := paying(t, limit)
				for i := range 2 {
					w.expect(200, "POST", "/schedules/plan/tasks/batch", tasksBatch(1000, 1000*i))
					c.now = c.now.Add(2 * time.Minute)
				}
				done := 0
				for ; done <= tt.most; done++ {
					caller{t, w.h, "other"}.expect(200, "POST", "/schedules/plan/tasks/batch", tasksBatch(1, 5000+done))
					if ask(w.h, tt.method, tt.path, tt.body, "Authorization: Bearer root").Code == http.StatusTooManyRequests {
						break
					}
				}
				if done == 0 || done > tt.most {
					t.Errorf("%s: %d requests went through", tt.path, done)
				}
			}
		})
	}
}

// What Run does for a caller who did not wait is paid by that caller as well, once.
func TestWorkInTheBackgroundIsPaidByWhoAskedForIt(t *testing.T) {
	t.Parallel()
	c, store := newClock(), memory.New()
	env := c.env()
	plan := schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	must[schedules.Schedule](t)(plan.CreateSchedule(t.Context(), schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower", Type: "v10"}))
	for i := range 3 {
		var batch []schedules.NewTask
		for n := range 1000 {
			batch = append(batch, schedules.NewTask{Name: fmt.Sprintf("Task %d-%d", i, n), Type: schedules.Work})
		}
		if _, err := plan.In("plan").CreateTasks(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	env.Background = true
	svc := schedules.New(store, schedules.Config{Env: env, Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	limit := &counted{}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": {ID: "root", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}}),
		Schedules:     svc, Env: env, RateLimiter: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	caller{t, h, "root"}.expect(202, "POST", "/schedules/plan/clone", `{"id":"copy","name":"Copy"}`)
	accepted := limit.charged.Load()
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- svc.Run(ctx) }()
	_, at, _ := strings.Cut(ask(h, "GET", "/schedules/plan/operations", "", "Authorization: Bearer root").Body.String(), `"id":"`)
	id, _, _ := strings.Cut(at, `"`)
	if _, err := svc.In("plan").Wait(t.Context(), id); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	if n := limit.charged.Load(); n < 3000/httpapi.RecordsWrittenPerRequest || n > 6000/httpapi.RecordsWrittenPerRequest {
		t.Errorf("a clone of 3,000 tasks is paid with %d requests, %d of them when it was accepted", n, accepted)
	}
}

// counted is a limiter that lets everybody in.
type counted struct{ charged atomic.Int64 }

func (*counted) Take(context.Context, string) error { return nil }

func (c *counted) Charge(_ context.Context, _ string, requests int) { c.charged.Add(int64(requests)) }

// What is refused once it has been worked out is paid as if it had been taken.
func TestRefusedBatchesArePaidByWhatTheyWouldWrite(t *testing.T) {
	t.Parallel()
	limit := &counted{}
	w, _ := paying(t, func(cfg *httpapi.Config, _ *clock) { cfg.RateLimiter = limit })
	w.expect(200, "POST", "/schedules/plan/tasks/batch", tasksBatch(1000, 0))
	before := limit.charged.Load()
	again := strings.Replace(tasksBatch(1000, 1000), `"id":"t1999"`, `"id":"t0"`, 1)
	if code := ask(w.h, "POST", "/schedules/plan/tasks/batch", again, "Authorization: Bearer root").Code; code != http.StatusConflict {
		t.Fatalf("a batch with an id that is taken is answered %d", code)
	}
	if n := limit.charged.Load() - before; n < 900/httpapi.RecordsWrittenPerRequest {
		t.Errorf("a refused batch of 1,000 is paid with %d requests", n)
	}
}
