package schedules

import (
	"encoding/json"
	"maps"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// backfills derive of a task what follows from the calendars, the tasks and the links that
// are there by now, in this order: hammocks need the dates of others.
var backfills = []func(u *records.Update, s records.Scope, t *Task, times *workingTime) error{
	func(u *records.Update, s records.Scope, t *Task, times *workingTime) error {
		next := *t
		if err := next.timeBy(times); err != nil || next.sameTime(t) {
			return err
		}
		_, err := taskRecords.Put(u, s, &next)
		return err
	},
	func(u *records.Update, s records.Scope, t *Task, times *workingTime) error {
		if !t.Type.hammock() {
			return nil
		}
		r := readPlan(u, s)
		r.times = times
		return r.deriveHammock(u, t.ID)
	},
}

// timeBy derives what follows from the working time of a task, and of one that has none, such
// as a key date, what follows from its dates.
func (t *Task) timeBy(times *workingTime) error {
	if !t.timed() {
		t.timeIn(working{})
		return nil
	}
	w, err := times.of(t)
	if err == nil {
		t.timeIn(w)
	}
	return err
}

// backfill does one of the backfills of tasks behind the one that it has reached, and reports whether that was
// the last one.
func backfill(u *records.Update, s records.Scope, nth int, after string, step *records.Step) (reached string,
	whole bool, err error,
) {
	times := workingTimeOf(u, s)
	tasks := records.Together(u, 0, taskRecords.From(u, s, after), func(next []*Task) error {
		return declareBackfill(u, s, nth, next, times)
	})
	for t, err := range tasks {
		if err != nil {
			return after, false, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return after, false, err
		}
		if err := backfills[nth](u, s, t, times); err != nil {
			return after, false, err
		}
		after = t.ID
	}
	return after, true, nil
}

// declareBackfill declares what one of the backfills reads of tasks.
func declareBackfill(u *records.Update, s records.Scope, nth int, next []*Task, times *workingTime) error {
	if nth > 0 {
		return declareHammocks(u, s, hammocksOf(next))
	}
	return declareTimed(u, s, next, func(t *Task) (*Task, error) {
		fresh := *t
		return &fresh, fresh.timeBy(times)
	})
}

// declareTaskWrites declares what is read to write tasks.
func declareTaskWrites(u *records.Update, s records.Scope, next []*model.Written) error {
	if err := model.DeclareWritten(taskRecords.Table())(u, s, next); err != nil {
		return err
	}
	tasks := make([]*Task, len(next))
	for i, w := range next {
		v, _, err := w.Of(taskRecords.Table())
		if err != nil {
			return err
		}
		tasks[i] = v.(*Task)
	}
	return declareWork(u, s, tasks)
}

// importSorts are the types of records that imports write, by their names.
var importSorts = importedBy(features, []model.Imported{
	{
		Records: taskRecords.Table(), Put: putTask,
		Declare:        declareTaskWrites,
		DeclareRemoval: declareTaskRemoval,
		RemoveAll:      removeTasks,
	},
	model.Imports(&taskLinkRecords),
	model.ImportsKind(&resourceKind),
	model.ImportsKind(&assignmentKind),
	model.ImportsKind(&calendarKind),
	model.Imports(&projectSchedulingRecords),
	model.Imports(&importing.ItemRecords),
})

func importedBy(features []model.Feature, all []model.Imported) map[string]model.Imported {
	for _, f := range features {
		all = append(all, f.Imported...)
	}
	sorts := maps.Clone(baselineSorts)
	for _, i := range all {
		sorts[i.Records.Name()] = i
	}
	return sorts
}

// putTask writes a task with the dates that follow on the calendars that are there by now.
func putTask(u *records.Update, s records.Scope, w *model.Written) error {
	v, encoded, err := w.Of(taskRecords.Table())
	if err != nil {
		return err
	}
	found := v.(*Task)
	t := *found
	if err := t.timeBy(workingTimeOf(u, s)); err != nil {
		return err
	}
	if !t.sameTime(found) {
		encoded = nil
	}
	return taskRecords.Table().PutEncoded(u, s, &t, encoded, w.Unused)
}

// baselineSorts are those that imports write of baselines, by their names.
var baselineSorts = map[string]model.Imported{
	baselineRecords.Name: {
		Records: baselineRecords.Table(),
		Put: func(u *records.Update, s records.Scope, w *model.Written) error {
			var v importing.WithRows[Baseline]
			if err := json.Unmarshal(w.JSON, &v); err != nil {
				return err
			}
			v.Baseline.rows = v.Rows
			_, err := baselineRecords.Put(u, s, &v.Baseline)
			return err
		},
		Remove: func(u *records.Update, s records.Scope, id string, step *records.Step) (bool, error) {
			b, err := baselineRecords.Lookup(u, s, id)
			if b == nil || err != nil {
				return true, err
			}
			if whole, err := eraseRows(u, s, b.rows, step); !whole || err != nil {
				return false, err
			}
			return true, baselineRecords.Delete(u, s, id)
		},
	},
	importing.FormerRows: {Remove: func(u *records.Update, s records.Scope, rows string, step *records.Step) (bool,
		error,
	) {
		return eraseRows(u, s, rows, step)
	}},
	baselineTasks("").Name:     {Put: putRow(baselineTasks), Declare: declareRows(baselineTasks)},
	baselineTaskLinks("").Name: {Put: putRow(baselineTaskLinks), Declare: declareRows(baselineTaskLinks)},
}

// declareRows declares what putRow reads.
func declareRows[T any](of func(rows string) *records.Collection[T]) func(*records.Update, records.Scope,
	[]*model.Written) error {
	return func(u *records.Update, s records.Scope, next []*model.Written) error {
		for _, w := range next {
			var v importing.Row[T]
			if err := json.Unmarshal(w.JSON, &v); err != nil {
				return err
			}
			c := of(v.Rows)
			records.Declare(u, c.NeedsOfNew(s, c.ID(&v.Row))...)
		}
		return nil
	}
}

func putRow[T any](of func(rows string) *records.Collection[T]) func(*records.Update, records.Scope,
	*model.Written) error {
	return func(u *records.Update, s records.Scope, w *model.Written) error {
		var v importing.Row[T]
		if err := json.Unmarshal(w.JSON, &v); err != nil {
			return err
		}
		_, err := of(v.Rows).Put(u, s, &v.Row)
		return err
	}
}
