package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func calendarRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/calendars", many: "calendars", one: "calendar", things: "Calendars", thing: "a Calendar"}
	return rows{
		listIn(n, paging{}, svc.Calendars),
		getIn(n, svc.Calendar),
		acceptIn(n, svc.CreateCalendar),
		updateIn(n, svc.UpdateCalendar),
		deleteIn(n, svc.DeleteCalendar),
	}
}
