package realitydata

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

func associated(d *RealityData, twinID string) bool { return slices.Contains(d.TwinIDs, twinID) }

// Get returns reality data. The caller sees what is associated with a twin on
// which it holds one of the permissions, and the own data.
//
// Errors: RealityDataNotFound, also for a caller who may not see the data, and
// where twinID is given and the data are not associated with it, or the caller
// holds no permission there.
func (s *Service) Get(ctx context.Context, id, twinID string) (twinplatform.Record[RealityData], error) {
	rec, err := s.visible(ctx, id)
	if err == nil && twinID != "" {
		var known bool
		if known, err = s.knows(ctx, &rec.Value, twinID); err == nil && !known {
			err = errMissing.Err()
		}
	}
	if err != nil {
		return twinplatform.Record[RealityData]{}, err
	}
	return rec, nil
}

// Delete removes reality data with their bytes. It needs PermissionManage on
// their twin.
//
// Errors: RealityDataNotFound; InsufficientPermissions; RealityDataShared while
// more than one twin is associated.
func (s *Service) Delete(ctx context.Context, id string) error {
	if _, err := s.manageable(ctx, id); err != nil {
		return err
	}
	err := s.db.Update(ctx, func(u *records.Update) error {
		d, err := dataRecords.Value(u, area, id)
		if err != nil {
			return errMissing.Or(err)
		}
		if len(d.TwinIDs) > 1 {
			return errShared
		}
		none := *d
		none.TwinIDs = nil
		if err := copyToTwins(u, &none, d.TwinIDs); err != nil {
			return err
		}
		return dataRecords.Erase(u, area, id)
	})
	if err != nil {
		return err
	}
	if err := s.containers.RemoveContainer(ctx, id); err != nil {
		// The record is gone, and with it the only way to these bytes.
		s.env.Logger.WarnContext(ctx, "the bytes of deleted reality data remain", "id", id, "error", err)
	}
	return nil
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
func (s *Service) Twins(ctx context.Context, id string) ([]string, error) {
	rec, err := s.visible(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, twinID := range rec.Value.TwinIDs {
		known, err := s.knows(ctx, &rec.Value, twinID)
		if err != nil {
			return nil, err
		}
		if known {
			out = append(out, twinID)
		}
	}
	return out, nil
}

// Associate makes reality data part of a further twin; it changes nothing where
// they are already. It needs PermissionManage on one of their twins and
// PermissionCreate on the further one.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; InvalidRealityDataRequest with InvalidValue (twinId) for a twin of
// another account and for more than 100 twins.
func (s *Service) Associate(ctx context.Context, id, twinID string) error {
	rec, err := s.manageable(ctx, id)
	if err != nil {
		return err
	}
	if err := s.acceptable(ctx, &rec.Value, twinID); err != nil {
		return err
	}
	_, err = s.modify(ctx, id, "", func(d *RealityData) error {
		if associated(d, twinID) {
			return nil
		}
		if len(d.TwinIDs) >= MaxTwins {
			var c refuse.Checks
			c.Bad("twinId", "Reality data can be associated with at most %d twins.", MaxTwins)
			return c.Err(errRequest)
		}
		d.TwinIDs = append(slices.Clone(d.TwinIDs), twinID)
		return nil
	})
	return err
}

// acceptable checks that reality data can become part of a twin.
func (s *Service) acceptable(ctx context.Context, d *RealityData, twinID string) error {
	target, exists, err := s.twin(ctx, twinID)
	if err != nil {
		return err
	}
	allowed, err := s.env.Allowed(ctx, PermissionCreate, target)
	if err != nil {
		return err
	}
	if !exists || !allowed {
		return refuse.Forbidden
	}
	if target.AccountID != d.AccountID {
		var c refuse.Checks
		c.Bad("twinId", "The twin belongs to another account than the reality data.")
		return c.Err(errRequest)
	}
	return nil
}

// Dissociate takes reality data out of a twin. It needs PermissionManage on that
// twin.
//
// Errors: RealityDataNotFound; AssociationNotFound, also for a twin on which the
// caller holds no permission; InsufficientPermissions.
func (s *Service) Dissociate(ctx context.Context, id, twinID string) error {
	rec, err := s.visible(ctx, id)
	if err != nil {
		return err
	}
	known, err := s.knows(ctx, &rec.Value, twinID)
	if err != nil {
		return err
	}
	if !known {
		return errNoAssociation.Err()
	}
	manages, err := s.holds(ctx, twinID, PermissionManage)
	if err != nil {
		return err
	}
	if !manages && !s.administers(ctx, rec.Value.AccountID) {
		return refuse.Forbidden
	}
	_, err = s.modify(ctx, id, "", func(d *RealityData) error {
		if !associated(d, twinID) {
			return errNoAssociation.Err()
		}
		d.TwinIDs = slices.DeleteFunc(slices.Clone(d.TwinIDs), func(t string) bool { return t == twinID })
		return nil
	})
	return err
}

// Move makes reality data part of another twin of the same account, and of no
// other. It needs PermissionManage on their twin and PermissionCreate on the
// other.
//
// Errors: RealityDataNotFound; InsufficientPermissions, also for a twin that is
// missing; RealityDataShared while more than one twin is associated;
// InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// (twinId).
func (s *Service) Move(ctx context.Context, id, twinID string) error {
	rec, err := s.manageable(ctx, id)
	if err != nil {
		return err
	}
	if twinID == "" {
		var c refuse.Checks
		c.Missing("twinId")
		return c.Err(errRequest)
	}
	if err := s.acceptable(ctx, &rec.Value, twinID); err != nil {
		return err
	}
	_, err = s.modify(ctx, id, "", func(d *RealityData) error {
		if len(d.TwinIDs) > 1 {
			return errShared
		}
		d.TwinIDs = []string{twinID}
		return nil
	})
	return err
}

// Access is an address of the bytes of reality data.
type Access struct {
	// Type is AzureBlobSasUrl: the address carries the right to use it.
	Type string
	// Access is Read or Write.
	Access string
	// URL is the address of the container. A client adds the path of a file to
	// the path of the address.
	URL string
}

// ReadAccess returns an address at which the bytes of reality data can be read.
// The caller must see the data, through twinID where that is given; the address
// is not to be told to others.
//
// Errors: RealityDataNotFound; InsufficientPermissions for a caller who holds
// neither PermissionUse nor PermissionManage.
func (s *Service) ReadAccess(ctx context.Context, id, twinID string) (Access, error) {
	rec, err := s.Get(ctx, id, twinID)
	if err != nil {
		return Access{}, err
	}
	if !owns(ctx, &rec.Value) {
		ok, err := s.through(ctx, &rec.Value, twinID, PermissionUse, PermissionManage)
		if err != nil {
			return Access{}, err
		}
		if !ok {
			return Access{}, refuse.Forbidden
		}
	}
	return s.access(ctx, id, false)
}

// WriteAccess returns an address at which the bytes of reality data can be read
// and written. It needs PermissionManage on one of their twins, or to own them.
//
// Errors: RealityDataNotFound; InsufficientPermissions.
func (s *Service) WriteAccess(ctx context.Context, id, twinID string) (Access, error) {
	rec, err := s.Get(ctx, id, twinID)
	if err != nil {
		return Access{}, err
	}
	if !owns(ctx, &rec.Value) {
		ok, err := s.through(ctx, &rec.Value, twinID, PermissionManage)
		if err != nil {
			return Access{}, err
		}
		if !ok {
			return Access{}, refuse.Forbidden
		}
	}
	return s.access(ctx, id, true)
}

func (s *Service) access(ctx context.Context, id string, write bool) (Access, error) {
	a := Access{Type: "AzureBlobSasUrl", Access: "Read"}
	if write {
		a.Access = "Write"
	}
	var err error
	if a.URL, err = s.containers.ContainerURL(ctx, id, write); err != nil {
		return Access{}, err
	}
	now := s.now()
	err = s.db.Update(ctx, func(u *records.Update) error {
		rec, err := dataRecords.Modify(u, area, id, "", func(d *RealityData) error {
			d.LastAccessedDateTime = now
			return nil
		})
		if err != nil {
			return errMissing.Or(err)
		}
		return copyToTwins(u, &rec.Value, rec.Value.TwinIDs)
	})
	return a, err
}
