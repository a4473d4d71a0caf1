package realitydata

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

func associated(d *RealityData, twinID string) bool { return slices.Contains(d.TwinIDs, twinID) }

// RealityData returns reality data. The caller sees what is associated with a twin on
// which it holds one of the permissions, and the own data.
//
// Errors: RealityDataNotFound, also for a caller who may not see the data, and
// where twinID is given and the data are not associated with it, or the caller
// holds no permission there.
func (s *Service) RealityData(ctx context.Context, id, twinID string) (rec twinplatform.Record[RealityData], err error) {
	err = s.view(ctx, func(v *records.View, c sight) error {
		rec, err = c.visibleAt(v, id, twinID)
		return err
	})
	return rec, err
}

// DeleteRealityData removes reality data with their bytes. It needs PermissionManage on
// their twin.
//
// Errors: RealityDataNotFound; InsufficientPermissions; RealityDataShared while
// more than one twin is associated.
func (s *Service) DeleteRealityData(ctx context.Context, id string) error {
	err := s.update(ctx, func(u *records.Update, c sight) error {
		d, err := c.manageable(u, id)
		if err != nil {
			return err
		}
		if len(d.TwinIDs) > 1 {
			return errShared
		}
		none := *d
		none.TwinIDs = nil
		if err := copyToTwins(u, &none, d.TwinIDs); err != nil {
			return err
		}
		if err := s.owe(u, id); err != nil {
			return err
		}
		return dataRecords.Erase(u, area, id)
	})
	if err == nil {
		s.settle(ctx, id)
	}
	return err
}

var errShared = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "RealityDataShared",
	Message: "The reality data are associated with more than one twin.",
}

// Twins returns the ids of the twins that reality data are associated with, in
// the order in which they were. Their owner and administrators learn of all of
// them, others of those on which they hold one of the permissions.
//
// Errors: RealityDataNotFound.
func (s *Service) Twins(ctx context.Context, id string) (twins []string, err error) {
	err = s.view(ctx, func(v *records.View, c sight) error {
		twins = nil
		rec, err := c.visible(v, id)
		if err != nil {
			return err
		}
		for _, twinID := range rec.Value.TwinIDs {
			known, err := c.knows(&rec.Value, twinID)
			if err != nil {
				return err
			}
			if known {
				twins = append(twins, twinID)
			}
		}
		return nil
	})
	return twins, err
}

// Associate makes reality data part of a further twin; it changes nothing where
// they are already. It needs PermissionManage on one of their twins and
// PermissionCreate on the further one.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; InvalidRealityDataRequest with InvalidValue (twinId) for a twin of
// another account and for more than 100 twins.
func (s *Service) Associate(ctx context.Context, id, twinID string) error {
	_, err := s.modify(ctx, id, "", func(c sight, d *RealityData) error {
		if _, err := c.acceptable(d, twinID); err != nil {
			return err
		}
		if associated(d, twinID) {
			return nil
		}
		if len(d.TwinIDs) >= MaxTwins {
			return badTwin("Reality data can be associated with at most %d twins.", MaxTwins)
		}
		d.TwinIDs = append(slices.Clone(d.TwinIDs), twinID)
		return nil
	})
	return err
}

// acceptable checks that reality data can become part of a twin, and returns where
// that is.
func (c sight) acceptable(d *RealityData, twinID string) (target twinplatform.Target, err error) {
	target, exists, err := c.Twin(twinID)
	if err != nil {
		return target, err
	}
	allowed, err := c.Allowed(PermissionCreate, target)
	switch {
	case err != nil:
		return target, err
	case !exists || !allowed:
		return target, refuse.Forbidden
	case target.AccountID != d.AccountID:
		return target, badTwin("The twin belongs to another account than the reality data.")
	}
	return target, nil
}

// badTwin refuses a twin.
func badTwin(format string, args ...any) error {
	return refuse.With(InvalidRequest, refuse.BadValue("twinId", format, args...))
}

// Dissociate takes reality data out of a twin. It needs PermissionManage on that
// twin.
//
// Errors: RealityDataNotFound; AssociationNotFound, also for a twin on which the
// caller holds no permission; InsufficientPermissions.
func (s *Service) Dissociate(ctx context.Context, id, twinID string) error {
	return s.update(ctx, func(u *records.Update, c sight) error {
		rec, err := c.visible(u, id)
		if err != nil {
			return err
		}
		if err := c.severable(&rec.Value, twinID); err != nil {
			return err
		}
		_, err = s.put(u, id, "", func(d *RealityData) error {
			d.TwinIDs = slices.DeleteFunc(slices.Clone(d.TwinIDs), func(t string) bool { return t == twinID })
			return nil
		})
		return err
	})
}

// severable checks that reality data can be taken out of a twin.
func (c sight) severable(d *RealityData, twinID string) error {
	known, err := c.knows(d, twinID)
	if err != nil {
		return err
	}
	if !known {
		return errNoAssociation.Err()
	}
	manages, err := c.Holds(twinID, PermissionManage)
	if err == nil && !manages && !c.administers(d.AccountID) {
		err = refuse.Forbidden
	}
	return err
}

// Move makes reality data part of another twin of the same account, and of no
// other. It needs PermissionManage on their twin and PermissionCreate on the
// other.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; RealityDataShared while more than one twin is associated;
// InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// (twinId), also for a twin that is kept in another data center.
func (s *Service) Move(ctx context.Context, id, twinID string) error {
	_, err := s.modify(ctx, id, "", func(c sight, d *RealityData) error {
		if twinID == "" {
			return refuse.With(InvalidRequest, refuse.Missing("twinId"))
		}
		if _, err := c.acceptable(d, twinID); err != nil {
			return err
		}
		if len(d.TwinIDs) > 1 {
			return errShared
		}
		place, err := c.place(twinID)
		if err != nil {
			return err
		}
		if place != d.DataCenterLocation {
			return badTwin("The twin is kept in another data center than the reality data.")
		}
		d.TwinIDs = []string{twinID}
		return nil
	})
	return err
}
