package realitydata

import (
	"cmp"
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// anyPermission are the permissions of which each lets a caller see.
var anyPermission = []string{PermissionUse, PermissionManage, PermissionCreate}

// caller is who a call is made for, with what it sees and may do within one
// transaction.
type caller struct {
	*judge.Judge
	s  *Service
	tx records.Reading
}

// read returns what fn reads in one committed state.
func read[T any](ctx context.Context, s *Service, fn func(caller) (T, error)) (T, error) {
	return judge.Read(ctx, s.bench, func(v *records.View, j *judge.Judge) (T, error) { return fn(caller{j, s, v}) })
}

func (s *Service) update(ctx context.Context, fn func(*records.Update, caller) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error { return fn(u, caller{j, s, u}) })
}

// write returns the record that fn writes in a transaction.
func write[T any](ctx context.Context, s *Service,
	fn func(*records.Update, caller) (twinplatform.Record[T], error),
) (twinplatform.Result[T], error) {
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (twinplatform.Record[T], error) {
		return fn(u, caller{j, s, u})
	})
}

// administers reports whether the caller is the system, or an organization
// administrator of the account.
func (c caller) administers(accountID string) bool {
	p, ok := c.Caller()
	return !ok || c.s.env.Administers(p, accountID)
}

// owns reports whether reality data are the caller's own.
func (c caller) owns(d *RealityData) bool {
	p, ok := c.Caller()
	return ok && p.ID != "" && p.ID == string(d.OwnerID) && p.AccountID == d.AccountID
}

// holdsOn reports whether the caller holds one of the permissions on a twin of
// reality data, or administers their account; where no twin is named, on any.
func (c caller) holdsOn(d *RealityData, twinID string, permissions ...string) (bool, error) {
	if c.administers(d.AccountID) {
		return true, nil
	}
	if twinID != "" {
		return c.Holds(d.AccountID, twinID, permissions...)
	}
	for _, twinID := range d.TwinIDs {
		if ok, err := c.Holds(d.AccountID, twinID, permissions...); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// visible returns reality data that the caller may see, through one of their twins
// or as their owner, and, where a twin is named, through that. To everybody else they
// do not exist.
func (c caller) visible(id, twinID string) (rec twinplatform.Record[RealityData], err error) {
	var none twinplatform.Record[RealityData]
	c.expectData(id)
	rec, err = dataRecords.Get(c.tx, allAccounts, id)
	if err == nil {
		c.foundData(id)
	}
	if err := dataKind.Missing.Or(err); err != nil {
		return none, cmp.Or(c.named(twinID), err)
	}
	seen := c.owns(&rec.Value)
	if !seen {
		seen, err = c.holdsOn(&rec.Value, "", anyPermission...)
	}
	if seen && twinID != "" {
		seen, err = c.seesAssociation(&rec.Value, twinID)
	}
	if err := dataKind.Missing.Unless(seen, err); err != nil {
		return none, cmp.Or(c.named(twinID), err)
	}
	return rec, nil
}

// named checks the id of a twin that a request names next to the data: what is no GUID is
// one alone that the caller sees data of.
func (c caller) named(twinID string) error {
	if problem.Strange("twinId", twinID, false) == nil {
		return nil
	}
	p, _ := c.Caller()
	visible, err := c.Holds(p.AccountID, twinID, anyPermission...)
	if strange := problem.Strange("twinId", twinID, visible); err == nil && strange != nil {
		return problem.With(InvalidRequest, strange...)
	}
	return err
}

// seesAssociation reports whether the caller may know that reality data are
// associated with a twin: on which it holds one of the permissions, or as the owner.
func (c caller) seesAssociation(d *RealityData, twinID string) (bool, error) {
	if !associated(d, twinID) || c.owns(d) {
		return associated(d, twinID), nil
	}
	return c.holdsOn(d, twinID, anyPermission...)
}

// changeable returns reality data that the caller may change.
func (c caller) changeable(id string) (*RealityData, error) {
	rec, err := c.visible(id, "")
	if err != nil {
		return nil, err
	}
	return &rec.Value, problem.Needs(PermissionManage).Unless(c.holdsOn(&rec.Value, "", PermissionManage))
}

// mayAccess fails unless the caller may read, or write, the bytes of reality data.
// They are written while they are still being made.
func (c caller) mayAccess(d *RealityData, twinID string, write bool) error {
	permissions := []string{PermissionManage}
	if !write {
		permissions = append(permissions, PermissionUse)
	}
	if !c.owns(d) {
		if err := problem.Needs(permissions...).Unless(c.holdsOn(d, twinID, permissions...)); err != nil {
			return err
		}
	}
	if write && d.complete {
		return errComplete
	}
	return nil
}

// memberOf reports whether the caller is the system or of a detector's account.
func (c caller) memberOf(d *Detector) bool {
	p, ok := c.Caller()
	return !ok || p.AccountID == d.AccountID && (d.AccountID != "" || p.ID == d.OwnerID && p.ID != "")
}

func (c caller) seesDetector(d *Detector) bool { return c.memberOf(d) || d.published() }

// mayChange reports whether the caller may change a detector that it sees.
func (c caller) mayChange(d *Detector) bool {
	p, _ := c.Caller()
	return c.administers(d.AccountID) || p.ID == d.OwnerID && c.memberOf(d)
}

// changeableDetector returns a detector that the caller may change.
func (c caller) changeableDetector(name string) (*Detector, error) {
	d, err := c.visibleDetector(name)
	if err != nil {
		return nil, err
	}
	if !c.mayChange(d) {
		return nil, errDetectorOwners
	}
	return d, nil
}

var errDetectorOwners = problem.Refuses("A detector is changed by its owner and by the administrators of the " +
	"organization.")
