package bench_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// enginePaths are typed calls compared with the memory engine.
//
// The engine does what a program would have it do that keeps the same bytes itself: a put
// hands over bytes that no one else has, since the engine keeps them, and a get returns a
// copy that its caller may keep, as typed values may be. Records are got in no order of
// their keys, the same on both sides. A walk copies what it meets into one buffer, which
// is used again where the page is joined into one too, and is made again, as large as it
// will be, where the page is of values.
var enginePaths = []path{
	{"create-in-a-batch", 8, 1_000, 10, func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p, made := newPlan(tb, tb.Context(), 0), 0
		return func(n int) error {
				for range n {
					if err := p.put(size); err != nil {
						return err
					}
				}
				return nil
			}, func(n int) error {
				for range n {
					batch := make([]schedules.NewTask, size)
					for i := range batch {
						batch[i] = planned(made)
						made++
					}
					if _, err := p.svc.In("s").CreateTasks(p.ctx, batch); err != nil {
						return err
					}
				}
				return nil
			}, 20
	}},
	{"create-alone", 8, 1, 1, func(tb testing.TB, _ int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), 0)
		return p.each(func(int) error { return p.put(1) }), p.each(func(i int) error {
			_, err := p.svc.In("s").CreateTasks(p.ctx, []schedules.NewTask{planned(i)})
			return err
		}), 5_000
	}},
	{"create-with-its-operation", 12, 1, 1, func(tb testing.TB, _ int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), 0)
		return p.each(func(int) error { return p.put(1) }), p.each(func(i int) error {
			_, err := p.svc.CreateTask(p.ctx, "s", planned(i))
			return err
		}), 5_000
	}},
	{"get", 3, 100_000, 100, func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), size)
		var copied []byte
		return p.each(func(i int) error {
				return p.store.View(p.ctx, func(r storage.Reader) error {
					value, err := r.Get(plain(scattered(i, size)))
					copied = bytes.Clone(value)
					return cmp.Or(err, want("bytes", len(copied), len(p.value)))
				})
			}), p.each(func(i int) error {
				_, err := p.svc.In("s").Task(p.ctx, taskID(scattered(i, size)))
				return err
			}), 20_000
	}},
	{"page-as-json", 1.5, 10_000, 100, func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), size)
		var joined []byte
		return p.each(p.walk), p.each(func(int) error {
			page, err := p.page(size)
			joined = joined[:0]
			for _, record := range page.JSON() {
				joined = append(joined, record...)
			}
			return err
		}), 20
	}},
	{"page-typed", 8, 10_000, 100, func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), size)
		return p.each(p.collect), p.each(func(int) error {
			page, err := p.page(size)
			if err != nil {
				return err
			}
			all, err := page.Values()
			if err != nil {
				return err
			}
			return want("tasks", len(all), size)
		}), 20
	}},
	{"delta-of-ten", 16, 100_000, 100, func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), size)
		q := p.changed(tb, size)
		return p.each(func(int) error {
				return p.store.View(p.ctx, func(r storage.Reader) error {
					for i := range 10 {
						if _, err := r.Get(plain(i * (size / 10))); err != nil {
							return err
						}
					}
					return nil
				})
			}), p.each(func(int) error {
				page, err := p.svc.In("s").Tasks(p.ctx, q)
				if err != nil {
					return err
				}
				return want("changes", page.Len(), 10)
			}), 5_000
	}},
}

// plan is a schedule with tasks, and their bytes under plain keys next to it.
type plan struct {
	ctx   context.Context
	svc   *schedules.Service
	store storage.Store
	value []byte // of a task, as it is stored
	plain int    // keys put so far
	read  []byte
}

func newPlan(tb testing.TB, ctx context.Context, tasks int) *plan {
	tb.Helper()
	store := memory.New()
	tb.Cleanup(func() { _ = store.Close() })
	return planOver(tb, ctx, store, tasks)
}

func planOver(tb testing.TB, ctx context.Context, store storage.Store, tasks int) *plan {
	tb.Helper()
	svc := schedules.New(store, schedules.Config{})
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	return planIn(tb, ctx, store, svc, tasks)
}

// planIn makes tasks in the schedule, and next to them as many records of the same bytes.
func planIn(tb testing.TB, ctx context.Context, store storage.Store, svc *schedules.Service, tasks int) *plan {
	tb.Helper()
	p := &plan{ctx: ctx, store: store, svc: svc}
	first, err := p.svc.In("s").CreateTasks(p.ctx, []schedules.NewTask{planned(-1)})
	if err != nil {
		tb.Fatal(err)
	}
	p.value = first.Records[0].JSON
	for from := 0; from < tasks; from += schedules.MaxBatch {
		batch := make([]schedules.NewTask, min(schedules.MaxBatch, tasks-from))
		for i := range batch {
			batch[i] = planned(from + i)
		}
		if _, err := p.svc.In("s").CreateTasks(p.ctx, batch); err != nil {
			tb.Fatal(err)
		}
		if err := p.put(len(batch)); err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

// planned is a task of about 780 bytes as it is stored.
func planned(i int) schedules.NewTask {
	day := int32(28_800)
	return schedules.NewTask{
		ID: taskID(i), Name: "Pour the floor of the third storey", Type: schedules.Work, Comment: "C25/30",
		PlannedStart: twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)), PlannedDuration: &day,
	}
}

func taskID(i int) string { return fmt.Sprintf("task-%07d", i) }

func plain(i int) string { return fmt.Sprintf("plain/task-%07d", i) }

// scattered is the i-th of so many numbers in an order that leaps about.
func scattered(i, size int) int { return i * 7919 % size }

// put puts so many values under the next plain keys, in one transaction.
func (p *plan) put(n int) error {
	return p.store.Update(p.ctx, func(w storage.Writer) error {
		for range n {
			if err := w.Put(plain(p.plain), bytes.Clone(p.value)); err != nil {
				return err
			}
			p.plain++
		}
		return nil
	})
}

// each numbers the calls of work.
func (p *plan) each(work func(i int) error) func(n int) error {
	i := 0
	return func(n int) error {
		for range n {
			if err := work(i); err != nil {
				return err
			}
			i++
		}
		return nil
	}
}

// walk goes over all plain values and copies them into one buffer.
func (p *plan) walk(int) error {
	return p.store.View(p.ctx, func(r storage.Reader) error {
		p.read = p.read[:0]
		for _, value := range r.Scan("plain/", "") {
			p.read = append(p.read, value...)
		}
		return nil
	})
}

// collect is walk into a buffer for its caller to keep.
func (p *plan) collect(i int) error {
	p.read = make([]byte, 0, cap(p.read))
	return p.walk(i)
}

func (p *plan) page(size int) (twinplatform.Page[schedules.Task], error) {
	page, err := p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: size}})
	if err == nil {
		err = want("tasks", page.Len(), size)
	}
	return page, err
}

// changed changes ten of the tasks, and returns the query for what has changed.
func (p *plan) changed(tb testing.TB, size int) (q schedules.TaskQuery) {
	tb.Helper()
	for {
		page, err := p.svc.In("s").Tasks(p.ctx, q)
		if err != nil {
			tb.Fatal(err)
		}
		if q.Continuation = page.Next; page.Next == "" {
			q.Delta = page.Delta
			break
		}
	}
	for i := range 10 {
		if _, err := p.svc.In("s").UpdateTask(p.ctx, planned(i*(size/10)).ID, schedules.TaskPatch{Name: twinplatform.Set("Changed")}); err != nil {
			tb.Fatal(err)
		}
	}
	return q
}
