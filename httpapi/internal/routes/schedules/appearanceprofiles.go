package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func appearanceProfileRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/appearance-profiles", Many: "appearanceProfiles", One: "appearanceProfile",
		Things: "Appearance Profiles", Thing: "an Appearance Profile",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.AppearanceProfiles),
			route.Text("name", "List the profiles whose name equals or contains this.", func(q *schedules.AppearanceProfileQuery) *string { return &q.Name })),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.AppearanceProfile)),
		route.AcceptIn(n, route.Bind(svc.In, schedules.Plan.CreateAppearanceProfile)),
		route.UpdateIn(n, route.BindUpdate(svc.In, schedules.Plan.UpdateAppearanceProfile)),
		route.DeleteIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteAppearanceProfile)),
	}
}
