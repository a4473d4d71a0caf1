package schedules

import (
	"cmp"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// noted is the comment with the text of notes, as far as it has room, and whether that is all.
func noted(notes []planner.Note) (comment string, whole bool) {
	comment, cut := cutText(strings.ToValidUTF8(notesOf(notes), "�"), MaxComment)
	return comment, !cut && (len(notes) == 0 || len(notes) == 1 && notes[0].Topic == "")
}

// addNotes adds what is noted of a task: its notes, and a comment that differs from them.
func (t *Task) addNotes(out *planner.Task) {
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
	if content, _ := noted(out.Notes); t.Comment != content && t.Comment != "" {
		out.Notes = append(out.Notes, planner.Note{Text: t.Comment})
	}
}

// projectNoteContent is what the file notes of its projects; nil where that is nothing.
func (d *planDiff) projectNoteContent() part[ProjectScheduling] {
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
	content := any(notes)
	if notes == nil {
		content = nil
	}
	return always(d.w.Modes.Notebooks, content, func(v *ProjectScheduling) { v.Notes = notes })
}

// addProjectNotes adds the notes about the projects of a schedule to those of the file.
func (e *planExport) addProjectNotes() {
	for i := range e.settings.Notes {
		n := &e.settings.Notes[i]
		p := &e.Projects[e.builder.projects[string(n.ProjectID)]]
		p.Notes = append(p.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
}
