package schedules

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxProjects is how many projects a schedule names at most, and MaxProjectText how long their
// names are, in characters.
const (
	MaxProjects    = 100
	MaxProjectText = 200
)

// Project is one of several in a schedule, such as those of a file of Primavera P6. Tasks name
// it by their ProjectID.
//
// The first one is that of the schedule itself, also of tasks that name none: what it is
// scheduled by are the members of the ProjectScheduling, and it has no others. All others have
// their own, and share the rules that are not theirs.
type Project struct {
	// CalendarID is the calendar of its tasks that name none; that of the schedule where it is
	// left out.
	CalendarID twinplatform.NullString `json:"calendarId,omitzero"`
	Code       string                  `json:"code,omitzero"` // as planners know it; up to MaxProjectText characters
	// CriticalFloat is the total float up to which its tasks are critical, in seconds of working
	// time.
	CriticalFloat    int32            `json:"criticalFloat,omitzero"`
	CriticalPathType CriticalPathType `json:"criticalPathType,omitzero"` // TotalFloat where it is left out
	// DataDate is the day up to which its progress is recorded; its start where it is left out.
	DataDate             twinplatform.DateTime `json:"dataDate,omitzero"`
	ExternalID           string                `json:"externalId,omitzero"` // by which the planner knows it in whichever file; up to MaxProjectText characters
	ID                   string                `json:"id"`                  // unique in the schedule; required
	IgnoreExpectedFinish bool                  `json:"ignoreExpectedFinish,omitzero"`
	IgnoreExternalDates  bool                  `json:"ignoreExternalDates,omitzero"`
	// MustFinishBy is when it is to end; left out: when its last task does.
	MustFinishBy twinplatform.DateTime `json:"mustFinishBy,omitzero"`
	Name         string                `json:"name,omitzero"` // up to MaxProjectText characters
	// StartDate is before when none of its tasks is scheduled; that of the schedule where it is
	// left out.
	StartDate twinplatform.DateTime `json:"startDate,omitzero"`
}

// called is the project without what it is scheduled by.
func (x *Project) called() Project {
	return Project{Code: x.Code, ExternalID: x.ExternalID, ID: x.ID, Name: x.Name}
}

// of is how the tasks of a project are scheduled, by the settings and by what is its own.
func (x *Project) of(set *ProjectScheduling) *ProjectScheduling {
	own := *set
	own.CalendarID, own.StartDate = cmp.Or(x.CalendarID, set.CalendarID), cmp.Or(x.StartDate, set.StartDate)
	own.DataDate, own.MustFinishBy = cmp.Or(x.DataDate, own.StartDate), x.MustFinishBy
	own.CriticalFloat, own.CriticalPathType = x.CriticalFloat, cmp.Or(x.CriticalPathType, CriticalByFloat)
	own.IgnoreExpectedFinish, own.IgnoreExternalDates = x.IgnoreExpectedFinish, x.IgnoreExternalDates
	return &own
}

// otherProjects is how the tasks of the projects behind the first one are scheduled, by the
// ids of these. It is nil where there are none.
func (p *ProjectScheduling) otherProjects() map[string]*ProjectScheduling {
	if len(p.Projects) < 2 {
		return nil
	}
	others := make(map[string]*ProjectScheduling, len(p.Projects)-1)
	for i := range p.Projects[1:] {
		x := &p.Projects[i+1]
		others[x.ID] = x.of(p)
	}
	return others
}

// projectCalendars are the ids of the calendars that projects have themselves.
func (p *ProjectScheduling) projectCalendars() []string {
	named := make(map[string]bool)
	for i := range p.Projects {
		if id := string(p.Projects[i].CalendarID); id != "" {
			named[id] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// same reports whether two settings say the same.
func (p *ProjectScheduling) same(o *ProjectScheduling) bool { return reflect.DeepEqual(p, o) }

// setOf is how a task is scheduled.
func (c *calendars) setOf(t *Task) *ProjectScheduling {
	if own := c.projects[string(t.ProjectID)]; own != nil {
		return own
	}
	return c.set
}

// ownOf is the calendar of a task, or that of its project; nil is that of the schedule.
func (c *calendars) ownOf(t *Task) *worktime.Calendar {
	if own := c.of(string(t.CalendarID)); own != nil || c.projects[string(t.ProjectID)] == nil {
		return own
	}
	return c.of(string(c.setOf(t).CalendarID))
}

// checkOwnProjects checks the projects of a patch.
func checkOwnProjects(c *problem.Checks, all []Project) {
	if len(all) > MaxProjects {
		c.Bad("projects", "At most %d items can be given at once.", MaxProjects)
		return
	}
	known := make(map[string]bool, len(all))
	for i := range all {
		x := &all[i]
		c.At("projects", i)
		c.Need("id", x.ID, MaxID)
		c.ID("id", x.ID)
		c.AtMost("code", x.Code, MaxProjectText)
		c.AtMost("externalId", x.ExternalID, MaxProjectText)
		c.AtMost("name", x.Name, MaxProjectText)
		c.Date("dataDate", x.DataDate)
		c.Date("mustFinishBy", x.MustFinishBy)
		c.Date("startDate", x.StartDate)
		if x.CriticalPathType != "" {
			problem.OneOf(c, "criticalPathType", x.CriticalPathType, criticalPathTypes)
		}
		if known[x.ID] {
			c.Bad("id", "Another project has the id '%s'.", x.ID)
		}
		if known[x.ID] = true; i == 0 && *x != x.called() {
			c.Bad("", "The first project is scheduled by the members of the schedule, and has none of its own.")
		}
	}
	c.At("", 0)
}

// projectsFit checks projects that are to be those of a schedule: their calendars are there,
// and no task names one that is gone.
func projectsFit(tx records.Reading, s records.Scope, c *problem.Checks, next, was []Project) error {
	stay, named := make(map[string]bool, len(next)), make(map[twinplatform.NullString]bool)
	for i := range was {
		named[was[i].CalendarID] = true
	}
	for i := range next {
		stay[next[i].ID] = true
		if id := next[i].CalendarID; !named[id] {
			c.At("projects", i)
			if err := model.Names(tx, s, calendarRecords.Table(), c, "calendarId", "calendar", string(id)); err != nil {
				return err
			}
		}
	}
	c.At("", 0)
	for i := range was {
		if stay[was[i].ID] {
			continue
		}
		for task := range taskRecords.IDs(tx, s, ofProject, was[i].ID) {
			c.Bad("projects", "The project '%s' is that of the task '%s'.", was[i].ID, task)
			break
		}
	}
	return nil
}

// ofProject finds the tasks of a project.
const ofProject = "project"

// namesProject checks that the schedule has a project that a new or changed task names.
func namesProject(tx records.Reading, s records.Scope, c *problem.Checks, id, was twinplatform.NullString) error {
	if id == was || id == "" {
		return nil
	}
	set, err := projectScheduling(tx, s)
	if err == nil && !slices.ContainsFunc(set.Value.Projects, func(x Project) bool { return x.ID == string(id) }) {
		c.Bad("projectId", "The schedule has no project with the id '%s'.", id)
	}
	return err
}

// describeProjects declares the limits of the projects of a body.
func describeProjects(b *schema.Book) {
	text := schema.AtMost(MaxProjectText)
	b.Has(reflect.TypeFor[ProjectSchedulingPatch](), schema.May("projects", schema.List(0, MaxProjects, schema.Value{})),
		schema.May("notes", schema.List(0, MaxProjectNotes, schema.Value{})), schema.May("code", text), schema.May("externalId", text))
	b.Has(reflect.TypeFor[Project](), schema.NeedText("id", MaxID), schema.May("code", text), schema.May("externalId", text), schema.May("name", text))
}
