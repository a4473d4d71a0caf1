package twins

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func shareRoutes(svc *twins.Service) cycle.Routes {
	n := &route.Resource{
		Path: twinAccess + "/shares", Many: "shares", One: "share", Plural: "the shares of a twin",
		Singular: "a share of a twin",
	}
	rs := cycle.Routes{
		route.WindowIn(n, svc.Shares, route.Skip(func(q *twins.ShareQuery) *int { return &q.Skip })),
		route.GetIn(n, svc.Share),
		route.CreateIn(n, route.Makes(svc.CreateShare)).Summarized("Let everybody with a key read a twin"),
		route.DiscardIn(n, svc.DeleteShare).Summarized("Revoke a share of a twin"),
	}
	for _, r := range rs {
		r.Needs(twins.PermissionManageMembers)
	}
	return rs
}
