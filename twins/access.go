package twins

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// visible returns a twin that the caller may see. To everybody else it does not
// exist.
func (s *Service) visible(ctx context.Context, tx records.Reading, twinID string) (rec twinplatform.Record[Twin], err error) {
	rec, err = twinRecords.Get(tx, area, twinID)
	if err != nil {
		return rec, twinMissing.Or(err)
	}
	known, err := s.holds(ctx, rec.Value.target(), PermissionRead)
	if err == nil && !known[PermissionRead] {
		err = twinMissing.Err()
	}
	if err != nil {
		return twinplatform.Record[Twin]{}, err
	}
	return rec, nil
}

// permitted returns a twin at which the caller holds the permission. One that it
// may not even see does not exist.
func (s *Service) permitted(ctx context.Context, tx records.Reading, twinID, permission string) (*Twin, error) {
	rec, err := s.visible(ctx, tx, twinID)
	if err != nil {
		return nil, err
	}
	return &rec.Value, s.requireAll(ctx, rec.Value.target(), permission)
}

// parentFor returns the account of a twin below which the caller may make twins.
func (s *Service) parentFor(ctx context.Context, tx records.Reading, twinID string) (accountID string, err error) {
	parent, err := s.visible(ctx, tx, twinID)
	if err == nil {
		return parent.Value.account(), s.requireAll(ctx, parent.Value.target(), PermissionCreate)
	}
	if !errors.Is(err, twinplatform.NotFound) {
		return "", err
	}
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && p.AccountID == twinID {
		// The own account is no secret, whether or not its twin was made yet.
		return s.accountFor(ctx, p)
	}
	return "", parentMissing.Err()
}

// accountFor returns the account of a caller that may make twins in it.
func (s *Service) accountFor(ctx context.Context, p twinplatform.Principal) (string, error) {
	if p.AccountID == "" {
		return "", refuse.Forbidden
	}
	return p.AccountID, s.requireAll(ctx, twinplatform.Target{TwinID: p.AccountID, AccountID: p.AccountID}, PermissionCreate)
}
