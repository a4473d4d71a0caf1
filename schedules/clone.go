package schedules

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewClone asks for the clone of a schedule.
type NewClone struct {
	// ID is the clone's own. It is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required: 1 to MaxText characters.
	Name string `json:"name"`
	// TwinID is the twin that the clone is made for; that of the schedule when empty.
	TwinID string `json:"twinId"`
	// ModelID is the 3D model that the clone is tied to, and none when it is null. Left
	// out, it is that of the schedule for a clone of the same twin, and none for one of
	// another, which has other models.
	ModelID twinplatform.Optional[string] `json:"modelId,omitzero"`
}

func (n *NewClone) check(c *problem.Checks) {
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	c.AtMost("twinId", n.TwinID, MaxText)
	c.AtMost("modelId", n.ModelID.Or(""), MaxText)
}

// of completes the request from the schedule that is to be cloned.
func (n *NewClone) of(sc *Schedule) {
	if n.TwinID == "" {
		n.TwinID = sc.TwinID
	}
	if !n.ModelID.Present() && n.TwinID == sc.TwinID {
		n.ModelID = twinplatform.Set(string(sc.ModelID))
	}
}

// CloneSchedule makes a new schedule that holds what another one holds, as a
// long-running operation (POST …/clone): every record under its own id, so that they
// refer to each other as before, with the baselines and what they hold. It takes no
// history along: neither what was deleted nor operations, and ETags and delta tokens
// are of the schedule that they were got from.
//
// The clone shows the schedule as it is at one moment between the call and the end of
// the operation, also while others write; of a change that takes several steps it has
// those that were done. A large one is made in steps. It is there, under the id that the
// operation names as its subject, once it is complete, and where the operation fails
// nothing of it stays. The operation belongs to the schedule that is cloned, as that
// of any other call does.
//
// It needs PermissionRead on the schedule's twin, and PermissionRead and
// PermissionModify on that of the clone. Schedules of type v10 alone are cloned.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name), InvalidValue (id,
// name, modelId, and twinId for a twin that is missing or not for the caller to see) or
// InvalidParameter (scheduleId, of another type); ScheduleNotFound, which also fails the
// operation when the schedule is deleted meanwhile; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists; LimitExceeded, where calendars from before
// MaxCalendarRuns are larger than that; AccountStorageFull and StorageFull, before anything
// is copied, where the budget has no room for as many bytes as the schedule has, its
// tombstones aside.
func (s *Service) CloneSchedule(ctx context.Context, scheduleID string, n NewClone) (res twinplatform.Result[Schedule],
	err error,
) {
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	n.ID = s.idOr(n.ID)
	err = s.bench().Call(ctx, func(j *judge.Judge) error {
		var w cloning
		res, err = s.clones.(jobs.Kind[cloning, Schedule]).Start(ctx,
			jobs.Spec{
				Subjects: []string{n.ID}, Keep: true, Contention: model.Contention(scheduleID),
				Open: func(u *records.Update) (records.Scope, error) {
					sc, err := s.visible(u, j.In(u), scheduleID, scheduleMissing)
					if err == nil {
						err = v10Only(sc)
					}
					if err != nil {
						return "", err
					}
					w = cloning{From: sc.place(), NewClone: n}
					w.of(sc)
					w.AccountID, err = s.plotOn(j, w.TwinID)
					return sc.scope(), err
				},
			}, &w)
		return err
	})
	return res, err
}

// cloning is what the journal keeps of a clone that is being made.
//
// The scope that it copies into is no one's until the clone is inserted, in the step that
// finds nothing left to do.
type cloning struct {
	NewClone

	AccountID string      `json:"accountId"` // of the clone
	From      model.Place `json:"from"`

	Phase     snapshotPhase     `json:"phase"`
	Measuring records.Measuring `json:"measuring,omitzero"`
	Copying   records.Copying   `json:"copying"`
	Marked    bool              `json:"marked,omitempty"` // the schedule may have marks that end
	// Kind is the kind that is being backfilled in the copy, and After the id behind
	// which.
	Kind  string `json:"kind,omitempty"`
	After string `json:"after,omitempty"`
	// Failure is why the clone is not made after all.
	Failure *twinplatform.Error `json:"failure,omitempty"`
}

// The phases of a clone that those of a baseline do not have.
const (
	measure     snapshotPhase = "measure"
	copyAll     snapshotPhase = "records"
	backfillAll snapshotPhase = "settle"
)

// abandoned is the clone that is not made, since a step failed. Where a step was done
// its copy is to be erased.
func abandoned(c cloning, failure *twinplatform.Error) (next cloning, goesOn bool) {
	if c.Phase == begin || c.Failure != nil {
		return c, false
	}
	c.Phase, c.Failure = undo, failure
	return c, true
}

func (s *Service) cloneStep(u *records.Update, w *jobs.Work[cloning, Schedule]) (jobs.Progress, error) {
	c := cloner{cloning: &w.Payload, s: s, u: u, step: records.NewStep(u)}
	rec, err := c.run()
	switch {
	case errors.Is(err, errFull):
		if err := c.Copying.To.SpendReserved(u); err != nil {
			return jobs.Progress{}, err
		}
		return model.ProgressOf(c.Copying.Copied, c.Copying.Copied+10_000), nil
	case err != nil:
		return jobs.Progress{}, err
	}
	w.Records = []twinplatform.Record[Schedule]{rec}
	return jobs.Done, nil
}

// cloner does one step of a clone.
type cloner struct {
	*cloning

	s    *Service
	u    *records.Update
	step *records.Step
}

func (c *cloner) run() (rec twinplatform.Record[Schedule], err error) {
	for {
		switch c.Phase {
		case begin:
			err = c.begin()
		case measure:
			err = c.measure()
		case copyAll:
			err = c.copy()
		case backfillAll:
			if err = c.backfill(); err == nil {
				return c.finish()
			}
		case restart:
			if err = c.erase(); err == nil {
				c.Copying = records.Copying{From: c.From.Scope, To: c.Copying.To}
				err = c.reserve()
			}
		case undo:
			if err = c.erase(); err == nil {
				c.Phase, err = refuse, errFull // an error would take the erasing back
			}
		default:
			err = c.Failure
		}
		if err != nil {
			return rec, err
		}
	}
}

func (c *cloner) begin() error {
	if _, err := c.s.ready(c.u, c.From, false); err != nil {
		return err
	}
	if err := c.s.free(c.u, c.AccountID, c.ID); err != nil {
		return written(err, scheduleMissing, "schedule", c.ID)
	}
	sizes, err := sizesOfCalendars(c.u, c.From.Scope)
	if err != nil {
		return err
	}
	if runs := sizes.total(); runs > MaxCalendarRuns {
		return calendarsTooLarge(runs)
	}
	to, err := newScope(c.u, c.AccountID)
	c.Phase, c.Copying = measure, records.Copying{From: c.From.Scope, To: to}
	return err
}

// measure finds out how much the clone will take, and reserves it: a clone for which there
// is no room is refused before anything is copied.
func (c *cloner) measure() error {
	if !c.s.db.Budgeted() {
		c.Phase = copyAll
		return nil
	}
	whole, err := c.Measuring.Run(c.u, c.From.Scope, c.step)
	switch {
	case err != nil:
		return err
	case !whole:
		return errFull
	}
	return c.reserve()
}

func (c *cloner) reserve() error {
	c.Phase = copyAll
	return c.Copying.To.Reserve(c.u, c.Measuring.Bytes)
}

// copy copies all records of the schedule, of whichever kind.
func (c *cloner) copy() error {
	sc, err := c.s.ready(c.u, c.From, true)
	if err != nil {
		return err
	}
	c.Marked = sc.marked
	var all []*records.Table
	for _, k := range kinds {
		if k.Records != nil {
			all = append(all, k.Records)
		}
	}
	whole, err := c.Copying.Run(c.u, all, c.step)
	switch {
	case errors.Is(err, records.ErrDeltaExpired):
		c.Phase, err = restart, nil
	case err == nil && !whole:
		err = errFull
	case err == nil:
		c.Phase = backfillAll
	}
	return err
}

// backfill completes what copying alone does not.
func (c *cloner) backfill() error {
	at := slices.IndexFunc(kinds, func(k entity.Stored) bool { return k.Name == c.Kind })
	for _, k := range kinds[max(at, 0):] {
		if k.Backfill == nil {
			continue
		}
		if c.Kind != k.Name {
			c.Kind, c.After = k.Name, ""
		}
		last, whole, err := k.Backfill(c.u, c.Copying.To, c.After, c.step)
		if err != nil {
			return err
		}
		if !whole {
			c.After = last
			return errFull
		}
	}
	return nil
}

// finish inserts the clone over its complete copy.
func (c *cloner) finish() (rec twinplatform.Record[Schedule], err error) {
	if err := c.s.stillThere(c.u, c.TwinID); err != nil {
		return rec, err
	}
	if err := c.s.free(c.u, c.AccountID, c.ID); err != nil {
		return rec, written(err, scheduleMissing, "schedule", c.ID)
	}
	if err := c.Copying.To.Reserve(c.u, 0); err != nil {
		return rec, err
	}
	sc := &Schedule{
		ID: c.ID, Name: c.Name, TwinID: c.TwinID, ModelID: twinplatform.NullString(c.ModelID.Or("")), Type: V10,
		IsNextGen: true,
		State:     Ready, AccountID: c.AccountID, TaskStatusIDs: c.From.StatusIDs, scopeName: c.Copying.To,
	}
	if c.Marked {
		if err := c.s.noteEnds(c.u, sc); err != nil {
			return rec, err
		}
	}
	return scheduleRecords.Insert(c.u, inAccount(c.AccountID), sc)
}

// stillThere checks that a twin for which a schedule was to be made is there yet, where
// the transaction can know.
func (s *Service) stillThere(u *records.Update, twinID string) error {
	if _, ok := s.twins.(twinplatform.Transactional); !ok {
		return nil
	}
	_, exists, err := s.twins.TwinAccount(u.Within(context.Background()), twinID)
	if err == nil && !exists {
		err = noTwin()
	}
	return err
}

// erase erases the copy.
func (c *cloner) erase() error {
	more, err := c.Copying.To.Erase(c.u)
	if err == nil && more {
		err = errFull
	}
	return err
}

// CreateSchedule makes a schedule (POST /schedules/). One of type V10 begins with the
// StandardCalendar as its default. It needs PermissionModify on the twin and is never
// left to the background.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, twinId) or
// InvalidValue (id, type, and twinId for a twin that is missing or not for the
// caller to see); InsufficientPermissions; AlreadyExists.
func (s *Service) CreateSchedule(ctx context.Context, n NewSchedule) (res twinplatform.Result[Schedule], err error) {
	if n.Type == "" {
		n.Type = V65
		if n.IsNextGen.Or(true) {
			n.Type = V10
		}
	}
	if n.State == "" {
		n.State = Ready
	}
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	sc := Schedule{
		ID: s.idOr(n.ID), Name: n.Name, TwinID: n.TwinID, ModelID: n.ModelID, Type: n.Type, IsNextGen: n.Type == V10,
		State: n.State, TaskStatusIDs: n.TaskStatusIDs,
	}
	err = s.bench().Update(ctx, func(u *records.Update, j *judge.Judge) error {
		if sc.AccountID, err = s.plotOn(j, n.TwinID); err != nil {
			return err
		}
		rec, err := s.addSchedule(u, &sc)
		res = twinplatform.Done(rec)
		if err != nil || n.Elapsed || n.Type != V10 {
			return err
		}
		return beginStandard(u, sc.scope())
	})
	if err != nil {
		return twinplatform.Result[Schedule]{}, written(err, scheduleMissing, "schedule", sc.ID)
	}
	return res, nil
}

func (s *Service) addSchedule(u *records.Update, sc *Schedule) (rec twinplatform.Record[Schedule], err error) {
	if err := s.free(u, sc.AccountID, sc.ID); err != nil {
		return rec, err
	}
	if sc.scopeName, err = newScope(u, sc.AccountID); err != nil {
		return rec, err
	}
	return scheduleRecords.Insert(u, inAccount(sc.AccountID), sc)
}

// beginStandard makes the standard calendar the default of a new schedule, in whose scope
// there is nothing yet.
func beginStandard(u *records.Update, s records.Scope) error {
	if _, err := calendarRecords.Append(u, s, standardCalendar()); err != nil {
		return err
	}
	set := unscheduled
	set.CalendarID = StandardCalendar
	_, err := projectSchedulingRecords.Append(u, s, &set)
	return err
}
