package httpapi

import (
	"context"
	"net/http"
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
		rows:   append(twinRows(svc), shelfRows(svc)...),
	}
}

const (
	allTwins = "/twins"
	eachTwin = allTwins + "/{twinId}"
)

func twinRows(svc *twins.Service) []*row {
	return []*row{
		create(Operation{
			ID: "twins.create", Method: http.MethodPost, Path: allTwins, Summary: "Create twin",
			Permission: twins.PermissionCreate + " on the parent, or on the account",
		}, "twin", func(t twins.Twin) string { return t.ID },
			func(ctx context.Context, _ *exchange, n twins.NewTwin) (twinplatform.Result[twins.Twin], error) {
				return svc.CreateTwin(ctx, n)
			}),
		numbered(Operation{
			ID: "twins.list", Path: allTwins, Summary: "List twins", Addition: true, Prefers: true,
			Query: twinFilters(),
		}, "twins", func(ctx context.Context, x *exchange, o twinplatform.ListOptions, skip int) (page twinplatform.Page[twins.Twin], err error) {
			inactive, err := x.boolean("includeInactive")
			if err != nil {
				return page, err
			}
			return svc.Twins(ctx, twins.TwinQuery{
				ListOptions: o, Skip: skip, SubClasses: subClasses(x.ids("subClass")), Status: twins.Status(x.query("status")),
				IncludeInactive: inactive, Type: x.query("type"), Number: x.query("number"), DisplayName: x.query("displayName"),
				ParentID: x.query("parentId"), TwinAccountID: x.query("twinAccountId"), Search: x.query("$search"), Minimal: !x.wantsAll(),
			})
		}),
		get(Operation{ID: "twins.get", Method: http.MethodGet, Path: eachTwin, Summary: "Get a twin", Addition: true}, "twin",
			func(ctx context.Context, x *exchange) (twinplatform.Record[twins.Twin], error) {
				return svc.Twin(ctx, x.path("twinId"))
			}),
		change(Operation{ID: "twins.update", Method: http.MethodPatch, Path: eachTwin, Summary: "Update a twin", Addition: true}, "twin",
			func(ctx context.Context, x *exchange, p twins.TwinPatch) (twinplatform.Result[twins.Twin], error) {
				return svc.UpdateTwin(ctx, x.path("twinId"), p, x.ifMatch())
			}),
		discard(Operation{
			ID: "twins.delete", Method: http.MethodDelete, Path: eachTwin, Summary: "Delete a twin", Addition: true,
			Permission: "organization administrator",
		}, func(ctx context.Context, x *exchange) error { return svc.DeleteTwin(ctx, x.path("twinId")) }),
		get(Operation{ID: "twins.account", Method: http.MethodGet, Path: eachTwin + "/account", Summary: "Get the account of a twin", Addition: true}, "twin",
			func(ctx context.Context, x *exchange) (twinplatform.Record[twins.Twin], error) {
				return svc.Account(ctx, x.path("twinId"))
			}),
		get(Operation{
			ID: "twins.myPrimaryAccount", Method: http.MethodGet, Path: allTwins + "/myprimaryaccount", Summary: "Get the account of the caller", Addition: true,
			Permission: "none",
		}, "twin", func(ctx context.Context, _ *exchange) (twinplatform.Record[twins.Twin], error) {
			return svc.PrimaryAccount(ctx)
		}),
	}
}

func twinFilters() []Parameter {
	return []Parameter{
		{Name: "subClass", Description: "List twins of any of these subclasses, separated by commas."},
		{Name: "status", Description: "List twins of this status."},
		{Name: "type", Description: "List twins of this type."},
		{Name: "number", Description: "List the twin of this number. It does not go with $search."},
		{Name: "displayName", Description: "List the twin of this display name. It does not go with $search."},
		{Name: "parentId", Description: "List the twins right below this one."},
		{Name: "twinAccountId", Description: "List the twins of this account."},
		{Name: "$search", Description: "List twins whose display name or number contains this text, in upper or lower case."},
		{Name: "includeInactive", Description: "true lists inactive twins too. It does not go with status."},
	}
}

func subClasses(names []string) (out []twins.SubClass) {
	for _, name := range names {
		out = append(out, twins.SubClass(strings.TrimSpace(name)))
	}
	return out
}

// shelfRows are the favorites and the recently used twins of the caller.
func shelfRows(svc *twins.Service) []*row {
	const (
		favorites = allTwins + "/favorites"
		recents   = allTwins + "/recents"
	)
	shelf := func(o Operation, call func(context.Context, twins.UserListQuery) (twinplatform.Page[twins.Twin], error)) *row {
		o.Addition, o.Prefers, o.Permission = true, true, "none"
		return numbered(o, "twins", func(ctx context.Context, x *exchange, o twinplatform.ListOptions, skip int) (twinplatform.Page[twins.Twin], error) {
			return call(ctx, twins.UserListQuery{ListOptions: o, Skip: skip, Minimal: !x.wantsAll()})
		})
	}
	put := func(o Operation, call func(context.Context, string) error) *row {
		o.Addition, o.Permission = true, twins.PermissionRead
		return discard(o, func(ctx context.Context, x *exchange) error { return call(ctx, x.path("twinId")) })
	}
	return []*row{
		shelf(Operation{ID: "favorites.list", Path: favorites, Summary: "List the caller's favorites"}, svc.Favorites),
		put(Operation{ID: "favorites.add", Method: http.MethodPost, Path: favorites + "/{twinId}", Summary: "Add a favorite"}, svc.AddFavorite),
		put(Operation{ID: "favorites.remove", Method: http.MethodDelete, Path: favorites + "/{twinId}", Summary: "Remove a favorite"}, svc.RemoveFavorite),
		shelf(Operation{ID: "recents.list", Path: recents, Summary: "List the twins that the caller used last"}, svc.Recents),
		put(Operation{ID: "recents.add", Method: http.MethodPost, Path: recents + "/{twinId}", Summary: "Note that the caller has used a twin"}, svc.AddRecent),
	}
}
