package schedules

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// PlannedTask is a task as the planner's file has it, beside what follows from its logic:
// from the durations, links, calendars and constraints of the file alone.
type PlannedTask struct {
	Computed PlannedDates `json:"computed"` // by the rules of the planner
	Deleted  bool         `json:"deleted"`  // true in deltas alone
	// Differences name the members of Computed that are not the same as those of File,
	// where the file has them. Two times without working time between are the same.
	Differences    []string     `json:"differences"`
	File           PlannedDates `json:"file"`           // as the file has them
	SynchronizerID string       `json:"synchronizerId"` // of the import
	TaskID         string       `json:"taskId"`         // the task of the schedule
}

// PlannedDates are the dates and the float of a task. What is not known is null.
type PlannedDates struct {
	Critical    *bool                 `json:"critical"`
	DrivingPath *bool                 `json:"drivingPath"` // on the longest path
	EarlyFinish twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart  twinplatform.DateTime `json:"earlyStart"`
	Finish      twinplatform.DateTime `json:"finish"`
	FreeFloat   *int64                `json:"freeFloat"` // in seconds of working time
	LateFinish  twinplatform.DateTime `json:"lateFinish"`
	LateStart   twinplatform.DateTime `json:"lateStart"`
	Start       twinplatform.DateTime `json:"start"`
	TotalFloat  *int64                `json:"totalFloat"` // in seconds of working time
}

// differing finds the planned tasks that differ from what follows from logic.
const differing = "differing"

var plannedTaskRecords = records.Collection[PlannedTask]{
	Name:        "planned-tasks",
	ID:          func(p *PlannedTask) string { return records.Join(p.SynchronizerID, p.TaskID) },
	MarkDeleted: func(p *PlannedTask) { p.Deleted = true },
	Indexes: []records.Index[PlannedTask]{{Name: differing, Value: func(p *PlannedTask) string {
		if len(p.Differences) == 0 {
			return ""
		}
		return p.SynchronizerID
	}}},
}

// PlannedTaskQuery says which planned tasks to list.
type PlannedTaskQuery struct {
	twinplatform.ListOptions
	// Differing lists those alone whose file has other dates or another float than follow
	// from its logic.
	Differing bool
}

// PlannedTasks lists the tasks of the last import of a synchronizer with the dates and the
// float that the planner's file has for them, and those that follow from its logic (GET
// …/imports/planner/synchronizers/{synchronizerId}/tasks). They are as of that import,
// whatever became of the tasks since.
//
// Errors: SynchronizerNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) PlannedTasks(ctx context.Context, synchronizerID string, q PlannedTaskQuery) (page twinplatform.Page[PlannedTask], err error) {
	query := records.Query[PlannedTask]{ListOptions: q.ListOptions, Op: "plannedTasks", Prefix: records.Join(synchronizerID, "")}
	if q.Differing {
		query.Prefix, query.Index, query.Equals = "", differing, synchronizerID
	}
	err = callsOf(p.s).synchronizers.Read(ctx, p.id, synchronizerKind.Missing, func(v *records.View, sc *model.Schedule) error {
		if _, err := synchronizerRecords.Value(v, sc.Scope, synchronizerID); err != nil {
			return synchronizerKind.Missing.Or(err)
		}
		page, err = plannedTaskRecords.List(v, sc.Scope, query)
		return model.Paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// planned keeps the dates of the file beside those that follow from its logic.
func (d *planDiff) planned() error {
	had := make(map[string]*PlannedTask)
	for p, err := range plannedTaskRecords.All(d.tx, d.scope, records.Join(d.w.SynchronizerID, "")) {
		if err == nil {
			err = records.Interrupted(d.tx)
		}
		if err != nil {
			return err
		}
		had[p.TaskID] = p
	}
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		id := d.filed[t.ID].id()
		if id == "" {
			continue
		}
		computed := datesOfEngine(d.scheduled.Dates(i))
		now := &PlannedTask{
			Computed: d.plannedDates(&computed), File: d.plannedDates(&t.File), SynchronizerID: d.w.SynchronizerID, TaskID: id,
			Differences: differences(d.calendarOf(t), &computed, &t.File),
		}
		if err := d.writePlanned(now, had[id]); err != nil {
			return err
		}
		delete(had, id)
	}
	var gone []importChange
	for _, id := range slices.Sorted(maps.Keys(had)) {
		gone = append(gone, importChange{Records: plannedTaskRecords.Name, Gone: plannedTaskRecords.ID(had[id])})
	}
	d.gone = append(d.gone, gone)
	return nil
}

// writePlanned writes a planned task, unless it is as it was.
func (d *planDiff) writePlanned(now, was *PlannedTask) error {
	if was != nil {
		before, err := plannedTaskRecords.Table().Encode(was)
		if err != nil {
			return err
		}
		after, err := plannedTaskRecords.Table().Encode(now)
		if err != nil || bytes.Equal(before, after) {
			return err
		}
	}
	return d.write(plannedTaskRecords.Table(), now, d.tasks.unused[now.TaskID])
}

// datesOfEngine are dates in the form of a file's.
func datesOfEngine(e cpm.Dates) planner.Dates {
	d := planner.Dates{
		Start: e.Start, Finish: e.Finish, EarlyStart: e.EarlyStart, EarlyFinish: e.EarlyFinish, LateStart: e.LateStart, LateFinish: e.LateFinish,
		Critical: &e.Critical, DrivingPath: &e.Longest,
	}
	if e.HasFloat {
		d.TotalFloat, d.FreeFloat = &e.TotalFloat, &e.FreeFloat
	}
	return d
}

func (d *planDiff) plannedDates(t *planner.Dates) PlannedDates {
	return PlannedDates{
		Critical: t.Critical, DrivingPath: t.DrivingPath, EarlyFinish: d.at(t.EarlyFinish), EarlyStart: d.at(t.EarlyStart), Finish: d.at(t.Finish),
		FreeFloat: t.FreeFloat, LateFinish: d.at(t.LateFinish), LateStart: d.at(t.LateStart), Start: d.at(t.Start), TotalFloat: t.TotalFloat,
	}
}

// differences name what a file has otherwise than was computed.
func differences(c *worktime.Calendar, computed, file *planner.Dates) []string {
	names := []string{}
	flag := func(name string, a, b *bool) {
		if a != nil && b != nil && *a != *b {
			names = append(names, name)
		}
	}
	number := func(name string, a, b *int64) {
		if a != nil && b != nil && *a != *b {
			names = append(names, name)
		}
	}
	date := func(name string, a, b worktime.Time) {
		if a != 0 && b != 0 && a != b && c.Between(a, b) != 0 {
			names = append(names, name)
		}
	}
	flag("critical", computed.Critical, file.Critical)
	flag("drivingPath", computed.DrivingPath, file.DrivingPath)
	date("earlyFinish", computed.EarlyFinish, file.EarlyFinish)
	date("earlyStart", computed.EarlyStart, file.EarlyStart)
	date("finish", computed.Finish, file.Finish)
	number("freeFloat", computed.FreeFloat, file.FreeFloat)
	date("lateFinish", computed.LateFinish, file.LateFinish)
	date("lateStart", computed.LateStart, file.LateStart)
	date("start", computed.Start, file.Start)
	number("totalFloat", computed.TotalFloat, file.TotalFloat)
	return names
}
