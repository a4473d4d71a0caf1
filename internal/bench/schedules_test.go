package bench_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

var schedulesRows = []row{
	{"links-of-deep-tasks", schedules.MaxDepth - 1, 20, func(w *world, depth int) func(context.Context) error {
		ids := w.chainOfTasks("deep", depth)
		low := w.tasksBelow("low", ids[len(ids)-1], 101)
		batch := make([]schedules.NewTaskLink, 100)
		for i := range batch {
			batch[i] = follows(low[i], low[i+1])
		}
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").CreateTaskLinks(ctx, batch)
			return err
		}
	}},
	{"delete-parent", 10_000, 100, func(w *world, children int) func(context.Context) error {
		w.task(task("parent"))
		w.tasksBelow("child", "parent", children)
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").DeleteTasks(ctx, []string{"parent"})
			return err
		}
	}},
	{"link-in-a-chain", 20_000, 200, func(w *world, length int) func(context.Context) error {
		ids := w.tasksBelow("task", "", length)
		w.link(pairs(ids)...)
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").CreateTaskLinks(ctx, []schedules.NewTaskLink{follows(ids[length/2], ids[length/2+10])})
			return err
		}
	}},
	{"date-of-a-hub", 10_000, 100, func(w *world, links int) func(context.Context) error {
		w.task(task("hub"))
		w.link(around("hub", w.tasksBelow("spoke", "", links))...)
		return func(ctx context.Context) error { return w.move(ctx, "hub") }
	}},
	{"date-next-to-a-hammock", 10_000, 100, func(w *world, links int) func(context.Context) error {
		w.task(schedules.NewTask{ID: "hammock", Name: "hammock", Type: schedules.LongHammock})
		ids := w.tasksBelow("spoke", "", links)
		w.link(around("hammock", ids)...)
		return func(ctx context.Context) error { return w.move(ctx, ids[0]) }
	}},
	{"batches-of-thousand", 20, 1, func(w *world, batches int) func(context.Context) error {
		return func(ctx context.Context) error {
			for i := range batches {
				if _, err := w.Schedules.In("s").CreateTasks(ctx, tasks(fmt.Sprint("batch-", i), "", 1_000)); err != nil {
					return err
				}
			}
			return nil
		}
	}},
	{"move-subtree", 10_000, 100, func(w *world, below int) func(context.Context) error {
		w.task(task("from"))
		w.task(task("to"))
		w.tasksBelow("child", "from", below)
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").UpdateTask(ctx, "from", schedules.TaskPatch{ParentID: twinplatform.Set("to")})
			return err
		}
	}},
	{"delete-group", 20_000, 100, func(w *world, members int) func(context.Context) error {
		_, err := w.Schedules.In("s").CreateResourceGroup(w.ctx, schedules.NewResourceGroup{ID: "group", Name: "group"})
		w.must(err)
		for part := range slices.Chunk(w.resources(members), schedules.MaxBatch) {
			_, err := w.Schedules.In("s").AddResourcesToGroup(w.ctx, "group", part)
			w.must(err)
		}
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").DeleteResourceGroups(ctx, []string{"group"})
			return err
		}
	}},
	{"delete-resources", 1_000, 50, func(w *world, n int) func(context.Context) error {
		ids := w.resources(n)
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").DeleteResources(ctx, ids)
			return err
		}
	}},
	{"make-baseline", 20_000, 100, func(w *world, rows int) func(context.Context) error {
		w.tasksBelow("task", "", rows)
		return w.makeBaseline
	}},
	{"clone-schedule", 20_000, 100, func(w *world, rows int) func(context.Context) error {
		w.schedule(worker, "v10", schedules.V10)
		for part := range slices.Chunk(tasks("task", "", rows), schedules.MaxBatch) {
			_, err := w.Schedules.In("v10").CreateTasks(w.ctx, part)
			w.must(err)
		}
		return func(ctx context.Context) error {
			_, err := w.Schedules.CloneSchedule(ctx, "v10", schedules.NewClone{ID: "clone", Name: "clone"})
			return err
		}
	}},
	{"another-default-calendar", 20_000, 100, func(w *world, n int) func(context.Context) error {
		w.planned(n)
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("v10").UpdateProjectScheduling(ctx, schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Null[string]()})
			return err
		}
	}},
	{"date-on-a-long-calendar", schedules.MaxExceptionDays, 100, func(w *world, days int) func(context.Context) error {
		w.planned(10)
		last := time.Date(2000, 1, days, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		_, err := w.Schedules.In("v10").UpdateCalendar(w.ctx, schedules.StandardCalendar, schedules.CalendarPatch{
			Exceptions: twinplatform.Set([]schedules.CalendarException{{StartDate: "2000-01-01", EndDate: last, DayTypeID: "working", Recurrence: &schedules.Recurrence{
				Frequency: schedules.MonthlyRecurrence, Position: "Last", Weekdays: []schedules.Weekday{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"},
			}}}),
		})
		w.must(err)
		return func(ctx context.Context) error {
			if _, err := w.Schedules.In("v10").UpdateCalendar(ctx, schedules.StandardCalendar, schedules.CalendarPatch{Name: twinplatform.Set("Usual")}); err != nil {
				return err
			}
			_, err := w.Schedules.In("v10").UpdateTask(ctx, "dated-000000", schedules.TaskPatch{PlannedStart: twinplatform.Set(monday)})
			return err
		}
	}},
	{"delete-baseline", 20_000, 100, func(w *world, rows int) func(context.Context) error {
		w.tasksBelow("task", "", rows)
		w.must(w.makeBaseline(w.ctx))
		return func(ctx context.Context) error {
			_, err := w.Schedules.In("s").DeleteBaselines(ctx, []string{"baseline"})
			return err
		}
	}},
}

// monday is one at work.
var monday = twinplatform.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))

// planned makes a schedule with so many tasks that have dates.
func (w *world) planned(n int) {
	w.tb.Helper()
	w.schedule(worker, "v10", schedules.V10)
	all := tasks("dated", "", n)
	for i := range all {
		all[i].PlannedStart, all[i].PlannedDuration = monday, new(int32(3600*i))
	}
	for part := range slices.Chunk(all, schedules.MaxBatch) {
		_, err := w.Schedules.In("v10").CreateTasks(w.ctx, part)
		w.must(err)
	}
}

func (w *world) task(n schedules.NewTask) {
	w.tb.Helper()
	_, err := w.Schedules.CreateTask(w.ctx, "s", n)
	w.must(err)
}

// tasks are so many requests.
func tasks(name, parent string, n int) []schedules.NewTask {
	out := make([]schedules.NewTask, n)
	for i := range out {
		out[i] = task(fmt.Sprintf("%s-%06d", name, i))
		out[i].ParentID = parent
	}
	return out
}

// tasksBelow makes tasks below one, and returns their ids.
func (w *world) tasksBelow(name, parent string, n int) (ids []string) {
	w.tb.Helper()
	return w.makeTasks(tasks(name, parent, n))
}

// chainOfTasks makes tasks each below the one before, and returns their ids.
func (w *world) chainOfTasks(name string, depth int) (ids []string) {
	w.tb.Helper()
	batch := tasks(name, "", depth)
	for i := 1; i < depth; i++ {
		batch[i].ParentID = batch[i-1].ID
	}
	return w.makeTasks(batch)
}

func (w *world) makeTasks(all []schedules.NewTask) (ids []string) {
	w.tb.Helper()
	for part := range slices.Chunk(all, schedules.MaxBatch) {
		_, err := w.Schedules.In("s").CreateTasks(w.ctx, part)
		w.must(err)
		for _, n := range part {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// follows is a link that has one task follow another.
func follows(predecessor, successor string) schedules.NewTaskLink {
	return schedules.NewTaskLink{ID: predecessor + "-" + successor, PredecessorID: predecessor, SuccessorID: successor, Type: schedules.FinishToStart}
}

// pairs has each task follow the one before.
func pairs(ids []string) (links []schedules.NewTaskLink) {
	for i := range len(ids) - 1 {
		links = append(links, follows(ids[i], ids[i+1]))
	}
	return links
}

// around has a task follow the first half of others, and the rest follow it.
func around(hub string, ids []string) (links []schedules.NewTaskLink) {
	for i, id := range ids {
		if i < len(ids)/2 {
			links = append(links, follows(id, hub))
		} else {
			links = append(links, follows(hub, id))
		}
	}
	return links
}

func (w *world) link(links ...schedules.NewTaskLink) {
	w.tb.Helper()
	for part := range slices.Chunk(links, schedules.MaxBatch) {
		_, err := w.Schedules.In("s").CreateTaskLinks(w.ctx, part)
		w.must(err)
	}
}

// move gives a task another date.
func (w *world) move(ctx context.Context, id string) error {
	_, err := w.Schedules.In("s").UpdateTask(ctx, id, schedules.TaskPatch{PlannedStart: twinplatform.Set(twinplatform.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)))})
	return err
}

// resources makes so many and returns their ids.
func (w *world) resources(n int) (ids []string) {
	w.tb.Helper()
	batch := make([]schedules.NewResource, n)
	for i := range batch {
		ids = append(ids, fmt.Sprintf("resource-%06d", i))
		batch[i] = schedules.NewResource{ID: ids[i], Name: ids[i], Type: schedules.EquipmentResource}
	}
	for part := range slices.Chunk(batch, schedules.MaxBatch) {
		_, err := w.Schedules.In("s").CreateResources(w.ctx, part)
		w.must(err)
	}
	return ids
}

func (w *world) makeBaseline(ctx context.Context) error {
	_, err := w.Schedules.In("s").CreateBaseline(ctx, schedules.NewBaseline{ID: "baseline", Name: "baseline"})
	return err
}
