package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func calendarRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/calendars", many: "calendars", one: "calendar", things: "Calendars", thing: "a Calendar"}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.Calendars)),
		getIn(n, bind(svc.In, schedules.Plan.Calendar)),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateCalendar)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateCalendar)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteCalendar)),
	}
}
