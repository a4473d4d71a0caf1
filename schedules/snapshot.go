package schedules

import (
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// snapshot is what the journal keeps of a baseline that is being made.
//
// A schedule may be larger than a transaction, and others write while it is copied. So
// the tasks and links are copied in the order of their ids, as each of them is when it is
// copied; then whatever was written since the copying began is copied again, in the order
// of the changes. The step that finds nothing left to catch up with makes the baseline:
// at that moment, and in that very transaction, the copy equals the schedule.
type snapshot struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Code string `json:"code,omitempty"`
	// Current reports that planners compare with it.
	Current bool `json:"current,omitempty"`
	// Rows is under what the copies are kept.
	Rows string `json:"rows"`

	Phase snapshotPhase `json:"phase"`
	// After is the id of the last task or link that was copied.
	After string `json:"after,omitempty"`
	// TasksSince and LinksSince are the revisions up to which the changes of
	// the tasks and the links are in the copy.
	TasksSince uint64 `json:"tasksSince,omitempty"`
	LinksSince uint64 `json:"linksSince,omitempty"`
	// AnalysesSince is that of the analyses.
	AnalysesSince uint64 `json:"analysesSince,omitempty"`
	unsettledSpans

	// Copied counts the records copied so far.
	Copied int `json:"copied,omitempty"`
}

// snapshotPhase is what the next step of a snapshot begins with.
type snapshotPhase string

const (
	begin     snapshotPhase = ""
	copyTasks snapshotPhase = "tasks"
	copyLinks snapshotPhase = "links"
	copyFound snapshotPhase = "analyses"
	spanTasks snapshotPhase = "spans"
	catchUp   snapshotPhase = "changes"
	undo      snapshotPhase = "undo"    // the id was taken meanwhile: erase the copy
	refuse    snapshotPhase = "refuse"  // the id was taken meanwhile, and the copy is erased
	restart   snapshotPhase = "restart" // deletions were forgotten meanwhile: erase the copy and begin again
)

// errFull ends the copying of a step.
var errFull = errors.New("schedules: the step is full")

func takeSnapshot(u *records.Update, e *model.Edit[snapshot, Baseline], now twinplatform.DateTime) (progress, error) {
	s := copier{u: u, scope: e.Scope, snapshot: e.Request, step: records.NewStep(u), times: workingTimeOf(u, e.Scope)}
	rec, err := s.run(now)
	switch {
	case errors.Is(err, errFull):
		e.Request = s.snapshot
		// How much is left is not known: the share grows and stays below 100.
		return model.ProgressOf(s.Copied, s.Copied+10_000), nil
	case err != nil:
		return progress{}, err
	}
	e.Wrote(rec)
	return done, nil
}

// copier does one step of a snapshot.
type copier struct {
	snapshot
	u     *records.Update
	scope records.Scope
	step  *records.Step
	times *workingTime
}

func (s *copier) run(now twinplatform.DateTime) (rec twinplatform.Record[Baseline], err error) {
	for {
		switch s.Phase {
		case begin:
			err = s.begin()
		case copyTasks:
			err = copyFrom(s, &taskRecords, s.copyTask, copyLinks)
		case copyLinks:
			err = copyFrom(s, &taskLinkRecords, s.copyLink, copyFound)
		case copyFound:
			err = copyFrom(s, &analysisRecords, s.copyAnalysis, spanTasks)
		case spanTasks:
			err = s.widenSpans()
		case catchUp:
			err = s.catchUp()
			if errors.Is(err, records.ErrDeltaExpired) {
				s.Phase, err = restart, nil
				continue
			}
			if err == nil {
				return s.finish(now)
			}
		case undo:
			if err = s.erase(); err == nil {
				s.Phase, err = refuse, errFull // an error would take the erasing back
			}
		case refuse:
			err = problem.Taken("baseline", s.ID)
		case restart:
			if err = s.erase(); err == nil {
				s.Phase, s.After, s.Copied, s.unsettledSpans = begin, "", 0, unsettledSpans{}
			}
		}
		if err != nil {
			return rec, err
		}
	}
}

func (s *copier) begin() error {
	has, err := baselineRecords.Has(s.u, s.scope, s.ID)
	if err != nil {
		return err
	}
	if has {
		return problem.Taken("baseline", s.ID)
	}
	since, err := s.scope.Revision(s.u)
	s.TasksSince, s.LinksSince, s.AnalysesSince = since, since, since
	s.Phase = copyTasks
	return err
}

// copyFrom copies the records of a collection in the order of their ids and then
// continues with the next phase.
func copyFrom[T any](s *copier, c *records.Collection[T], one func(*T) error, next snapshotPhase) error {
	for v, err := range c.From(s.u, s.scope, s.After) {
		if err != nil {
			return err
		}
		if err := one(v); err != nil {
			return err
		}
		s.After = c.ID(v)
	}
	s.Phase, s.After = next, ""
	return nil
}

// spend takes a row from what the step may write.
func (s *copier) spend(bytes int) error {
	more, err := s.step.Next(bytes)
	if err == nil && !more {
		err = errFull
	}
	if err == nil {
		s.Copied++
	}
	return err
}

// rowBytes is what a row takes besides its texts, its keys included.
const rowBytes = model.RowBytes

func (s *copier) copyTask(t *Task) error {
	if err := s.spend(rowBytes + len(t.Name) + len(t.UserDefinedID)); err != nil {
		return err
	}
	b, err := t.baseline(s.ID, s.times)
	if err == nil {
		s.Hollow = s.Hollow || t.IsWBS && (b.StartDate.IsZero() || b.FinishDate.IsZero())
		err = addRow(s, baselineTasks(s.Rows), b)
	}
	return err
}

// baseline is the task as a baseline keeps it.
func (t *Task) baseline(baselineID string, in *workingTime) (b *BaselineTask, err error) {
	b = &BaselineTask{
		BaselineID: baselineID, TaskID: t.ID, Name: t.Name, UserDefinedID: t.UserDefinedID, parent: t.parent(),
		wbs: t.IsWBS, inactive: t.IsInactive, StartDate: t.PlannedStart, FinishDate: t.PlannedFinish,
	}
	if !t.ActualStart.IsZero() {
		b.StartDate = t.ActualStart
	}
	switch {
	case !t.ActualFinish.IsZero():
		b.FinishDate = t.ActualFinish
	case t.Status == Started && t.RemainingDuration != nil:
		w, err := in.of(t)
		if err != nil {
			return nil, err
		}
		b.FinishDate = w.after(t.ActualStart, int64(*t.RemainingDuration))
	}
	switch {
	case !t.IsWBS || !b.FinishDate.IsZero():
	case b.StartDate.IsZero():
		b.lacks = 2
	default:
		b.lacks = 1
	}
	switch {
	case t.ActualDuration != nil:
		b.Duration = *t.ActualDuration
	case t.PlannedDuration != nil:
		b.Duration = *t.PlannedDuration
	}
	return b, nil
}

func (s *copier) copyLink(l *TaskLink) error {
	if err := s.spend(2 * rowBytes); err != nil {
		return err
	}
	return addRow(s, baselineTaskLinks(s.Rows), &BaselineTaskLink{
		BaselineID: s.ID, TaskLinkID: l.ID, PredecessorID: l.PredecessorID, SuccessorID: l.SuccessorID,
		Type: l.Type, Lag: l.Lag,
	})
}

func (s *copier) copyAnalysis(a *SchedulingAnalysis) error {
	if err := s.spend(rowBytes); err != nil {
		return err
	}
	return addRow(s, baselineAnalyses(s.Rows), a.baseline(s.ID))
}

// addRow writes a row, which is there already only where the copying catches up.
func addRow[T any](s *copier, c *records.Collection[T], row *T) (err error) {
	if s.Phase == catchUp {
		_, err = c.Put(s.u, s.scope, row)
	} else {
		_, err = c.Append(s.u, s.scope, row)
	}
	return err
}

// catchUp copies what was written since the copying began.
func (s *copier) catchUp() error {
	if err := catchUpWith(s, &taskRecords, &s.TasksSince, s.copyAgain, s.eraseTask); err != nil {
		return err
	}
	if err := s.spanAgain(); err != nil {
		return err
	}
	err := catchUpWith(s, &taskLinkRecords, &s.LinksSince, s.copyLink, func(id string) error {
		return baselineTaskLinks(s.Rows).Erase(s.u, s.scope, records.Join(s.Rows, id))
	})
	if err != nil {
		return err
	}
	return catchUpWith(s, &analysisRecords, &s.AnalysesSince, s.copyAnalysis, func(id string) error {
		return baselineAnalyses(s.Rows).Erase(s.u, s.scope, records.Join(s.Rows, id))
	})
}

func catchUpWith[T any](s *copier, c *records.Collection[T], since *uint64, one func(*T) error,
	erase func(id string) error,
) error {
	for change, err := range c.Changes(s.u, s.scope, *since) {
		if err != nil {
			return err
		}
		v, err := c.Value(s.u, s.scope, change.ID)
		switch {
		case missingRecord(err):
			if err = s.spend(rowBytes); err == nil {
				err = erase(change.ID)
			}
		case err == nil:
			err = one(v)
		}
		if err != nil {
			return err
		}
		*since = change.Revision
	}
	return nil
}

// finish makes the baseline over its complete copy.
func (s *copier) finish(now twinplatform.DateTime) (rec twinplatform.Record[Baseline], err error) {
	rec, err = baselineRecords.Insert(s.u, s.scope, &Baseline{
		CreatedOn: now, ID: s.ID, Name: s.Name, Code: s.Code, IsCurrent: s.Current, rows: s.Rows,
	})
	if errors.Is(err, records.ErrExists) {
		s.Phase = undo
		return rec, errFull
	}
	return rec, err
}

// erase erases the copy.
func (s *copier) erase() error {
	whole, err := eraseRows(s.u, s.scope, s.Rows, s.step)
	if err == nil && !whole {
		err = errFull
	}
	return err
}

// eraseRows erases what a snapshot holds, and reports false when the step ended before
// that. It is in no delta, since without its baseline no one sees the snapshot.
func eraseRows(u *records.Update, s records.Scope, rows string, step *records.Step) (whole bool, err error) {
	if whole, err = eraseAll(u, s, baselineTasks(rows), rows, step); !whole || err != nil {
		return false, err
	}
	if whole, err = eraseAll(u, s, baselineTaskLinks(rows), rows, step); !whole || err != nil {
		return false, err
	}
	return eraseAll(u, s, baselineAnalyses(rows), rows, step)
}

func eraseAll[T any](u *records.Update, s records.Scope, c *records.Collection[T], rows string,
	step *records.Step,
) (whole bool, err error) {
	for v, err := range c.All(u, s, records.Join(rows, "")) {
		if err != nil {
			return false, err
		}
		if more, err := step.Next(rowBytes); !more || err != nil {
			return false, err
		}
		if err := c.Erase(u, s, c.ID(v)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// dropRowsOf clears away rows that no baseline of a schedule has: those of one that was
// being made, or cleared away, when the schedule was cloned.
func dropRowsOf[T any](of func(rows string) *records.Collection[T]) entity.Backfilling {
	return func(u *records.Update, s records.Scope, after string, step *records.Step) (last string, whole bool,
		err error,
	) {
		kept := make(map[string]bool)
		for b, err := range baselineRecords.From(u, s, "") {
			if err != nil {
				return "", false, err
			}
			kept[b.rows] = true
		}
		for rows := range of("").HeadsFrom(u, s, after) {
			more, err := step.Next(0)
			if more && err == nil && !kept[rows] {
				more, err = eraseAll(u, s, of(rows), rows, step)
			}
			if !more || err != nil {
				return after, false, err
			}
			after = rows
		}
		return "", true, nil
	}
}
