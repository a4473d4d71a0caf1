package twins

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// For whom an invitation is shows only when it is accepted: an address may be that of any
// principal. So it is recorded who was removed from a twin, for as long as invitations from
// before may be open. A principal that was removed accepts none of those, to the twin or to one
// below. Removals are counted rather than timed, as many events have the same time.

// removal notes that a principal was removed from a twin.
type removal struct {
	AccountID   string    `json:"accountId"`
	At          time.Time `json:"at"`
	Number      int       `json:"number"` // among the removals of the account
	PrincipalID string    `json:"principalId"`
	TwinID      string    `json:"twinId"`
}

var removalRecords = records.Collection[removal]{
	Name: "removals", Untracked: true,
	ID: func(r *removal) string { return recordID(r.TwinID, r.PrincipalID) },
}

// removalCount is how many members have been removed in an account.
type removalCount struct {
	AccountID string `json:"accountId"`
	Removals  int    `json:"removals"`
}

var removalCounts = records.Collection[removalCount]{
	Name: "removal-counts", Untracked: true,
	ID: func(c *removalCount) string { return recordID("account", c.AccountID) },
}

// removalsIn is how many members have been removed in an account so far.
func removalsIn(tx records.Reading, accountID string) (int, error) {
	c, err := found(removalCounts.Value(tx, inAccount(accountID), recordID("account", accountID)))
	if c == nil || err != nil {
		return 0, err
	}
	return c.Removals, nil
}

// noteRemoval notes that a member is removed from a twin.
func (s *Service) noteRemoval(u *records.Update, t *Twin, m *Member) error {
	n, err := removalsIn(u, t.account())
	if err != nil {
		return err
	}
	if _, err := removalCounts.Put(u, t.scope(), &removalCount{t.account(), n + 1}); err != nil {
		return err
	}
	_, err = removalRecords.Put(u, t.scope(), &removal{t.account(), s.env.Now().UTC(), n + 1, m.ID, t.ID})
	return err
}

// putOut reports whether a principal was removed from the twin of an invitation, or from
// one above, since the invitation was made.
func putOut(tx records.Reading, t *Twin, principalID string, i *Invitation) (bool, error) {
	path, err := upwards(tx, t.ID)
	if err != nil {
		return false, err
	}
	for _, id := range path {
		r, err := found(removalRecords.Value(tx, t.scope(), recordID(id, principalID)))
		if err != nil || r != nil && r.Number > i.removals {
			return err == nil, err
		}
	}
	return false, nil
}

// forgetRemovals does one step of removing the notes from before all invitations that can
// be accepted, and reports whether there are more.
func (s *Service) forgetRemovals(ctx context.Context) (more bool, err error) {
	if s.invited < 0 {
		return false, nil
	}
	until := s.db.Believed().Add(-s.invited)
	return forgetDue(ctx, s, &removalRecords, func(r *removal) bool { return r.At.Before(until) },
		func(_ records.Reading, r *removal) (records.Scope, error) {
			return inAccount(r.AccountID), nil
		})
}

// forgottenPerStep is how many records are forgotten at once.
const forgottenPerStep = 100

// forgetDue removes some of the records that are due, and reports whether there are
// more. in says where one is kept.
func forgetDue[T any](
	ctx context.Context, s *Service, of *records.Collection[T], due func(*T) bool, in func(records.Reading,
		*T) (records.Scope, error),
) (more bool, err error) {
	var ids []string
	err = s.db.View(ctx, func(v *records.View) (err error) {
		ids, err = dueIDs(v, of, due)
		return err
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		for _, id := range ids {
			if err := eraseDue(u, of, id, due, in); err != nil {
				return err
			}
		}
		return newEpochs(u)
	})
	return len(ids) == forgottenPerStep, err
}

// dueIDs are the ids of at most forgottenPerStep records that are due.
func dueIDs[T any](tx records.Reading, of *records.Collection[T], due func(*T) bool) (ids []string, err error) {
	for r, err := range of.All(tx, allAccounts, "") {
		if err != nil {
			return nil, err
		}
		if !due(r) {
			continue
		}
		if ids = append(ids, of.ID(r)); len(ids) == forgottenPerStep {
			break
		}
	}
	return ids, nil
}

// eraseDue removes a record if it is still there and still due.
func eraseDue[T any](
	u *records.Update, of *records.Collection[T], id string, due func(*T) bool, in func(records.Reading,
		*T) (records.Scope, error),
) error {
	r, err := found(of.Value(u, allAccounts, id))
	if err != nil || r == nil || !due(r) {
		return err
	}
	scope, err := in(u, r)
	if err != nil {
		return err
	}
	return of.Erase(u, scope, id)
}
