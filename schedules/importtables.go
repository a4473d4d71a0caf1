package schedules

import (
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// namedAtOnce is how many members of a table one warning names.
const namedAtOnce = 100

// tablesLeft warns of the tables and members of the file that nothing of the plan is made of.
func (d *planDiff) tablesLeft() {
	for i := range d.file.Tables {
		t := &d.file.Tables[i]
		members := membersLeft(t)
		for from := 0; from < len(members); from += namedAtOnce {
			some := members[from:min(from+namedAtOnce, len(members))]
			d.warn("Warning: %s of the file has members that a schedule does not keep; they were ignored, in brackets of how many: %s.", t.Name, strings.Join(some, ", "))
		}
	}
}

// membersLeft are the members of a table that have a value somewhere, with how many have one. The
// first is the id of what the others are of.
func membersLeft(t *planner.Table) (members []string) {
	fields := t.Fields
	if len(fields) > 1 {
		fields = fields[1:]
	}
	valued := make([]int, len(fields))
	for _, row := range t.Rows {
		at := 0
		if len(t.Fields) > 1 {
			_, row, _ = strings.Cut(row, "\t")
		}
		for value := range strings.SplitSeq(row, "\t") {
			if at < len(valued) && value != "" {
				valued[at]++
			}
			at++
		}
	}
	for i, n := range valued {
		if n > 0 {
			members = append(members, fmt.Sprintf("%s (%d)", fields[i], n))
		}
	}
	return members
}
