package webhooks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// adopt takes over, once for a service, what former processes left: webhooks
// that are not found by every index, turns in the order that earlier versions
// kept, leases of processes that are dead, and pauses that are longer than the
// longest.
func (s *Service) adopt(ctx context.Context) error {
	s.adopting.Lock()
	defer s.adopting.Unlock()
	if s.adopted {
		return nil
	}
	if err := s.adoptIndexes(ctx); err != nil {
		return fmt.Errorf("indexing webhooks: %w", err)
	}
	for more := true; more; {
		var err error
		if more, err = s.adoptFormer(ctx); err != nil {
			return fmt.Errorf("taking over the order of earlier versions: %w", err)
		}
	}
	for after, more := "", true; more; {
		var err error
		if after, more, err = s.adoptLanes(ctx, after); err != nil {
			return fmt.Errorf("taking over deliveries: %w", err)
		}
	}
	s.adopted = true
	return nil
}

// adoptStep is how many lanes one transaction takes over.
const adoptStep = 200

// adoptIndexes lets webhooks be found by the indexes that were added since.
func (s *Service) adoptIndexes(ctx context.Context) error {
	indexes := len(webhookRecords.Indexes)
	var at *intake
	err := s.db.View(ctx, func(v *records.View) (err error) {
		at, err = loadIntake(v)
		return err
	})
	if err != nil || at.Indexed == indexes {
		return err
	}
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(all, adoptStep) {
		err := s.db.Update(ctx, func(u *records.Update) error {
			for _, w := range part {
				err := webhookRecords.Reindex(u, account, w.ID)
				if err != nil && !errors.Is(err, records.ErrNotFound) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.db.Update(ctx, func(u *records.Update) error {
		at, err := loadIntake(u)
		if err != nil {
			return err
		}
		at.Indexed = indexes
		_, err = intakes.Put(u, account, at)
		return err
	})
}

// adoptFormer gives lanes of the former order their turns.
func (s *Service) adoptFormer(ctx context.Context) (more bool, err error) {
	ids := make([]string, 0, adoptStep)
	read := func(tx records.Reading) error {
		ids = ids[:0]
		for t, err := range formerTurns.All(tx, turns, "") {
			if err != nil || len(ids) == adoptStep {
				return err
			}
			ids = append(ids, t.ID)
		}
		return nil
	}
	if err := s.db.View(ctx, func(v *records.View) error { return read(v) }); err != nil || len(ids) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		if err := read(u); err != nil {
			return err
		}
		for _, id := range ids {
			if err := formerTurns.Erase(u, turns, id); err != nil {
				return err
			}
			_, webhookID, err := unstamp(id)
			if err != nil {
				return err
			}
			if err := s.takeOver(u, webhookID); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids) == adoptStep, err
}

// adoptLanes looks at the lanes that have a turn, from one on.
func (s *Service) adoptLanes(ctx context.Context, after string) (last string, more bool, err error) {
	var found []string
	err = s.db.View(ctx, func(v *records.View) error {
		found, last, more = nil, after, false
		n := 0
		for t, err := range laneTurns.From(v, turns, after) {
			if err != nil {
				return err
			}
			if n++; n > adoptStep {
				more = true
				return nil
			}
			last = t.ID
			_, webhookID, err := unstamp(t.ID[len(rowOf(t.ID).id())+1:])
			if err != nil {
				return err
			}
			found = append(found, webhookID)
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return last, more, err
	}
	stale, err := s.stale(ctx, found)
	if err != nil || len(stale) == 0 {
		return last, more, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		for _, id := range stale {
			if err := s.takeOver(u, id); err != nil {
				return err
			}
		}
		return nil
	})
	return last, more, err
}

// stale returns those of some webhooks whose lanes are to be taken over.
func (s *Service) stale(ctx context.Context, webhookIDs []string) (out []string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		out = nil
		for _, id := range webhookIDs {
			w, err := webhookRecords.Value(v, account, id)
			if errors.Is(err, records.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			l, err := lanes.Value(v, w.lane, id)
			if errors.Is(err, records.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if s.orphaned(l) || s.overlong(l) {
				out = append(out, id)
			}
		}
		return nil
	})
	return out, err
}

// orphaned reports whether whoever has the lane on lease is dead.
func (s *Service) orphaned(l *lane) bool {
	return l.Owner != "" && s.tenure != "" && l.Tenure != s.tenure
}

// overlong reports whether a lane is left alone for longer than any may be.
func (s *Service) overlong(l *lane) bool {
	return l.PausedUntil.Sub(s.now()) > s.cfg.MaxPause || l.Failures >= s.cfg.PauseAfter && !l.Down
}

// takeOver puts a lane in order.
func (s *Service) takeOver(u *records.Update, webhookID string) error {
	w, err := webhookRecords.Value(u, account, webhookID)
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	err = changeLane(u, w, func(l *lane) {
		if s.orphaned(l) {
			l.release()
		}
		if until := s.now().Add(s.cfg.MaxPause); l.PausedUntil.After(until) {
			l.PausedUntil = until
		}
		l.Down = l.Down || l.Failures >= s.cfg.PauseAfter
	})
	if errors.Is(err, records.ErrNotFound) {
		return nil // it is being removed
	}
	return err
}
