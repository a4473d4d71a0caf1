package console

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Layouts of times in forms: as browsers send what is picked, and as people type it.
var pickedLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05"}

// pickedLayout is how an input of a date with a time has its value.
const pickedLayout = "2006-01-02T15:04"

// planSettings are by what the schedule of the page is scheduled; empty where that is not to be had.
func (r *request) planSettings() object {
	if r.settings == nil {
		var body object
		if r.PathValue("schedule") == "" {
			return object{}
		}
		if _, err := r.get(r.schedule()+"/project-scheduling", &body); err == nil {
			r.settings = body.object("projectScheduling")
		}
		if r.settings == nil {
			r.settings = object{}
		}
	}
	return r.settings
}

// zone is that of the clocks of the schedule. UTC where it is not known.
func (r *request) zone() *time.Location {
	if r.location == nil {
		name, _ := r.planSettings().at("timeZone").(string)
		at, err := time.LoadLocation(name)
		if err != nil {
			at = time.UTC
		}
		r.location = at
	}
	return r.location
}

// clock is a time of the API as the clocks of the schedule show it; what is none stays as it is.
func (r *request) clock(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return t.In(r.zone()).Format("2 Jan 2006 15:04")
}

// clockAt is clock for a member of a record.
func (r *request) clockAt(o object, path string) string {
	s, _ := o.at(path).(string)
	return r.clock(s)
}

// picked is a time of the API as the value of an input.
func (r *request) picked(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return ""
	}
	return t.In(r.zone()).Format(pickedLayout)
}

// wrongMoment is said of what is no such time.
const wrongMoment = "Type a date with a time that the clocks there show, such as 2026-03-02 08:00."

// pickedTime reads what was picked or typed by the clocks of the schedule. They show no time of the hour that is left
// out where they are put forward.
func (r *request) pickedTime(s string) (t time.Time, ok bool) {
	for _, layout := range pickedLayouts {
		typed, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		t, err = time.ParseInLocation(layout, s, r.zone())
		return t, err == nil && t.Format(time.DateTime) == typed.Format(time.DateTime)
	}
	return t, false
}

// later are days by which something is later, with their sign; empty for none.
func later(days float64) string {
	text := oneDecimal(strconv.FormatFloat(days, 'f', 2, 64))
	switch {
	case text == "0", text == "-0":
		return ""
	case days > 0:
		text = "+" + text
	}
	return text + " d"
}

// laterBy is how many days of the calendar lie between two times of the API.
func laterBy(from, to string) float64 {
	a, err := time.Parse(time.RFC3339Nano, from)
	b, failed := time.Parse(time.RFC3339Nano, to)
	if cmp.Or(err, failed) != nil {
		return 0
	}
	return b.Sub(a).Hours() / 24
}

// standardDay is the working time of a day where no calendar says another, in seconds.
const standardDay = 8 * 3600

// maxParents is how many calendars above one are looked at for its days.
const maxParents = 4

// weekdays are the days of a week in the names of the members of calendars.
var weekdays = strings.Fields("monday tuesday wednesday thursday friday saturday sunday")

// workday is the working time of a day of a calendar of the schedule, in seconds: on average
// of the days of the week on which work is done, as charts have it. The calendar of the
// schedule has no id.
func (r *request) workday(calendar string) int64 {
	if day := r.workdays[calendar]; day > 0 {
		return day
	}
	if r.workdays == nil {
		r.workdays = make(map[string]int64)
	}
	r.workdays[calendar] = r.readWorkday(calendar)
	return r.workdays[calendar]
}

func (r *request) readWorkday(calendar string) int64 {
	if calendar == "" {
		calendar = r.planSettings().text("calendarId")
	}
	var seconds, days int64
	open := weekdays
	for level := 0; calendar != "" && level <= maxParents && len(open) > 0; level++ {
		var body object
		if _, err := r.get(r.schedule()+at("calendars", calendar), &body); err != nil {
			break
		}
		c := body.object("calendar")
		worked := make(map[string]int64)
		for _, t := range c.objects("dayTypes") {
			worked[t.text("id")] = blocksOf(t)
		}
		var undefined []string
		for _, name := range open {
			id := c.text("week." + name + "DayTypeId")
			switch {
			case id == "":
				undefined = append(undefined, name)
			case worked[id] > 0:
				seconds, days = seconds+worked[id], days+1
			}
		}
		calendar, open = c.text("parentId"), undefined
	}
	if days == 0 {
		return standardDay
	}
	return seconds / days
}

// blocksOf is how long is worked on days of a type, in seconds.
func blocksOf(dayType object) (seconds int64) {
	for _, b := range dayType.objects("timeBlocks") {
		from, to := clockOf(b.text("startTime")), clockOf(b.text("endTime"))
		if to == 0 {
			to = 24 * 3600
		}
		seconds += max(to-from, 0)
	}
	return seconds
}

// clockOf is a time of day in seconds.
func clockOf(s string) int64 {
	if strings.HasPrefix(s, "24:") {
		return 24 * 3600
	}
	if len(s) == len("15:04") {
		s += ":00"
	}
	t, err := time.Parse(time.TimeOnly, s)
	if err != nil {
		return 0
	}
	return int64(t.Hour())*3600 + int64(t.Minute())*60 + int64(t.Second())
}

// days are seconds of working time by a calendar of the schedule, in days, with the hours as
// the tooltip.
func (r *request) days(seconds int64, calendar string) valueView {
	d := float64(seconds) / float64(r.workday(calendar))
	return valueView{Text: oneDecimal(strconv.FormatFloat(d, 'f', 2, 64)) + " d", Hint: hours(seconds)}
}

// maxLinked are how many tasks a page looks up that are at the ends of links: those of the
// two tables of a task.
const maxLinked = 2 * maxListed

// linkedTask is what a page shows of a task at the end of a link; nothing where it has gone,
// and where the page has looked up enough.
func (r *request) linkedTask(id string) object {
	task, known := r.linked[id]
	if known || len(r.linked) == maxLinked {
		return task
	}
	if r.linked == nil {
		r.linked = make(map[string]object)
	}
	var body object
	if _, err := r.get(r.schedule()+at("tasks", id), &body); err == nil {
		task = body.object("task")
	}
	r.linked[id] = task
	return task
}

// ofLink is what a page shows of a member of a task link of a schedule: its tasks by
// their codes, names and dates, and its lag in days.
func (r *request) ofLink(p *place, ids known, name string, of object) (valueView, bool) {
	if p.list != "/schedules/{}/task-links" {
		return valueView{}, false
	}
	schedule, err := url.PathUnescape(ids["scheduleId"])
	if err != nil {
		return valueView{}, false
	}
	r.SetPathValue("schedule", schedule)
	switch name {
	case "predecessorId", "successorId":
		id := of.text(name)
		t := r.linkedTask(id)
		start, finish := r.taskDates(t)
		v := valueView{Text: cmp.Or(strings.TrimSpace(t.text("userDefinedId")+" "+t.text("name")), id)}
		if t != nil {
			v.Link = r.Link(r.schedule() + at("tasks", id))
		}
		if start+finish != "" {
			v.Note = start + " – " + finish
		}
		return v, true
	case "lag":
		calendar := cmp.Or(of.text("calendarId"), r.linkedTask(of.text("predecessorId")).text("calendarId"))
		return r.days(of.int("lag"), calendar), true
	}
	return valueView{}, false
}

// taskName is what people call a task; its id where it has gone.
func (r *request) taskName(id string) string { return cmp.Or(r.linkedTask(id).text("name"), id) }

// taskDates are when a task is worked on: as it was, or else as it is expected.
func (r *request) taskDates(t object) (start, finish string) {
	return cmp.Or(r.clockAt(t, "actualStart"), r.clockAt(t, "plannedStart")),
		cmp.Or(r.clockAt(t, "actualFinish"), r.clockAt(t, "estimatedFinish"), r.clockAt(t, "plannedFinish"))
}
