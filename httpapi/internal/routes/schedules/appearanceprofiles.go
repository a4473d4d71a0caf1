package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

func appearanceProfileRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/appearance-profiles", Many: "appearanceProfiles", One: "appearanceProfile",
		Plural: "Appearance Profiles", Singular: "an Appearance Profile",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(animationOf(svc), animation.Plan.AppearanceProfiles),
			route.Text("name", "List the profiles whose name equals or contains this.",
				func(q *animation.AppearanceProfileQuery) *string { return &q.Name })),
		route.GetIn(n, route.Bind(animationOf(svc), animation.Plan.AppearanceProfile)),
		route.AcceptIn(n, route.On(animationOf(svc), animation.Plan.CreateAppearanceProfile)),
		route.UpdateIn(n, route.On(animationOf(svc), animation.Plan.UpdateAppearanceProfile)),
		route.DeleteIn(n, route.BindDelete(animationOf(svc), animation.Plan.DeleteAppearanceProfile)),
	}
}
