package twins

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A twin that has an owner, at itself or at a twin above, keeps one. Administrators
// of its account are no substitute: whether there are any is not known here.

var errLastOwner = conflict("LastOwner",
	"No other member could manage the twin. Make someone else an owner first, or an administrator of the "+
		"organization takes over.")

// ownership is what may make someone an owner of a twin: a member, by the id of its record,
// or a group, at one twin or at all.
type ownership struct{ member, group, at string }

// mayLeave fails for an owner that gives up its ownership and leaves no principal who
// could manage the twin. A principal that takes the ownership of another one is an owner
// itself, and administrators manage the twin without being its members.
func (s *Service) mayLeave(tx records.Reading, j *judge.Judge, t *Twin, m *Member, taken []*Role) error {
	if callerID(j) != m.ID {
		return nil
	}
	return s.keepsOwner(tx, j, t, taken, ownership{member: recordID(t.ID, m.ID)})
}

// keepsOwner is mayLeave for a caller that may be an owner by what gives the roles that are
// taken.
func (s *Service) keepsOwner(tx records.Reading, j *judge.Judge, t *Twin, taken []*Role, aside ownership) error {
	owner := func(r *Role) bool { return r.Owner }
	if s.unbound(j, t.account()) || !slices.ContainsFunc(taken, owner) {
		return nil
	}
	path, err := upwards(tx, t.ID)
	if err != nil {
		return err
	}
	others, err := owned(tx, path, aside)
	if err == nil && !others {
		err = errLastOwner
	}
	return err
}

// owned reports whether one of the twins has an owner, one ownership aside. People in a group
// that has the owner role are owners.
func owned(tx records.Reading, twinIDs []string, aside ownership) (bool, error) {
	for _, id := range twinIDs {
		owner, err := ownerRoleOf(tx, id)
		if err != nil {
			return false, err
		}
		for m, err := range memberRecords.All(tx, allAccounts, recordID(id, "")) {
			if err != nil {
				return false, err
			}
			if slices.Contains(m.RoleIDs, owner) && recordID(id, m.ID) != aside.member {
				return true, nil
			}
		}
		if has, err := ownedByGroup(tx, id, owner, aside); has || err != nil {
			return has, err
		}
	}
	return false, nil
}

// ownedByGroup reports whether anybody is an owner of a twin by a group.
func ownedByGroup(tx records.Reading, twinID, owner string, aside ownership) (bool, error) {
	for m, err := range groupMemberRecords.All(tx, allAccounts, recordID(twinID, "")) {
		if err != nil {
			return false, err
		}
		if !slices.Contains(m.RoleIDs, owner) || m.ID == aside.group && (aside.at == "" || aside.at == twinID) {
			continue
		}
		people, err := peopleOf(tx, twinID, m.ID)
		if err != nil || len(people) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// peopleOf are who is in a group that has roles at a twin.
func peopleOf(tx records.Reading, twinID, groupID string) ([]GroupPerson, error) {
	t, err := twinRecords.Value(tx, allAccounts, twinID)
	if err != nil {
		return nil, err
	}
	g, err := groupFor(tx, t, groupID)
	if g == nil || err != nil {
		return nil, err
	}
	return g.Members, nil
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
