package cli

import (
	"cmp"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// analysis is what came of scheduling a file.
type analysis struct {
	Profile  string    `json:"profile"`
	DataDate *string   `json:"dataDate"`
	Projects []project `json:"projects"`
	Warnings []string  `json:"warnings"`
}

type project struct {
	ID         string `json:"id"`
	Code       string `json:"code"`       // that P6 calls the ID of the project
	ExternalID string `json:"externalId"` // empty where the file has none
	Name       string `json:"name"`
	Tasks      []task `json:"tasks"`
}

type task struct {
	ExternalID string `json:"externalId"`
	Code       string `json:"code"`
	Name       string `json:"name"`
	Type       string `json:"type"`
	Computed   dates  `json:"computed"`
	File       dates  `json:"file"`
}

// dates holds the dates of a task, null where it has none. Floats are in seconds of working
// time.
type dates struct {
	Start       *string `json:"start"`
	Finish      *string `json:"finish"`
	EarlyStart  *string `json:"earlyStart"`
	EarlyFinish *string `json:"earlyFinish"`
	LateStart   *string `json:"lateStart"`
	LateFinish  *string `json:"lateFinish"`
	TotalFloat  *int64  `json:"totalFloat"`
	FreeFloat   *int64  `json:"freeFloat"`
	Critical    *bool   `json:"critical"`
	DrivingPath *bool   `json:"drivingPath"`
}

func analyzeFlags(c *command, set *flag.FlagSet) func([]string) error {
	var o analyzeOptions
	set.BoolVar(&o.recalculate, "recalculate", false, "warn of each value that differs from the file's")
	set.BoolVar(&o.differing, "differing", false, "list only tasks that differ from the file's")
	return each(func(name string) error { return c.analyze(name, o) })
}

type analyzeOptions struct{ recalculate, differing bool }

// analyze schedules a file and writes the dates that come out next to those in the file.
func (c *command) analyze(name string, o analyzeOptions) error {
	s, err := c.scheduled(name)
	if err != nil {
		return err
	}
	p := s.Plan
	a := analysis{Profile: "p6", Projects: []project{}, Warnings: append(texts(p.Warnings), texts(s.Warnings)...)}
	if p.Profile() == cpm.MSProject {
		a.Profile = "msproject"
	}
	for _, x := range p.Projects {
		if c.project != "" && c.project != x.ID && c.project != x.Code {
			continue
		}
		if a.DataDate == nil {
			a.DataDate = stamp(cmp.Or(x.DataDate, x.Start))
		}
		a.Projects = append(a.Projects,
			project{ID: x.ID, Code: x.Code, ExternalID: x.ExternalID, Name: x.Name, Tasks: a.tasks(s, &x, o)})
	}
	if c.project != "" && len(a.Projects) == 0 {
		return fmt.Errorf("%s: there is no project %s", name, c.project)
	}
	if c.json {
		return c.print(a)
	}
	return c.table(&a)
}

// tasks lists the tasks of a project, each with the dates of the file and the dates that
// were computed.
func (a *analysis) tasks(s *planner.Scheduled, p *planner.Project, o analyzeOptions) []task {
	all := []task{}
	for i := range s.Plan.Tasks {
		t := &s.Plan.Tasks[i]
		if t.ProjectID != p.ID {
			continue
		}
		row := task{
			ExternalID: cmp.Or(t.ExternalID, t.ID), Code: t.Code, Name: t.Name, Type: kinds[t.Kind],
			Computed: computed(s.Dates(i), p), File: filed(&t.File),
		}
		differences := row.differences()
		if o.recalculate {
			a.Warnings = append(a.Warnings, differences...)
		}
		if !o.differing || len(differences) > 0 {
			all = append(all, row)
		}
	}
	return all
}

// computed are the dates that the logic of the plan gives a task.
func computed(d cpm.Dates, p *planner.Project) dates {
	out := dates{
		Start: stamp(d.Start), Finish: stamp(d.Finish), EarlyStart: stamp(d.EarlyStart),
		EarlyFinish: stamp(d.EarlyFinish),
		LateStart:   stamp(d.LateStart), LateFinish: stamp(d.LateFinish), DrivingPath: &d.Longest,
	}
	critical := d.Critical
	if p.LongestPath {
		critical = d.Longest
	}
	out.Critical = &critical
	if d.HasFloat {
		out.TotalFloat, out.FreeFloat = &d.TotalFloat, &d.FreeFloat
	}
	return out
}

// filed are the dates that the file has of a task.
func filed(d *planner.Dates) dates {
	return dates{
		Start: stamp(d.Start), Finish: stamp(d.Finish), EarlyStart: stamp(d.EarlyStart),
		EarlyFinish: stamp(d.EarlyFinish),
		LateStart:   stamp(d.LateStart), LateFinish: stamp(d.LateFinish), TotalFloat: d.TotalFloat,
		FreeFloat: d.FreeFloat,
		Critical:  d.Critical, DrivingPath: d.DrivingPath,
	}
}

// differences are what a file has of a task and its logic gives otherwise, a line each.
func (t *task) differences() (lines []string) {
	file, ours := reflect.ValueOf(t.File), reflect.ValueOf(t.Computed)
	for i := range file.NumField() {
		theirs, computed := file.Field(i), ours.Field(i)
		if theirs.IsNil() || reflect.DeepEqual(theirs.Interface(), computed.Interface()) {
			continue
		}
		name := file.Type().Field(i).Tag.Get("json")
		lines = append(lines, fmt.Sprintf("task %s (%s): %s is %v in the file, %s by its logic",
			cmp.Or(t.Code, t.ExternalID), t.Name, name, theirs.Elem(), value(computed)))
	}
	return lines
}

// value is what a pointer leads to, as it is printed.
func value(v reflect.Value) string {
	if v.IsNil() {
		return "nothing"
	}
	return fmt.Sprint(v.Elem())
}

// table writes the result as text, and the warnings behind it.
func (c *command) table(a *analysis) error {
	for _, p := range a.Projects {
		name := p.Name
		if p.Code != "" && p.Code != name {
			name = strings.TrimSpace(p.Code + " " + name)
		}
		fmt.Fprintf(c.out, "%s, scheduled as %s does\n", name, toolName(a.Profile))
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "task\tstart\tfinish\ttotal float\tfree float\tcritical\tin the file")
		for _, t := range p.Tasks {
			d, note := t.Computed, "the same"
			if len(t.differences()) > 0 {
				note = fmt.Sprintf("%s to %s, float %s", text(t.File.Start), text(t.File.Finish),
					hours(t.File.TotalFloat))
			}
			fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t%s\t%v\t%s\n", t.Code, t.Name, text(d.Start), text(d.Finish),
				hours(d.TotalFloat), hours(d.FreeFloat), *d.Critical, note)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	c.warn(a.Warnings)
	return nil
}

// toolName is the tool by whose rules a plan is scheduled, as people call it.
func toolName(profile string) string {
	if profile == "msproject" {
		return "Microsoft Project"
	}
	return "P6"
}

// stamp is a time as it is printed, nil for none.
func stamp(t worktime.Time) *string {
	if t == 0 {
		return nil
	}
	s := t.String()
	return &s
}

func clock(t worktime.Time) string { return text(stamp(t)) }

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func hours(seconds *int64) string {
	if seconds == nil {
		return "-"
	}
	return fmt.Sprintf("%g h", float64(*seconds)/worktime.Hour)
}
