package twins

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// An invitation is a promise of its maker, and worth what that one can give when
// it is accepted. It goes with the membership of either side, so that no principal who was
// removed comes back by one that was left open.

var (
	errInvitationEnded = problem.Conflict("InvitationExpired", "invitationId",
		"The invitation has expired. Ask for another one.")
	errNotValid = problem.Conflict("InvitationNotValid", "invitationId",
		"The person who made the invitation can no longer give its roles. Ask for another one.")
	errSelf = problem.With(InvalidAccessControlRequest, problem.BadValue("email", "People cannot invite themselves."))
)

// ended reports whether an invitation can no longer be accepted. One that was made by a clock
// that was further ahead than invitations last has ended, since no one knows for how long it was
// open.
func (s *Service) ended(i *Invitation) bool {
	open := s.env.Now().Sub(i.CreatedDateTime.Time)
	return s.invited >= 0 && (open >= s.invited || open < -s.invited)
}

// by reports whether a principal made the invitation.
func (i *Invitation) by(p twinplatform.Principal) bool {
	return string(i.CreatedBy) == p.ID && (i.inviter == nil || i.inviter.AccountID == p.AccountID)
}

// checkInvitedOnce fails while another invitation to the twin has the address. One that
// has ended makes room, and so do all that have where the twin has no room otherwise.
func (s *Service) checkInvitedOnce(u *records.Update, t *Twin, i *Invitation) error {
	prefix := recordID(t.ID, "")
	for id := range invitationRecords.IDs(u, t.scope(), indexAddress, addressed(t.account(), i.Email)) {
		if !strings.HasPrefix(id, prefix) {
			continue
		}
		other, err := invitationRecords.Value(u, t.scope(), id)
		if err != nil {
			return err
		}
		if !s.ended(other) {
			return taken("invitationExists", "invitation",
				problem.BadValue("email", "'%s' is invited to the twin already.", i.Email))
		}
		if err := invitationRecords.Erase(u, t.scope(), id); err != nil {
			return err
		}
	}
	n := 0
	for range invitationRecords.IDs(u, allAccounts, indexTwin, t.ID) {
		n++
	}
	if n < MaxInvitations {
		return nil
	}
	return s.eraseInvitations(u, t, s.ended)
}

// eraseInvitations erases those of the invitations to a twin that gone says.
func (s *Service) eraseInvitations(u *records.Update, t *Twin, gone func(*Invitation) bool) error {
	for i, err := range invitationRecords.All(u, allAccounts, recordID(t.ID, "")) {
		if err != nil {
			return err
		}
		if !gone(i) {
			continue
		}
		if err := invitationRecords.Erase(u, t.scope(), invitationRecords.ID(i)); err != nil {
			return err
		}
	}
	return nil
}

// ambiguousTo reports which id prevents the caller's acceptance of an invitation, if it is
// invited and of another account than the twin. It looks through what lies in the twin, and so
// before the transaction that accepts. What is made later means to each what its own account has.
func (s *Service) ambiguousTo(ctx context.Context, twinID, invitationID string) (ambiguous, err error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	if !named || p.AccountID == "" {
		return nil, nil
	}
	var at []string
	err = s.db.View(ctx, func(v *records.View) error {
		at = nil
		n, err := found(nodeRecords.Value(v, allAccounts, twinID))
		if n == nil || err != nil || n.account() == p.AccountID {
			return err
		}
		i, err := found(invitationRecords.Value(v, allAccounts, recordID(twinID, invitationID)))
		if i != nil && SameAddress(i.Email, p.Email) {
			at = slices.Collect(below(v, twinID))
		}
		return err
	})
	for _, id := range at {
		if ambiguous, err = s.ambiguousIn(ctx, id); ambiguous != nil || err != nil {
			break
		}
	}
	return ambiguous, err
}

// ambiguousIn is ambiguousTo for a single twin.
func (s *Service) ambiguousIn(ctx context.Context, twinID string) (ambiguous, err error) {
	for _, h := range *s.holders.Load() {
		h, ok := h.(twinplatform.NamingHolder)
		if !ok {
			continue
		}
		if id, err := h.AmbiguousID(ctx, twinID); id != "" && err == nil {
			return problem.Conflict("AmbiguousId", "id",
				"'"+id+"' is the id of something in the twin, and of another thing that you, or others of your "+
					"account, reach by it."), nil
		} else if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// acceptable fails unless an invitation can be accepted now.
func (s *Service) acceptable(u *records.Update, j *judge.Judge, t *Twin, i *Invitation) error {
	if s.ended(i) {
		return errInvitationEnded
	}
	given, err := s.stillGiven(u, j, t, i)
	if err == nil && !given {
		err = errNotValid
	}
	return err
}

// stillGiven reports whether the maker of an invitation could make it now.
func (s *Service) stillGiven(u *records.Update, j *judge.Judge, t *Twin, i *Invitation) (bool, error) {
	roles, err := rolesOf(u, t.ID, i.RoleIDs)
	if err != nil || i.CreatedBy == "" && i.inviter == nil {
		return err == nil, err // the system may give everything
	}
	who := twinplatform.Principal{ID: string(i.CreatedBy), AccountID: t.account()}
	if i.inviter != nil {
		who.AccountID, who.Kind, who.AdministratorRoles = i.inviter.AccountID, i.inviter.Kind, i.inviter.Roles
	}
	type answer struct {
		who twinplatform.Principal
		ok  bool
	}
	type question struct{ accountID, id, permissions string }
	now, err := judge.Ask(j, s.env.Principals, question{who.AccountID, who.ID, ""},
		func(ctx context.Context) (a answer, err error) {
			a.who, a.ok, err = s.env.Present(ctx, who)
			return a, err
		})
	if err != nil || !now.ok {
		return false, err
	}
	needed := []string{PermissionManageMembers}
	for _, r := range roles {
		needed = append(needed, r.holds()...)
	}
	key := question{who.AccountID, who.ID, strings.Join(needed, " ")}
	return judge.Ask(j, s.env.Authorizer, key, func(ctx context.Context) (bool, error) {
		ctx = twinplatform.WithPrincipal(ctx, now.who)
		for _, permission := range needed {
			if ok, err := s.env.Allowed(ctx, permission, t.target()); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// withdrawInvitations erases the invitations by a member that is removed from a twin and
// to its address. Those by it at the twins below are worth what it can give there still,
// and those to it are withdrawn by the note of the removal, whatever its address is.
func (s *Service) withdrawInvitations(u *records.Update, j *judge.Judge, t *Twin, m *Member) error {
	addresses, err := addressesOf(u, j, t, m)
	if err != nil {
		return err
	}
	err = s.eraseInvitations(u, t,
		func(i *Invitation) bool { return string(i.CreatedBy) == m.ID || addresses[foldAddress(i.Email)] })
	if err != nil {
		return err
	}
	return s.noteRemoval(u, t, m)
}

// addressesOf are the addresses by which a member may have been invited, folded.
func addressesOf(tx records.Reading, j *judge.Judge, t *Twin, m *Member) (map[string]bool, error) {
	addresses := make(map[string]bool)
	if m.Email != "" {
		addresses[foldAddress(string(m.Email))] = true
	}
	if p, _ := j.Caller(); p.ID == m.ID && p.Email != "" {
		addresses[foldAddress(p.Email)] = true
	}
	known, err := found(personRecords.Value(tx, inDirectory(t.account()), recordID(t.account(), m.ID)))
	if known != nil {
		addresses[foldAddress(known.Email)] = true
	}
	return addresses, err
}

// forgetInvitations does one step of removing the invitations that have ended longer ago
// than anything is remembered, and reports whether there are more.
func (s *Service) forgetInvitations(ctx context.Context) (more bool, err error) {
	if s.invited < 0 || s.env.Retain < 0 {
		return false, nil
	}
	forgotten := s.db.Believed().Add(-s.invited - s.env.Retain)
	return forgetDue(ctx, s, &invitationRecords,
		func(i *Invitation) bool { return !i.CreatedDateTime.After(forgotten) }, func(tx records.Reading,
			i *Invitation,
		) (records.Scope, error) {
			account, err := s.accountAt(tx, i.twinID)
			return inAccount(account), err
		})
}
