package planner

import (
	"encoding/xml"
	"maps"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// p6xml is an XML of P6 while it is read.
type p6xml struct {
	*Plan
	d       *xml.Decoder
	records counter
	stubs   map[string]bool // activities of projects that are elsewhere
}

func readP6XML(d *xml.Decoder) (*Plan, error) {
	x := &p6xml{Plan: &Plan{Format: P6XML}, d: d, stubs: make(map[string]bool)}
	err := elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Calendar":
			return x.record(e, x.calendar)
		case "Resource":
			return x.record(e, x.resource)
		case "Project":
			return x.project()
		default:
			return d.Skip()
		}
	})
	if err != nil {
		return nil, err
	}
	x.Links = keep(x.Links, func(l *Link) bool {
		if x.stubs[l.PredecessorID] || x.stubs[l.SuccessorID] {
			x.warn("link "+l.ID, "It is left out: it leads to a project that the file does not hold.")
			return false
		}
		return true
	})
	x.tidy()
	return x.Plan, nil
}

// record counts a record and reads it.
func (x *p6xml) record(e xml.StartElement, read func(xml.StartElement) error) error {
	if err := x.records.count(); err != nil {
		return err
	}
	return read(e)
}

// members are what an element holds, by name.
type members map[string]string

// add reads a member. Of one with elements below it the text counts that is its own.
func (m members) add(d *xml.Decoder, e xml.StartElement) error {
	var text string
	if err := d.DecodeElement(&text, &e); err != nil {
		return err
	}
	m[e.Name.Local] = strings.TrimSpace(text)
	return nil
}

// decode reads an element of which only its members count.
func decode(d *xml.Decoder) (members, error) {
	m := make(members)
	return m, elements(d, func(e xml.StartElement) error { return m.add(d, e) })
}

// project reads a project with what is in it. One of which the file has no more than
// the name is elsewhere.
func (x *p6xml) project() error {
	m, tasks, nodes := make(members), len(x.Tasks), []Task(nil)
	err := elements(x.d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Activity":
			return x.record(e, x.task)
		case "WBS":
			return x.record(e, func(xml.StartElement) error {
				w, err := decode(x.d)
				nodes = append(nodes, Task{
					ID: nodeID(w["ObjectId"]), ExternalID: w["GUID"], Code: w["Code"], Name: w["Name"], ProjectID: w["ProjectObjectId"],
					ParentID: nodeID(w["ParentObjectId"]), Kind: cpm.Summary,
				})
				return err
			})
		case "Relationship":
			return x.record(e, x.link)
		case "ResourceAssignment":
			return x.record(e, x.assignment)
		case "ScheduleOptions":
			o, err := decode(x.d)
			maps.Copy(m, o)
			return err
		case "Calendar":
			return x.record(e, x.calendar)
		default:
			return m.add(x.d, e)
		}
	})
	if err != nil {
		return err
	}
	p := Project{ID: m["ObjectId"], Code: m["Id"], Name: first(m["Name"], m["Id"]), CalendarID: m["ActivityDefaultCalendarObjectId"], Lag: cpm.LagOfPredecessor}
	if m["DataDate"] == "" && m["PlannedStartDate"] == "" {
		for _, t := range x.Tasks[tasks:] {
			x.stubs[t.ID] = true
		}
		x.Tasks = x.Tasks[:tasks]
		return nil
	}
	var f fields
	f.time(&p.Start, m["PlannedStartDate"])
	f.time(&p.DataDate, m["DataDate"])
	f.time(&p.MustFinish, m["MustFinishByDate"])
	f.hours(&p.Critical, m["CriticalActivityFloatLimit"])
	p.LongestPath = m["CriticalActivityPathType"] == "Longest Path"
	p.scheduledBy(m)
	x.Projects = append(x.Projects, p)
	x.Tasks = append(nodes, x.Tasks...)
	return f.of("project", p.ID)
}

// scheduledBy is how a project is scheduled, where the file says so.
func (p *Project) scheduledBy(m members) {
	switch m["OutOfSequenceScheduleType"] {
	case "Progress Override":
		p.Progress = cpm.ProgressOverride
	case "Actual Dates":
		p.Progress = cpm.ActualDates
	}
	switch m["RelationshipLagCalendar"] {
	case "Successor Activity Calendar":
		p.Lag = cpm.LagOfSuccessor
	case "Project Default Calendar":
		p.Lag = cpm.LagOfProject
	case "24 Hour Calendar":
		p.Lag = cpm.LagElapsed
	}
	p.OpenEndsCritical = m["MakeOpenEndedActivitiesCritical"] == "1"
	p.Together = m["CalculateFloatBasedOnFinishDate"] == "0"
}

// p6Kinds are the kinds of tasks by their words.
var p6Kinds = map[string]cpm.Kind{
	"Start Milestone": cpm.StartMilestone, "Finish Milestone": cpm.FinishMilestone, "Level of Effort": cpm.LongHammock, "WBS Summary": cpm.LongHammock,
}

// p6Constraints are the constraints by their words.
var p6Constraints = map[string]cpm.ConstraintType{
	"Start On": cpm.StartOn, "Start On or After": cpm.StartNoEarlier, "Start On or Before": cpm.StartNoLater, "Finish On": cpm.FinishOn,
	"Finish On or After": cpm.FinishNoEarlier, "Finish On or Before": cpm.FinishNoLater, "Mandatory Start": cpm.MandatoryStart,
	"Mandatory Finish": cpm.MandatoryFinish, "As Late As Possible": cpm.AsLateAsPossible,
}

func (x *p6xml) task(xml.StartElement) error {
	m, err := decode(x.d)
	if err != nil {
		return err
	}
	t := Task{
		ID: m["ObjectId"], ExternalID: m["GUID"], Code: m["Id"], Name: m["Name"], ProjectID: m["ProjectObjectId"],
		ParentID: nodeID(m["WBSObjectId"]), Kind: p6Kinds[m["Type"]], CalendarID: m["CalendarObjectId"],
	}
	var f fields
	f.hours(&t.Duration, m["PlannedDuration"])
	f.hours(&t.Remaining, m["RemainingDuration"])
	if t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone {
		t.Duration, t.Remaining = 0, 0
	}
	if m["Status"] == "Not Started" {
		t.Duration = t.Remaining // what P6 schedules
	} else {
		f.time(&t.ActualStart, m["ActualStartDate"])
		f.time(&t.ActualFinish, m["ActualFinishDate"])
	}
	if m["Status"] == "Completed" && t.ActualStart == 0 {
		t.ActualStart = t.ActualFinish // a milestone
	}
	f.constrained(&t, p6Constraints[m["PrimaryConstraintType"]], m["PrimaryConstraintDate"])
	f.constrained(&t, p6Constraints[m["SecondaryConstraintType"]], m["SecondaryConstraintDate"])
	f.p6Dates(&t.File, m)
	x.Tasks = append(x.Tasks, t)
	return f.of("task", t.ID)
}

// p6Dates reads what P6 has computed.
func (f *fields) p6Dates(d *Dates, m members) {
	f.time(&d.EarlyStart, first(m["EarlyStartDate"], m["RemainingEarlyStartDate"]))
	f.time(&d.EarlyFinish, first(m["EarlyFinishDate"], m["RemainingEarlyFinishDate"]))
	f.time(&d.LateStart, first(m["LateStartDate"], m["RemainingLateStartDate"]))
	f.time(&d.LateFinish, first(m["LateFinishDate"], m["RemainingLateFinishDate"]))
	f.time(&d.Start, first(m["ActualStartDate"], m["StartDate"]))
	f.time(&d.Finish, first(m["ActualFinishDate"], m["FinishDate"]))
	f.float(&d.TotalFloat, m["TotalFloat"])
	f.float(&d.FreeFloat, m["FreeFloat"])
	flag := func(to **bool, name string) {
		if s := m[name]; s != "" {
			is := s == "1" || s == "true"
			*to = &is
		}
	}
	flag(&d.Critical, "IsCritical")
	flag(&d.DrivingPath, "IsLongestPath")
}

// p6Links are the types of links by their words.
var p6Links = map[string]cpm.LinkType{
	"Finish to Start": cpm.FinishToStart, "Start to Start": cpm.StartToStart, "Finish to Finish": cpm.FinishToFinish, "Start to Finish": cpm.StartToFinish,
}

func (x *p6xml) link(xml.StartElement) error {
	m, err := decode(x.d)
	if err != nil {
		return err
	}
	l := Link{ID: m["ObjectId"], PredecessorID: m["PredecessorActivityObjectId"], SuccessorID: m["SuccessorActivityObjectId"], Type: p6Links[m["Type"]]}
	var f fields
	f.hours(&l.Lag, m["Lag"])
	x.Links = append(x.Links, l)
	return f.of("link", l.ID)
}

// p6Resources are the types of resources by their words.
var p6Resources = map[string]ResourceType{"Labor": Human, "Nonlabor": Equipment, "Material": Material}

func (x *p6xml) resource(xml.StartElement) error {
	m, err := decode(x.d)
	x.Resources = append(x.Resources, Resource{
		ID: m["ObjectId"], ExternalID: m["GUID"], Code: m["Id"], Name: m["Name"], Type: p6Resources[m["ResourceType"]],
		CalendarID: m["CalendarObjectId"], ParentID: m["ParentObjectId"],
	})
	return err
}

func (x *p6xml) assignment(xml.StartElement) error {
	m, err := decode(x.d)
	if err != nil {
		return err
	}
	a := Assignment{ID: m["ObjectId"], TaskID: m["ActivityObjectId"], ResourceID: m["ResourceObjectId"]}
	var f fields
	f.number(&a.Units, m["PlannedUnits"])
	if a.ResourceID != "" { // else it is of a role
		x.Assignments = append(x.Assignments, a)
	}
	return f.of("assignment", a.ID)
}

// p6Hours are pieces of work of a day.
type p6Hours struct {
	WorkTime []struct{ Start, Finish string }
}

// hours are those of the day. A finish is the last minute of work, which is a minute
// before the end.
func (h *p6Hours) hours(f *fields) worktime.Hours {
	out := worktime.Hours{}
	for _, w := range h.WorkTime {
		if w.Start == "" && w.Finish == "" {
			continue // a day off
		}
		from, err := readClock(w.Start)
		if err != nil {
			f.failed(err)
		}
		to, err := readClock(w.Finish)
		if err != nil {
			f.failed(err)
		}
		if to%(10*worktime.Minute) == 9*worktime.Minute {
			to += worktime.Minute
		}
		out = addPeriod(out, from, to)
	}
	return tidyHours(out)
}

// weekdays are the days of a week by their words.
var weekdays = map[string]time.Weekday{
	"Sunday": time.Sunday, "Monday": time.Monday, "Tuesday": time.Tuesday, "Wednesday": time.Wednesday, "Thursday": time.Thursday,
	"Friday": time.Friday, "Saturday": time.Saturday,
}

func (x *p6xml) calendar(e xml.StartElement) error {
	var v struct {
		ObjectId, Name, BaseCalendarObjectId string
		Day                                  []struct {
			DayOfWeek string
			p6Hours
		} `xml:"StandardWorkWeek>StandardWorkHours"`
		Exception []struct {
			Date string
			p6Hours
		} `xml:"HolidayOrExceptions>HolidayOrException"`
	}
	if err := x.d.DecodeElement(&v, &e); err != nil {
		return err
	}
	c := Calendar{ID: v.ObjectId, Name: v.Name, BaseID: v.BaseCalendarObjectId, Week: make(worktime.Week)}
	var f fields
	for i := range v.Day {
		if day, ok := weekdays[v.Day[i].DayOfWeek]; ok {
			c.Week[day] = v.Day[i].hours(&f)
		}
	}
	for i := range v.Exception {
		one := worktime.Exception{Hours: v.Exception[i].hours(&f)}
		f.time(&one.First, v.Exception[i].Date)
		one.Last = one.First
		c.Exceptions = append(c.Exceptions, one)
	}
	x.Calendars = append(x.Calendars, c)
	return f.of("calendar", c.ID)
}
