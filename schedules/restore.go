package schedules

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// RestoreBaseline puts a baseline with the rows that it had elsewhere into a
// schedule, as a seed or a migration does: CreateBaseline shows the present. The
// rows name neither tasks nor links that must be there, and their BaselineID is
// set. A large baseline is put back in steps and is there once it is complete;
// what an interrupted call has written goes with the schedule. It needs
// PermissionModify. The REST API has no operation for it.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name, createdOn, baselineTasks[3].taskId,
// baselineTaskLinks[3].type); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) RestoreBaseline(ctx context.Context, b Baseline, tasks []BaselineTask, links []BaselineTaskLink) (rec twinplatform.Record[Baseline], err error) {
	b.ID, b.Deleted, b.rows = p.s.idOr(b.ID), false, p.s.env.NewID()
	if b.CreatedOn.IsZero() {
		b.CreatedOn = p.s.now()
	}
	if err := b.check(tasks, links); err != nil {
		return rec, err
	}
	err = p.s.bench().Call(ctx, func(j *judge.Judge) error {
		rec, err = p.s.putBaseline(ctx, j, p.id, b, tasks, links)
		return err
	})
	return rec, err
}

// putBaseline writes the rows of a baseline, and then the baseline.
func (s *Service) putBaseline(ctx context.Context, j *judge.Judge, scheduleID string, b Baseline, tasks []BaselineTask, links []BaselineTaskLink) (rec twinplatform.Record[Baseline], err error) {
	sc, err := s.opened(ctx, j, scheduleID)
	if err != nil {
		return rec, err
	}
	within := sc.place()
	step := func(fn func(*records.Update) error) error {
		return s.db.Update(model.Contended(ctx, scheduleID), func(u *records.Update) error {
			if err := s.still(u, j, scheduleID, sc); err != nil {
				return err
			}
			if _, err := s.ready(u, within, false); err != nil {
				return err
			}
			return fn(u)
		})
	}
	if err := putRows(step, baselineTasks(b.rows), within.Scope, tasks, func(t *BaselineTask) { t.BaselineID, t.Deleted = b.ID, false }); err != nil {
		return rec, err
	}
	if err := putRows(step, baselineTaskLinks(b.rows), within.Scope, links, func(l *BaselineTaskLink) { l.BaselineID, l.Deleted = b.ID, false }); err != nil {
		return rec, err
	}
	err = step(func(u *records.Update) error {
		rec, err = baselineRecords.Insert(u, within.Scope, &b)
		return written(err, baselineMissing, "baseline", b.ID)
	})
	return rec, err
}

// putRows writes rows in transactions that hold them.
func putRows[T any](step func(func(*records.Update) error) error, c *records.Collection[T], scope records.Scope, rows []T, own func(*T)) error {
	for some := range slices.Chunk(rows, MaxBatch) {
		err := step(func(u *records.Update) error {
			for _, row := range some {
				own(&row)
				if _, err := c.Put(u, scope, &row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// check checks a baseline with its rows.
func (b *Baseline) check(tasks []BaselineTask, links []BaselineTaskLink) error {
	var c problem.Checks
	c.ID("id", b.ID)
	c.Need("name", b.Name, MaxText)
	c.Date("createdOn", b.CreatedOn)
	seen := make(map[string]bool)
	for i, t := range tasks {
		c.At("baselineTasks", i)
		checkRow(&c, seen, "taskId", t.TaskID)
		c.AtMost("name", t.Name, MaxText)
		c.AtMost("userDefinedId", t.UserDefinedID, MaxText)
		c.Date("startDate", t.StartDate)
		c.Date("finishDate", t.FinishDate)
	}
	clear(seen)
	for i, l := range links {
		c.At("baselineTaskLinks", i)
		checkRow(&c, seen, "taskLinkId", l.TaskLinkID)
		c.Need("predecessorId", l.PredecessorID, MaxText)
		c.Need("successorId", l.SuccessorID, MaxText)
		problem.OneOf(&c, "type", l.Type, taskLinkTypes)
	}
	return c.Err(InvalidRequest)
}

// checkRow checks that a row has its own id.
func checkRow(c *problem.Checks, seen map[string]bool, target, id string) {
	c.Need(target, id, MaxText)
	c.ID(target, id)
	if seen[id] {
		c.Bad(target, "The id '%s' is given twice.", id)
	}
	seen[id] = true
}

// SynchronizerQuery selects the synchronizers to list.
type SynchronizerQuery struct {
	twinplatform.ListOptions
}

// Synchronizers lists the synchronizers of a schedule by id. The REST API has no
// operation for it.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Synchronizers(ctx context.Context, q SynchronizerQuery) (twinplatform.Page[Synchronizer], error) {
	return exchangesOf(p.s).synchronizers.List(ctx, p.id, records.Query[Synchronizer]{ListOptions: q.ListOptions})
}
