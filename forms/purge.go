package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A twin is deleted only without forms and definitions in it. What stays behind
// are the counters of its forms' numbers, and the security that definitions of
// other twins had there.

// twinsPerLook is how many twins are asked after at a time, so that the look
// costs as much however many there are.
const twinsPerLook = 1_000

// forgetTwins clears away what twins that are gone have left, of as many twins as one
// look takes; the next continues behind them. Only a directory in the same store is taken
// at its word.
func (s *Service) forgetTwins(ctx context.Context) (more bool, err error) {
	if s.cfg.Twins == nil || !transactional(s.cfg.Twins) {
		return false, nil
	}
	s.cleaning.Lock()
	defer s.cleaning.Unlock()
	var gone []string
	var next twinsLook
	err = s.db.View(ctx, func(v *records.View) error {
		gone, next = nil, s.looked
		for id := range next.twins(v) {
			_, there, err := s.cfg.Twins.TwinAccount(v.Within(ctx), id)
			if err != nil {
				return err
			}
			if !there {
				gone = append(gone, id)
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	s.looked = next
	for _, id := range gone {
		if err := s.forgetTwin(ctx, id); err != nil {
			return false, err
		}
	}
	return false, nil
}

// twinsLook is how far a look at the twins has come, in each of the places where
// they have left something.
type twinsLook struct {
	scope records.Scope // of forms and counters
	twin  string        // with a definition's security
}

// twins yields the twins of one look, some of them twice.
func (l *twinsLook) twins(tx records.Reading) func(func(string) bool) {
	return func(yield func(string) bool) {
		n := 0
		for scope := range records.ScopesFrom(tx, inTwin(""), l.scope) {
			if n++; n > twinsPerLook || !yield(twinOf(scope)) {
				return
			}
			l.scope = scope
		}
		for id := range foreignSecurities.ValuesFrom(tx, allAccounts, byTwin, l.twin) {
			if n++; n > twinsPerLook || !yield(id) {
				return
			}
			l.twin = id
		}
		*l = twinsLook{}
	}
}

// forgetTwin clears away what a twin that is gone has left.
func (s *Service) forgetTwin(ctx context.Context, twinID string) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(u *records.Update) error {
			more = false
			_, there, err := s.cfg.Twins.TwinAccount(u.Within(ctx), twinID)
			if err != nil || there {
				return err
			}
			for _, err := range summaryRecords.All(u, inTwin(twinID), "") {
				return err // forms are nothing that is left behind
			}
			if err := insecure(u, twinID); err != nil {
				return err
			}
			more, err = inTwin(twinID).Erase(u)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// securitiesPerStep is how many securities one transaction removes.
const securitiesPerStep = 1_000

// insecure removes the securities in a twin.
func insecure(u *records.Update, twinID string) error {
	n := 0
	for id := range foreignSecurities.IDs(u, allAccounts, byTwin, twinID) {
		if n++; n > securitiesPerStep {
			return nil // a later look finds the rest
		}
		if err := foreignSecurities.Erase(u, allAccounts, id); err != nil {
			return err
		}
	}
	return nil
}
