package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Nobody gives or takes what it does not hold: whoever makes, changes or assigns
// a role needs the permissions of the role at the twin. So the right to manage
// members or roles is not by itself the right to everything.

// authority says of permissions whether the caller holds them.
type authority map[string]bool

// holds asks which of the permissions the caller holds. It is asked outside any
// transaction; what is done within one is covered by what was asked before.
func (s *Service) holds(ctx context.Context, at twinplatform.Target, permissions []string) (authority, error) {
	known := make(authority, len(permissions))
	for _, permission := range permissions {
		if _, ok := known[permission]; ok {
			continue
		}
		allowed, err := s.env.Allowed(ctx, permission, at)
		if err != nil {
			return nil, err
		}
		known[permission] = allowed
	}
	return known, nil
}

// cover reports whether the caller is known to hold all of the permissions.
func (a authority) cover(permissions []string) bool {
	for _, permission := range permissions {
		if !a[permission] {
			return false
		}
	}
	return true
}

// requireAll fails with InsufficientPermissions unless the caller holds all of
// the permissions.
func (s *Service) requireAll(ctx context.Context, at twinplatform.Target, permissions []string) error {
	known, err := s.holds(ctx, at, permissions)
	if err != nil {
		return err
	}
	if !known.cover(permissions) {
		return refuse.Forbidden
	}
	return nil
}

// authorityOver asks about the permissions of roles that a twin has.
func (s *Service) authorityOver(ctx context.Context, t *Twin, roleIDs []string) (authority, error) {
	var needed []string
	err := s.db.View(ctx, func(v *records.View) error {
		roles, err := rolesOf(v, t.ID, roleIDs)
		needed = permissionsOf(roles)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.holds(ctx, t.target(), needed)
}

// mustExist checks within a transaction that a twin is still there.
func mustExist(u *records.Update, twinID string) error {
	has, err := twinRecords.Has(u, area, twinID)
	if err == nil && !has {
		err = twinMissing.Err()
	}
	return err
}

// limitExceeded refuses one more of what a twin has as many of as it may.
func limitExceeded(what string, limit int) error {
	return conflict("LimitExceeded", "The twin has as many "+what+" as it may.", refuse.BadValue("", "A twin has at most %d %s.", limit, what))
}

// onlyIf is the result of a change, or nothing but its error.
func onlyIf[T any](res twinplatform.Result[T], err error) (twinplatform.Result[T], error) {
	if err != nil {
		return twinplatform.Result[T]{}, err
	}
	return res, nil
}
