package twins

import (
	"cmp"
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Invitation asks a person who is not yet known by an id to become a member of a
// twin. It is open until it is accepted, withdrawn or ends.
type Invitation struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // null for the system
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	// CustomMessage is for the letter that the program sends which listens to the event; left out where
	// there is none.
	CustomMessage string `json:"customMessage,omitempty"`
	Email         string `json:"email"` // an address of up to MaxText characters
	// ExpiresDateTime is when it can no longer be accepted: Config.InvitationTime after
	// it was made. It is not stored, and left out where invitations do not end.
	ExpiresDateTime twinplatform.DateTime `json:"expiresDateTime,omitzero"`
	ID              string                `json:"id"` // a GUID
	// InvitedByEmail is the address of the inviter; null where none is known.
	InvitedByEmail twinplatform.NullString `json:"invitedByEmail"`
	// RoleIDs are the roles that the new member gets, at least one, as they were sent.
	RoleIDs []string `json:"roleIds"`
	// Roles are the roles with these ids. They are not stored with the invitation, whose
	// version changes when one of them does.
	Roles []Role `json:"roles,omitempty"`
	// Status is Pending: an invitation that was accepted or withdrawn is gone, and
	// ExpiresDateTime says how long one can be accepted. It is not stored.
	Status InvitationStatus `json:"status,omitempty"`

	renewed int
	twinID  string
	inviter *inviter
	account string // of the twin
	// removals is how many members had been removed in the account when it was made.
	removals int
}

// InvitationStatus is what has become of an invitation.
type InvitationStatus string

// InvitationPending is the status of every invitation that there is: it was neither accepted
// nor withdrawn.
const InvitationPending InvitationStatus = "Pending"

// inviter is what an invitation keeps of its maker besides the id: its rights are checked
// with it when the invitation is accepted. The system has none.
type inviter struct {
	AccountID string                           `json:"accountId"`
	Kind      twinplatform.PrincipalKind       `json:"kind"`
	Roles     []twinplatform.AdministratorRole `json:"roles,omitempty"`
}

// hiddenInvitation is what is stored of an invitation in addition to its wire form.
type hiddenInvitation struct {
	Account  *string   `json:"accountId"`
	Inviter  **inviter `json:"inviter,omitempty"`
	Removals *int      `json:"removals"`
	Renewed  *int      `json:"renewed"`
	TwinID   *string   `json:"twinId"`
}

var invitationRecords = records.Collection[Invitation]{
	Name: "invitations", Untracked: true,
	ID: func(i *Invitation) string { return recordID(i.twinID, i.ID) },
	Hidden: func(i *Invitation) any {
		return &hiddenInvitation{&i.account, &i.inviter, &i.removals, &i.renewed, &i.twinID}
	},
	Indexes: []records.Index[Invitation]{
		{Name: indexTwin, Value: func(i *Invitation) string { return i.twinID }},
		{Name: indexAddress, Value: func(i *Invitation) string { return addressed(i.account, i.Email) }},
	},
}

var invitationKind = entity.Kind[Invitation, NewInvitation, entity.None]{
	Records: &invitationRecords, One: "invitation", Many: "invitations", Resource: "invitation",
	Missing: invitationMissing, Bad: &InvalidAccessControlRequest,
	Members: func(i *Invitation, n *NewInvitation, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Text("email", &i.Email, &n.Email, nil).Max(MaxText).Required().Valid(checkEmail, email).Person(),
			entity.Text("customMessage", &i.CustomMessage, &n.CustomMessage, nil).Max(MaxMessage),
			entity.Distinct("roleIds", &i.RoleIDs, &n.RoleIDs, nil).Required().Valid(checkRoleIDs,
				schema.List(1, MaxRoles, schema.Value{})).
				Refers(&roleRecords),
		}
	},
}

func invitationFamily(s *Service) family[Invitation, NewInvitation, entity.None] {
	return family[Invitation, NewInvitation, entity.None]{
		Kind: &invitationKind, s: s, permission: PermissionManageMembers, transition: s.judgeInvitation,
		max: MaxInvitations,
		show: func(tx records.Reading, twinID string) func(*Invitation) error {
			roles := shownRoles(tx, twinID)
			return func(i *Invitation) (err error) {
				i.Status = InvitationPending
				if s.invited >= 0 {
					i.ExpiresDateTime = twinplatform.At(i.CreatedDateTime.Add(s.invited))
				}
				i.Roles, err = roles(i.RoleIDs)
				return err
			}
		},
		stamp: func(ctx context.Context, i *Invitation, twinID string) {
			p, named := twinplatform.PrincipalFrom(ctx)
			if named {
				i.inviter = &inviter{p.AccountID, p.Kind, p.AdministratorRoles}
			}
			i.ID, i.twinID, i.CreatedBy, i.CreatedDateTime = s.env.NewGUID(), twinID, twinplatform.NullString(p.ID),
				s.now()
			i.InvitedByEmail = twinplatform.NullString(p.Email)
		},
	}
}

// judgeInvitation judges whom a principal invites to which roles, and emits its event.
// No principal loses any by an invitation that goes.
func (s *Service) judgeInvitation(u *records.Update, j *judge.Judge, t *Twin, _, i *Invitation) error {
	if i == nil {
		return nil
	}
	if p, _ := j.Caller(); SameAddress(p.Email, i.Email) {
		return errSelf
	}
	if _, err := assignable(u, j, t, i.RoleIDs); err != nil {
		return err
	}
	i.account = t.account()
	if err := s.checkInvitedOnce(u, t, i); err != nil {
		return err
	}
	var err error
	if i.removals, err = removalsIn(u, t.account()); err != nil {
		return err
	}
	return j.Emit(u, t.target(), event.InvitationCreated{InvitationID: i.ID})
}

// Invitation returns an open invitation to a twin. Errors: InvitationNotFound;
// twinNotFound.
func (s *Service) Invitation(ctx context.Context, twinID, invitationID string) (rec twinplatform.Record[Invitation],
	err error,
) {
	return callsOf(s).invitations.get(ctx, twinID, invitationID)
}

// InvitationQuery selects the invitations to list.
type InvitationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many invitations from the beginning.
	Skip int
}

// Invitations lists the open invitations to a twin by id.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top,
// skip).
func (s *Service) Invitations(ctx context.Context, twinID string, q InvitationQuery) (twinplatform.Page[Invitation],
	error,
) {
	return callsOf(s).invitations.list(ctx, twinID, q.ListOptions, q.Skip)
}

// NewInvitation asks for an invitation.
type NewInvitation struct {
	// Email is required and has at most 255 characters.
	Email string `json:"email"`
	// RoleIDs names at least one role of the twin.
	RoleIDs []string `json:"roleIds"`
	// CustomMessage is for the invited user: up to MaxMessage characters.
	CustomMessage string `json:"customMessage,omitempty"`
}

// CreateInvitation invites a principal to a twin. Sending the letter is left to the program that
// listens to the event. It needs PermissionManageMembers, and the permissions of
// the roles.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (email,
// roleIds) or InvalidValue, one for each wrong property, and for the caller's own
// address; twinNotFound; InsufficientPermissions; invitationExists with InvalidValue
// (email) while an invitation of the address to the twin is open; LimitExceeded.
func (s *Service) CreateInvitation(ctx context.Context, twinID string,
	n NewInvitation,
) (twinplatform.Result[Invitation], error) {
	return callsOf(s).invitations.create(ctx, twinID, n)
}

// AcceptInvitation makes a principal the member that an invitation asks for (POST
// /access-control/twins/{id}/members/invitations/{invitationId}/accept). The member's RoleIDs are
// those of the invitation. A caller accepts for itself alone, whatever n has, and only an
// invitation to the address that it is authenticated with (Principal.Email), as SameAddress
// compares them. The system, which is the embedding program, accepts for whomever n names, of the
// account of the twin unless n names another. The member is one of its own account, whichever that
// of the twin is. Its maker must be able to give its roles at that moment: it needs
// PermissionManageMembers and the permissions of the roles, or administers the account of the twin.
//
// Errors: InvitationNotFound, also for callers who were not invited, or who invited
// themselves; InvitationExpired; InvitationNotValid when its maker can no longer
// give its roles; AmbiguousId for a caller of another account that would not reach something
// in the twin, or below it, by its id, as its own account uses or used the id, or a third one
// in which the caller sees it; InvalidAccessControlRequest; memberExists; LimitExceeded;
// VersionMismatch.
func (s *Service) AcceptInvitation(ctx context.Context, twinID, invitationID string, n NewMember,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[Member], err error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	if named {
		n = memberOf(p)
	}
	ambiguous, err := s.ambiguousTo(ctx, twinID, invitationID)
	if err != nil {
		return res, err
	}
	return changeOne(ctx, s, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[Member], err error) {
		accepted := n
		twin, err := twinRecords.Value(u, allAccounts, twinID)
		if err != nil {
			return rec, invitationMissing.Or(err)
		}
		key := recordID(twinID, invitationID)
		err = callsOf(s).invitations.Erase(u, twin.scope(), key, "", func(i *Invitation) error {
			if named && (!SameAddress(p.Email, i.Email) || i.by(p)) {
				return invitationMissing.Err()
			}
			// Only now: the principal that is not invited learns nothing of the invitation.
			if err := invitationRecords.Check(u, twin.scope(), key, twinplatform.ConditionOf(pre...)); err != nil {
				return invitationMissing.Or(err)
			}
			accepted = i.acceptedBy(n)
			return cmp.Or(s.mayAccept(u, j, twin, accepted.ID, i), ambiguous)
		})
		if err != nil {
			return rec, err
		}
		if err := checkIdentified(accepted); err != nil {
			return rec, err
		}
		m, err := s.accepting(ctx, twin, accepted)
		if err != nil {
			return rec, err
		}
		return callsOf(s).members.shown(u, twinID)(s.admit(u, j, twin, m))
	})
}

// acceptedBy is the member that the invitation asks for.
func (i *Invitation) acceptedBy(n NewMember) NewMember {
	n.RoleIDs = i.RoleIDs
	if n.Email == "" {
		n.Email = twinplatform.NullString(i.Email)
	}
	return n
}

// accepting is the member that a principal becomes who accepts an invitation to a twin.
func (s *Service) accepting(ctx context.Context, twin *Twin, n NewMember) (*Member, error) {
	m, err := callsOf(s).members.requested(ctx, twin.ID, n)
	if err != nil {
		return nil, err
	}
	if m.AccountID = n.AccountID; m.AccountID == "" {
		if _, named := twinplatform.PrincipalFrom(ctx); !named {
			m.AccountID = twin.account()
		}
	}
	return m, nil
}

// mayAccept refuses a principal that was removed since the invitation was made, and an
// invitation that is no longer acceptable.
func (s *Service) mayAccept(u *records.Update, j *judge.Judge, twin *Twin, principalID string, i *Invitation) error {
	if put, err := putOut(u, twin, principalID, i); put || err != nil {
		return invitationMissing.Unless(!put, err)
	}
	return s.acceptable(u, j, twin, i)
}

// admit makes a principal a member whom an acceptable invitation allows to become one.
func (s *Service) admit(u *records.Update, j *judge.Judge, twin *Twin, m *Member) (rec twinplatform.Record[Member],
	err error,
) {
	roles, err := rolesOf(u, m.twinID, m.RoleIDs)
	if err != nil {
		return rec, err
	}
	if err := emitAdded(u, j, twin.target(), m, roles); err != nil {
		return rec, err
	}
	if err := newMembership(u, m.ID); err != nil {
		return rec, err
	}
	return callsOf(s).members.put(u, twin, m)
}

// DeleteInvitation removes an open invitation. It needs
// PermissionManageMembers.
//
// Errors: twinNotFound; InvitationNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteInvitation(ctx context.Context, twinID, invitationID string,
	pre ...twinplatform.Precondition,
) error {
	return callsOf(s).invitations.remove(ctx, twinID, invitationID, pre)
}
