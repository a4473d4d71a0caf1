package schedules

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// Limits of notes.
const (
	MaxNotes = 50     // of a task
	MaxNote  = 20_000 // characters of each
)

// TaskNote is a note about a task, which may be longer than its comment and has a topic. It is
// kept as it is given.
type TaskNote struct {
	Topic string `json:"topic,omitempty"` // up to MaxComment characters
	Text  string `json:"text"`            // up to MaxNote characters
}

func checkNotes(c *problem.Checks, name string, all []TaskNote) {
	checkEach(c, name, all, MaxNotes, "A task has at most %d notes.", (*TaskNote).check)
}

func (n *TaskNote) check(c *problem.Checks, at string) {
	c.AtMost(at+".topic", n.Topic, MaxComment)
	c.AtMost(at+".text", n.Text, MaxNote)
}

// noteBytes is how many bytes the notes of a task have.
func (t *Task) noteBytes() (n int) {
	for i := range t.Notes {
		n += len(t.Notes[i].Topic) + len(t.Notes[i].Text)
	}
	return n
}

// describeNotes tells what notes are held to.
func describeNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[TaskNote](), schema.May("topic", schema.AtMost(MaxComment)), schema.May("text", schema.AtMost(MaxNote)))
}

// noted is the comment that says what notes say, as far as it holds that, and whether it says all.
func noted(notes []planner.Note) (comment string, whole bool) {
	comment, cut := cutText(strings.ToValidUTF8(notesOf(notes), "�"), MaxComment)
	return comment, !cut && (len(notes) == 0 || len(notes) == 1 && notes[0].Topic == "")
}

// sayNotes is what the file notes of a task: a comment, and the notes where that does not say all.
func (d *planDiff) sayNotes(t *planner.Task) (any, func(*Task)) {
	comment, whole := noted(t.Notes)
	if whole {
		return comment, func(v *Task) { v.Comment, v.Notes = comment, nil }
	}
	label, all := cmp.Or(t.Code, t.ID), t.Notes
	if len(all) > MaxNotes {
		d.warn("Warning: Task (ID=%s) has %d notes; those behind the first %d were ignored.", label, len(all), MaxNotes)
		all = all[:MaxNotes]
	}
	notes := make([]TaskNote, len(all))
	for i, n := range all {
		notes[i] = TaskNote{Topic: d.textOf("the topic of a note of task", label, n.Topic, MaxComment), Text: d.textOf("a note of task", label, n.Text, MaxNote)}
	}
	return []any{comment, notes}, func(v *Task) { v.Comment, v.Notes = comment, notes }
}

// addNotes adds what is noted of a task: its notes, and a comment that is not what they say.
func (t *Task) addNotes(out *planner.Task) {
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
	if said, _ := noted(out.Notes); t.Comment != said && t.Comment != "" {
		out.Notes = append(out.Notes, planner.Note{Text: t.Comment})
	}
}
