package schedules

import (
	"cmp"
	"strings"
)

// unheld warns of what the file says of its tasks, and the schedule does not hold.
func (d *planDiff) unheld() {
	if len(d.file.Projects) < 2 || d.w.Modes.Tasks == SkipMode {
		return
	}
	var others []string
	for _, p := range d.file.Projects[1:] {
		others = append(others, cmp.Or(p.Code, p.Name, p.ID))
	}
	d.warn("Warning: The file has %d projects; the data date, the calendar and the options of the first are those of all, not those of %s.", len(d.file.Projects), strings.Join(others, ", "))
}
