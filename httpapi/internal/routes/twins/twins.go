// Package twins has the routes of the twins area and of access control.
package twins

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Area is the twins area, served by svc; by nothing where that is nil.
func Area(svc *twins.Service) cycle.Area {
	return cycle.Area{
		Name:   "twins",
		Served: svc != nil,
		Scopes: []string{twinplatform.ScopePlatform},
		Read:   twins.PermissionRead,
		Modify: twins.PermissionModify,
		Bad:    twins.InvalidRequest,
		MaxTop: twins.MaxTop,
		Routes: func() cycle.Routes {
			return slices.Concat(twinRoutes(svc), listedTwinRoutes(svc), repositoryRoutes(svc),
				repositoryResourceRoutes(svc), globalRepositoryRoutes(svc), imageRoutes(svc), exportRoutes(svc))
		},
	}
}

// twinFilters are what all lists of twins are asked by.
func twinFilters() []route.Filter {
	type query = twins.TwinQuery
	return []route.Filter{
		route.Skip(func(q *query) *int { return &q.Skip }),
		route.Short(func(q *query) *bool { return &q.Minimal }),
		route.Texts("subClass", "List twins of any of these subclasses, separated by commas.",
			func(q *query) *[]twins.SubClass { return &q.SubClasses }),
		route.Text("status", "List twins of this status.", func(q *query) *twins.Status { return &q.Status }),
		route.Text("type", "List twins of this type.", func(q *query) *string { return &q.Type }),
		route.Text("number", "List the twin of this number. It does not go with $search.",
			func(q *query) *string { return &q.Number }),
		route.Text("displayName", "List the twin of this display name. It does not go with $search.",
			func(q *query) *string { return &q.DisplayName }),
		route.Text("parentId", "List the twins right below the twin, or the account, of this GUID.",
			func(q *query) *string { return &q.ParentID }),
		route.Text("twinAccountId", "List the twins of the account of this GUID.",
			func(q *query) *string { return &q.TwinAccountID }),
		route.Text("$search", "List twins whose display name or number contains this text, in upper or lower case.",
			func(q *query) *string { return &q.Search }),
		route.Flag("includeInactive", "true lists inactive twins too. It does not go with status.",
			func(q *query) *bool { return &q.IncludeInactive }),
		route.Text("$filter", "List the twins for which this expression in OData's language holds, such as class eq "+
			"'Thing' and contains(displayName, 'Bridge'). It goes with subClass, includeInactive and $search alone.",
			func(q *query) *string {
				return &q.Filter
			}),
		route.Text("$orderby", "Members of a twin separated by commas, each with asc or desc behind it.",
			func(q *query) *string { return &q.OrderBy }),
		route.Texts("$select", "The members of each twin to answer with, separated by commas.",
			func(q *query) *[]string { return &q.Select }),
		route.Bound(route.MaxReturn, twinplatform.TargetMaxReturn,
			"How many twins all pages have together, from 1 to 10000. The answer says how many it was.",
			twins.DefaultReturn, twins.MaxReturn, func(q *query) *int { return &q.MaxReturn }),
		route.Heading(route.QueryScope, twinplatform.TargetQueryScope,
			"By which right twins are listed: memberOfTwin, OrganizationAdmin, or all, the default.",
			func(q *query) *twins.QueryScope { return &q.Scope }),
	}
}

func twinRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{Path: route.Twins, Many: "twins", One: "twin", Plural: "twins", Singular: "a twin"}
	account := n.Operation("account", http.MethodGet, n.Each()+"/account", "Get the account of a twin")
	primary := n.Operation("myPrimaryAccount", http.MethodGet, route.Twins+"/myprimaryaccount",
		"Get the account of the caller")
	read := cycle.Routes{
		twinList(n, svc.Twins).Shortly(reflect.TypeFor[twins.Summary]()),
		route.Completed(route.Get(n, svc.Twin), pictured),
	}
	rs := append(read.Share(),
		route.Create(n, svc.CreateTwin).Documented().Summarized("Create twin").Needs(twins.PermissionCreate+
			" on the parent, or on the account"),
		route.Completed(route.Update(n, svc.UpdateTwin), pictured),
		route.Discard(n, svc.DeleteTwin).Needs("organization administrator"),
		route.Completed(route.Get(n, svc.Account).As(account), pictured),
		route.GetRoute(primary, n.One, reflect.TypeFor[twins.Twin](),
			func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
				rec, err := svc.PrimaryAccount(ctx)
				return route.RecordOf(x, &rec, err)
			}).Needs("none"),
	)
	return rs.RefuseMisspelt()
}

// twinList is a route that answers with twins and the addresses of their images.
func twinList(n *route.Resource,
	call func(ctx context.Context, q twins.TwinQuery) (twinplatform.Page[twins.Twin], error),
) *cycle.Route {
	return n.WindowRoute(reflect.TypeFor[twins.Twin](), reflect.TypeFor[twins.TwinQuery](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			from, err := call(ctx, *q.(*twins.TwinQuery))
			if err != nil {
				return cycle.Page{}, err
			}
			return route.MapPage(x, from, pictured)
		}, twinFilters()).Unversioned()
}

// listedTwinRoutes are the favorites and the recently used twins of the caller.
func listedTwinRoutes(svc *twins.Service) cycle.Routes {
	favorites := &route.Resource{
		Path: route.Twins + "/favorites", Many: "twins", One: "twin",
		Plural: "the caller's favorites", Name: "favorites",
	}
	recents := &route.Resource{
		Path: route.Twins + "/recents", Many: "twins", One: "twin",
		Plural: "the twins that the caller used last", Name: "recents",
	}
	rs := cycle.Routes{
		twinList(favorites, svc.Favorites).Shortly(reflect.TypeFor[twins.Summary]()).Needs("none"),
		route.Discard(favorites, svc.AddFavorite).As(favorites.Operation("add", http.MethodPost, favorites.Each(),
			"Add a favorite")).OnRecord(),
		route.Discard(favorites, svc.RemoveFavorite).As(favorites.Operation("remove", http.MethodDelete,
			favorites.Each(), "Remove a favorite")),
		twinList(recents, svc.Recents).Shortly(reflect.TypeFor[twins.Summary]()).Needs("none"),
		route.Discard(recents, svc.AddRecent).As(recents.Operation("add", http.MethodPost, recents.Each(),
			"Note that the caller has used a twin")).OnRecord(),
	}
	rs.Changing().Need(twins.PermissionRead)
	for _, r := range rs.Changing() {
		r.Apart = r.Path[len(route.Twins)+1 : strings.LastIndex(r.Path, "/")] // next to /twins/{twinId}/repositories
	}
	return rs
}
