package schedules

import (
	"cmp"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// MaxProjectNotes is the number of notes of all projects of a schedule.
const MaxProjectNotes = 200

// ProjectNote is a note about a project. It is kept as it is given.
type ProjectNote struct {
	// ProjectID is one of Projects; left out of a note about the schedule itself, which is the
	// first of several projects.
	ProjectID twinplatform.NullString `json:"projectId,omitzero"`
	Topic     string                  `json:"topic,omitempty"` // up to MaxComment characters
	Text      string                  `json:"text"`            // up to MaxNote characters
}

func checkProjectNotes(c *problem.Checks, name string, all []ProjectNote) {
	checkEach(c, name, all, MaxProjectNotes, "A schedule has at most %d notes about its projects.", (*ProjectNote).check)
}

func (n *ProjectNote) check(c *problem.Checks, at string) {
	c.AtMost(at+".projectId", string(n.ProjectID), MaxID)
	c.AtMost(at+".topic", n.Topic, MaxComment)
	c.AtMost(at+".text", n.Text, MaxNote)
}

// describeProjectNotes tells what notes about projects are held to.
func describeProjectNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[ProjectNote](), schema.May("projectId", schema.AtMost(MaxID)), schema.May("topic", schema.AtMost(MaxComment)), schema.May("text", schema.AtMost(MaxNote)))
}

// sayProjectNotes is what the file notes of its projects; nil where that is nothing.
func (d *planDiff) sayProjectNotes() part[ProjectScheduling] {
	var notes []ProjectNote
	for i := range d.file.Projects {
		p := &d.file.Projects[i]
		label := cmp.Or(p.Code, p.ID)
		for _, n := range p.Notes {
			if len(notes) == MaxProjectNotes {
				d.warn("Warning: Project (ID=%s) has a note too many (Notes): a schedule keeps %d; it was ignored.", label, MaxProjectNotes)
				continue
			}
			one := ProjectNote{Topic: d.textOf("the topic of a note of project", label, n.Topic, MaxComment), Text: d.textOf("a note of project", label, n.Text, MaxNote)}
			if i > 0 {
				one.ProjectID = twinplatform.NullString(d.projectIDs[p.ID])
			}
			notes = append(notes, one)
		}
	}
	said := any(notes)
	if notes == nil {
		said = nil
	}
	return always(d.w.Modes.Notebooks, said, func(v *ProjectScheduling) { v.Notes = notes })
}

// addProjectNotes adds the notes about the projects of a schedule to those of the file.
func (e *planExport) addProjectNotes() {
	for i := range e.settings.Notes {
		n := &e.settings.Notes[i]
		p := &e.Projects[e.builder.projects[string(n.ProjectID)]]
		p.Notes = append(p.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
}
