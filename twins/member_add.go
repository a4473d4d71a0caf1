package twins

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// NewMembers asks for members of a twin.
type NewMembers struct {
	// Members are at least one, who has an id or an email, and have at most MaxAssignments
	// roles all together.
	Members []NewMember `json:"members"`
	// CustomMessage is for those who are invited: up to MaxMessage characters.
	CustomMessage string `json:"customMessage,omitempty"`
}

// AddedMembers is what came of a request for members.
type AddedMembers struct {
	Members     []twinplatform.Record[Member]     // who is a member now
	Invitations []twinplatform.Record[Invitation] // who may become one
}

// AddMembers makes several people members of a twin, or none of them (POST
// /access-control/twins/{id}/members and /members/users). Who has no ID in the request
// is looked for by its Email among the people of the twin's account: see Config.People.
// A principal that is not known there, is known more than once or belongs to another account is
// invited instead. It needs PermissionManageMembers, and the permissions of the roles,
// of which there are at most 100 all together, each counted as often as it is given.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (members; email,
// roleIds of each) or InvalidValue, one for each wrong property; twinNotFound;
// InsufficientPermissions; memberExists with InvalidValue (id); invitationExists with
// InvalidValue (email), as for CreateInvitation; LimitExceeded.
func (s *Service) AddMembers(ctx context.Context, twinID string, n NewMembers) (added AddedMembers, err error) {
	asked, err := s.asked(ctx, twinID, n)
	if err != nil {
		return added, err
	}
	err = s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		t, err := permitted(u, j, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		added = AddedMembers{}
		for _, a := range asked {
			if err := a.add(s, u, j, t, &added); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return AddedMembers{}, err
	}
	return added, nil
}

// asked are the members and the invitations that a request asks for.
func (s *Service) asked(ctx context.Context, twinID string, of NewMembers) ([]joining, error) {
	var c problem.Checks
	ns := of.Members
	if len(ns) == 0 {
		c.Missing("members")
	}
	c.AtMost("customMessage", of.CustomMessage, MaxMessage)
	roles := 0
	for i, n := range ns {
		c.At("members", i)
		checkJoining(n, &c)
		roles += len(n.RoleIDs)
	}
	if c.At("", 0); roles > MaxAssignments {
		c.Bad("members", "A request gives at most %d roles.", MaxAssignments)
	}
	if err := c.Err(InvalidAccessControlRequest); err != nil {
		return nil, err
	}
	account, _, err := s.TwinAccount(ctx, twinID)
	if err != nil {
		return nil, err
	}
	asked := make([]joining, len(ns))
	for i, n := range ns {
		if asked[i], err = s.joining(ctx, twinID, account, n, of.CustomMessage); err != nil {
			return nil, err
		}
	}
	return asked, nil
}

// checkJoining checks a request for a principal who has an id or an address.
func checkJoining(n NewMember, c *problem.Checks) {
	if strings.TrimSpace(n.ID) == "" && n.Email == "" {
		c.Missing("email")
	}
	memberKind.CheckNew(&n, c)
}

// joining is a principal who is to be a member, or who is invited to become one.
type joining struct {
	member     *Member
	invitation *Invitation
}

// joining is what a request for a principal at a twin of an account comes to.
func (s *Service) joining(ctx context.Context, twinID, account string, n NewMember, message string) (a joining,
	err error,
) {
	if strings.TrimSpace(n.ID) == "" {
		p, known, err := s.person(ctx, account, string(n.Email))
		if err != nil {
			return a, err
		}
		// What belongs to no account has no people, and what has no id is no principal.
		if !known || account == "" || p.ID == "" {
			a.invitation, err = callsOf(s).invitations.requested(ctx, twinID,
				NewInvitation{Email: string(n.Email), RoleIDs: n.RoleIDs, CustomMessage: message})
			return a, err
		}
		who := memberOf(p)
		n.ID, n.MemberType, n.DisplayName = who.ID, who.MemberType, who.DisplayName
	}
	a.member, err = s.requestedMember(ctx, twinID, n)
	return a, err
}

// person is who is known by an address in an account. The caller is.
func (s *Service) person(ctx context.Context, accountID, email string) (twinplatform.Principal, bool, error) {
	if p, _ := twinplatform.PrincipalFrom(ctx); p.AccountID == accountID && SameAddress(p.Email, email) {
		return p, true, nil
	}
	return s.people.PersonByEmail(ctx, accountID, email)
}

// add makes the member or the invitation.
func (a joining) add(s *Service, u *records.Update, j *judge.Judge, t *Twin, added *AddedMembers) error {
	if a.invitation != nil {
		rec, err := callsOf(s).invitations.shown(u, t.ID)(callsOf(s).invitations.insert(u, j, t, a.invitation))
		added.Invitations = append(added.Invitations, rec)
		return err
	}
	rec, err := callsOf(s).members.shown(u, t.ID)(callsOf(s).members.insert(u, j, t, a.member))
	added.Members = append(added.Members, rec)
	return err
}
