package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

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
		State: n.State, TaskStatusIDs: n.TaskStatusIDs, scoped: true, indexed: true, placed: true,
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
