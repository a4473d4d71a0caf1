package twins

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// A twin that moves leaves the members of the twins that it was below, and comes
// to those of the twins that it is below then. Whoever moves it gives and takes by
// that, and must be able to give and take as much at the twin itself.

// errMove refuses a move that gives or takes what the caller could not.
var errMove = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: refuse.Forbidden.Code, Target: "parentId",
	Message: "The move would change what others may do in the twin. It needs the permissions members_manage and roles_manage at the twin, and those that it gives or takes; an owner of the twin has them all.",
}

// checkMove checks the new place of a twin, and that the caller may move it there.
// Nothing of the move is written yet.
func (s *Service) checkMove(ctx context.Context, u *records.Update, t, before *Twin) error {
	if err := s.mayPlace(ctx, u, t); err != nil {
		return err
	}
	if string(t.ParentID) == t.account() && t.ParentID != "" {
		if err := s.ensureAccount(u, t.account()); err != nil {
			return err
		}
	}
	if err := checkPlace(u, t); err != nil {
		return err
	}
	if s.unbound(ctx, t.account()) {
		return nil
	}
	m, err := moveOf(u, t, before)
	if err != nil {
		return err
	}
	if err := s.mayMove(ctx, u, m); err != nil {
		return err
	}
	return m.keepsOwner(u)
}

// mayPlace fails unless the caller may put twins where the twin is to be.
func (s *Service) mayPlace(ctx context.Context, u *records.Update, t *Twin) error {
	if t.ParentID != "" {
		_, err := s.parentFor(ctx, u, string(t.ParentID))
		return err
	}
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return refuse.Forbidden
	}
	return nil
}

// move is a move of a twin that is not written yet.
type move struct {
	twin *Twin // as it was
	path []string
	// left are the twins that it is no longer below, joined those that it
	// comes to be below.
	left, joined []string
}

func moveOf(tx records.Reading, t, before *Twin) (m *move, err error) {
	m = &move{twin: before}
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
		n, err := nodeRecords.Value(tx, area, twinID)
		if err != nil {
			return nil, err
		}
		ids, twinID = append(ids, n.ID), string(n.ParentID)
	}
	return ids, nil
}

// mayMove fails unless the caller may give and take what a move does.
func (s *Service) mayMove(ctx context.Context, tx records.Reading, m *move) error {
	for _, id := range m.joined {
		if err := s.mayHandOver(ctx, tx, m, id, m.gained); err != nil {
			return err
		}
	}
	caller := callerID(ctx)
	for _, id := range m.left {
		err := s.mayHandOver(ctx, tx, m, id, func(tx records.Reading, principalID string, held []string) ([]string, error) {
			if principalID == caller {
				return nil, nil // whoever moves a twin may give up its own
			}
			return m.lost(tx, principalID, held)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mayHandOver judges what the roles of one twin come to mean for the twin that
// moves. changed says which of the permissions that somebody holds there make a
// difference. Only holders of roles that the caller could not give and take are
// looked at.
func (s *Service) mayHandOver(ctx context.Context, tx records.Reading, m *move, at string,
	changed func(tx records.Reading, principalID string, held []string) ([]string, error),
) error {
	beyond, err := s.beyond(ctx, tx, m, at)
	if err != nil || len(beyond) == 0 {
		return err
	}
	for bearer, err := range bearersOf(tx, at) {
		if err != nil {
			return err
		}
		var held []string
		for _, id := range bearer.roleIDs {
			held = append(held, beyond[id]...)
		}
		changes, err := changed(tx, bearer.principalID, held)
		if err != nil {
			return err
		}
		if mayGive, err := s.mayGive(ctx, m, changes); err != nil || !mayGive {
			return cmp.Or(err, error(errMove))
		}
	}
	return nil
}

// beyond are the permissions of those roles of a twin that the caller could not
// give at the twin that moves, by the ids of the roles.
func (s *Service) beyond(ctx context.Context, tx records.Reading, m *move, at string) (map[string][]string, error) {
	beyond := make(map[string][]string)
	for r, err := range roleRecords.All(tx, area, joined(at, "")) {
		if err != nil {
			return nil, err
		}
		mayGive, err := s.mayGive(ctx, m, r.holds())
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
func (s *Service) mayGive(ctx context.Context, m *move, permissions []string) (bool, error) {
	if len(permissions) == 0 {
		return true, nil
	}
	needed := append([]string{PermissionManageMembers, PermissionManageRoles}, permissions...)
	known, err := s.holds(ctx, m.twin.target(), needed...)
	return known.cover(needed), err
}

// bearer has roles at a twin: a member, or whoever is invited, which is nobody yet.
type bearer struct {
	principalID string
	roleIDs     []string
}

// bearersOf yields everybody who has roles at a twin or is invited to have some.
func bearersOf(tx records.Reading, twinID string) iter.Seq2[bearer, error] {
	return func(yield func(bearer, error) bool) {
		for m, err := range memberRecords.All(tx, area, joined(twinID, "")) {
			if err != nil {
				yield(bearer{}, err)
				return
			}
			if !yield(bearer{m.ID, m.RoleIDs}, nil) {
				return
			}
		}
		for i, err := range invitationRecords.All(tx, area, joined(twinID, "")) {
			if err != nil {
				yield(bearer{}, err)
				return
			}
			if !yield(bearer{"", i.RoleIDs}, nil) {
				return
			}
		}
	}
}

// gained are those of the permissions that somebody does not have at the twin
// before it moves.
func (m *move) gained(tx records.Reading, principalID string, held []string) ([]string, error) {
	before, err := resolve(tx, principalID, m.twin.ID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(held), before.held.allows), nil
}

// lost are those of the permissions that somebody does not have at the twin once
// it has moved.
func (m *move) lost(tx records.Reading, principalID string, held []string) ([]string, error) {
	if principalID == "" {
		return nil, nil
	}
	var after grant
	for _, id := range m.path {
		if err := after.addMember(tx, id, principalID); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(held), after.held.allows), nil
}

// keepsOwner fails when the only owners of the twin are those that it leaves.
func (m *move) keepsOwner(tx records.Reading) error {
	had, err := owned(tx, m.left, "")
	if err != nil || !had {
		return err
	}
	has, err := owned(tx, m.path, "")
	if err == nil && !has {
		err = errLastOwner
	}
	return err
}
