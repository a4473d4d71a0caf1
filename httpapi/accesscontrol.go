package httpapi

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// accessControlArea is the part of the twins area that says who may do what.
func accessControlArea(svc *twins.Service) area {
	return area{
		name:   "accessControl",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   twins.PermissionRead,
		modify: twins.PermissionManageMembers,
		bad:    twins.InvalidAccessControlRequest,
		maxTop: twins.MaxTop,
		// A misspelt property would leave in force what was to be taken away.
		rows: func() rows {
			return slices.Concat(memberRows(svc), roleRows(svc), invitationRows(svc)).strict("InvalidValue")
		},
	}
}

const twinAccess = "/access-control/twins/{twinId}"

func memberRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/members", many: "members", one: "member", things: "the members of a twin", thing: "a member of a twin"}
	return rows{
		windowIn(n, svc.Members, skip(func(q *twins.MemberQuery) *int { return &q.Skip })),
		getIn(n, svc.Member),
		createIn(n, svc.CreateMember).says("Add a member to a twin"),
		updateIn(n, svc.UpdateMember),
		discardIn(n, svc.DeleteMember).says("Remove a member from a twin"),
	}
}

func roleRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/roles", many: "roles", one: "role", things: "the roles of a twin", thing: "a role of a twin"}
	rs := rows{
		windowIn(n, svc.Roles, skip(func(q *twins.RoleQuery) *int { return &q.Skip })),
		getIn(n, svc.Role),
		createIn(n, svc.CreateRole),
		updateIn(n, svc.UpdateRole),
		discardIn(n, svc.DeleteRole),
	}
	rs.changing().need(twins.PermissionManageRoles)
	return rs
}

func invitationRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/invitations", many: "invitations", one: "invitation", things: "the open invitations to a twin", thing: "an open invitation"}
	return rows{
		windowIn(n, svc.Invitations, skip(func(q *twins.InvitationQuery) *int { return &q.Skip })),
		getIn(n, svc.Invitation),
		createIn(n, svc.CreateInvitation).says("Invite somebody to a twin"),
		discardIn(n, svc.DeleteInvitation).says("Withdraw an invitation"),
	}
}
