package cli

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// summary is what is in a file.
type summary struct {
	Format      planner.Format `json:"format"`
	Projects    int            `json:"projects"`
	Calendars   int            `json:"calendars"`
	Tasks       int            `json:"tasks"`
	Links       int            `json:"links"`
	Resources   int            `json:"resources"`
	Assignments int            `json:"assignments"`
	Warnings    []string       `json:"warnings"`
}

func infoFlags(c *command, _ *flag.FlagSet) func([]string) error { return each(c.info) }

// info reports how much of what is in a file. It does not schedule the plan, so it also
// reads one that cannot be.
func (c *command) info(name string) error {
	p, err := c.plan(name)
	if err != nil {
		return err
	}
	s := summary{
		Format: p.Format, Projects: len(p.Projects), Calendars: len(p.Calendars), Tasks: len(p.Tasks),
		Links:     len(p.Links),
		Resources: len(p.Resources), Assignments: len(p.Assignments), Warnings: texts(p.Warnings),
	}
	if c.json {
		return c.print(s)
	}
	fmt.Fprintf(c.out, "%s: %d projects, %d tasks, %d links, %d calendars, %d resources, %d assignments\n",
		s.Format, s.Projects, s.Tasks, s.Links, s.Calendars, s.Resources, s.Assignments)
	for _, x := range p.Projects {
		fmt.Fprintf(c.out, "  %s %s, data date %s\n", cmp.Or(x.Code, x.ID), x.Name, clock(x.DataDate))
	}
	c.warn(s.Warnings)
	return nil
}

// texts are warnings as lines, one for those of a kind.
func texts(warnings []planner.Warning) []string {
	lines := []string{}
	for _, g := range planner.Grouped(warnings) {
		lines = append(lines, g.String())
	}
	return lines
}

func (c *command) warn(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(c.out, "  warning:", line)
	}
}

func (c *command) print(v any) error {
	e := json.NewEncoder(c.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
