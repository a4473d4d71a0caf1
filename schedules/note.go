package schedules

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Limits of notes.
const (
	MaxNotes        = 50     // of a task
	MaxProjectNotes = 200    // of all projects of a schedule
	MaxNote         = 20_000 // characters of each
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

// describeNotes declares the limits of notes.
func describeNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[TaskNote](), schema.May("topic", schema.AtMost(MaxComment)), schema.May("text", schema.AtMost(MaxNote)))
}

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

// describeProjectNotes declares the limits of notes about projects.
func describeProjectNotes(b *schema.Book) {
	b.Has(reflect.TypeFor[ProjectNote](), schema.May("projectId", schema.AtMost(MaxID)), schema.May("topic", schema.AtMost(MaxComment)), schema.May("text", schema.AtMost(MaxNote)))
}
