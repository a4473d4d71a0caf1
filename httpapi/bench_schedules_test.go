package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// benched is a schedule with many tasks behind the handler.
type benched struct {
	svc   *schedules.Service
	h     http.Handler
	tasks int
}

func newBenched(b *testing.B, store storage.Store, tasks int) *benched {
	b.Helper()
	b.Cleanup(func() { _ = store.Close() })
	svc := schedules.New(store, schedules.Config{}, scheduling.Feature, planfiles.Feature)
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{token: {ID: "me", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}}}),
		Schedules:     schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature),
		Rate:          1 << 30,
	})
	if err != nil {
		b.Fatal(err)
	}
	x := &benched{svc: schedules.New(store, schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature), h: h, tasks: tasks}
	ctx := context.Background()
	must[schedules.Schedule](b)(x.svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}))
	for from := 0; from < tasks; from += schedules.MaxBatch {
		must[schedules.Task](b)(svc.In("s").CreateTasks(ctx, newTasks(from, min(schedules.MaxBatch, tasks-from))))
	}
	return x
}

func newTask(i int) schedules.NewTask {
	day := int32(28_800)
	return schedules.NewTask{
		ID: fmt.Sprintf("task-%07d", i), Name: "Pour the floor of the third storey", Type: schedules.Work,
		PlannedStart: twinplatform.At(moment), PlannedDuration: &day, Comment: "C25/30", UserDefinedID: fmt.Sprint("A-", i),
	}
}

func newTasks(from, n int) []schedules.NewTask {
	out := make([]schedules.NewTask, n)
	for i := range out {
		out[i] = newTask(from + i)
	}
	return out
}

func taskBody(n schedules.NewTask) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"type":"Work","plannedStart":"2026-01-05T09:00:00Z","plannedDuration":28800,"comment":%q,"userDefinedId":%q}`,
		n.ID, n.Name, n.Comment, n.UserDefinedID)
}

// against runs overHTTP as the benchmark and direct in the same run, and reports
// how many times longer the first takes.
func against(b *testing.B, direct, overHTTP func()) {
	b.Helper()
	var plain, whole time.Duration
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		overHTTP()
		whole += time.Since(began)
		b.StopTimer()
		began = time.Now()
		direct()
		plain += time.Since(began)
		n++
		b.StartTimer()
	}
	b.ReportMetric(float64(whole)/float64(plain), "x-go")
}

// BenchmarkSchedules does through the handler what the service does by itself in
// the same run: "x-go" is the ratio.
func BenchmarkSchedules(b *testing.B) {
	for _, engine := range storetest.Engines {
		b.Run(engine.Name, func(b *testing.B) {
			for _, bm := range []struct {
				name  string
				tasks int
				run   func(*testing.B, *benched)
			}{
				{"create one", 1_000, benchCreate},
				{"create a batch of 1000", 1_000, benchBatch},
				{"update one", 1_000, benchUpdate},
				{"get", 10_000, benchGet},
				{"page of 100", 10_000, func(b *testing.B, x *benched) { benchPage(b, x, 100) }},
				{"page of 10000", 10_000, func(b *testing.B, x *benched) { benchPage(b, x, 10_000) }},
				{"delta of 10 among 100000", 100_000, benchDelta},
			} {
				b.Run(bm.name, func(b *testing.B) { bm.run(b, newBenched(b, engine.Open(b), bm.tasks)) })
			}
		})
	}
}

// call sends a request and throws the answer away.
func (x *benched) call(b *testing.B, method, target, body string, want int) {
	r := request(method, target)
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Body, r.ContentLength = readCloser{strings.NewReader(body)}, int64(len(body))
	}
	w := &discard{header: make(http.Header)}
	x.h.ServeHTTP(w, r)
	if w.status != want {
		b.Fatalf("%s %s: %d", method, target, w.status)
	}
}

func benchCreate(b *testing.B, x *benched) {
	next := x.tasks
	against(b, func() {
		must[schedules.Task](b)(x.svc.CreateTask(context.Background(), "s", newTask(next)))
		next++
	}, func() {
		x.call(b, "POST", "/schedules/s/tasks", taskBody(newTask(next)), 202)
		next++
	})
}

func benchBatch(b *testing.B, x *benched) {
	next := x.tasks
	against(b, func() {
		must[schedules.Task](b)(x.svc.In("s").CreateTasks(context.Background(), newTasks(next, 1000)))
		next += 1000
	}, func() {
		bodies := make([]string, 1000)
		for i := range bodies {
			bodies[i] = taskBody(newTask(next + i))
		}
		x.call(b, "POST", "/schedules/s/tasks/batch", `{"batch":[`+strings.Join(bodies, ",")+`]}`, 200)
		next += 1000
	})
}

func benchUpdate(b *testing.B, x *benched) {
	n := 0
	named := func() string { n++; return fmt.Sprint("Name ", n) }
	against(b, func() {
		patch := schedules.TaskPatch{Name: twinplatform.Set(named())}
		must[schedules.Task](b)(x.svc.In("s").UpdateTask(context.Background(), "task-0000500", patch))
	}, func() { x.call(b, "PATCH", "/schedules/s/tasks/task-0000500", `{"name":"`+named()+`"}`, 200) })
}

func benchGet(b *testing.B, x *benched) {
	against(b, func() {
		if _, err := x.svc.In("s").Task(context.Background(), "task-0005000"); err != nil {
			b.Fatal(err)
		}
	}, func() { x.call(b, "GET", "/schedules/s/tasks/task-0005000", "", 200) })
}

func benchPage(b *testing.B, x *benched, top int) {
	against(b, func() {
		if _, err := x.svc.In("s").Tasks(context.Background(), schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: top}}); err != nil {
			b.Fatal(err)
		}
	}, func() { x.call(b, "GET", fmt.Sprintf("/schedules/s/tasks?$top=%d", top), "", 200) })
}

func benchDelta(b *testing.B, x *benched) {
	ctx := context.Background()
	top := 10_000
	o := twinplatform.ListOptions{Top: top}
	for {
		page, err := x.svc.In("s").Tasks(ctx, schedules.TaskQuery{ListOptions: o})
		if err != nil {
			b.Fatal(err)
		}
		if o.Continuation = page.Next; page.Next == "" {
			o = twinplatform.ListOptions{Delta: page.Delta}
			break
		}
	}
	for i := range 10 {
		must[schedules.Task](b)(x.svc.In("s").UpdateTask(ctx, fmt.Sprintf("task-%07d", i*1000), schedules.TaskPatch{Name: twinplatform.Set("changed")}))
	}
	against(b, func() {
		page, err := x.svc.In("s").Tasks(ctx, schedules.TaskQuery{ListOptions: o})
		if err != nil || page.Len() != 10 {
			b.Fatal(page.Len(), err)
		}
	}, func() { x.call(b, "GET", "/schedules/s/tasks?deltaToken="+o.Delta, "", 200) })
}
