package planner

import (
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdi is a plan of Microsoft Project while it is read.
type mspdi struct {
	*Plan
	records counter
	project mspdiProject
	above   []string // ids of what a task of a level would be below
}

// mspdiProject are the members of the project itself.
type mspdiProject struct {
	StartDate, FinishDate, StatusDate string
	Name, Title, GUID                 string
	CalendarUID                       string
	CriticalSlackLimit                float64 // in days
	MinutesPerDay                     float64
	ScheduleFromStart                 string
}

// set takes up a member of the project.
func (p *mspdiProject) set(name, value string) {
	number := func(n *float64) {
		if v, err := strconv.ParseFloat(value, 64); err == nil && v >= 0 && v < 1e6 {
			*n = v
		}
	}
	switch name {
	case "StartDate":
		p.StartDate = value
	case "StatusDate":
		p.StatusDate = value
	case "Name":
		p.Name = value
	case "Title":
		p.Title = value
	case "GUID":
		p.GUID = value
	case "CalendarUID":
		p.CalendarUID = value
	case "ScheduleFromStart":
		p.ScheduleFromStart = value
	case "CriticalSlackLimit":
		number(&p.CriticalSlackLimit)
	case "MinutesPerDay":
		number(&p.MinutesPerDay)
	}
}

func readMSPDI(d *xml.Decoder) (*Plan, error) {
	m := &mspdi{Plan: &Plan{Format: MSPDI}, project: mspdiProject{MinutesPerDay: 480}}
	each := func(name string, read func(*xml.Decoder, xml.StartElement) error) func(xml.StartElement) error {
		return func(e xml.StartElement) error {
			if e.Name.Local != name {
				return d.Skip()
			}
			if err := m.records.count(); err != nil {
				return err
			}
			return read(d, e)
		}
	}
	err := elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Calendars":
			return elements(d, each("Calendar", m.calendar))
		case "Tasks":
			return elements(d, each("Task", m.task))
		case "Resources":
			return elements(d, each("Resource", m.resource))
		case "Assignments":
			return elements(d, each("Assignment", m.assignment))
		case "Views", "Filters", "Groups", "Tables", "Maps", "Reports", "Drawings", "DataLinks", "VBAProjects", "ExtendedAttributes", "OutlineCodes", "WBSMasks":
			return d.Skip()
		}
		var value string
		if err := d.DecodeElement(&value, &e); err != nil {
			return err
		}
		m.project.set(e.Name.Local, strings.TrimSpace(value))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m.Plan, m.finish()
}

// uid is an id as it is told: -1 and 0 of calendars are none.
func uid(s string) string {
	if s == "-1" {
		return ""
	}
	return s
}

func (m *mspdi) finish() error {
	x := m.project
	p := Project{ID: "1", Name: first(x.Title, x.Name), CalendarID: uid(x.CalendarUID), Lag: cpm.LagOfSuccessor}
	p.Critical = int64(math.Round(x.CriticalSlackLimit * x.MinutesPerDay * worktime.Minute))
	var f fields
	f.time(&p.Start, x.StartDate)
	f.time(&p.DataDate, x.StatusDate)
	if x.ScheduleFromStart == "0" {
		m.warn("project", "It is scheduled from its finish; here it is from its start.")
	}
	m.Projects = append(m.Projects, p)
	m.milestones()
	m.tidy()
	return f.of("project", p.Name)
}

// milestones makes start milestones of those that no link puts behind the end of
// another task.
func (m *mspdi) milestones() {
	ends := make(map[string]bool)
	for _, l := range m.Links {
		if l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish {
			ends[l.SuccessorID] = true
		}
	}
	for i := range m.Tasks {
		if t := &m.Tasks[i]; t.Kind == cpm.FinishMilestone && !ends[t.ID] {
			t.Kind = cpm.StartMilestone
		}
	}
}

// mspdiTask is a task as the file has it.
type mspdiTask struct {
	UID, GUID, ID, Name, WBS                    string
	Active, Manual, IsNull, Milestone, Summary  string
	OutlineLevel                                int
	Start, Finish                               string
	EarlyStart, EarlyFinish                     string
	LateStart, LateFinish                       string
	Duration, RemainingDuration, DurationFormat string
	ActualStart, ActualFinish                   string
	TotalSlack, FreeSlack, Critical             string
	ConstraintType, ConstraintDate, Deadline    string
	CalendarUID                                 string
	PredecessorLink                             []mspdiLink
}

type mspdiLink struct {
	PredecessorUID, Type, CrossProject, LinkLag, LagFormat string
}

// mspdiConstraints are the constraints by their numbers.
var mspdiConstraints = map[string]cpm.ConstraintType{
	"1": cpm.AsLateAsPossible, "2": cpm.MandatoryStart, "3": cpm.MandatoryFinish, "4": cpm.StartNoEarlier, "5": cpm.StartNoLater,
	"6": cpm.FinishNoEarlier, "7": cpm.FinishNoLater,
}

func (m *mspdi) task(d *xml.Decoder, e xml.StartElement) error {
	var x mspdiTask
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}
	if x.IsNull == "1" || x.UID == "0" { // a blank line, and the project itself
		return nil
	}
	t := Task{
		ID: x.UID, ExternalID: x.GUID, Code: first(x.WBS, x.ID), Name: x.Name, ProjectID: "1", ParentID: m.parent(x.OutlineLevel, x.UID),
		CalendarID: uid(x.CalendarUID), Manual: x.Manual == "1", Inactive: x.Active == "0",
	}
	var f fields
	f.span(&t.Duration, x.Duration)
	t.Remaining = t.Duration
	f.span(&t.Remaining, x.RemainingDuration)
	switch {
	case x.Summary == "1":
		t.Kind, t.Manual = cpm.Summary, false
	case x.Milestone == "1" && t.Duration == 0:
		t.Kind = cpm.FinishMilestone
	}
	f.time(&t.ActualStart, x.ActualStart)
	f.time(&t.ActualFinish, x.ActualFinish)
	f.time(&t.Deadline, x.Deadline)
	if t.Kind != cpm.Summary {
		f.constrained(&t, mspdiConstraints[x.ConstraintType], x.ConstraintDate)
	}
	f.mspdiDates(&t.File, &x)
	for i, l := range x.PredecessorLink {
		m.link(&f, fmt.Sprintf("%s-%d", x.UID, i), x.UID, l)
	}
	m.Tasks = append(m.Tasks, t)
	return f.of("task", t.ID)
}

// parent is what a task of a level is below: the last one of the level above.
func (m *mspdi) parent(level int, id string) (parent string) {
	level = max(min(level, len(m.above)+1), 1)
	if level > 1 {
		parent = m.above[level-2]
	}
	m.above = append(m.above[:level-1], id)
	return parent
}

// mspdiDates reads what Microsoft Project has computed. Slack is in tenths of a minute,
// and left out where there is none.
func (f *fields) mspdiDates(d *Dates, x *mspdiTask) {
	f.time(&d.Start, x.Start)
	f.time(&d.Finish, x.Finish)
	f.time(&d.EarlyStart, x.EarlyStart)
	f.time(&d.EarlyFinish, x.EarlyFinish)
	f.time(&d.LateStart, x.LateStart)
	f.time(&d.LateFinish, x.LateFinish)
	d.TotalFloat, d.FreeFloat = new(int64), new(int64)
	f.tenths(d.TotalFloat, x.TotalSlack)
	f.tenths(d.FreeFloat, x.FreeSlack)
	if x.Critical != "" {
		critical := x.Critical == "1"
		d.Critical = &critical
	}
}

// tenths reads tenths of a minute as seconds.
func (f *fields) tenths(seconds *int64, s string) {
	var n float64
	f.number(&n, s)
	*seconds = int64(math.Round(n * 6))
}

// mspdiLinks are the types of links by their numbers.
var mspdiLinks = map[string]cpm.LinkType{"0": cpm.FinishToFinish, "1": cpm.FinishToStart, "2": cpm.StartToFinish, "3": cpm.StartToStart}

// link reads a link. Its lag is in tenths of a minute, whatever unit it is shown in,
// and in percent where that is one.
func (m *mspdi) link(f *fields, id, successor string, x mspdiLink) {
	if x.CrossProject == "1" {
		m.warn("link "+id, "It is left out: it leads to another file.")
		return
	}
	l := Link{ID: id, PredecessorID: x.PredecessorUID, SuccessorID: successor, Type: mspdiLinks[first(x.Type, "1")]}
	format, _ := strconv.Atoi(x.LagFormat) // none is in days
	format &^= 32                          // an estimate
	switch format {
	case 19, 20:
		var percent float64
		f.number(&percent, x.LinkLag)
		l.Lag, l.Percent = int64(math.Round(percent)), true
	default:
		f.tenths(&l.Lag, x.LinkLag)
	}
	switch format {
	case 4, 6, 8, 10, 12, 20:
		l.Elapsed = true
	}
	m.Links = append(m.Links, l)
}

// iso is a span of time in ISO 8601 as Microsoft Project writes it.
var iso = regexp.MustCompile(`^(-?)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$`)

// span reads a span of time as seconds.
func (f *fields) span(seconds *int64, s string) {
	if s == "" {
		return
	}
	parts := iso.FindStringSubmatch(s)
	if parts == nil {
		f.failed(fmt.Errorf("%q is no span of time", s))
		return
	}
	var n float64
	for i, unit := range []float64{worktime.Day, worktime.Hour, worktime.Minute, 1} {
		var v float64
		f.number(&v, parts[2+i])
		n += v * unit
	}
	if *seconds = int64(math.Round(n)); parts[1] != "" {
		*seconds = -*seconds
	}
}

// mspdiResources are the types of resources by their numbers.
var mspdiResources = map[string]ResourceType{"0": Material, "1": Human, "2": Cost}

func (m *mspdi) resource(d *xml.Decoder, e xml.StartElement) error {
	var x struct{ UID, GUID, ID, Name, Type, CalendarUID, IsNull string }
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}
	if x.IsNull != "1" && x.Name != "" {
		m.Resources = append(m.Resources, Resource{
			ID: x.UID, ExternalID: x.GUID, Code: x.ID, Name: x.Name, Type: mspdiResources[first(x.Type, "1")], CalendarID: uid(x.CalendarUID),
		})
	}
	return nil
}

// unassigned is the resource of assignments to nobody.
const unassigned = "-65535"

func (m *mspdi) assignment(d *xml.Decoder, e xml.StartElement) error {
	var x struct{ UID, TaskUID, ResourceUID, Work string }
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}
	a := Assignment{ID: x.UID, TaskID: x.TaskUID, ResourceID: x.ResourceUID}
	var f fields
	var work int64
	f.span(&work, x.Work)
	a.Units = float64(work) / worktime.Hour
	if a.ResourceID != "" && a.ResourceID != unassigned && a.TaskID != "0" {
		m.Assignments = append(m.Assignments, a)
	}
	return f.of("assignment", a.ID)
}

// mspdiDay is a day of a week, or days of an exception.
type mspdiDay struct {
	DayType      string
	DayWorking   string
	TimePeriod   mspdiPeriod
	WorkingTimes []struct{ FromTime, ToTime string } `xml:"WorkingTimes>WorkingTime"`
}

type mspdiPeriod struct{ FromDate, ToDate string }

// hours are those of the day.
func (f *fields) mspdiHours(d *mspdiDay) worktime.Hours {
	h := worktime.Hours{}
	if d.DayWorking == "0" {
		return h
	}
	for _, w := range d.WorkingTimes {
		from, err := readClock(w.FromTime)
		if err != nil {
			f.failed(err)
			continue
		}
		to, err := readClock(w.ToTime)
		if err != nil {
			f.failed(err)
			continue
		}
		h = addPeriod(h, from, to)
	}
	return tidyHours(h)
}

// mspdiException are days that are not as the week has them.
type mspdiException struct {
	mspdiDay
	Type, Period, Month, MonthItem, MonthPosition, MonthDay, DaysOfWeek string
}

func (m *mspdi) calendar(d *xml.Decoder, e xml.StartElement) error {
	var x struct {
		UID, Name, BaseCalendarUID string
		WeekDay                    []mspdiDay       `xml:"WeekDays>WeekDay"`
		Exception                  []mspdiException `xml:"Exceptions>Exception"`
		WorkWeek                   []struct{}       `xml:"WorkWeeks>WorkWeek"`
	}
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}
	c := Calendar{ID: x.UID, Name: x.Name, BaseID: uid(x.BaseCalendarUID), Week: make(worktime.Week)}
	if c.BaseID == "0" {
		c.BaseID = ""
	}
	var f fields
	for i := range x.WeekDay {
		day := &x.WeekDay[i]
		n, err := strconv.Atoi(day.DayType)
		switch {
		case err != nil || n < 0 || n > 7:
			f.failed(fmt.Errorf("%q is no day of a week", day.DayType))
		case n > 0:
			c.Week[time.Weekday(n-1)] = f.mspdiHours(day)
		case len(x.Exception) == 0: // newer files have these days among the exceptions, too
			f.mspdiException(&c, day, nil)
		}
	}
	for i := range x.Exception {
		f.mspdiException(&c, &x.Exception[i].mspdiDay, x.Exception[i].repeat(m, c.ID))
	}
	if len(x.WorkWeek) > 0 {
		m.warn("calendar "+c.ID, "Its work weeks of certain times are left out.")
	}
	m.Calendars = append(m.Calendars, c)
	return f.of("calendar", c.ID)
}

func (f *fields) mspdiException(c *Calendar, d *mspdiDay, r *worktime.Repeat) {
	x := worktime.Exception{Hours: f.mspdiHours(d), Repeat: r}
	f.time(&x.First, d.TimePeriod.FromDate)
	f.time(&x.Last, d.TimePeriod.ToDate)
	c.Exceptions = append(c.Exceptions, x)
}

// repeat is how an exception repeats; nil for each day of its time.
func (x *mspdiException) repeat(m *mspdi, calendar string) *worktime.Repeat {
	n := func(s string) int {
		v, _ := strconv.Atoi(s)
		return v
	}
	r := &worktime.Repeat{Interval: max(n(x.Period), 1), Position: n(x.MonthPosition) + 1, Month: time.Month(n(x.Month) + 1)}
	days := n(x.DaysOfWeek)
	for d := time.Sunday; d <= time.Saturday; d++ {
		if days&(1<<d) != 0 {
			r.Weekdays = append(r.Weekdays, d)
		}
	}
	switch n(x.Type) {
	case 0, 1:
		if r.Interval == 1 {
			return nil
		}
		r.Every = worktime.Daily
	case 2, 4:
		r.Every, r.Day, r.Position = worktime.Monthly, n(x.MonthDay), 0
		if n(x.Type) == 2 {
			r.Every, r.Interval = worktime.Yearly, 1
		}
	case 3, 5:
		r.Every, r.Weekdays = worktime.Monthly, monthItem(n(x.MonthItem))
		if n(x.Type) == 3 {
			r.Every, r.Interval = worktime.Yearly, 1
		}
	case 6:
		r.Every = worktime.Weekly
	default:
		m.warn("calendar "+calendar, "An exception repeats in a way that is not known: each of its days counts.")
		return nil
	}
	return r
}

// monthItem are the days of a week that an exception by position means.
func monthItem(n int) []time.Weekday {
	week := []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday}
	switch {
	case n == 1:
		return week[1:6]
	case n == 2:
		return []time.Weekday{time.Saturday, time.Sunday}
	case n >= 3 && n <= 9:
		return week[n-3 : n-2]
	default:
		return week
	}
}
