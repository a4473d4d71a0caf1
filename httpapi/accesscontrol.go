package httpapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// accessControlArea is the part of the twins area that says who may do what.
func accessControlArea(svc *twins.Service) area {
	rows := slices.Concat(memberRows(svc), roleRows(svc), invitationRows(svc))
	for _, r := range rows {
		// A misspelt property would leave in force what was to be taken away.
		r.strict, r.strictCode = true, "InvalidValue"
	}
	return area{
		name:   "accessControl",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   twins.PermissionRead,
		modify: twins.PermissionManageMembers,
		bad:    twins.InvalidAccessControlRequest,
		rows:   rows,
	}
}

const twinAccess = "/access-control/twins/{twinId}"

func memberRows(svc *twins.Service) []*row {
	const (
		all  = twinAccess + "/members"
		each = all + "/{memberId}"
	)
	return []*row{
		numbered(Operation{ID: "members.list", Path: all, Summary: "List the members of a twin", Addition: true}, "members",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions, skip int) (twinplatform.Page[twins.Member], error) {
				return svc.Members(ctx, x.path("twinId"), twins.MemberQuery{ListOptions: o, Skip: skip})
			}),
		get(Operation{ID: "members.get", Method: http.MethodGet, Path: each, Summary: "Get a member of a twin", Addition: true}, "member",
			func(ctx context.Context, x *exchange) (twinplatform.Record[twins.Member], error) {
				return svc.Member(ctx, x.path("twinId"), x.path("memberId"))
			}),
		create(Operation{ID: "members.create", Method: http.MethodPost, Path: all, Summary: "Add a member to a twin", Addition: true}, "member",
			func(m twins.Member) string { return m.ID },
			func(ctx context.Context, x *exchange, n twins.NewMember) (twinplatform.Result[twins.Member], error) {
				return svc.CreateMember(ctx, x.path("twinId"), n)
			}),
		change(Operation{ID: "members.update", Method: http.MethodPatch, Path: each, Summary: "Update a member of a twin", Addition: true}, "member",
			func(ctx context.Context, x *exchange, p twins.MemberPatch) (twinplatform.Result[twins.Member], error) {
				return svc.UpdateMember(ctx, x.path("twinId"), x.path("memberId"), p, x.ifMatch())
			}),
		discard(Operation{ID: "members.delete", Method: http.MethodDelete, Path: each, Summary: "Remove a member from a twin", Addition: true},
			func(ctx context.Context, x *exchange) error {
				return svc.DeleteMember(ctx, x.path("twinId"), x.path("memberId"))
			}),
	}
}

func roleRows(svc *twins.Service) []*row {
	const (
		all  = twinAccess + "/roles"
		each = all + "/{roleId}"
	)
	rows := []*row{
		numbered(Operation{ID: "roles.list", Path: all, Summary: "List the roles of a twin", Addition: true}, "roles",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions, skip int) (twinplatform.Page[twins.Role], error) {
				return svc.Roles(ctx, x.path("twinId"), twins.RoleQuery{ListOptions: o, Skip: skip})
			}),
		get(Operation{ID: "roles.get", Method: http.MethodGet, Path: each, Summary: "Get a role of a twin", Addition: true}, "role",
			func(ctx context.Context, x *exchange) (twinplatform.Record[twins.Role], error) {
				return svc.Role(ctx, x.path("twinId"), x.path("roleId"))
			}),
		create(Operation{ID: "roles.create", Method: http.MethodPost, Path: all, Summary: "Create a role of a twin", Addition: true}, "role",
			func(r twins.Role) string { return r.ID },
			func(ctx context.Context, x *exchange, n twins.NewRole) (twinplatform.Result[twins.Role], error) {
				return svc.CreateRole(ctx, x.path("twinId"), n)
			}),
		change(Operation{ID: "roles.update", Method: http.MethodPatch, Path: each, Summary: "Update a role of a twin", Addition: true}, "role",
			func(ctx context.Context, x *exchange, p twins.RolePatch) (twinplatform.Result[twins.Role], error) {
				return svc.UpdateRole(ctx, x.path("twinId"), x.path("roleId"), p, x.ifMatch())
			}),
		discard(Operation{ID: "roles.delete", Method: http.MethodDelete, Path: each, Summary: "Delete a role of a twin", Addition: true},
			func(ctx context.Context, x *exchange) error {
				return svc.DeleteRole(ctx, x.path("twinId"), x.path("roleId"))
			}),
	}
	for _, r := range rows {
		if r.Method != http.MethodGet {
			r.Permission = twins.PermissionManageRoles
		}
	}
	return rows
}

func invitationRows(svc *twins.Service) []*row {
	const all = twinAccess + "/invitations"
	return []*row{
		numbered(Operation{ID: "invitations.list", Path: all, Summary: "List the open invitations to a twin", Addition: true}, "invitations",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions, skip int) (twinplatform.Page[twins.Invitation], error) {
				return svc.Invitations(ctx, x.path("twinId"), twins.InvitationQuery{ListOptions: o, Skip: skip})
			}),
		get(Operation{ID: "invitations.get", Method: http.MethodGet, Path: all + "/{invitationId}", Summary: "Get an open invitation", Addition: true}, "invitation",
			func(ctx context.Context, x *exchange) (twinplatform.Record[twins.Invitation], error) {
				return svc.Invitation(ctx, x.path("twinId"), x.path("invitationId"))
			}),
		create(Operation{ID: "invitations.create", Method: http.MethodPost, Path: all, Summary: "Invite somebody to a twin", Addition: true}, "invitation",
			func(i twins.Invitation) string { return i.ID },
			func(ctx context.Context, x *exchange, n twins.NewInvitation) (twinplatform.Result[twins.Invitation], error) {
				return svc.CreateInvitation(ctx, x.path("twinId"), n)
			}),
		discard(Operation{ID: "invitations.delete", Method: http.MethodDelete, Path: all + "/{invitationId}", Summary: "Withdraw an invitation", Addition: true},
			func(ctx context.Context, x *exchange) error {
				return svc.DeleteInvitation(ctx, x.path("twinId"), x.path("invitationId"))
			}),
	}
}
