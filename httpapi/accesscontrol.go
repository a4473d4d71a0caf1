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
			return slices.Concat(memberRows(svc), userRows(svc), ownerRows(svc), roleRows(svc), invitationRows(svc), permissionRows(svc)).strict("InvalidValue")
		},
	}
}

const twinAccess = "/access-control/twins/{twinId}"

func memberRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/members", many: "members", one: "member", things: "the members of a twin", thing: "a member of a twin"}
	return append(membersAt(svc, n), windowIn(n, svc.Members,
		skip(func(q *twins.MemberQuery) *int { return &q.Skip }),
		text("memberType", "List the members of this type: User or Service.", func(q *twins.MemberQuery) *twinplatform.PrincipalKind { return &q.MemberType })))
}

// userRows are the members that are people.
func userRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/members/users", many: "members", one: "member", name: "users", things: "the people among the members of a twin", thing: "a person that is a member of a twin"}
	users := func(ctx context.Context, twinID string, q twins.MemberQuery) (twinplatform.Page[twins.Member], error) {
		q.MemberType = twinplatform.User
		return svc.Members(ctx, twinID, q)
	}
	return append(membersAt(svc, n), windowIn(n, users, skip(func(q *twins.MemberQuery) *int { return &q.Skip })))
}

// membersAt are the rows of members but their list.
func membersAt(svc *twins.Service, n *noun) rows {
	return rows{
		getIn(n, svc.Member),
		answer(n.operation("create", http.MethodPost, n.path, "Add people to a twin, or invite them"), http.StatusCreated, func(ctx context.Context, x *exchange, b newMembers) (out addedMembers, err error) {
			added, err := svc.AddMembers(ctx, x.nth(0), b.Members)
			return addedMembers{values(added.Members), values(added.Invitations)}, err
		}),
		updateIn(n, svc.UpdateMember),
		discardIn(n, svc.DeleteMember).says("Remove a member from a twin"),
	}
}

// newMembers asks for members of a twin.
type newMembers struct {
	// Members are at least one, who has an id or an email, and have at most 100 roles all
	// together.
	Members []twins.NewMember `json:"members"`
}

// addedMembers is what came of it.
type addedMembers struct {
	Members     []twins.Member     `json:"members"`     // who is a member now
	Invitations []twins.Invitation `json:"invitations"` // who is invited to become one
}

// values are those of records, in a list that is not null.
func values[T any](recs []twinplatform.Record[T]) []T {
	out := make([]T, len(recs))
	for i := range recs {
		out[i] = recs[i].Value
	}
	return out
}

func ownerRows(svc *twins.Service) rows {
	n := &noun{path: twinAccess + "/members/owners", many: "members", one: "member", name: "owners", things: "the owners of a twin", thing: "an owner of a twin"}
	return rows{
		windowIn(n, svc.Owners, skip(func(q *twins.MemberQuery) *int { return &q.Skip })),
		answer(n.operation("create", http.MethodPost, n.path, "Add an owner to a twin, or invite one"), http.StatusCreated, func(ctx context.Context, x *exchange, b twins.NewOwner) (out addedOwner, err error) {
			added, err := svc.AddOwner(ctx, x.nth(0), b)
			return addedOwner{first(added.Members), first(added.Invitations)}, err
		}),
		discardIn(n, svc.RemoveOwner).says("Take the owner role of a twin from a member"),
	}
}

// addedOwner is what came of a request for an owner.
type addedOwner struct {
	Member     *twins.Member     `json:"member"`     // who is an owner now; null for who is invited
	Invitation *twins.Invitation `json:"invitation"` // null for who is an owner now
}

// first is the value of the first record, if there is one.
func first[T any](recs []twinplatform.Record[T]) *T {
	if len(recs) == 0 {
		return nil
	}
	return &recs[0].Value
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
	n := &noun{path: twinAccess + "/members/invitations", many: "invitations", one: "invitation", things: "the open invitations to a twin", thing: "an open invitation"}
	accept := n.operation("accept", http.MethodPost, n.each()+"/accept", "Accept an invitation to the caller's email address")
	return rows{
		windowIn(n, svc.Invitations, skip(func(q *twins.InvitationQuery) *int { return &q.Skip })),
		getIn(n, svc.Invitation),
		createIn(n, svc.CreateInvitation).says("Invite somebody to a twin"),
		discardIn(n, svc.DeleteInvitation).says("Withdraw an invitation"),
		writes(accept, changed("member"), func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[twins.Member], error) {
			return svc.AcceptInvitation(ctx, x.nth(0), x.nth(1), twins.NewMember{}, x.preconditions()...)
		}).onRecord().needs("none"),
	}
}

// permissionList are permissions by their names.
type permissionList struct {
	Permissions []string `json:"permissions"` // in alphabetical order
}

// permissionRows tell what there is to hold, under the root of the area and under that
// of its twins, where clients ask for it, and what the caller holds.
func permissionRows(svc *twins.Service) rows {
	all := func(context.Context, *exchange, nothing) (permissionList, error) {
		return permissionList{twins.Permissions()}, nil
	}
	list := func(id, path, summary string) Operation {
		return Operation{ID: id, Method: http.MethodGet, Path: path, Summary: summary, Origin: Chosen}
	}
	return rows{
		answer(list("permissions.list", "/access-control/permissions", "List the permissions that the platform asks for"), http.StatusOK, all).needs("none"),
		answer(list("permissions.listForTwins", "/access-control/twins/permissions", "List the permissions that the platform asks for at twins"), http.StatusOK, all).needs("none"),
		answer(list("permissions.mine", twinAccess+"/permissions", "List the permissions that the caller has at a twin"), http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (out permissionList, err error) {
			out.Permissions, err = svc.PermissionsAt(ctx, x.nth(0))
			return out, err
		}),
	}
}
