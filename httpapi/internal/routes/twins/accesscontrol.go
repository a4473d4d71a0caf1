package twins

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// AccessControl is the part of the twins area that says who may do what.
func AccessControl(svc *twins.Service) cycle.Area {
	return cycle.Area{
		Name:    "accessControl",
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopePlatform},
		Read:    twins.PermissionRead,
		Modify:  twins.PermissionManageMembers,
		Bad:     twins.InvalidAccessControlRequest,
		MaxTop:  twins.MaxTop,
		Schemas: accessControlSchemas,
		// A misspelt property would leave in force what was to be taken away.
		Routes: func() cycle.Routes {
			return slices.Concat(memberRoutes(svc), userRoutes(svc), groupMemberRoutes(svc), groupRoutes(svc),
				shareRoutes(svc), ownerRoutes(svc), roleRoutes(svc), invitationRoutes(svc), permissionRoutes(svc),
				callerRoutes()).Strict("InvalidValue")
		},
	}
}

const twinAccess = "/access-control/twins/{twinId}"

func memberRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/members", Many: "members", One: "member", Plural: "the members of a twin",
		Singular: "a member of a twin",
	}
	return append(membersAt(svc, n), route.WindowIn(n, svc.Members,
		route.Skip(func(q *twins.MemberQuery) *int { return &q.Skip }),
		route.Text("memberType", "List the members of this type: User or Service.",
			func(q *twins.MemberQuery) *twinplatform.PrincipalKind { return &q.MemberType })))
}

// userRoutes are the members that are people.
func userRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/members/users", Many: "members", One: "member", Name: "users",
		Plural: "the people among the members of a twin", Singular: "a person that is a member of a twin",
	}
	users := func(ctx context.Context, twinID string, q twins.MemberQuery) (twinplatform.Page[twins.Member], error) {
		q.MemberType = twinplatform.User
		return svc.Members(ctx, twinID, q)
	}
	return append(membersAt(svc, n),
		route.WindowIn(n, users, route.Skip(func(q *twins.MemberQuery) *int { return &q.Skip })))
}

// membersAt are the routes of members but their list.
func membersAt(svc *twins.Service, n *route.Resource) cycle.Routes {
	return cycle.Routes{
		route.GetIn(n, svc.Member),
		route.Answer(n.Operation("create", http.MethodPost, n.Path, "Add people to a twin, or invite them"),
			http.StatusCreated, func(ctx context.Context, x *cycle.Exchange, b twins.NewMembers) (out addedMembers,
				err error,
			) {
				added, err := svc.AddMembers(ctx, x.Nth(0), b)
				return addedMembers{values(added.Members), values(added.Invitations)}, err
			}),
		route.UpdateIn(n, route.Changes(svc.UpdateMember)),
		route.DiscardIn(n, svc.DeleteMember).Summarized("Remove a member from a twin"),
	}
}

// addedMembers is what came of it.
type addedMembers struct {
	Members     []twins.Member     `json:"members"`     // who is a member now
	Invitations []twins.Invitation `json:"invitations"` // who is invited to become one
}

// values returns the values of records. The list is never nil, so JSON has [] and not null.
func values[T any](recs []twinplatform.Record[T]) []T {
	out := make([]T, len(recs))
	for i := range recs {
		out[i] = recs[i].Value
	}
	return out
}

func ownerRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/members/owners", Many: "members", One: "member", Name: "owners",
		Plural: "the owners of a twin", Singular: "an owner of a twin",
	}
	return cycle.Routes{
		route.WindowIn(n, svc.Owners, route.Skip(func(q *twins.MemberQuery) *int { return &q.Skip })),
		route.Answer(n.Operation("create", http.MethodPost, n.Path, "Add an owner to a twin, or invite one"),
			http.StatusCreated, func(ctx context.Context, x *cycle.Exchange, b twins.NewOwner) (out addedOwner,
				err error,
			) {
				added, err := svc.AddOwner(ctx, x.Nth(0), b)
				return addedOwner{first(added.Members), first(added.Invitations)}, err
			}),
		route.DiscardIn(n, svc.RemoveOwner).Summarized("Take the owner role of a twin from a member"),
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

func roleRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/roles", Many: "roles", One: "role", Plural: "the roles of a twin",
		Singular: "a role of a twin",
	}
	rs := cycle.Routes{
		route.WindowIn(n, svc.Roles, route.Skip(func(q *twins.RoleQuery) *int { return &q.Skip })),
		route.GetIn(n, svc.Role),
		route.CreateIn(n, route.Makes(svc.CreateRole)),
		route.UpdateIn(n, route.Changes(svc.UpdateRole)),
		route.DiscardIn(n, svc.DeleteRole),
	}
	rs.Changing().Need(twins.PermissionManageRoles)
	return rs
}

func invitationRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/members/invitations", Many: "invitations", One: "invitation",
		Plural: "the open invitations to a twin", Singular: "an open invitation",
	}
	accept := n.Operation("accept", http.MethodPost, n.Each()+"/accept",
		"Accept an invitation to the caller's email address")
	return cycle.Routes{
		route.WindowIn(n, svc.Invitations, route.Skip(func(q *twins.InvitationQuery) *int { return &q.Skip })),
		route.GetIn(n, svc.Invitation),
		route.CreateIn(n, route.Makes(svc.CreateInvitation)).Summarized("Invite a person to a twin"),
		route.DiscardIn(n, svc.DeleteInvitation).Summarized("Withdraw an invitation"),
		route.Writes(accept, route.Changed("member"),
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (twinplatform.Result[twins.Member], error) {
				return svc.AcceptInvitation(ctx, x.Nth(0), x.Nth(1), twins.NewMember{}, x.Preconditions()...)
			}).OnRecord().Needs("none"),
	}
}

// permissionList are permissions by their names.
type permissionList struct {
	Permissions []string `json:"permissions"` // in alphabetical order
}

// permissionRoutes list the permissions that there are, under the root of the area and
// under that of its twins, where clients ask for it, and what the caller holds.
func permissionRoutes(svc *twins.Service) cycle.Routes {
	all := func(context.Context, *cycle.Exchange, cycle.Nothing) (permissionList, error) {
		return permissionList{twins.Permissions()}, nil
	}
	list := func(id, path, summary string) cycle.Operation {
		return cycle.Operation{ID: id, Method: http.MethodGet, Path: path, Summary: summary, Origin: cycle.Chosen}
	}
	mine := cycle.Routes{
		route.Answer(list("permissions.mine", twinAccess+"/permissions",
			"List the permissions that the caller has at a twin"), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out permissionList, err error) {
				out.Permissions, err = svc.PermissionsAt(ctx, x.Nth(0))
				return out, err
			}).Listing("permissions", reflect.TypeFor[string]()),
	}
	return append(mine.Share(),
		route.Answer(list("permissions.list", "/access-control/permissions",
			"List the permissions that the platform asks for"), http.StatusOK, all).
			Listing("permissions", reflect.TypeFor[string]()).Needs("none"),
		route.Answer(list("permissions.listForTwins", "/access-control/twins/permissions",
			"List the permissions that the platform asks for at twins"), http.StatusOK, all).
			Listing("permissions", reflect.TypeFor[string]()).Needs("none"),
	)
}

func accessControlSchemas(b *schema.Book) {
	schema.Has[caller](b, schema.Refers("accountId", "twins"))
	b.Has(reflect.TypeFor[newGroupMembers](),
		schema.Need("members", schema.List(1, twins.MaxAssignments, schema.Value{})))
}
