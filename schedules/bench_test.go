package schedules_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Each benchmark does the work through the service and, in the same run, the
// least that the engine alone would have to do for it. "x-engine" is the ratio
// of the two.

// bench is a schedule with n tasks, and the same bytes under plain keys.
type bench struct {
	b     *testing.B
	svc   *schedules.Service
	store storage.Store
	ids   []string
	value []byte // of one task, as it is stored
}

func newBench(b *testing.B, open func(testing.TB) storage.Store, tasks int) *bench {
	b.Helper()
	x := &bench{b: b, store: open(b)}
	b.Cleanup(func() { _ = x.store.Close() })
	x.svc = newService(x.store, schedules.Config{})
	ctx := context.Background()
	if _, err := x.svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "bench", TwinID: "t"}); err != nil {
		b.Fatal(err)
	}
	rec, err := x.svc.CreateTask(ctx, "s", benchTask("first"))
	if err != nil {
		b.Fatal(err)
	}
	x.value = rec.Records[0].JSON
	for from := 0; from < tasks; from += schedules.MaxBatch {
		batch := make([]schedules.NewTask, min(schedules.MaxBatch, tasks-from))
		for i := range batch {
			id := fmt.Sprintf("task-%07d", from+i)
			batch[i] = benchTask(id)
			x.ids = append(x.ids, id)
		}
		if _, err := x.svc.In("s").CreateTasks(ctx, batch); err != nil {
			b.Fatal(err)
		}
		err := x.store.Update(ctx, func(w storage.Writer) error {
			for i := range batch {
				if err := w.Put("plain/"+batch[i].ID, x.value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return x
}

func benchTask(id string) schedules.NewTask {
	seconds := int32(86_400)
	return schedules.NewTask{
		ID: id, Name: "Pour the concrete of " + id, Type: schedules.Work, UserDefinedID: id,
		PlannedStart: twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)), PlannedDuration: &seconds,
	}
}

// compare measures service and engine for the same number of rounds.
func (x *bench) compare(service, engine func(i int) error) {
	x.b.Helper()
	x.b.ReportAllocs()
	measure := func(fn func(i int) error) time.Duration {
		begin := time.Now()
		for i := range x.b.N {
			if err := fn(i); err != nil {
				x.b.Fatal(err)
			}
		}
		return time.Since(begin)
	}
	base := measure(engine)
	x.b.ResetTimer()
	own := measure(service)
	x.b.StopTimer()
	x.b.ReportMetric(float64(own)/float64(max(base, 1)), "x-engine")
}

func onBenchEngines(b *testing.B, tasks int, run func(x *bench)) {
	for _, e := range storetest.Engines {
		b.Run(e.Name, func(b *testing.B) { run(newBench(b, e.Open, tasks)) })
	}
}

func (x *bench) view(fn func(storage.Reader) error) error {
	return x.store.View(context.Background(), fn)
}

func (x *bench) update(fn func(storage.Writer) error) error {
	return x.store.Update(context.Background(), fn)
}

func BenchmarkCreateTask(b *testing.B) {
	onBenchEngines(b, 0, func(x *bench) {
		x.compare(func(i int) error {
			_, err := x.svc.CreateTask(context.Background(), "s", benchTask(fmt.Sprint(i)))
			return err
		}, func(i int) error {
			return x.update(func(w storage.Writer) error { return w.Put(fmt.Sprint("plain/", i), x.value) })
		})
	})
}

func BenchmarkCreateThousandTasks(b *testing.B) {
	onBenchEngines(b, 0, func(x *bench) {
		x.compare(func(i int) error {
			batch := make([]schedules.NewTask, 1000)
			for j := range batch {
				batch[j] = benchTask(fmt.Sprint(i, "-", j))
			}
			_, err := x.svc.In("s").CreateTasks(context.Background(), batch)
			return err
		}, func(i int) error {
			return x.update(func(w storage.Writer) error {
				for j := range 1000 {
					if err := w.Put(fmt.Sprint("plain/", i, "-", j), x.value); err != nil {
						return err
					}
				}
				return nil
			})
		})
	})
}

func BenchmarkUpdateTask(b *testing.B) {
	onBenchEngines(b, 1000, func(x *bench) {
		x.compare(func(i int) error {
			_, err := x.svc.In("s").UpdateTask(context.Background(), x.ids[i%len(x.ids)], schedules.TaskPatch{Name: twinplatform.Set(fmt.Sprint(i))})
			return err
		}, func(i int) error {
			return x.update(func(w storage.Writer) error {
				key := "plain/" + x.ids[i%len(x.ids)]
				if _, err := w.Get(key); err != nil {
					return err
				}
				return w.Put(key, x.value)
			})
		})
	})
}

func BenchmarkGetTask(b *testing.B) {
	onBenchEngines(b, 10_000, func(x *bench) {
		x.compare(func(i int) error {
			_, err := x.svc.In("s").Task(context.Background(), x.ids[i%len(x.ids)])
			return err
		}, func(i int) error {
			return x.view(func(r storage.Reader) error {
				_, err := r.Get("plain/" + x.ids[i%len(x.ids)])
				return err
			})
		})
	})
}

func BenchmarkPageOfTasks(b *testing.B) {
	for _, size := range []int{100, 10_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			onBenchEngines(b, 10_000, func(x *bench) {
				x.compare(func(int) error {
					page, err := x.svc.In("s").Tasks(context.Background(), schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: size}})
					if err == nil && page.Len() != size {
						err = fmt.Errorf("a page of %d", page.Len())
					}
					return err
				}, func(int) error {
					return x.view(func(r storage.Reader) error {
						n, found := 0, make([][]byte, 0, size)
						for _, v := range r.Scan("plain/", "") {
							found = append(found, v)
							if n++; n == size {
								break
							}
						}
						return nil
					})
				})
			})
		})
	}
}

func BenchmarkDeltaOfTenAmongHundredThousand(b *testing.B) {
	onBenchEngines(b, 100_000, func(x *bench) {
		ctx := context.Background()
		size := 10_000
		q := schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: size}}
		for {
			page, err := x.svc.In("s").Tasks(ctx, q)
			if err != nil {
				b.Fatal(err)
			}
			if q.Continuation = page.Next; page.Next == "" {
				q.Delta = page.Delta
				break
			}
		}
		for i := range 10 {
			if _, err := x.svc.In("s").UpdateTask(ctx, x.ids[i*9_999], schedules.TaskPatch{Name: twinplatform.Set("changed")}); err != nil {
				b.Fatal(err)
			}
		}
		x.compare(func(int) error {
			page, err := x.svc.In("s").Tasks(ctx, q)
			if err == nil && page.Len() != 10 {
				err = fmt.Errorf("a delta of %d", page.Len())
			}
			return err
		}, func(int) error {
			return x.view(func(r storage.Reader) error {
				for i := range 10 {
					if _, err := r.Get("plain/" + x.ids[i*9_999]); err != nil {
						return err
					}
				}
				return nil
			})
		})
	})
}

// BenchmarkNewestOperations lists the newest hundred of so many operations of a schedule.
func BenchmarkNewestOperations(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := newBench(b, storetest.Engines[0].Open, 0)
			for range n {
				if _, err := x.svc.CreateTask(b.Context(), "s", schedules.NewTask{Name: "n", Type: schedules.Work}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				page, err := x.svc.In("s").Operations(b.Context(), schedules.OperationQuery{})
				if err != nil || page.Len() != 100 {
					b.Fatal(page.Len(), err)
				}
			}
		})
	}
}
