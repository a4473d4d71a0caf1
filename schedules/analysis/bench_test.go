package analysis_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// BenchmarkAfterAChange asks for risk and quality of a plan of 1,000 tasks behind each change of one.
func BenchmarkAfterAChange(b *testing.B) {
	for name, ask := range map[string]func(schedules.Plan) error{
		"risk": func(p schedules.Plan) error {
			_, err := analysis.In(p).AnalyzeRisk(b.Context(), analysis.RiskOptions{Runs: 100})
			return err
		},
		"quality": func(p schedules.Plan) error {
			_, err := analysis.In(p).AnalyzeQuality(b.Context(), analysis.QualityOptions{})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			ctx := b.Context()
			svc := schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, exchange.Feature)
			if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "twin"}); err != nil {
				b.Fatal(err)
			}
			in := svc.In("plan")
			var tasks []schedules.NewTask
			var links []schedules.NewTaskLink
			for i := range 1_000 {
				lasts := int32((1 + i%9) * 8 * 3600)
				tasks = append(tasks, schedules.NewTask{
					ID: fmt.Sprint("t", i), Name: fmt.Sprint("Task ", i), Type: schedules.Work, PlannedDuration: &lasts,
				})
				if i >= 3 {
					links = append(links, schedules.NewTaskLink{
						ID: fmt.Sprint("l", i), Type: schedules.FinishToStart, PredecessorID: fmt.Sprint("t", i-3), SuccessorID: fmt.Sprint("t", i),
					})
				}
			}
			_, err := in.UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{
				StartDate: twinplatform.Set(twinplatform.At(time.Date(2026, time.January, 5, 8, 0, 0, 0, time.UTC))),
			})
			if err == nil {
				_, err = in.CreateTasks(ctx, tasks)
			}
			if err == nil {
				_, err = in.CreateTaskLinks(ctx, links)
			}
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				n++
				patch := schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32((1 + n%7) * 8 * 3600))}
				_, err := in.UpdateTask(ctx, fmt.Sprint("t", n*37%1_000), patch)
				if err == nil {
					err = ask(in)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
