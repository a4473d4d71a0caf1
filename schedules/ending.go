package schedules

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Records of features may say until when something holds, as marks of recorded statuses do.
// It is ended as any other change is made, by Run in time, and by whatever else is written to
// the schedule if that comes first.

// markEnd records that something in a schedule ends by itself, the first of it then or
// later.
type markEnd struct {
	At    twinplatform.DateTime `json:"at"`
	Place model.Place           `json:"place"`
}

func (e *markEnd) over(now twinplatform.DateTime) bool { return !e.At.After(now.Time) }

// inMarkEnds is where those of all schedules are, so that they are found in the order of
// their times.
const inMarkEnds records.Scope = "markends"

const markEndAt = "at"

var markEndRecords = records.Collection[markEnd]{
	Name: "mark-ends", Unversioned: true,
	ID: func(e *markEnd) string { return string(e.Place.Scope) },
	Indexes: []records.Index[markEnd]{{
		Name:  markEndAt,
		Value: func(e *markEnd) string { return model.Sortable(e.At) },
	}},
}

// noteEnd takes care that something in a schedule ends.
func (s *Service) noteEnd(u *records.Update, in model.Place, until twinplatform.DateTime) error {
	if until.IsZero() {
		return nil
	}
	sc, err := s.ready(u, in, true)
	if err != nil {
		return err
	}
	if !sc.marked {
		_, err = scheduleRecords.Modify(u, inAccount(sc.AccountID), scheduleKey(sc), "", func(sc *Schedule) error {
			sc.marked = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	first, err := markEndRecords.Lookup(u, inMarkEnds, string(in.Scope))
	if err != nil || first != nil && first.over(until) {
		return err
	}
	return s.putEnd(u, in, until)
}

// putEnd notes that what ends in a schedule ends then or later.
func (s *Service) putEnd(u *records.Update, in model.Place, first twinplatform.DateTime) error {
	s.earlierEnd()
	_, err := markEndRecords.Put(u, inMarkEnds, &markEnd{At: first, Place: in})
	return err
}

// expiries are what ends by itself in schedules.
func expiries(yield func(*model.Expiry) bool) {
	for _, f := range features {
		if f.Expiry != nil && !yield(f.Expiry) {
			return
		}
	}
}

// earlier is the one of two times that comes first, each zero for never.
func earlier(a, b twinplatform.DateTime) twinplatform.DateTime {
	if a.IsZero() || !b.IsZero() && b.Before(a.Time) {
		return b
	}
	return a
}

// noteEnds takes care that all ends that is to end in a schedule that is not written yet.
func (s *Service) noteEnds(u *records.Update, sc *Schedule) error {
	var first twinplatform.DateTime
	for e := range expiries {
		at, err := e.First(u, sc.scope())
		if err != nil {
			return err
		}
		first = earlier(first, at)
	}
	if first.IsZero() {
		return nil
	}
	sc.marked = true
	return s.putEnd(u, sc.place(), first)
}

// forgetEnds takes back what takes care of the ends in a schedule that is deleted.
func forgetEnds(u *records.Update, sc *Schedule) error {
	if !sc.marked {
		return nil
	}
	return markEndRecords.Erase(u, inMarkEnds, string(sc.scope()))
}

// endMarks ends what is over in a schedule, as much as a step does, and reports whether that
// is all.
func (s *Service) endMarks(u *records.Update, sc *Schedule) (whole bool, err error) {
	if !sc.marked {
		return true, nil
	}
	in := sc.scope()
	now := s.now()
	noted, err := markEndRecords.Lookup(u, inMarkEnds, string(in))
	if err != nil || noted == nil || !noted.over(now) {
		return err == nil, err
	}
	step := records.NewStep(u)
	var first twinplatform.DateTime
	for e := range expiries {
		next, whole, err := e.End(u, in, now, step)
		if !whole || err != nil {
			return false, err
		}
		first = earlier(first, next)
	}
	if first.IsZero() {
		return true, markEndRecords.Erase(u, inMarkEnds, string(in))
	}
	err = s.putEnd(u, noted.Place, first)
	return err == nil, err
}

// endDue does a step of ending what is over in any schedule, and reports whether
// there are more, or else when there will be.
func (s *Service) endDue(ctx context.Context) (next time.Time, more bool, err error) {
	var first *markEnd
	err = s.db.View(ctx, func(v *records.View) (err error) {
		first = nil
		for at := range markEndRecords.ValuesFrom(v, inMarkEnds, markEndAt, "") {
			for id := range markEndRecords.IDs(v, inMarkEnds, markEndAt, at) {
				first, err = markEndRecords.Lookup(v, inMarkEnds, id)
				return err
			}
		}
		return nil
	})
	if err != nil || first == nil || !first.over(s.now()) {
		if first != nil {
			next = first.At.Time
		}
		return next, false, err
	}
	at := first.Place
	return next, true, s.db.Update(model.Contended(ctx, at.ScheduleID), func(u *records.Update) error {
		sc, err := s.ready(u, at, true)
		if errors.Is(err, twinplatform.NotFound) {
			return markEndRecords.Erase(u, inMarkEnds, string(at.Scope))
		}
		if err == nil {
			_, err = s.endMarks(u, sc)
		}
		return err
	})
}

// EndDue ends at once what Run ends in its own time: the marks that statuses of resources
// are critical, where they have an end that is past. It is for programs whose clock is
// moved, such as tests, and for those that call no Run. It is for the system alone.
//
// Errors: InsufficientPermissions.
func (s *Service) EndDue(ctx context.Context) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.SystemOnly
	}
	for {
		if _, more, err := s.endDue(ctx); !more || err != nil {
			return err
		}
	}
}

// PurgeDeleted forgets what was deleted from a schedule longer ago than so, and the
// operations that ended longer ago, and gives back their space. A delta token from before
// a forgotten deletion is refused from then on, with InvalidValue and a message that asks
// to list again.
//
// Run does the same for every schedule, with Env.Retain; this is for a program
// that wants the space back earlier. An age of 0 forgets every deletion so far.
// The REST API has no operation for it. It needs PermissionModify.
//
// Errors: ScheduleNotFound, InsufficientPermissions, InvalidSchedulesRequest
// with InvalidValue (olderThan).
func (p Plan) PurgeDeleted(ctx context.Context, olderThan time.Duration) error {
	until, err := p.s.before(olderThan)
	if err != nil {
		return err
	}
	return p.s.bench().Call(ctx, func(j *judge.Judge) error {
		sc, err := p.s.opened(ctx, j, p.id)
		if err != nil {
			return err
		}
		return p.s.db.ForgetIn(ctx, sc.scope(), until, func(u *records.Update) error {
			return p.s.still(u, j, p.id, sc)
		})
	})
}

// opened is the schedule that several transactions of a call are to change.
func (s *Service) opened(ctx context.Context, j *judge.Judge, id string) (sc *Schedule, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		sc, err = s.changeable(v, j, id)
		return err
	})
	return sc, err
}

// PurgeDeletedSchedules does for the list of schedules what PurgeDeleted does for
// what is in one. It is for the system alone.
//
// Errors: InsufficientPermissions, InvalidSchedulesRequest with InvalidValue
// (olderThan).
func (s *Service) PurgeDeletedSchedules(ctx context.Context, olderThan time.Duration) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.SystemOnly
	}
	until, err := s.before(olderThan)
	if err != nil {
		return err
	}
	return s.db.ForgetIn(ctx, allAccounts, until, func(*records.Update) error { return nil })
}

// before is the time until which what was deleted has an age.
func (s *Service) before(olderThan time.Duration) (time.Time, error) {
	if olderThan < 0 {
		return time.Time{}, invalid(problem.BadValue("olderThan", "An age is 0 or more."))
	}
	return s.now().Add(-olderThan), nil
}
