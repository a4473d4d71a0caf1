package console_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// linkedPlan makes a schedule with n tasks of different durations in packages of 50. Each is
// linked to the next but two, with lags, so that there are three chains.
func linkedPlan(ctx context.Context, tb testing.TB, x schedules.Plan, n int) {
	tb.Helper()
	start := twinplatform.DateTime{}
	if err := start.UnmarshalJSON([]byte(`"2026-03-02T09:00:00Z"`)); err != nil {
		tb.Fatal(err)
	}
	const each = 50
	var tasks []schedules.NewTask
	var links []schedules.NewTaskLink
	for i := range n {
		t := schedules.NewTask{
			ID: fmt.Sprintf("t%05d", i), Name: fmt.Sprintf("Pile %d of the north abutment", i), Type: schedules.Work,
			UserDefinedID: fmt.Sprintf("A%d0", i),
		}
		if i%each != 0 {
			duration := int32(3600 * (4 + i%29))
			t.ParentID, t.PlannedStart, t.PlannedDuration = fmt.Sprintf("t%05d", i/each*each), start, &duration
		}
		tasks = append(tasks, t)
		if next := i + 3; i%each != 0 && next < n && next%each != 0 {
			links = append(links, schedules.NewTaskLink{
				ID: fmt.Sprintf("l%05d", i), PredecessorID: t.ID, SuccessorID: fmt.Sprintf("t%05d", next),
				Type: schedules.FinishToStart, Lag: int32(3600 * (i % 7)),
			})
		}
	}
	for from := 0; from < len(tasks); from += 1_000 {
		if _, err := x.CreateTasks(ctx, tasks[from:min(from+1_000, len(tasks))]); err != nil {
			tb.Fatal(err)
		}
	}
	for from := 0; from < len(links); from += 1_000 {
		if _, err := x.CreateTaskLinks(ctx, links[from:min(from+1_000, len(links))]); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkChartOf20000LinkedTasks is the page of a chart with its first rows: again, and after
// a task has changed; and the pages of its risk, before anything is simulated, and of a task.
func BenchmarkChartOf20000LinkedTasks(b *testing.B) {
	w := open(b, demo)
	id := w.plan("Abutment")
	plan := w.platform.Schedules.In(id)
	ctx := twinplatform.WithPrincipal(b.Context(), w.tokens[ownerToken])
	linkedPlan(ctx, b, plan, 20_000)
	page := "/console/schedules/" + id
	visitor := w.browser()
	see := func() {
		if a := visitor.get(page); a.Code != http.StatusOK {
			b.Fatalf("the page answers %d", a.Code)
		}
	}
	see()
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			see()
		}
	})
	for name, path := range map[string]string{"risk-before-a-run": "/risk", "task": "/tasks/t00048"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if a := visitor.get(page + path); a.Code != http.StatusOK {
					b.Fatalf("the page answers %d", a.Code)
				}
			}
		})
	}
	b.Run("wbs-dates", func(b *testing.B) {
		for b.Loop() {
			if a := w.ask(ownerToken, http.MethodGet, "/schedules/"+id+"/wbs-dates", ""); a.Code != http.StatusOK {
				b.Fatalf("it answers %d", a.Code)
			}
		}
	})
	for _, part := range []string{"json", "svg"} {
		b.Run("api-"+part, func(b *testing.B) {
			for b.Loop() {
				if a := w.ask(ownerToken, http.MethodGet, "/schedules/"+id+"/gantt."+part, ""); a.Code != http.StatusOK {
					b.Fatalf("gantt.%s answers %d", part, a.Code)
				}
			}
		})
	}
	b.Run("changed", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			patch := schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(3600 * (1 + i%9)))}
			if _, err := plan.UpdateTask(ctx, "t00041", patch); err != nil {
				b.Fatal(err)
			}
			see()
		}
	})
}
