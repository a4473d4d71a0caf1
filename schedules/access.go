package schedules

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// visible returns a schedule that the caller may read. To everybody else it does
// not exist.
func (s *Service) visible(ctx context.Context, scheduleID string, m *refuse.Absent) (*Schedule, error) {
	var sc *Schedule
	err := s.db.View(ctx, func(v *records.View) (err error) {
		sc, err = s.schedules.Value(v, &scheduleRecords, account, scheduleID)
		return m.Or(err)
	})
	if err != nil {
		return nil, err
	}
	return sc, s.mayRead(ctx, sc, m)
}

func (s *Service) mayRead(ctx context.Context, sc *Schedule, m *refuse.Absent) error {
	allowed, err := s.env.Allowed(ctx, PermissionRead, sc.target())
	if err == nil && !allowed {
		err = m.Err()
	}
	return err
}

// read runs fn over a schedule that the caller may read.
//
// What a permission is asked for, the twin and the account, never changes while
// a schedule exists. So the caller is judged by the schedule as it was last
// seen, and one transaction checks that it is still the same and does the work.
func (s *Service) read(ctx context.Context, scheduleID string, m *refuse.Absent, fn func(*records.View, *Schedule) error) error {
	if last, ok := s.schedules.Last(&scheduleRecords, account, scheduleID); ok && s.mayRead(ctx, last, m) == nil {
		same := false
		err := s.db.View(ctx, func(v *records.View) error {
			sc, err := s.schedules.Value(v, &scheduleRecords, account, scheduleID)
			if err != nil {
				return m.Or(err)
			}
			if same = sc.scope() == last.scope(); !same {
				return nil
			}
			return fn(v, sc)
		})
		if same || err != nil {
			return err
		}
	}
	sc, err := s.visible(ctx, scheduleID, m)
	if err != nil {
		return err
	}
	return s.db.View(ctx, func(v *records.View) error {
		// It may have been deleted, and made again, while the caller was judged.
		now, err := s.schedules.Value(v, &scheduleRecords, account, scheduleID)
		if err != nil {
			return m.Or(err)
		}
		if now.scope() != sc.scope() {
			return m.Err()
		}
		return fn(v, now)
	})
}

// changeable returns a schedule that the caller may change.
func (s *Service) changeable(ctx context.Context, scheduleID string, m *refuse.Absent) (*Schedule, error) {
	sc, err := s.visible(ctx, scheduleID, m)
	if err != nil {
		return nil, err
	}
	return sc, s.mayModify(ctx, sc)
}

func (s *Service) mayModify(ctx context.Context, sc *Schedule) error {
	allowed, err := s.env.Allowed(ctx, PermissionModify, sc.target())
	if err == nil && !allowed {
		err = refuse.Forbidden
	}
	return err
}

// likely returns a schedule that the caller may change as it was last seen. The
// transaction that follows fails with errReplaced when it is another by then.
func (s *Service) likely(ctx context.Context, scheduleID string) (*Schedule, bool) {
	last, ok := s.schedules.Last(&scheduleRecords, account, scheduleID)
	return last, ok && s.mayRead(ctx, last, scheduleMissing) == nil && s.mayModify(ctx, last) == nil
}

// errReplaced says that a schedule was deleted, and perhaps made again, since it
// was last seen. To a caller it is missing.
var errReplaced = fmt.Errorf("schedules: replaced: %w", scheduleMissing.Err())

// ready checks within a transaction that the schedule which the work was
// accepted for is still there and takes changes. Work that has begun is carried
// through, whatever the state has become.
func (s *Service) ready(u *records.Update, p place, begun bool) error {
	sc, err := s.schedules.Value(u, &scheduleRecords, account, p.ScheduleID)
	if err != nil {
		return scheduleMissing.Or(err)
	}
	if sc.scope() != p.Scope {
		return errReplaced
	}
	if sc.State != Ready && !begun {
		return notInitialized(sc.State)
	}
	return nil
}

// place is where work is done: a schedule, and the scope that tells it from an
// earlier one of the same id.
type place struct {
	ScheduleID string        `json:"scheduleId"`
	Scope      records.Scope `json:"scope"`
}

// work is what the journal keeps of a change: where, and the request.
type work[P any] struct {
	place
	// Begun is true once a first step was done.
	Begun   bool `json:"begun,omitempty"`
	Request P    `json:"request"`
}

// kind is a sort of change to a schedule.
type kind[P, T any] struct {
	jobs.Kind[work[P], T]
	s *Service
}

// change defines a sort of change. Its step runs in a transaction in which the
// schedule takes changes.
func change[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) error) kind[P, T] {
	return changeInSteps(s, name, func(u *records.Update, e *edit[P, T]) (jobs.Progress, error) {
		return jobs.Done, step(u, e)
	})
}

// changeInSteps defines a sort of change that may be too large for one
// transaction. What its step changes of the request is what the next one gets.
func changeInSteps[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) (jobs.Progress, error)) kind[P, T] {
	return kind[P, T]{s: s, Kind: jobs.Define(s.jobs, name, func(u *records.Update, w *jobs.Work[work[P], T]) (jobs.Progress, error) {
		if err := s.ready(u, w.Payload.place, w.Payload.Begun); err != nil {
			return jobs.Progress{}, err
		}
		e := edit[P, T]{Request: w.Payload.Request, scope: w.Payload.Scope}
		progress, err := step(u, &e)
		w.Payload.Begun, w.Payload.Request, w.Records = true, e.Request, e.Records
		return progress, err
	})}
}

// edit is one step of a change: the request, where it applies, and what it
// wrote.
type edit[P, T any] struct {
	Request P
	Records []twinplatform.Record[T]
	scope   records.Scope
}

func (e *edit[P, T]) wrote(rec twinplatform.Record[T]) { e.Records = append(e.Records, rec) }

// keep says whether a change leaves a record of its operation behind.
type keep bool

const (
	// tracked changes are documented as long-running: their operation can be
	// asked for even when it is done at once.
	tracked keep = true
	// direct changes are operations only in background mode.
	direct keep = false
)

// start accepts a change by the caller to a schedule.
func (k kind[P, T]) start(ctx context.Context, scheduleID string, kept keep, subjects []string, request P) (twinplatform.Result[T], error) {
	if last, ok := k.s.likely(ctx, scheduleID); ok {
		if res, err := k.startIn(ctx, last, kept, subjects, request); !errors.Is(err, errReplaced) {
			return res, err
		}
	}
	sc, err := k.s.changeable(ctx, scheduleID, scheduleMissing)
	if err != nil {
		return twinplatform.Result[T]{}, err
	}
	return k.startIn(ctx, sc, kept, subjects, request)
}

// startIn accepts a change to a schedule that the caller may change.
func (k kind[P, T]) startIn(ctx context.Context, sc *Schedule, kept keep, subjects []string, request P) (twinplatform.Result[T], error) {
	return k.Start(ctx, jobs.Spec{Scope: sc.scope(), Subjects: unique(subjects), Keep: bool(kept)}, work[P]{
		place:   place{ScheduleID: sc.ID, Scope: sc.scope()},
		Request: request,
	})
}
