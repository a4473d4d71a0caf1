package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func calendarRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/calendars", Many: "calendars", One: "calendar", Plural: "Calendars",
		Singular: "a Calendar",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.Calendars)),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.Calendar)),
		route.AcceptIn(n, route.On(svc.In, schedules.Plan.CreateCalendar)),
		route.UpdateIn(n, route.On(svc.In, schedules.Plan.UpdateCalendar)),
		route.DeleteIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteCalendar)),
	}
}
