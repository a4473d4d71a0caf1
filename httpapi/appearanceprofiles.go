package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func appearanceProfileRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/appearance-profiles", many: "appearanceProfiles", one: "appearanceProfile",
		things: "Appearance Profiles", thing: "an Appearance Profile",
	}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.AppearanceProfiles),
			text("name", "List the profiles whose name equals or contains this.", func(q *schedules.AppearanceProfileQuery) *string { return &q.Name })),
		getIn(n, bind(svc.In, schedules.Plan.AppearanceProfile)),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateAppearanceProfile)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateAppearanceProfile)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteAppearanceProfile)),
	}
}
