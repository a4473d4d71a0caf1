package schedules_test

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// newPlanBench is a schedule in memory with n tasks, each linked to the next but
// one, so that there are two chains.
func newPlanBench(b *testing.B, n int) (*bench, []schedules.NewTaskLink) {
	b.Helper()
	x := newBench(b, storetest.Engines[0].Open, n)
	links := make([]schedules.NewTaskLink, 0, n)
	for i := range n - 2 {
		links = append(links, schedules.NewTaskLink{
			ID: fmt.Sprintf("link-%07d", i), PredecessorID: x.ids[i], SuccessorID: x.ids[i+2], Type: schedules.FinishToStart,
		})
	}
	return x, links
}

func (x *bench) must(_ twinplatform.Result[schedules.TaskLink], err error) {
	x.b.Helper()
	if err != nil {
		x.b.Fatal(err)
	}
}

func BenchmarkCreateAndDeleteThousandTaskLinks(b *testing.B) {
	x, links := newPlanBench(b, 1000)
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	b.ReportAllocs()
	for b.Loop() {
		x.must(x.svc.In("s").CreateTaskLinks(b.Context(), links))
		x.must(x.svc.In("s").DeleteTaskLinks(b.Context(), ids))
	}
}

// The link joins two chains in their middle, where both ways to look are long.
func BenchmarkMoveLinkInTheMiddle(b *testing.B) {
	x, links := newPlanBench(b, 1000)
	x.must(x.svc.In("s").CreateTaskLinks(b.Context(), links))
	x.must(x.svc.In("s").CreateTaskLinks(b.Context(), []schedules.NewTaskLink{{ID: "cross", PredecessorID: x.ids[500], SuccessorID: x.ids[503], Type: schedules.StartToStart}}))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		x.must(x.svc.In("s").UpdateTaskLinks(b.Context(), []schedules.TaskLinkPatch{{ID: "cross", SuccessorID: twinplatform.Set(x.ids[503+2*(i%2)])}}))
	}
}

func BenchmarkUpdateTaskNextToHammock(b *testing.B) {
	x := newBench(b, storetest.Engines[0].Open, 100)
	if _, err := x.svc.CreateTask(b.Context(), "s", schedules.NewTask{ID: "h", Name: "h", Type: schedules.LongHammock}); err != nil {
		b.Fatal(err)
	}
	for _, id := range x.ids {
		x.must(x.svc.In("s").CreateTaskLinks(b.Context(), []schedules.NewTaskLink{{PredecessorID: id, SuccessorID: "h", Type: schedules.FinishToFinish}}))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := x.svc.In("s").UpdateTask(b.Context(), x.ids[i%100], schedules.TaskPatch{PlannedStart: twinplatform.Set(at(float64(i % 1000)))}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAutomatic changes the duration of the first of a chain of 100 tasks, one of a
// thousand such chains, and so reschedules the chain; and the same change of a plan that
// is not automatic.
func BenchmarkAutomatic(b *testing.B) {
	tasks, chain := 100_000, 100
	if testing.Short() {
		tasks = 1_000
	}
	for _, automatic := range []bool{false, true} {
		b.Run(fmt.Sprintf("automatic=%t", automatic), func(b *testing.B) {
			x := newBench(b, storetest.Engines[0].Open, tasks)
			links := make([]schedules.NewTaskLink, 0, tasks)
			for i := range tasks - 1 {
				if (i+1)%chain != 0 {
					links = append(links, schedules.NewTaskLink{PredecessorID: x.ids[i], SuccessorID: x.ids[i+1], Type: schedules.FinishToStart})
				}
			}
			for part := range slices.Chunk(links, schedules.MaxBatch) {
				x.must(x.svc.In("s").CreateTaskLinks(b.Context(), part))
			}
			_, err := x.svc.In("s").UpdateProjectScheduling(b.Context(), schedules.ProjectSchedulingPatch{
				IsAutomatic: twinplatform.Set(automatic), StartDate: twinplatform.Set(at(0)),
			})
			if err != nil {
				b.Fatal(err)
			}
			for i := int32(0); b.Loop(); i++ {
				p := schedules.TaskPatch{PlannedDuration: twinplatform.Set(3600 * (1 + i%2))}
				if _, err := x.svc.In("s").UpdateTask(b.Context(), x.ids[tasks/2], p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAutomaticChain changes the duration of the first of a chain of tasks that lead to
// the finish of the plan, and so moves all of them and the late dates of all others.
func BenchmarkAutomaticChain(b *testing.B) {
	tasks := 100_000
	if testing.Short() {
		tasks = 1_000
	}
	x := newBench(b, storetest.Engines[0].Open, tasks)
	links := make([]schedules.NewTaskLink, 0, 2*tasks)
	for i := range tasks - 1 {
		if i%10 != 9 {
			links = append(links, schedules.NewTaskLink{PredecessorID: x.ids[i], SuccessorID: x.ids[i+1], Type: schedules.FinishToStart})
		}
		if i+10 < tasks {
			links = append(links, schedules.NewTaskLink{PredecessorID: x.ids[i], SuccessorID: x.ids[i+10], Type: schedules.FinishToStart})
		}
	}
	for part := range slices.Chunk(links, schedules.MaxBatch) {
		x.must(x.svc.In("s").CreateTaskLinks(b.Context(), part))
	}
	_, err := x.svc.In("s").UpdateProjectScheduling(b.Context(), schedules.ProjectSchedulingPatch{
		IsAutomatic: twinplatform.Set(true), StartDate: twinplatform.Set(at(0)),
	})
	if err != nil {
		b.Fatal(err)
	}
	before := cpuSeconds()
	for i := int32(0); b.Loop(); i++ {
		p := schedules.TaskPatch{PlannedDuration: twinplatform.Set(3600 * (1 + i%2))}
		if _, err := x.svc.In("s").UpdateTask(b.Context(), x.ids[0], p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s/op")
}

// cpuSeconds is how long the processors were at this process so far.
func cpuSeconds() float64 {
	runtime.GC() // which is when it is summed up
	all := []metrics.Sample{{Name: "/cpu/classes/user:cpu-seconds"}, {Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(all)
	return all[0].Value.Float64() + all[1].Value.Float64()
}
