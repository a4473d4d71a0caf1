package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// DataDateType says where the data date of a schedule comes from.
type DataDateType string

// ManualDataDate is a data date that somebody sets. It is the only type that there is.
const ManualDataDate DataDateType = "Manual"

var dataDateTypes = []DataDateType{ManualDataDate}

// ProjectScheduling says as of when, and in which working time, a schedule is scheduled.
// Every schedule has one.
type ProjectScheduling struct {
	// CalendarID is the calendar of all that names none. Where it is null durations and
	// lags are elapsed time, as in every schedule from before there were calendars.
	CalendarID twinplatform.NullString `json:"calendarId"`
	// DataDate is the day up to which progress is recorded; null until it is set.
	DataDate     twinplatform.DateTime `json:"dataDate"`
	DataDateType DataDateType          `json:"dataDateType"`
	// TimeZone is the IANA time zone whose clocks calendars go by.
	TimeZone string `json:"timeZone"`
}

// projectSchedulingID is the id of the one record.
const projectSchedulingID = "project-scheduling"

var projectSchedulingRecords = records.Collection[ProjectScheduling]{
	Name:        "project-scheduling",
	ID:          func(*ProjectScheduling) string { return projectSchedulingID },
	MarkDeleted: func(*ProjectScheduling) {},
	Upgrades:    []records.Upgrade{records.Added("calendarId", `null`), records.Added("timeZone", `"UTC"`)},
}

// unscheduled is what holds until something is set.
var unscheduled = ProjectScheduling{DataDateType: ManualDataDate, TimeZone: utc}

// utc is the time zone of a schedule until another is set.
const utc = "UTC"

// ProjectScheduling returns as of when a schedule is scheduled (GET …/project-scheduling).
//
// Errors: ScheduleNotFound.
func (s *Service) ProjectScheduling(ctx context.Context, scheduleID string) (rec twinplatform.Record[ProjectScheduling], err error) {
	err = s.read(ctx, scheduleID, scheduleMissing, func(v *records.View, sc *Schedule) error {
		rec, err = projectScheduling(v, sc.scope())
		return err
	})
	return rec, err
}

// projectScheduling is the record, or what holds without one.
func projectScheduling(tx records.Reading, s records.Scope) (twinplatform.Record[ProjectScheduling], error) {
	rec, err := projectSchedulingRecords.Get(tx, s, projectSchedulingID)
	if missingRecord(err) {
		return records.Initial(tx, s, unscheduled)
	}
	return rec, err
}

// ProjectSchedulingPatch changes as of when a schedule is scheduled: what is left out
// stays.
type ProjectSchedulingPatch struct {
	DataDate twinplatform.Optional[twinplatform.DateTime] `json:"dataDate,omitzero"` // null clears it
	Type     twinplatform.Optional[DataDateType]          `json:"type,omitzero"`     // null makes it Manual
	// DataDateType is Type, as it is read.
	DataDateType twinplatform.Optional[DataDateType] `json:"dataDateType,omitzero"`
	CalendarID   twinplatform.Optional[string]       `json:"calendarId,omitzero"` // a calendar of the schedule; null makes time elapsed time
	TimeZone     twinplatform.Optional[string]       `json:"timeZone,omitzero"`   // an IANA time zone; null makes it UTC
}

func (p *ProjectSchedulingPatch) check(c *problem.Checks) {
	if d, given := p.DataDate.Get(); given {
		c.Date("dataDate", d)
	}
	problem.OneOf(c, "type", p.Type.Or(ManualDataDate), dataDateTypes)
	problem.OneOf(c, "dataDateType", p.DataDateType.Or(ManualDataDate), dataDateTypes)
	if zone, given := p.TimeZone.Get(); given {
		checkZone(c, "timeZone", zone)
	}
}

// schedulingChange is what the journal keeps of a change, with what follows.
type schedulingChange struct {
	Patch   ProjectSchedulingPatch `json:"patch"`
	IfMatch string                 `json:"ifMatch"`
	Renewal renewal                `json:"renewal,omitzero"`
}

// UpdateProjectScheduling changes as of when, and in which working time, a schedule is
// scheduled (PATCH …/project-scheduling), as a long-running operation. Another calendar or
// time zone renews the finishes and durations that follow from it, in steps where tasks are
// many. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that is
// not of type v10 or InvalidValue (dataDate, type, dataDateType, calendarId, timeZone);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; VersionMismatch.
func (s *Service) UpdateProjectScheduling(ctx context.Context, scheduleID string, p ProjectSchedulingPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ProjectScheduling], error) {
	var c problem.Checks
	p.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[ProjectScheduling]{}, err
	}
	return s.scheduling.start(ctx, scheduleID, tracked, nil, schedulingChange{Patch: p, IfMatch: twinplatform.IfMatchHeader(pre...)})
}

// apply changes what the patch holds.
func (p *ProjectSchedulingPatch) apply(set *ProjectScheduling) {
	p.DataDate.Apply(&set.DataDate)
	if p.CalendarID.Present() {
		set.CalendarID = twinplatform.NullString(p.CalendarID.Or(""))
	}
	if p.TimeZone.Present() {
		set.TimeZone = p.TimeZone.Or(utc)
	}
}
