package planner_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// large is a plan of so many tasks with half as many links again, and a resource at each.
func large(f planner.Format, tasks int) *planner.Plan {
	start := worktime.Date(2026, time.January, 5, 8, 0, 0)
	p := &planner.Plan{
		Format: f, Projects: []planner.Project{{ID: "1", Name: "Line", Code: "Line", CalendarID: "1", Start: start}},
		Calendars: []planner.Calendar{{ID: "1", Name: "Office", Week: planner.Standard.Week}},
		Resources: []planner.Resource{{ID: "1", Name: "Crew", Code: "Crew", Type: planner.Human}},
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range tasks {
		id := fmt.Sprint(i + 1)
		p.Tasks = append(p.Tasks, planner.Task{
			ID: id, Code: "A" + id, Name: "Task " + id, ProjectID: "1", Duration: 16 * hour, Remaining: 16 * hour,
			Planned: 16 * hour,
			File: planner.Dates{
				Start: start, Finish: start + worktime.Day, EarlyStart: start, EarlyFinish: start + worktime.Day,
			},
		})
		p.Assignments = append(
			p.Assignments,
			planner.Assignment{ID: id, TaskID: id, ResourceID: "1", Units: 16, RemainingUnits: 16, UnitsPerTime: 1},
		)
	}
	for i := range tasks * 3 / 2 {
		a := r.IntN(tasks - 1)
		b := a + 1 + r.IntN(min(100, tasks-1-a))
		p.Links = append(
			p.Links,
			planner.Link{
				ID: fmt.Sprint(i + 1), PredecessorID: fmt.Sprint(a + 1), SuccessorID: fmt.Sprint(b + 1),
				Type: cpm.LinkType(r.IntN(4)),
			},
		)
	}
	return p
}

// BenchmarkFiles reads, schedules and writes files of 24,400 tasks and 36,600 links.
func BenchmarkFiles(b *testing.B) {
	tasks := 24_400
	if testing.Short() {
		tasks = 244
	}
	for _, f := range []planner.Format{planner.XER, planner.MSPDI} {
		p := large(f, tasks)
		var file bytes.Buffer
		if _, err := planner.Write(&file, p, f); err != nil {
			b.Fatal(err)
		}
		b.Run("read/"+string(f), func(b *testing.B) {
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := planner.Read(bytes.NewReader(file.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("schedule/"+string(f), func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Schedule(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("write/"+string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var file bytes.Buffer
				if _, err := planner.Write(&file, p, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
