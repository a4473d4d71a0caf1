package twins

import (
	"cmp"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A twin that moves leaves the members of the twins that it was below, and comes
// to those of the twins that it is below then. A principal that moves it gives and takes by
// that, and must be able to give and take as much at the twin itself.

// errMove refuses a move that gives or takes what the caller could not.
var errMove = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: problem.Forbidden.Code, Target: "parentId",
	Message: "The move would change what others may do in the twin. It needs the permissions members_manage and " +
		"roles_manage at the twin, and those that it gives or takes; an owner of the twin has them all.",
}

// checkMove checks the new place of a twin, and that the caller may move it there.
// Nothing of the move is written yet.
func (s *Service) checkMove(u *records.Update, j *judge.Judge, t, before *Twin) error {
	if err := mayPlace(u, j, t); err != nil {
		return err
	}
	if err := s.permissionsChange(j, before.ofAccount(), ""); err != nil {
		return err
	}
	if err := s.checkPlace(u, t); err != nil {
		return err
	}
	if s.unbound(j, t.account()) {
		return nil
	}
	m, err := s.moveOf(u, j, t, before)
	if err != nil {
		return err
	}
	if err := m.may(); err != nil {
		return err
	}
	return m.keepsOwner()
}

// mayPlace fails unless the caller may put twins where the twin is to be.
func mayPlace(tx records.Reading, j *judge.Judge, t *Twin) error {
	if t.ParentID != "" {
		_, err := parentFor(tx, j, string(t.ParentID))
		return err
	}
	if _, named := j.Caller(); named {
		return problem.Refuses("A twin without a parent is moved by the program itself.")
	}
	return nil
}

// move is a move of a twin that is not written yet.
type move struct {
	tx   records.Reading
	j    *judge.Judge
	twin *Twin // as it was
	path []string
	// left are the twins that it is no longer below, joined those that it
	// comes to be below.
	left, joined []string
	ended        func(*Invitation) bool
}

func (s *Service) moveOf(tx records.Reading, j *judge.Judge, t, before *Twin) (m *move, err error) {
	m = &move{tx: tx, j: j, twin: before, ended: s.ended}
	if m.path, err = upwards(tx, string(t.ParentID)); err != nil {
		return nil, err
	}
	old, err := upwards(tx, string(before.ParentID))
	if err != nil {
		return nil, err
	}
	m.joined, m.left = difference(old, m.path)
	m.path = append(m.path, before.ID)
	return m, nil
}

// upwards are the ids of a twin and of those above it.
func upwards(tx records.Reading, twinID string) (ids []string, err error) {
	for twinID != "" {
		n, err := nodeRecords.Value(tx, allAccounts, twinID)
		if err != nil {
			return nil, err
		}
		ids, twinID = append(ids, n.ID), string(n.ParentID)
	}
	return ids, nil
}

// may fails unless the caller may give and take what the move does.
func (m *move) may() error {
	for _, id := range m.joined {
		if err := m.mayHandOver(id, m.gained); err != nil {
			return err
		}
	}
	for _, id := range m.left {
		if err := m.mayHandOver(id, m.lost); err != nil {
			return err
		}
	}
	return nil
}

// mayHandOver judges what the roles of one twin come to mean for the twin that
// moves. changed says which of the permissions that a principal holds there make a
// difference. Only holders of roles that the caller could not give and take are
// looked at.
func (m *move) mayHandOver(at string, changed func(p who, held []string) ([]string, error)) error {
	beyond, err := m.beyond(at)
	if err != nil || len(beyond) == 0 {
		return err
	}
	for g, err := range granteesOf(m.tx, m.twin.account(), at, m.ended) {
		if err != nil {
			return err
		}
		var held []string
		for _, id := range g.roleIDs {
			held = append(held, beyond[id]...)
		}
		changes, err := changed(g.who, held)
		if err != nil {
			return err
		}
		if mayGive, err := m.mayGive(changes); err != nil || !mayGive {
			return cmp.Or(err, error(errMove))
		}
	}
	return nil
}

// beyond are the permissions of those roles of a twin that the caller could not
// give at the twin that moves, by the ids of the roles.
func (m *move) beyond(at string) (map[string][]string, error) {
	beyond := make(map[string][]string)
	for r, err := range roleRecords.All(m.tx, allAccounts, recordID(at, "")) {
		if err != nil {
			return nil, err
		}
		mayGive, err := m.mayGive(r.holds())
		if err != nil {
			return nil, err
		}
		if !mayGive {
			beyond[r.ID] = r.holds()
		}
	}
	return beyond, nil
}

// mayGive reports whether the caller could give and take permissions at the twin
// that moves.
func (m *move) mayGive(permissions []string) (bool, error) {
	if len(permissions) == 0 {
		return true, nil
	}
	needed := append([]string{PermissionManageMembers, PermissionManageRoles}, permissions...)
	return m.j.AllowedAll(m.twin.target(), needed...)
}

// grantee has roles at a twin: a member, or an invited person, who has no id yet.
type grantee struct {
	who

	roleIDs []string
}

// granteesOf yields everybody who has roles at a twin of an account, also by a group, or is
// invited to have some. Invitations that have ended give no principal any.
func granteesOf(tx records.Reading, account, twinID string, ended func(*Invitation) bool) iter.Seq2[grantee, error] {
	return func(yield func(grantee, error) bool) {
		for _, some := range []iter.Seq2[grantee, error]{
			membersOf(tx, account, twinID),
			inGroupsOf(tx, account, twinID), invitedTo(tx, twinID, ended),
		} {
			for g, err := range some {
				if !yield(g, err) || err != nil {
					return
				}
			}
		}
	}
}

// membersOf yields the members of a twin.
func membersOf(tx records.Reading, account, twinID string) iter.Seq2[grantee, error] {
	return func(yield func(grantee, error) bool) {
		for m, err := range memberRecords.All(tx, allAccounts, recordID(twinID, "")) {
			if err != nil {
				yield(grantee{}, err)
				return
			}
			if !yield(grantee{m.who(account), m.RoleIDs}, nil) {
				return
			}
		}
	}
}

// invitedTo yields who is invited to a twin.
func invitedTo(tx records.Reading, twinID string, ended func(*Invitation) bool) iter.Seq2[grantee, error] {
	return func(yield func(grantee, error) bool) {
		for i, err := range invitationRecords.All(tx, allAccounts, recordID(twinID, "")) {
			if err != nil {
				yield(grantee{}, err)
				return
			}
			if !ended(i) && !yield(grantee{who{}, i.RoleIDs}, nil) {
				return
			}
		}
	}
}

// inGroupsOf yields everybody who has roles at a twin by a group. A group that no one is in
// yields one grantee without an id.
func inGroupsOf(tx records.Reading, account, twinID string) iter.Seq2[grantee, error] {
	return func(yield func(grantee, error) bool) {
		for m, err := range groupMemberRecords.All(tx, allAccounts, recordID(twinID, "")) {
			if err != nil {
				yield(grantee{}, err)
				return
			}
			people, err := peopleOf(tx, twinID, m.ID)
			if err != nil {
				yield(grantee{}, err)
				return
			}
			if len(people) == 0 && !yield(grantee{who{}, m.RoleIDs}, nil) {
				return
			}
			for _, p := range people {
				if !yield(grantee{who{id: p.ID, account: account}, m.RoleIDs}, nil) {
					return
				}
			}
		}
	}
}

// gained returns which of the permissions a principal does not have at the twin
// before it moves.
func (m *move) gained(p who, held []string) ([]string, error) {
	before, _, err := resolve(m.tx, p, m.twin.ID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(held), before.held.allows), nil
}

// lost returns which of the permissions a principal does not have at the twin once
// it has moved. A principal that is invited has none yet, and the principal that moves a twin may give
// up its own.
func (m *move) lost(p who, held []string) ([]string, error) {
	if by, _ := m.j.Caller(); p.id == "" || p.id == by.ID && p.account == by.AccountID {
		return nil, nil
	}
	after, from := grant{account: m.twin.account()}, new(source)
	groups, err := groupsOf(m.tx, after.account, p)
	if err != nil {
		return nil, err
	}
	for _, id := range m.path {
		declareMember(m.tx, p, id)
	}
	for _, id := range m.path {
		if err := from.addMember(m.tx, after.account, &node{ID: id}, p, groups); err != nil {
			return nil, err
		}
	}
	if err := after.addAll(m.tx, from.roles); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(held), after.held.allows), nil
}

// keepsOwner fails when the only owners of the twin are those that it leaves.
func (m *move) keepsOwner() error {
	had, err := owned(m.tx, m.left, ownership{})
	if err != nil || !had {
		return err
	}
	has, err := owned(m.tx, m.path, ownership{})
	if err == nil && !has {
		err = errLastOwner
	}
	return err
}
