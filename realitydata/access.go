package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// anyPermission are the permissions of which each lets a caller see.
var anyPermission = []string{PermissionUse, PermissionManage, PermissionCreate}

// sight is what a caller sees and may do within one transaction.
type sight struct {
	*judge.Judge
	s *Service
}

func (s *Service) view(ctx context.Context, fn func(*records.View, sight) error) error {
	return s.bench.View(ctx, func(v *records.View, j *judge.Judge) error { return fn(v, sight{j, s}) })
}

func (s *Service) update(ctx context.Context, fn func(*records.Update, sight) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error { return fn(u, sight{j, s}) })
}

// administers reports whether the caller is the system, or an organization
// administrator of the account.
func (c sight) administers(accountID string) bool {
	p, ok := c.Caller()
	return !ok || c.s.env.Administers(p, accountID)
}

// owns reports whether reality data are the caller's own.
func (c sight) owns(d *RealityData) bool {
	p, ok := c.Caller()
	return ok && ownedBy(p, d)
}

func ownedBy(p twinplatform.Principal, d *RealityData) bool {
	return p.ID != "" && p.ID == string(d.OwnerID) && p.AccountID == d.AccountID
}

// onAny reports whether the caller holds one of the permissions on one of the
// twins of reality data, or administers its account.
func (c sight) onAny(d *RealityData, permissions ...string) (bool, error) {
	if c.administers(d.AccountID) {
		return true, nil
	}
	for _, twinID := range d.TwinIDs {
		if ok, err := c.Holds(twinID, permissions...); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// visible returns reality data that the caller may see: through one of its
// twins, or as its owner.
func (c sight) visible(tx records.Reading, id string) (rec twinplatform.Record[RealityData], err error) {
	var none twinplatform.Record[RealityData]
	if rec, err = dataRecords.Get(tx, area, id); err != nil {
		return none, errMissing.Or(err)
	}
	ok := c.owns(&rec.Value)
	if !ok {
		ok, err = c.onAny(&rec.Value, anyPermission...)
	}
	if err == nil && !ok {
		err = errMissing.Err()
	}
	if err != nil {
		return none, err
	}
	return rec, nil
}

// visibleAt is visible through a twin, where one is named.
func (c sight) visibleAt(tx records.Reading, id, twinID string) (rec twinplatform.Record[RealityData], err error) {
	var none twinplatform.Record[RealityData]
	if rec, err = c.visible(tx, id); err != nil || twinID == "" {
		return rec, err
	}
	known, err := c.knows(&rec.Value, twinID)
	if err == nil && !known {
		err = errMissing.Err()
	}
	if err != nil {
		return none, err
	}
	return rec, nil
}

// knows reports whether the caller may know that reality data are associated
// with a twin: on which it holds one of the permissions, or as the owner.
func (c sight) knows(d *RealityData, twinID string) (bool, error) {
	if !associated(d, twinID) {
		return false, nil
	}
	if c.owns(d) || c.administers(d.AccountID) {
		return true, nil
	}
	return c.Holds(twinID, anyPermission...)
}

// through reports whether the caller holds one of the permissions on a twin of
// reality data, or administers its account; where no twin is named, on any.
func (c sight) through(d *RealityData, twinID string, permissions ...string) (bool, error) {
	if twinID == "" || c.administers(d.AccountID) {
		return c.onAny(d, permissions...)
	}
	return c.Holds(twinID, permissions...)
}

// manageable returns reality data that the caller may change.
func (c sight) manageable(tx records.Reading, id string) (*RealityData, error) {
	rec, err := c.visible(tx, id)
	if err != nil {
		return nil, err
	}
	ok, err := c.onAny(&rec.Value, PermissionManage)
	if err == nil && !ok {
		err = refuse.Forbidden
	}
	return &rec.Value, err
}

// readable fails unless the caller may read the bytes of reality data.
func (c sight) readable(d *RealityData, twinID string) error {
	return c.bytes(d, twinID, PermissionUse, PermissionManage)
}

// writable fails unless the caller may write the bytes of reality data, and they
// are still being made.
func (c sight) writable(d *RealityData, twinID string) error {
	if err := c.bytes(d, twinID, PermissionManage); err != nil {
		return err
	}
	if d.complete {
		return errComplete
	}
	return nil
}

// bytes fails unless the caller owns reality data or holds one of the
// permissions.
func (c sight) bytes(d *RealityData, twinID string, permissions ...string) error {
	if c.owns(d) {
		return nil
	}
	ok, err := c.through(d, twinID, permissions...)
	if err == nil && !ok {
		err = refuse.Forbidden
	}
	return err
}
