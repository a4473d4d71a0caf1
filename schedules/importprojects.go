package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
)

// projectContent is what the file has of several projects, and finds out their ids; nil where the
// schedule is one. The first of the file becomes that of the schedule itself, and those that the
// file does not have stay behind those that it has.
func (d *planDiff) projectContent(now *ProjectScheduling) *importing.Part[ProjectScheduling] {
	if len(d.file.Projects) < 2 && len(now.Projects) == 0 {
		return nil
	}
	d.projectIDs = make(map[string]string)
	taken := make(map[string]bool)
	for i := range now.Projects {
		taken[now.Projects[i].ID] = true
	}
	filed := make([]Project, 0, len(d.file.Projects))
	known := make(map[string]bool) // those of the schedule that the file has
	for i := range d.file.Projects {
		x, p := d.project(i), &d.file.Projects[i]
		x.ID = sameProject(now.Projects, &x, known)
		if x.ID == "" && len(taken) >= MaxProjects {
			d.Warn("Warning: The schedule has %d projects, and the project (ID=%s) is scheduled as the first one.", MaxProjects, cmp.Or(p.Code, p.ID))
			continue
		}
		if x.ID == "" {
			x.ID = d.projectID(x.Code, taken)
		}
		taken[x.ID], known[x.ID] = true, true
		d.projectIDs[p.ID] = x.ID
		filed = append(filed, x)
	}
	content := importing.Always(d.w.Modes.Tasks, filed, func(v *ProjectScheduling) {
		next := slices.Clone(filed)
		for i := range now.Projects {
			if x := now.Projects[i]; !known[x.ID] {
				if i == 0 { // it is not the schedule's own any more
					x = ownProject(now)
				}
				next = append(next, x)
			}
		}
		v.Projects = next
	})
	return &content
}

// project is the one at a place in the file, without an id.
func (d *planDiff) project(i int) Project {
	p := &d.file.Projects[i]
	text := func(s string) string { return d.textOf("project", cmp.Or(p.Code, p.ID), s, MaxProjectText) }
	x := Project{Code: text(p.Code), ExternalID: text(p.ExternalID), Name: text(p.Name)}
	if i == 0 {
		return x
	}
	x.CalendarID = twinplatform.NullString(d.calendarIDs[p.CalendarID])
	x.StartDate, x.DataDate, x.MustFinishBy = d.at(p.Start), d.at(p.DataDate), d.at(p.MustFinish)
	x.CriticalFloat = int32(min(max(p.Critical, 0), math.MaxInt32))
	if p.LongestPath {
		x.CriticalPathType = CriticalLongest
	}
	x.IgnoreExpectedFinish, x.IgnoreExternalDates = p.IgnoreExpected, p.IgnoreExternal
	return x
}

// sameProject is the id of the project of a schedule that one of a file is, unless another one
// is that: by the id that its planner gave it, or else by its code or its name.
func sameProject(all []Project, x *Project, known map[string]bool) string {
	same := []func(o *Project) bool{
		func(o *Project) bool { return x.ExternalID != "" && o.ExternalID == x.ExternalID },
		func(o *Project) bool { return x.Code != "" && o.Code == x.Code },
		func(o *Project) bool { return x.Code+o.Code == "" && o.Name == x.Name },
	}
	for _, by := range same {
		for i := range all {
			if o := &all[i]; !known[o.ID] && by(o) {
				return o.ID
			}
		}
	}
	return ""
}

// projectID is the id of a new project: its code, where that is one and no one else's.
func (d *planDiff) projectID(code string, taken map[string]bool) string {
	var c problem.Checks
	if c.ID("id", code); code == "" || taken[code] || c.Err(InvalidRequest) != nil {
		return d.s.env.NewID()
	}
	return code
}

// ownProject is the first of the projects of a schedule with what it was scheduled by.
func ownProject(set *ProjectScheduling) Project {
	x := set.Projects[0]
	x.CalendarID, x.StartDate, x.DataDate, x.MustFinishBy = set.CalendarID, set.StartDate, set.DataDate, set.MustFinishBy
	x.CriticalFloat, x.IgnoreExpectedFinish, x.IgnoreExternalDates = set.CriticalFloat, set.IgnoreExpectedFinish, set.IgnoreExternalDates
	if set.CriticalPathType != CriticalByFloat {
		x.CriticalPathType = set.CriticalPathType
	}
	return x
}
