package realitydata

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

func associated(d *RealityData, twinID string) bool { return slices.Contains(d.TwinIDs, twinID) }

// Twins returns the ids of the twins that reality data are associated with, in
// the order in which they were. Their owner and administrators learn of all of
// them, others of those on which they hold one of the permissions.
//
// Errors: RealityDataNotFound.
func (s *Service) Twins(ctx context.Context, id string) ([]string, error) {
	return read(ctx, s, func(c caller) (twins []string, err error) {
		rec, err := c.visible(id, "")
		if err != nil {
			return nil, err
		}
		for _, twinID := range rec.Value.TwinIDs {
			seen, err := c.seesAssociation(&rec.Value, twinID)
			if err != nil {
				return nil, err
			}
			if seen {
				twins = append(twins, twinID)
			}
		}
		return twins, nil
	})
}

// Associate makes reality data part of a further twin; it changes nothing where
// they are already. It needs PermissionManage on one of their twins and
// PermissionCreate on the further one.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; InvalidRealityDataRequest with InvalidValue (twinId) for a twin of
// another account and for more than 100 twins; VersionMismatch.
func (s *Service) Associate(ctx context.Context, id, twinID string, pre ...twinplatform.Precondition) error {
	_, err := s.modify(ctx, id, twinplatform.ConditionOf(pre...), func(c caller, d *RealityData) error {
		if err := c.addable(d, twinID); err != nil {
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

// addable fails unless reality data can become part of a twin.
func (c caller) addable(d *RealityData, twinID string) error {
	target, err := c.creatable(twinID)
	if err == nil && target.AccountID != d.AccountID {
		err = badTwin("The twin belongs to another account than the reality data.")
	}
	return err
}

// creatable fails unless the caller may make reality data in a twin, and returns
// where that is.
func (c caller) creatable(twinID string) (twinplatform.Target, error) {
	target, exists, err := c.Twin(twinID)
	if err != nil {
		return target, err
	}
	allowed, err := c.Allowed(PermissionCreate, target)
	return target, problem.Needs(PermissionCreate).Unless(exists && allowed, err)
}

// badTwin refuses a twin.
func badTwin(format string, args ...any) error {
	return problem.With(InvalidRequest, problem.BadValue("twinId", format, args...))
}

// Dissociate takes reality data out of a twin. It needs PermissionManage on that
// twin.
//
// Errors: RealityDataNotFound; AssociationNotFound, also for a twin on which the
// caller holds no permission; InsufficientPermissions; VersionMismatch.
func (s *Service) Dissociate(ctx context.Context, id, twinID string, pre ...twinplatform.Precondition) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		rec, err := c.visible(id, "")
		if err != nil {
			return err
		}
		if err := c.removable(&rec.Value, twinID); err != nil {
			return err
		}
		_, err = c.put(u, &rec.Value, twinplatform.ConditionOf(pre...), func(d *RealityData) error {
			d.ModifiedDateTime = s.now()
			d.TwinIDs = slices.DeleteFunc(slices.Clone(d.TwinIDs), func(t string) bool { return t == twinID })
			return nil
		})
		return err
	})
}

// removable fails unless the caller may take reality data out of a twin.
func (c caller) removable(d *RealityData, twinID string) error {
	if err := errNoAssociation.Unless(c.seesAssociation(d, twinID)); err != nil {
		return err
	}
	return problem.Needs(PermissionManage).Unless(c.holdsOn(d, twinID, PermissionManage))
}

var errNoAssociation = problem.NotFound("AssociationNotFound", "twinId", "association")

// Move makes reality data part of another twin of the same account, and of no
// other. It needs PermissionManage on their twin and PermissionCreate on the
// other.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; RealityDataShared while more than one twin is associated;
// InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// (twinId), also for a twin that is kept in another data center; VersionMismatch.
func (s *Service) Move(ctx context.Context, id, twinID string, pre ...twinplatform.Precondition) error {
	_, err := s.modify(ctx, id, twinplatform.ConditionOf(pre...), func(c caller, d *RealityData) error {
		if twinID == "" {
			return problem.With(InvalidRequest, problem.Missing("twinId"))
		}
		if err := c.addable(d, twinID); err != nil {
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
