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
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// enginePaths are typed calls compared with the memory engine.
//
// The engine does what a program would have it do that keeps the same bytes itself: a put
// hands over bytes that no one else has, since the engine keeps them, and a get returns a
// copy that its caller may keep, as typed values may be. Records are got in no order of
// their keys, the same on both sides. A walk copies what it meets into one buffer, which
// is used again.
var enginePaths = []path{
	{name: "create-in-a-batch", must: must{micros: 9, allocs: 15}, size: 1_000, small: 10, batch: true, prepareAsked: func(tb testing.TB, size int) (raw, own func(int) error, ask func(int), n int) {
		p, asked := newPlan(tb, tb.Context(), 100), plannedFrom(100)
		return func(n int) error {
				for range n {
					if err := p.put(size); err != nil {
						return err
					}
				}
				return nil
			}, func(n int) error {
				for range n {
					if _, err := p.svc.In("s").CreateTasks(p.ctx, asked.next(size)); err != nil {
						return err
					}
				}
				return nil
			}, func(n int) { asked.ask(n * size) }, 20
	}},
	{name: "create-alone", must: must{micros: 12, allocs: 45}, size: 100, small: 1, prepareAsked: func(tb testing.TB, size int) (raw, own func(int) error, ask func(int), n int) {
		p, asked := newPlan(tb, tb.Context(), size), plannedFrom(size)
		return p.each(func(int) error { return p.put(1) }), p.each(func(int) error {
			_, err := p.svc.In("s").CreateTasks(p.ctx, asked.next(1))
			return err
		}), asked.ask, 5_000
	}},
	{name: "create-with-its-operation", must: must{micros: 14}, size: 100, small: 1, prepareAsked: func(tb testing.TB, size int) (raw, own func(int) error, ask func(int), n int) {
		p, asked := newPlan(tb, tb.Context(), size), plannedFrom(size)
		return p.each(func(int) error { return p.put(1) }), p.each(func(int) error {
			_, err := p.svc.CreateTask(p.ctx, "s", asked.next(1)[0])
			return err
		}), asked.ask, 5_000
	}},
	{name: "update", must: must{micros: 15, allocs: 60}, size: 10_000, small: 100, prepareAsked: func(tb testing.TB, size int) (raw, own func(int) error, ask func(int), n int) {
		p := newPlan(tb, tb.Context(), size)
		asked := &requests[schedules.NewTask]{make: func(i int) schedules.NewTask {
			return schedules.NewTask{ID: taskID(scattered(i, size)), Name: planned(size + i).Name}
		}}
		return p.each(func(int) error { return p.put(1) }), p.each(func(int) error {
			to := asked.next(1)[0]
			_, err := p.svc.In("s").UpdateTask(p.ctx, to.ID, schedules.TaskPatch{Name: twinplatform.Set(to.Name)})
			return err
		}), asked.ask, 5_000
	}},
	{name: "get", must: must{micros: 3}, size: 100_000, small: 100, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
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
	{name: "page-of-10,000-as-JSON", must: must{cpu: 1.5}, size: 10_000, small: 100, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
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
	{name: "page-of-10,000-as-values", must: must{cpu: 5}, size: 10_000, small: 100, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		p := newPlan(tb, tb.Context(), size)
		return p.each(p.walk), p.each(func(int) error {
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
	{name: "delta-of-ten", must: must{cpu: 16}, size: 100_000, small: 100, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
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
	svc := schedules.New(store, schedules.Config{}, scheduling.Feature, exchange.Feature)
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	return planIn(tb, ctx, store, svc, tasks)
}

// planIn makes tasks in the schedule, and next to them as many records of the same bytes.
func planIn(tb testing.TB, ctx context.Context, store storage.Store, svc *schedules.Service, tasks int) *plan {
	tb.Helper()
	p := &plan{ctx: ctx, store: store, svc: svc}
	above := make([]schedules.NewTask, summaries)
	for i := range above {
		above[i] = planned(-1 - i)
	}
	first, err := p.svc.In("s").CreateTasks(p.ctx, above)
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

// planned is a task of about 800 bytes as it is stored: like those of a plan that came from a
// planning tool, its id is in no order, it has a code of its own, lies below another one, and
// has letters that are not of ASCII.
func planned(i int) schedules.NewTask {
	duration := int32(3_600 * (1 + scatter("hours", i)%200))
	t := schedules.NewTask{
		ID: taskID(i), Name: fmt.Sprintf("Schalung Träger %d, Achse Ω%d", scatter("name", i)%1_000, i%70), Type: schedules.Work, Comment: "C25/30",
		UserDefinedID: fmt.Sprintf("%05d-%d", scatter("code", i)%100_000, i),
		PlannedStart:  twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i%700)), PlannedDuration: &duration,
	}
	if i >= 0 {
		t.ParentID = taskID(-1 - i%summaries)
	}
	return t
}

// requests are made before what they ask for is measured.
type requests[T any] struct {
	make  func(i int) T
	asked int // for so many so far
	open  []T
}

// ask makes the next n.
func (r *requests[T]) ask(n int) {
	for r.open = r.open[:0]; len(r.open) < n; r.asked++ {
		r.open = append(r.open, r.make(r.asked))
	}
}

// next takes n of those that were made.
func (r *requests[T]) next(n int) []T {
	taken := r.open[:n:n]
	r.open = r.open[n:]
	return taken
}

// plannedFrom are requests for tasks, the first of which has a number.
func plannedFrom(first int) *requests[schedules.NewTask] {
	return &requests[schedules.NewTask]{make: func(i int) schedules.NewTask { return planned(first + i) }}
}

// summaries is how many tasks the others lie below: those with the numbers from -summaries to -1.
const summaries = 50

func taskID(i int) string { return fmt.Sprintf("%016x", scatter("task", i)) }

func plain(i int) string { return "plain/" + taskID(i) }

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
