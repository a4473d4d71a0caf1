package planner_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

var update = flag.Bool("update", false, "write the table of deviations")

// compared are the fields of tasks that files and scheduling both know.
var compared = []string{
	"early start", "early finish", "late start", "late finish", "start", "finish", "total float", "free float",
	"critical", "longest path",
}

// inFile is what a file has of a field of a task, nothing where it does not.
func inFile(t *planner.Task, field string, profile cpm.Profile) string {
	f := &t.File
	time := func(t worktime.Time) string {
		if t == 0 {
			return ""
		}
		return t.String()
	}
	switch field {
	case "early start":
		return time(f.EarlyStart)
	case "early finish":
		return time(f.EarlyFinish)
	case "late start":
		return time(f.LateStart)
	case "late finish":
		return time(f.LateFinish)
	case "start":
		return time(f.Start)
	case "finish":
		return time(f.Finish)
	case "total float":
		return number(f.TotalFloat)
	case "free float":
		return number(f.FreeFloat)
	case "critical":
		return truth(f.Critical)
	default:
		return truth(f.DrivingPath)
	}
}

func number(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

func truth(b *bool) string {
	if b == nil {
		return ""
	}
	return fmt.Sprint(*b)
}

// computed is the result of scheduling for it.
func computed(d cpm.Dates, field string) string {
	switch field {
	case "early start":
		return d.EarlyStart.String()
	case "early finish":
		return d.EarlyFinish.String()
	case "late start":
		return d.LateStart.String()
	case "late finish":
		return d.LateFinish.String()
	case "start":
		return d.Start.String()
	case "finish":
		return d.Finish.String()
	case "total float":
		return fmt.Sprint(d.TotalFloat)
	case "free float":
		return fmt.Sprint(d.FreeFloat)
	case "critical":
		return fmt.Sprint(d.Critical)
	default:
		return fmt.Sprint(d.Longest)
	}
}

// unscheduled is why all of a file deviates.
const unscheduled = "P6 has not scheduled the file: no task has early or late dates, these are planned by hand, and nothing has a path"

// reasons say why fields of a task deviate, by file and task.
var reasons = map[string]string{
	"p6-5.0-roles-resources.xer 35848": unscheduled,
	"p6-5.0-roles-resources.xer 35849": unscheduled,
}

// TestDatesDeviateFromThoseOfFilesAsInTheTable compares each field that a file has with
// what its logic alone gives, and keeps the table that people read.
func TestDatesDeviateFromThoseOfFilesAsInTheTable(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString(
		"What the logic of the files gives beside what the tools have written into them: how many values of each field were\ncompared, to the second, and each that deviates with the reason.\n",
	)
	for _, name := range []string{
		"BaselineProjects.xml", "MultiprojectWithExternal.xer", "MultiprojectWithExternal.xml", "mspdi-mp_j30_a2_nr1.xml",
		"p6-5.0-roles-resources.xer",
	} {
		p := read(t, name, planner.Options{Page: planner.Windows1251})
		s, err := p.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&table, "\n%s\n", name)
		for _, field := range compared {
			values, lines := 0, ""
			for i := range p.Tasks {
				file, ours := inFile(&p.Tasks[i], field, p.Profile()), computed(s.Dates(i), field)
				if file == "" {
					continue
				}
				if values++; file == ours {
					continue
				}
				reason := reasons[name+" "+p.Tasks[i].ID]
				if reason == "" {
					t.Errorf(
						"%s: the %s of task %s is %s in the file and %s here, for an unknown reason", name, field, p.Tasks[i].ID,
						file, ours,
					)
				}
				lines += fmt.Sprintf(
					"    task %s (%s): %s in the file, %s by its logic: %s\n", p.Tasks[i].ID, p.Tasks[i].Name, file, ours,
					reason,
				)
			}
			if values > 0 {
				fmt.Fprintf(&table, "  %-13s%3d compared, %d deviate\n%s", field, values, strings.Count(lines, "\n"), lines)
			}
		}
	}
	const path = "testdata/deviations.txt"
	if *update {
		if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), table.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
