package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Invitation asks somebody who is not yet known by an id to become a member of a
// twin. It is open until it is accepted or withdrawn.
type Invitation struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // null for the system
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Email           string                  `json:"email"`           // an address of up to MaxText characters
	ID              string                  `json:"id"`              // a GUID
	// RoleIDs are the roles that the new member gets, at least one, sorted.
	RoleIDs []string `json:"roleIds"`

	twinID string
}

type hiddenInvitation struct {
	TwinID *string `json:"twinId"`
}

var invitationRecords = records.Collection[Invitation]{
	Name: "invitations", Unlisted: true,
	ID:      func(i *Invitation) string { return joined(i.twinID, i.ID) },
	Hidden:  func(i *Invitation) any { return &hiddenInvitation{&i.twinID} },
	Indexes: []records.Index[Invitation]{{Name: indexTwin, Value: func(i *Invitation) string { return i.twinID }}},
}

// Invitation returns an open invitation to a twin. Errors: InvitationNotFound;
// twinNotFound.
func (s *Service) Invitation(ctx context.Context, twinID, invitationID string) (rec twinplatform.Record[Invitation], err error) {
	return get(ctx, s, twinID, invitationMissing, &invitationRecords, invitationID)
}

// InvitationQuery says which invitations to list.
type InvitationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many invitations from the beginning.
	Skip int
}

// Invitations lists the open invitations to a twin by id.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top,
// skip).
func (s *Service) Invitations(ctx context.Context, twinID string, q InvitationQuery) (twinplatform.Page[Invitation], error) {
	return list(ctx, s, twinID, "invitations", &invitationRecords, q.ListOptions, q.Skip)
}

// NewInvitation asks for an invitation.
type NewInvitation struct {
	// Email is required and has at most 255 characters.
	Email string `json:"email"`
	// RoleIDs names at least one role of the twin.
	RoleIDs []string `json:"roleIds"`
}

// CreateInvitation invites somebody to a twin. Sending the letter is left to whoever
// listens to the event. It needs PermissionManageMembers, and the permissions of
// the roles.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (email,
// roleIds) or InvalidValue, one for each wrong property; twinNotFound;
// InsufficientPermissions; LimitExceeded.
func (s *Service) CreateInvitation(ctx context.Context, twinID string, n NewInvitation) (res twinplatform.Result[Invitation], err error) {
	c := checks{family: &InvalidAccessControlRequest}
	if n.Email == "" {
		c.Missing("email")
	}
	c.email(n.Email)
	c.roleIDs(n.RoleIDs)
	if err := c.err(); err != nil {
		return res, err
	}
	i := &Invitation{
		ID: s.env.NewGUID(), Email: n.Email, RoleIDs: sorted(n.RoleIDs), twinID: twinID,
		CreatedBy: twinplatform.NullString(callerID(ctx)), CreatedDateTime: s.now(),
	}
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		if _, err := s.assignable(ctx, u, t, i.RoleIDs); err != nil {
			return err
		}
		rec, err := invitationRecords.Insert(u, area, i)
		if err != nil {
			return err
		}
		if err := checkLimit(u, &invitationRecords, twinID, MaxInvitations); err != nil {
			return err
		}
		res.Records = []twinplatform.Record[Invitation]{rec}
		return s.emit(u, invitationCreated, t.target(), struct {
			InvitationID string `json:"invitationId"`
		}{i.ID})
	})
	return onlyIf(res, err)
}

// AcceptInvitation makes somebody the member that an invitation asks for. It is
// for the embedding program, which knows who the invited person is, and so for
// the system alone. The member's RoleIDs are those of the invitation.
//
// Errors: InvitationNotFound, also for callers other than the system;
// InvalidAccessControlRequest; memberExists; LimitExceeded.
func (s *Service) AcceptInvitation(ctx context.Context, twinID, invitationID string, n NewMember) (res twinplatform.Result[Member], err error) {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return res, invitationMissing.Err()
	}
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		twin, err := s.visible(ctx, u, twinID)
		if err != nil {
			return err
		}
		i, err := invitationRecords.Value(u, area, joined(twinID, invitationID))
		if err != nil {
			return invitationMissing.Or(err)
		}
		accepted := n
		accepted.RoleIDs = i.RoleIDs
		if accepted.Email == "" {
			accepted.Email = twinplatform.NullString(i.Email)
		}
		m := s.newMember(twinID, accepted)
		if err := m.check(); err != nil {
			return err
		}
		if err := invitationRecords.Erase(u, area, joined(twinID, invitationID)); err != nil {
			return err
		}
		rec, err := s.addMember(ctx, u, &twin.Value, m)
		res.Records = []twinplatform.Record[Member]{rec}
		return err
	})
	return onlyIf(res, err)
}

// DeleteInvitation removes an open invitation. It needs
// PermissionManageMembers.
//
// Errors: twinNotFound; InvitationNotFound; InsufficientPermissions.
func (s *Service) DeleteInvitation(ctx context.Context, twinID, invitationID string) error {
	return s.change(ctx, func(ctx context.Context, u *records.Update) error {
		if _, err := s.permitted(ctx, u, twinID, PermissionManageMembers); err != nil {
			return err
		}
		has, err := invitationRecords.Has(u, area, joined(twinID, invitationID))
		if err == nil && !has {
			err = invitationMissing.Err()
		}
		if err != nil {
			return err
		}
		return invitationRecords.Erase(u, area, joined(twinID, invitationID))
	})
}
