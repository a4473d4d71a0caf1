package twins

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func groupRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/groups", Many: "groups", One: "group", ID: "twinGroupId",
		Plural: "the groups of people of a twin", Singular: "a group of people of a twin",
	}
	return cycle.Routes{
		route.WindowIn(n, svc.Groups, route.Skip(func(q *twins.GroupQuery) *int { return &q.Skip })),
		route.GetIn(n, svc.Group),
		route.CreateIn(n, route.Makes(svc.CreateGroup)),
		route.UpdateIn(n, route.Changes(svc.UpdateGroup)),
		route.DiscardIn(n, svc.DeleteGroup).Summarized("Delete a group of people, and take its roles from it"),
	}
}

// groupMemberRoutes are the members that are groups.
func groupMemberRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/members/groups", Many: "members", One: "member", Name: "groupMembers",
		Plural: "the groups that are members of a twin", Singular: "a group that is a member of a twin",
	}
	return cycle.Routes{
		route.WindowIn(n, svc.GroupMembers, route.Skip(func(q *twins.GroupQuery) *int { return &q.Skip })),
		route.GetIn(n, svc.GroupMember),
		route.Answer(n.Operation("create", http.MethodPost, n.Path, "Give groups roles at a twin"), http.StatusCreated,
			func(ctx context.Context, x *cycle.Exchange, b newGroupMembers) (out addedGroupMembers, err error) {
				added, err := svc.AddGroupMembers(ctx, x.Nth(0), b.Members)
				return addedGroupMembers{values(added)}, err
			}),
		route.UpdateIn(n, route.Changes(svc.UpdateGroupMember)),
		route.DiscardIn(n, svc.DeleteGroupMember).Summarized("Take all roles at a twin from a group"),
	}
}

// newGroupMembers asks for roles of groups at a twin.
type newGroupMembers struct {
	// Members are at least one group, and have at most 100 roles all together.
	Members []twins.NewGroupMember `json:"members"`
}

// addedGroupMembers is what came of it.
type addedGroupMembers struct {
	Members []twins.GroupMember `json:"members"` // the groups that have roles now
}
