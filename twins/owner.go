package twins

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A twin that has an owner, at itself or at a twin above, keeps one. Administrators
// of its account are no substitute: whether there are any is not known here.

var errLastOwner = conflict("LastOwner", "Nobody else could manage the twin. Somebody else is made an owner first, or an administrator of the organization takes over.")

// mayLeave fails for an owner that gives up its ownership and leaves no principal who
// could manage the twin. A principal that takes the ownership of another one is an owner
// itself, and administrators manage the twin without being its members.
func (s *Service) mayLeave(tx records.Reading, j *judge.Judge, t *Twin, m *Member, taken []*Role) error {
	owner := func(r *Role) bool { return r.Owner }
	if s.unbound(j, t.account()) || callerID(j) != m.ID || !slices.ContainsFunc(taken, owner) {
		return nil
	}
	path, err := upwards(tx, t.ID)
	if err != nil {
		return err
	}
	others, err := owned(tx, path, recordID(t.ID, m.ID))
	if err == nil && !others {
		err = errLastOwner
	}
	return err
}

// owned reports whether one of the twins has an owner, the member that is named by
// the id of its record aside.
func owned(tx records.Reading, twinIDs []string, aside string) (bool, error) {
	for _, id := range twinIDs {
		owner, err := ownerRoleOf(tx, id)
		if err != nil {
			return false, err
		}
		for m, err := range memberRecords.All(tx, allAccounts, recordID(id, "")) {
			if err != nil {
				return false, err
			}
			if slices.Contains(m.RoleIDs, owner) && recordID(id, m.ID) != aside {
				return true, nil
			}
		}
	}
	return false, nil
}

// ownerRoleOf is the id of the owner role of a twin.
func ownerRoleOf(tx records.Reading, twinID string) (string, error) {
	for r, err := range roleRecords.All(tx, allAccounts, recordID(twinID, "")) {
		if err != nil {
			return "", err
		}
		if r.Owner {
			return r.ID, nil
		}
	}
	return "", nil
}
