package schedules_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// readsOfCalendars are those of what calendars makes.
var readsOfCalendars = []call{
	{"Calendar", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Calendar(ctx, "site")
		return err
	}, noCalendar},
	{"Calendars", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Calendars(ctx, schedules.CalendarQuery{})
		return err
	}, noSchedule},
}

// writesOfCalendars are those to what calendars makes.
var writesOfCalendars = []call{
	{"CreateCalendar", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateCalendar(ctx, working("unused", "08:00-16:00"))
		return err
	}, noSchedule},
	{"UpdateCalendar", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateCalendar(ctx, "site", schedules.CalendarPatch{Name: twinplatform.Set("new")})
		return err
	}, noSchedule},
	{"DeleteCalendar", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteCalendar(ctx, "site")
		return err
	}, noSchedule},
}
