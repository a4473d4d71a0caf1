package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// PlannedTask is a task as the planner's file has it, next to what the schedule makes of it.
type PlannedTask struct {
	// Code is what the planner calls the task, such as the activity id of P6, and ExternalID by
	// what its tool knows it in whichever file. They are null where the file has none.
	Code twinplatform.NullString `json:"code"`
	// Computed is what follows for the task from the plan as it is in the schedule now, as a
	// rescheduling would find it. All of it is null of a task that is gone, and in a schedule
	// that cannot be scheduled.
	Computed synchronizers.PlannedDates `json:"computed"`
	Deleted  bool                       `json:"deleted"` // true in deltas alone
	// Differences name the members of Computed that are not the same as those of File,
	// where both are known. Two times without working time between are the same.
	Differences    []string                   `json:"differences"`
	ExternalID     twinplatform.NullString    `json:"externalId"`
	File           synchronizers.PlannedDates `json:"file"`           // as the file has them
	SynchronizerID string                     `json:"synchronizerId"` // of the import
	TaskID         string                     `json:"taskId"`         // the task of the schedule
}

// PlannedTaskQuery selects the planned tasks to list.
type PlannedTaskQuery struct {
	twinplatform.ListOptions
	// Differing lists those alone whose file has other dates or another float than the
	// schedule.
	Differing bool
}

// PlannedTasks lists the tasks of the last import of a synchronizer with the dates and the
// float that the planner's file has for them, and those that follow from the schedule as it is
// now (GET …/imports/planner/synchronizers/{synchronizerId}/tasks): what an import could not
// bring along, and what was changed since, shows in their differences. A delta lists those of
// which a later file says something else.
//
// Errors: SynchronizerNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) PlannedTasks(ctx context.Context, synchronizerID string,
	q PlannedTaskQuery,
) (page twinplatform.Page[PlannedTask], err error) {
	query := records.Query[synchronizers.InFile]{
		ListOptions: q.ListOptions, Op: "plannedTasks",
		Prefix: records.Join(synchronizerID, ""),
	}
	err = p.s.Read(p.s.WithPlan(ctx), p.id, synchronizers.Missing, func(v *records.View, sc *model.Schedule) error {
		if _, err := synchronizers.Records.Value(v, sc.Scope, synchronizerID); err != nil {
			return synchronizers.Missing.Or(err)
		}
		return p.s.At(v, sc, func(n *rescheduling.Network) error {
			f, err := n.Dates(ctx)
			if refused := (*twinplatform.Error)(nil); err != nil && !errors.As(err, &refused) {
				return err
			}
			if q.Differing {
				query.Filter = "differing"
				query.Match = func(p *synchronizers.InFile) bool { return len(compared(n, f, p).Differences) > 0 }
			}
			listed, err := synchronizers.InFiles.List(v, sc.Scope, query)
			if err == nil {
				page, err = mapped(listed, func(p *synchronizers.InFile) PlannedTask { return compared(n, f, p) })
			}
			return model.Paging.Listed(err, schedules.InvalidRequest)
		})
	})
	return page, err
}

// mapped is a page with each record as fn makes it.
func mapped[T, U any](page twinplatform.Page[T], fn func(*T) U) (twinplatform.Page[U], error) {
	values, err := page.Values()
	if err != nil {
		return twinplatform.Page[U]{}, err
	}
	made, wire := make([]U, len(values)), make([][]byte, len(values))
	for i := range values {
		made[i] = fn(&values[i])
		if wire[i], err = json.Marshal(made[i]); err != nil {
			return twinplatform.Page[U]{}, err
		}
	}
	return twinplatform.MapPage(page, wire, func(i int) (U, error) { return made[i], nil }), nil
}

// compared is what a file has of a task, with what was found of it; nil is nothing.
func compared(n *rescheduling.Network, f *rescheduling.Solution, p *synchronizers.InFile) PlannedTask {
	out := PlannedTask{
		Code: p.Code, ExternalID: p.ExternalID, Deleted: p.Deleted, Differences: []string{},
		File: p.File, SynchronizerID: p.SynchronizerID, TaskID: p.TaskID,
	}
	number, ok := n.Find(p.TaskID)
	if !ok || f == nil {
		return out
	}
	found := f.Dates(number)
	found.Critical = n.Critical(number, &found)
	computed := datesOfEngine(found)
	out.Computed, out.Differences = plannedDates(&computed, n.Calendars.Global),
		differences(n.Calendars.OfTask(n.Fill(new(rescheduling.Filled), number)), &computed, datesOf(n, &p.File))
	return out
}

// datesOf are dates as an engine and the files of planners have them.
func datesOf(n *rescheduling.Network, p *synchronizers.PlannedDates) *planner.Dates {
	local := n.Calendars.Local
	return &planner.Dates{
		Start: local(p.Start), Finish: local(p.Finish), EarlyStart: local(p.EarlyStart),
		EarlyFinish: local(p.EarlyFinish), LateStart: local(p.LateStart), LateFinish: local(p.LateFinish),
		Critical: p.Critical, DrivingPath: p.DrivingPath, TotalFloat: p.TotalFloat, FreeFloat: p.FreeFloat,
	}
}

// planned keeps the dates of the file.
func (d *planDiff) planned() error {
	had := make(map[string]records.Encoded, len(d.tasks.now))
	for p, err := range synchronizers.InFiles.Table().Encodings(d.Tx, d.Scope, records.Join(d.w.SynchronizerID, "")) {
		if err == nil {
			err = records.Interrupted(d.Tx)
		}
		if err != nil {
			return err
		}
		had[p.ID] = p.JSON
	}
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		id := d.filed[t.ID].id()
		if id == "" {
			continue
		}
		now := &synchronizers.InFile{
			Code: d.called(t.Code), ExternalID: d.called(t.ExternalID),
			File: plannedDates(&t.File, d.at), SynchronizerID: d.w.SynchronizerID, TaskID: id,
		}
		if err := d.writePlanned(now, had[id]); err != nil {
			return err
		}
		delete(had, id)
	}
	var gone []importing.Change
	for _, id := range slices.Sorted(maps.Keys(had)) {
		gone = append(gone, importing.Change{
			Records: synchronizers.InFiles.Name,
			Gone:    records.Join(d.w.SynchronizerID, id),
		})
	}
	d.Gone = append(d.Gone, gone)
	return nil
}

// called is what a planner calls a task, as far as there is room for it.
func (d *planDiff) called(s string) twinplatform.NullString {
	short, _ := importing.Cut(strings.ToValidUTF8(s, "�"), schedules.MaxProjectText)
	return twinplatform.NullString(short)
}

// writePlanned writes a planned task, unless it is as it was.
func (d *planDiff) writePlanned(now *synchronizers.InFile, was records.Encoded) error {
	if was != nil {
		var room [512]byte
		is, err := records.AppendEncoded(room[:0], now)
		if err != nil || bytes.Equal(was, is) {
			return err
		}
	}
	return d.Write(synchronizers.InFiles.Table(), now, d.tasks.unused[now.TaskID])
}

// datesOfEngine are dates in the form of a file's.
func datesOfEngine(e cpm.Dates) planner.Dates {
	d := planner.Dates{
		Start: e.Start, Finish: e.Finish, EarlyStart: e.EarlyStart, EarlyFinish: e.EarlyFinish, LateStart: e.LateStart,
		LateFinish: e.LateFinish,
		Critical:   &e.Critical, DrivingPath: &e.Longest,
	}
	if e.HasFloat {
		d.TotalFloat, d.FreeFloat = &e.TotalFloat, &e.FreeFloat
	}
	return d
}

func plannedDates(t *planner.Dates, at func(worktime.Time) twinplatform.DateTime) synchronizers.PlannedDates {
	return synchronizers.PlannedDates{
		Critical: t.Critical, DrivingPath: t.DrivingPath, EarlyFinish: at(t.EarlyFinish), EarlyStart: at(t.EarlyStart),
		Finish:    at(t.Finish),
		FreeFloat: t.FreeFloat, LateFinish: at(t.LateFinish), LateStart: at(t.LateStart), Start: at(t.Start),
		TotalFloat: t.TotalFloat,
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

// called is how planners know a task, by the last import that has it.
type called struct {
	code, externalID string
	at               time.Time
}

// readCalled reads how planners know the tasks.
func (e *planExport) readCalled(v *records.View) error {
	e.called = make(map[string]called)
	imported := make(map[string]time.Time)
	for p, err := range synchronizers.InFiles.From(v, e.network.Scope, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		if p.Deleted || p.Code == "" && p.ExternalID == "" {
			continue
		}
		at, ok := imported[p.SynchronizerID]
		if !ok {
			y, err := synchronizers.Records.Lookup(v, e.network.Scope, p.SynchronizerID)
			if err != nil {
				return err
			}
			if y != nil {
				at = y.SynchronizationTime.Time
			}
			imported[p.SynchronizerID] = at
		}
		if was, ok := e.called[p.TaskID]; !ok || was.at.Before(at) {
			e.called[p.TaskID] = called{string(p.Code), string(p.ExternalID), at}
		}
	}
	return nil
}

// call names a task of the file as its planner did: a summary and a task of Microsoft Project, of
// which a schedule has no code, one without a user-defined id, and one whose project is before its
// code there, since a task of another project has the same.
func (e *planExport) call(t *schedules.Task, out *planner.Task) {
	as := e.called[t.ID]
	out.ExternalID = as.externalID
	if t.IsWBS || e.Format == planner.MSPDI || out.Code == "" ||
		as.code != "" && strings.HasSuffix(out.Code, "/"+as.code) {
		out.Code = cmp.Or(as.code, out.Code)
	}
}

// callProject calls the project that a schedule is.
func (e *planExport) callProject(p *planner.Project, code, externalID twinplatform.NullString) {
	p.Code, p.ExternalID = cmp.Or(string(code), p.Code), string(externalID)
}
