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
func (s *Service) requireAll(ctx context.Context, at twinplatform.Target, permissions ...string) error {
	known, err := s.holds(ctx, at, permissions...)
	if err != nil {
		return err
	}
	if !known.cover(permissions) {
		return refuse.Forbidden
	}
	return nil
}

// assignable returns roles of a twin that the caller may give and take, and fails
// with InsufficientPermissions when there are others among them.
func (s *Service) assignable(ctx context.Context, tx records.Reading, t *Twin, roleIDs []string) ([]*Role, error) {
	roles, err := rolesOf(tx, t.ID, roleIDs)
	if err != nil {
		return nil, err
	}
	return roles, s.requireAll(ctx, t.target(), permissionsOf(roles)...)
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
