package schedules

import (
	"cmp"
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// within reports whether what the caller may do is judged in the transaction
// that acts on it: unless an Authorizer must be asked that answers from elsewhere.
// Such a one is asked before, and what the transaction then checks is that the
// schedule is still the same; the twin and the account that a permission is
// asked for never change while a schedule exists.
func (s *Service) within(ctx context.Context) bool {
	_, transactional := s.env.Authorizer.(twinplatform.Transactional)
	_, known := twinplatform.PrincipalFrom(ctx)
	return transactional || s.env.Authorizer == nil || !known
}

// inside is a context within a transaction for those of whom something is asked
// there. Of the system nothing is.
func inside(ctx context.Context, v *records.View) context.Context {
	if _, known := twinplatform.PrincipalFrom(ctx); !known {
		return ctx
	}
	return v.Within(ctx)
}

// sees says which schedules the caller may read.
func (s *Service) sees(ctx context.Context) func(*Schedule) (bool, error) {
	return func(sc *Schedule) (bool, error) { return s.env.Allowed(ctx, PermissionRead, sc.target()) }
}

// visible returns a schedule that the caller may read. To everybody else it does
// not exist.
func (s *Service) visible(ctx context.Context, id string, m *refuse.Absent) (sc *Schedule, err error) {
	if s.within(ctx) {
		err = s.db.View(ctx, func(v *records.View) error {
			sc, err = s.find(ctx, v, id, m, s.sees(inside(ctx, v)))
			return err
		})
		return sc, err
	}
	// An Authorizer that answers from elsewhere is not waited for within a
	// transaction: its answers are found first, and looked up there.
	var all []*Schedule
	err = s.db.View(ctx, func(v *records.View) error {
		all, err = s.named(v, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	seen := make(map[records.Scope]bool, len(all))
	for _, c := range all {
		if seen[c.scope()], err = s.sees(ctx)(c); err != nil {
			return nil, err
		}
	}
	err = s.db.View(ctx, func(v *records.View) error {
		sc, err = s.find(ctx, v, id, m, func(c *Schedule) (bool, error) { return seen[c.scope()], nil })
		return err
	})
	return sc, err
}

// read runs fn over a schedule that the caller may read, in one transaction.
func (s *Service) read(ctx context.Context, id string, m *refuse.Absent, fn func(*records.View, *Schedule) error) error {
	if s.within(ctx) {
		return s.db.View(ctx, func(v *records.View) error {
			sc, err := s.find(ctx, v, id, m, s.sees(inside(ctx, v)))
			if err != nil {
				return err
			}
			return fn(v, sc)
		})
	}
	sc, likely := s.lastSeen(ctx, id)
	if likely {
		allowed, err := s.sees(ctx)(sc)
		likely = allowed && err == nil
	}
	for {
		var err error
		if !likely {
			if sc, err = s.visible(ctx, id, m); err != nil {
				return err
			}
		}
		err = s.db.View(ctx, func(v *records.View) error {
			now, err := s.still(v, sc)
			if err != nil {
				return err
			}
			return fn(v, now)
		})
		switch {
		case !errors.Is(err, errReplaced):
			return err
		case !likely:
			return m.Err() // it vanished while the caller was judged
		}
		likely = false
	}
}

// changeable returns a schedule that the caller may change.
func (s *Service) changeable(ctx context.Context, id string, m *refuse.Absent) (*Schedule, error) {
	sc, err := s.visible(ctx, id, m)
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

// likely returns a schedule that the caller may change, as it was last seen. What
// can be judged in the transaction is left to it.
func (s *Service) likely(ctx context.Context, id string) (*Schedule, bool) {
	last, ok := s.lastSeen(ctx, id)
	if !ok || s.within(ctx) {
		return last, ok
	}
	allowed, err := s.sees(ctx)(last)
	return last, allowed && err == nil && s.mayModify(ctx, last) == nil
}

// judge says, within the transaction that changes a schedule, whether the caller
// may. fits, when given, says whether the schedule is of the right sort.
func (s *Service) judge(ctx context.Context, id string, sc *Schedule, fits func(*Schedule) error) func(*records.Update) error {
	return func(u *records.Update) error {
		if s.within(ctx) {
			inner := inside(ctx, &u.View)
			now, err := s.find(ctx, u, id, scheduleMissing, s.sees(inner))
			if err != nil {
				return err
			}
			if now.scope() != sc.scope() {
				return errReplaced
			}
			if err := s.mayModify(inner, now); err != nil {
				return err
			}
		}
		if fits != nil {
			return fits(sc)
		}
		return nil
	}
}

// changing runs do for a schedule that the caller may change. do calls judge in
// the transaction that changes the schedule, and may be run again.
func (s *Service) changing(ctx context.Context, id string, fits func(*Schedule) error, do func(sc *Schedule, judge func(*records.Update) error) error) error {
	if last, ok := s.likely(ctx, id); ok {
		if err := do(last, s.judge(ctx, id, last, fits)); !errors.Is(err, errReplaced) {
			return err
		}
	}
	sc, err := s.changeable(ctx, id, scheduleMissing)
	if err != nil {
		return err
	}
	return do(sc, s.judge(ctx, id, sc, fits))
}

// ready checks within a transaction that the schedule which the work was
// accepted for is still there and takes changes. Work that has begun is carried
// through, whatever the state has become.
func (s *Service) ready(u *records.Update, p place, begun bool) (*Schedule, error) {
	sc, err := s.schedules.Value(u, &scheduleRecords, account, cmp.Or(p.Key, p.ScheduleID))
	if err != nil {
		return nil, scheduleMissing.Or(err)
	}
	if sc.scope() != p.Scope {
		return nil, errReplaced
	}
	if sc.State != Ready && !begun {
		return nil, notInitialized(sc.State)
	}
	return sc, nil
}

// place is where work is done: a schedule, and the scope that tells it from an
// earlier one of the same id.
type place struct {
	ScheduleID string        `json:"scheduleId"`
	Key        string        `json:"key,omitempty"` // of its record; empty: the id
	Scope      records.Scope `json:"scope"`
}

func (sc *Schedule) place() place {
	return place{ScheduleID: sc.ID, Key: scheduleKey(sc), Scope: sc.scope()}
}
