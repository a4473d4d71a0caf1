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
func (s *Service) visible(ctx context.Context, twinID string) (*Twin, error) {
	rec, err := s.visibleRecord(ctx, twinID)
	return &rec.Value, err
}

func (s *Service) visibleRecord(ctx context.Context, twinID string) (rec twinplatform.Record[Twin], err error) {
	err = s.db.View(ctx, func(v *records.View) (err error) {
		rec, err = twinRecords.Get(v, area, twinID)
		return twinMissing.Or(err)
	})
	if err != nil {
		return rec, err
	}
	allowed, err := s.env.Allowed(ctx, PermissionRead, rec.Value.target())
	if err != nil {
		return rec, err
	}
	if !allowed {
		return twinplatform.Record[Twin]{}, twinMissing.Err()
	}
	return rec, nil
}

// permitted returns a twin at which the caller holds the permission. One that it
// may not even see does not exist.
func (s *Service) permitted(ctx context.Context, twinID, permission string) (*Twin, error) {
	t, err := s.visible(ctx, twinID)
	if err != nil {
		return nil, err
	}
	return t, s.require(ctx, permission, t.target())
}

// require fails with InsufficientPermissions when the caller does not hold the
// permission.
func (s *Service) require(ctx context.Context, permission string, target twinplatform.Target) error {
	allowed, err := s.env.Allowed(ctx, permission, target)
	if err != nil {
		return err
	}
	if !allowed {
		return refuse.Forbidden
	}
	return nil
}

// parentFor returns the account of a twin below which the caller may make twins.
func (s *Service) parentFor(ctx context.Context, twinID string) (accountID string, err error) {
	parent, err := s.visible(ctx, twinID)
	if err == nil {
		return parent.account(), s.require(ctx, PermissionCreate, parent.target())
	}
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && p.AccountID == twinID {
		// The own account is no secret, whether or not its twin was made yet.
		return s.accountFor(ctx, p)
	}
	if errors.Is(err, twinplatform.NotFound) {
		err = parentMissing.Err()
	}
	return "", err
}

// accountFor returns the account of a caller that may make twins in it.
func (s *Service) accountFor(ctx context.Context, p twinplatform.Principal) (string, error) {
	if p.AccountID == "" {
		return "", refuse.Forbidden
	}
	return p.AccountID, s.require(ctx, PermissionCreate, twinplatform.Target{TwinID: p.AccountID, AccountID: p.AccountID})
}
