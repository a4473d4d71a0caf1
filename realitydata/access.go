package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// anyPermission are the permissions of which each lets a caller see.
var anyPermission = []string{PermissionUse, PermissionManage, PermissionCreate}

// twin returns where permissions on a twin are asked for, and whether there is
// such a twin.
func (s *Service) twin(ctx context.Context, twinID string) (target twinplatform.Target, ok bool, err error) {
	target.TwinID = twinID
	if s.twins == nil {
		return target, true, nil
	}
	target.AccountID, ok, err = s.twins.TwinAccount(ctx, twinID)
	return target, ok, err
}

// holds reports whether the caller holds one of the permissions on a twin that
// exists.
func (s *Service) holds(ctx context.Context, twinID string, permissions ...string) (bool, error) {
	target, ok, err := s.twin(ctx, twinID)
	if err != nil || !ok {
		return false, err
	}
	for _, permission := range permissions {
		if ok, err = s.env.Allowed(ctx, permission, target); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// administers reports whether the caller is the system, or an organization
// administrator of the account.
func (s *Service) administers(ctx context.Context, accountID string) bool {
	p, ok := twinplatform.PrincipalFrom(ctx)
	return !ok || s.env.Administers(p, accountID)
}

// onAny reports whether the caller holds one of the permissions on one of the
// twins of reality data, or administers its account.
func (s *Service) onAny(ctx context.Context, d *RealityData, permissions ...string) (bool, error) {
	if s.administers(ctx, d.AccountID) {
		return true, nil
	}
	for _, twinID := range d.TwinIDs {
		if ok, err := s.holds(ctx, twinID, permissions...); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// visible returns reality data that the caller may see: through one of its
// twins, or as its owner.
func (s *Service) visible(ctx context.Context, id string) (rec twinplatform.Record[RealityData], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = dataRecords.Get(v, area, id)
		return errMissing.Or(err)
	})
	if err != nil {
		return rec, err
	}
	ok := owns(ctx, &rec.Value)
	if !ok {
		ok, err = s.onAny(ctx, &rec.Value, anyPermission...)
	}
	if err == nil && !ok {
		err = errMissing.Err()
	}
	if err != nil {
		return twinplatform.Record[RealityData]{}, err
	}
	return rec, nil
}

// knows reports whether the caller may know that reality data are associated
// with a twin: on which it holds one of the permissions, or as the owner.
func (s *Service) knows(ctx context.Context, d *RealityData, twinID string) (bool, error) {
	if !associated(d, twinID) {
		return false, nil
	}
	if owns(ctx, d) || s.administers(ctx, d.AccountID) {
		return true, nil
	}
	return s.holds(ctx, twinID, anyPermission...)
}

// through reports whether the caller holds one of the permissions on a twin of
// reality data, or administers its account; where no twin is named, on any.
func (s *Service) through(ctx context.Context, d *RealityData, twinID string, permissions ...string) (bool, error) {
	if twinID == "" || s.administers(ctx, d.AccountID) {
		return s.onAny(ctx, d, permissions...)
	}
	return s.holds(ctx, twinID, permissions...)
}

func owns(ctx context.Context, d *RealityData) bool {
	p, ok := twinplatform.PrincipalFrom(ctx)
	return ok && p.ID != "" && p.ID == string(d.OwnerID) && p.AccountID == d.AccountID
}

// manageable returns reality data that the caller may change.
func (s *Service) manageable(ctx context.Context, id string) (rec twinplatform.Record[RealityData], err error) {
	if rec, err = s.visible(ctx, id); err != nil {
		return rec, err
	}
	ok, err := s.onAny(ctx, &rec.Value, PermissionManage)
	if err == nil && !ok {
		err = refuse.Forbidden
	}
	return rec, err
}
