package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func twinsArea(svc *twins.Service) area {
	return area{
		name:   "twins",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   twins.PermissionRead,
		modify: twins.PermissionModify,
		bad:    twins.InvalidRequest,
		maxTop: twins.MaxTop,
		rows: func() rows {
			return slices.Concat(twinRows(svc), listedTwinRows(svc), repositoryRows(svc), imageRows(svc), exportRows(svc))
		},
	}
}

const allTwins = "/twins"

// The headers that say which twins are listed.
const (
	maxReturn  = "X-Max-Return"
	queryScope = "X-Twin-Query-Scope"
)

// twinFilters are what all lists of twins are asked by.
func twinFilters() []filter {
	type query = twins.TwinQuery
	return []filter{
		skip(func(q *query) *int { return &q.Skip }),
		short(func(q *query) *bool { return &q.Minimal }),
		texts("subClass", "List twins of any of these subclasses, separated by commas.", func(q *query) *[]twins.SubClass { return &q.SubClasses }),
		text("status", "List twins of this status.", func(q *query) *twins.Status { return &q.Status }),
		text("type", "List twins of this type.", func(q *query) *string { return &q.Type }),
		text("number", "List the twin of this number. It does not go with $search.", func(q *query) *string { return &q.Number }),
		text("displayName", "List the twin of this display name. It does not go with $search.", func(q *query) *string { return &q.DisplayName }),
		text("parentId", "List the twins right below this one.", func(q *query) *string { return &q.ParentID }),
		text("twinAccountId", "List the twins of this account.", func(q *query) *string { return &q.TwinAccountID }),
		text("$search", "List twins whose display name or number contains this text, in upper or lower case.", func(q *query) *string { return &q.Search }),
		flag("includeInactive", "true lists inactive twins too. It does not go with status.", func(q *query) *bool { return &q.IncludeInactive }),
		text("$filter", "List the twins for which this expression in OData's language holds, such as class eq 'Thing' and contains(displayName, 'Bridge'). It goes with subClass, includeInactive and $search alone.", func(q *query) *string { return &q.Filter }),
		text("$orderby", "Members of a twin separated by commas, each with asc or desc behind it.", func(q *query) *string { return &q.OrderBy }),
		texts("$select", "The members of each twin to answer with, separated by commas.", func(q *query) *[]string { return &q.Select }),
		bound(maxReturn, twinplatform.TargetMaxReturn, "How many twins all pages have together, from 1 to 10000. The answer says how many it was.", twins.DefaultReturn, twins.MaxReturn, func(q *query) *int { return &q.MaxReturn }),
		heading(queryScope, twinplatform.TargetQueryScope, "By which right twins are listed: memberOfTwin, OrganizationAdmin, or all, the default.", func(q *query) *twins.QueryScope { return &q.Scope }),
	}
}

func twinRows(svc *twins.Service) rows {
	n := &noun{path: allTwins, many: "twins", one: "twin", things: "twins", thing: "a twin"}
	account := n.operation("account", http.MethodGet, n.each()+"/account", "Get the account of a twin")
	primary := n.operation("myPrimaryAccount", http.MethodGet, allTwins+"/myprimaryaccount", "Get the account of the caller")
	rs := rows{
		create(n, svc.CreateTwin).documented().says("Create twin").needs(twins.PermissionCreate + " on the parent, or on the account"),
		twinList(n, svc.Twins).shortly(reflect.TypeFor[twins.Summary]()),
		completed(get(n, svc.Twin), pictured),
		completed(update(n, svc.UpdateTwin), pictured),
		discard(n, svc.DeleteTwin).needs("organization administrator"),
		completed(get(n, svc.Account).as(account), pictured),
		getRow(primary, n.one, reflect.TypeFor[twins.Twin](), func(ctx context.Context, x *exchange) (record, error) {
			rec, err := svc.PrimaryAccount(ctx)
			return recordOf(x, &rec, err)
		}).needs("none"),
	}
	return rs.refuseMisspelt()
}

// twinList is a row that answers with twins and the addresses of their images.
func twinList(n *noun, call func(ctx context.Context, q twins.TwinQuery) (twinplatform.Page[twins.Twin], error)) *row {
	return n.windowRow(reflect.TypeFor[twins.Twin](), reflect.TypeFor[twins.TwinQuery](), func(ctx context.Context, x *exchange, q any) (page, error) {
		from, err := call(ctx, *q.(*twins.TwinQuery))
		if err != nil {
			return page{}, err
		}
		return remade(x, from, pictured)
	}, twinFilters()).unversioned()
}

// listedTwinRows are the favorites and the recently used twins of the caller.
func listedTwinRows(svc *twins.Service) rows {
	favorites := &noun{path: allTwins + "/favorites", many: "twins", one: "twin", things: "the caller's favorites", name: "favorites"}
	recents := &noun{path: allTwins + "/recents", many: "twins", one: "twin", things: "the twins that the caller used last", name: "recents"}
	rs := rows{
		twinList(favorites, svc.Favorites).shortly(reflect.TypeFor[twins.Summary]()).needs("none"),
		discard(favorites, svc.AddFavorite).as(favorites.operation("add", http.MethodPost, favorites.each(), "Add a favorite")).onRecord(),
		discard(favorites, svc.RemoveFavorite).as(favorites.operation("remove", http.MethodDelete, favorites.each(), "Remove a favorite")),
		twinList(recents, svc.Recents).shortly(reflect.TypeFor[twins.Summary]()).needs("none"),
		discard(recents, svc.AddRecent).as(recents.operation("add", http.MethodPost, recents.each(), "Note that the caller has used a twin")).onRecord(),
	}
	rs.changing().need(twins.PermissionRead)
	for _, r := range rs.changing() {
		r.apart = r.Path[len(allTwins)+1 : strings.LastIndex(r.Path, "/")] // beside /twins/{twinId}/repositories
	}
	return rs
}

func repositoryRows(svc *twins.Service) rows {
	n := &noun{path: allTwins + "/{twinId}/repositories", many: "repositories", one: "repository", things: "the repositories of a twin", thing: "a repository of a twin"}
	return rows{
		windowIn(n, svc.Repositories,
			skip(func(q *twins.RepositoryQuery) *int { return &q.Skip }),
			text("class", "List repositories of this class.", func(q *twins.RepositoryQuery) *string { return &q.Class }),
			text("subClass", "List repositories of this subclass. It goes with class.", func(q *twins.RepositoryQuery) *string { return &q.SubClass })),
		getIn(n, svc.Repository),
		createIn(n, svc.CreateRepository).says("Note a repository of a twin"),
		updateIn(n, svc.UpdateRepository),
		discardIn(n, svc.DeleteRepository).says("Forget a repository of a twin"),
	}.refuseMisspelt()
}
