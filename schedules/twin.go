package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// twinsWithin reports whether twins are looked up in the transaction that acts on
// the answer.
func (s *Service) twinsWithin() bool {
	_, transactional := s.twins.(twinplatform.Transactional)
	return transactional || s.twins == nil
}

// twinAccount returns the account of a twin, and whether there is such a twin.
// Without a directory a twin is of the account of whoever names it.
func (s *Service) twinAccount(ctx context.Context, twinID string) (accountID string, ok bool, err error) {
	if s.twins == nil {
		p, _ := twinplatform.PrincipalFrom(ctx)
		return p.AccountID, true, nil
	}
	return s.twins.TwinAccount(ctx, twinID)
}

// twin returns the account of a twin, and whether the caller may see it.
func (s *Service) twin(ctx context.Context, twinID string) (accountID string, readable bool, err error) {
	accountID, ok, err := s.twinAccount(ctx, twinID)
	if err != nil || !ok {
		return "", false, err
	}
	readable, err = s.env.Allowed(ctx, PermissionRead, twinplatform.Target{TwinID: twinID, AccountID: accountID})
	return accountID, readable, err
}

// twinFor returns the account of a twin that the caller may make schedules for.
func (s *Service) twinFor(ctx context.Context, twinID string) (accountID string, err error) {
	accountID, readable, err := s.twin(ctx, twinID)
	if err != nil {
		return "", err
	}
	if !readable {
		return "", noTwin()
	}
	return accountID, s.mayModify(ctx, &Schedule{TwinID: twinID, AccountID: accountID})
}

func noTwin() error { return invalid(refuse.BadValue("twinId", "The twin is not available.")) }

// confirmTwin is twinFor within the transaction that makes a schedule. judged is
// what twinFor answered before it, where directory or Authorizer answer from
// elsewhere: what they said stands.
func (s *Service) confirmTwin(ctx context.Context, twinID, judged string) (accountID string, err error) {
	switch {
	case s.twinsWithin() && s.within(ctx):
		return s.twinFor(ctx, twinID)
	case s.twinsWithin():
		accountID, ok, err := s.twinAccount(ctx, twinID)
		if err == nil && (!ok || accountID != judged) {
			err = noTwin()
		}
		return accountID, err
	case s.within(ctx):
		at := Schedule{TwinID: twinID, AccountID: judged}
		readable, err := s.sees(ctx)(&at)
		if err == nil && !readable {
			err = noTwin()
		}
		if err != nil {
			return "", err
		}
		return judged, s.mayModify(ctx, &at)
	}
	return judged, nil
}

// narrowToTwin lists only the schedules of a twin, and none of one that the
// caller may not see. The system may list those of all twins.
func (s *Service) narrowToTwin(ctx context.Context, q *records.Query[Schedule], twinID string) error {
	if twinID == "" {
		return nil
	}
	accountID, readable, err := s.twin(ctx, twinID)
	if err != nil {
		return err
	}
	q.Index, q.Equals = "twin", twinID
	if !readable {
		q.Equals = "\x00" // which no twin is called
		return nil
	}
	if _, known := twinplatform.PrincipalFrom(ctx); known && s.twins == nil {
		narrow(q, "accountId", accountID, func(sc *Schedule) bool { return sc.AccountID == accountID })
	}
	return nil
}
