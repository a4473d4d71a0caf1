// Package site makes what the page 4D of a schedule takes once out of answers of the API: the objects of the site with
// their changes, their boxes and their names, small enough to be sent for tens of thousands of them.
package site

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Bounds of what a page takes.
const (
	MaxObjects = 20_000
	MaxMoments = 200_000
	MaxLooks   = 24 // colours that are explained
)

// Site is what a page takes. Times are in milliseconds as the clocks of the schedule show them, as if they were of UTC.
type Site struct {
	Name     string   `json:"name"`               // by which dates it is shown
	DataDate *int64   `json:"dataDate,omitempty"` // up to when progress is recorded
	Objects  []Object `json:"objects"`            // those that show tasks first
	Tasks    []Task   `json:"tasks"`              // that objects show
	Looks    []Look   `json:"looks"`              // what colours mean
	Shaped   bool     `json:"shaped,omitempty"`   // whether the model has shapes, and not boxes alone
	Left     string   `json:"left,omitempty"`     // what is not included; a sentence
}

// Object is an entity of the 3D model.
type Object struct {
	ID      string         `json:"id"`
	Name    string         `json:"name,omitempty"` // empty for the id
	Box     []float64      `json:"box,omitempty"`  // lowest corner, highest corner; of what takes space
	Tasks   []string       `json:"tasks,omitempty"`
	Moments []Moment       `json:"moments,omitempty"` // none: it is always as the model has it
	Ways    map[string]Way `json:"ways,omitempty"`    // that it moves along
}

// Task is one by what people call it.
type Task struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Look is a colour and what it means.
type Look struct {
	Color string `json:"color"` // #rrggbb; empty for that of the model
	Text  string `json:"text"`
}

// Moment is when an object changes: it is so until the next one, but for what Until says.
type Moment struct {
	T            *int64    `json:"t,omitempty"` // none for what is before all others
	Absent       bool      `json:"absent,omitempty"`
	Color        string    `json:"color,omitempty"`        // empty for that of the model
	Transparency *float64  `json:"transparency,omitempty"` // 0 to 100; none for that of the model
	Growth       *Growth   `json:"growth,omitempty"`
	Matrix       []float64 `json:"matrix,omitempty"` // 16 numbers row by row
	Task         *int      `json:"task,omitempty"`   // the place of that which decides
	Phase        string    `json:"phase,omitempty"`  // Before, During or After it
	Critical     bool      `json:"critical,omitempty"`
	Until        *Until    `json:"until,omitempty"`
}

// Growth is how much of an object is there.
type Growth struct {
	Share    float64   `json:"share"`
	Removing bool      `json:"removing,omitempty"`
	Plane    []float64 `json:"plane,omitempty"` // normal and offset
}

// Until is what has become of a moment just before the next one: what is left out stays.
type Until struct {
	Transparency float64  `json:"transparency"`
	Share        *float64 `json:"share,omitempty"`
	Offset       *float64 `json:"offset,omitempty"`
	Motion       *Motion  `json:"motion,omitempty"`
}

// Motion is how an object moves along one of its ways.
type Motion struct {
	Way    string    `json:"way"`
	From   float64   `json:"from"`
	To     float64   `json:"to"`
	Anchor []float64 `json:"anchor"`
	Matrix []float64 `json:"matrix"`
}

// Way is a path as an object passes it: each stop is its share of the way, and then a point or a quaternion.
type Way struct {
	Positions [][]float64 `json:"positions"`
	Turns     [][]float64 `json:"turns"`
}

// Builder makes a site.
type Builder struct {
	Zone *time.Location // of the clocks of the schedule
	// Profile and Status name the appearance profiles and the status items, by their ids.
	Profile, Status map[string]string

	site    Site
	moments int
	places  map[string]int             // of the objects
	tasks   map[string]int             // their places
	looks   map[string]map[string]bool // texts by colour
	lacking map[string]bool            // objects that have a timeline, and no element so far
	full    bool
}

// Full reports whether there are as many objects or moments as a page takes. Other objects are left out then.
func (b *Builder) Full() bool { return b.full }

// Done reports whether no further element is taken: the site is full, and its objects have theirs.
func (b *Builder) Done() bool { return b.full && len(b.lacking) == 0 }

// clock is a time as the clocks of the schedule show it.
func (b *Builder) clock(t time.Time) int64 {
	t = t.In(b.Zone)
	_, offset := t.Zone()
	return t.UnixMilli() + int64(offset)*1000
}

// object adds one, unless there are too many.
func (b *Builder) object(id string) *Object {
	i, known := b.places[id]
	if !known {
		if len(b.site.Objects) >= MaxObjects || b.moments >= MaxMoments {
			b.full = true
			return nil
		}
		if b.places == nil {
			b.places, b.lacking = make(map[string]int), make(map[string]bool)
		}
		i = len(b.site.Objects)
		b.places[id] = i
		b.site.Objects = append(b.site.Objects, Object{ID: id})
	}
	return &b.site.Objects[i]
}

// task is the place of one.
func (b *Builder) task(id string) int {
	i, known := b.tasks[id]
	if !known {
		if b.tasks == nil {
			b.tasks = make(map[string]int)
		}
		i = len(b.site.Tasks)
		b.tasks[id] = i
		b.site.Tasks = append(b.site.Tasks, Task{id, id})
	}
	return i
}

// Timeline adds how an entity changes.
func (b *Builder) Timeline(t *Timeline) {
	o := b.object(t.AnimatedEntityID)
	if o == nil {
		return
	}
	b.lacking[o.ID] = true
	b.moments += len(t.Moments)
	for i := range t.Moments {
		m := &t.Moments[i]
		o.Moments = append(o.Moments, b.moment(m))
		if id := m.Why.TaskID; id != "" {
			o.shows(id)
		}
		b.explain(m)
	}
	for _, w := range t.Paths {
		if o.Ways == nil {
			o.Ways = make(map[string]Way)
		}
		o.Ways[w.Animation3DPathAssignmentID] = wayOf(&w)
	}
}

func (o *Object) shows(task string) {
	if !slices.Contains(o.Tasks, task) {
		o.Tasks = append(o.Tasks, task)
	}
}

// Binding adds that an entity shows a task, also where others decide how it looks.
func (b *Builder) Binding(entityID, taskID string) {
	i, known := b.places[entityID]
	if known && taskID != "" {
		b.task(taskID)
		b.site.Objects[i].shows(taskID)
	}
}

// Element adds an element of the model: where the entity with an id is, and what it is called. One that shows no task
// is added where it is something to look at, and the site is not full.
func (b *Builder) Element(entityID string, e *Element) {
	if _, known := b.places[entityID]; !known && (e.BoundingBox == nil || e.Category == "") {
		return
	}
	o := b.object(entityID)
	if o == nil {
		return
	}
	delete(b.lacking, entityID)
	o.Name = NameOf(e)
	b.site.Shaped = b.site.Shaped || e.GeometryHash != ""
	if box := e.BoundingBox; box != nil {
		o.Box = []float64{box.Low.X, box.Low.Y, box.Low.Z, box.High.X, box.High.Y, box.High.Z}
	}
}

// NameOf is what people call an element: its code and its name; empty where it has neither.
func NameOf(e *Element) string {
	name := ""
	for _, member := range []string{"name", "Name"} {
		if v, ok := e.Properties[member].(string); ok && v != e.Code {
			name = cmp.Or(name, v)
		}
	}
	return strings.TrimSpace(e.Code + " " + name)
}

// Task names one that an object shows.
func (b *Builder) Task(id, code, name string) {
	if i, known := b.tasks[id]; known {
		b.site.Tasks[i].Name = cmp.Or(strings.TrimSpace(code+" "+name), id)
	}
}

// Site is what was added, by name. A data date that is zero is none.
func (b *Builder) Site(name string, dataDate time.Time) *Site {
	s := &b.site
	s.Name = name
	if !dataDate.IsZero() {
		at := b.clock(dataDate)
		s.DataDate = &at
	}
	if s.Tasks == nil {
		s.Tasks = []Task{}
	}
	if s.Objects == nil {
		s.Objects = []Object{}
	}
	if b.full {
		s.Left = "Not all objects are included: there are too many for a page."
	}
	s.Looks = []Look{{Text: "as the model has it"}}
	for _, color := range slices.Sorted(maps.Keys(b.looks)) {
		if len(s.Looks) == MaxLooks {
			break
		}
		texts := slices.Sorted(maps.Keys(b.looks[color]))
		s.Looks = append(s.Looks, Look{color, strings.Join(texts[:min(len(texts), 4)], ", ")})
	}
	return s
}

// explain says what the colour of a moment means.
func (b *Builder) explain(m *change) {
	color := m.Color
	if color == "" {
		return
	}
	text := cmp.Or(b.Profile[m.Why.AppearanceProfileID], m.Why.AppearanceProfileID)
	if m.Why.Phase != "" {
		text += " " + strings.ToLower(m.Why.Phase) + " the task"
	}
	if id := m.Why.ResourceStatusItemID; id != "" {
		text = "status " + cmp.Or(b.Status[id], id)
	}
	if b.looks == nil {
		b.looks = make(map[string]map[string]bool)
	}
	if b.looks[color] == nil {
		b.looks[color] = make(map[string]bool)
	}
	b.looks[color][strings.TrimSpace(text)] = true
}

func (b *Builder) moment(m *change) Moment {
	out := Moment{
		Absent: !m.IsPresent, Color: m.Color, Matrix: m.Matrix, Phase: m.Why.Phase,
		Critical: m.IsStatusCritical,
	}
	if !m.Time.IsZero() {
		at := b.clock(m.Time)
		out.T = &at
	}
	if !m.UseOriginalTransparency {
		out.Transparency = &m.Transparency
	}
	if id := m.Why.TaskID; id != "" {
		place := b.task(id)
		out.Task = &place
	}
	if g := m.Growth; g != nil {
		out.Growth = &Growth{Share: g.Share, Removing: g.IsRemoving}
		if p := g.Plane; p != nil {
			out.Growth.Plane = append(vectorOf(p.Normal), p.Offset)
		}
	}
	if u := m.Until; u != nil {
		out.Until = &Until{Transparency: u.Transparency, Share: u.Share, Offset: u.PlaneOffset}
		if v := u.Motion; v != nil {
			out.Until.Motion = &Motion{v.Animation3DPathAssignmentID, v.From, v.To, vectorOf(v.Anchor), v.Matrix}
		}
	}
	return out
}

func vectorOf(v vector) []float64 { return []float64{v.X, v.Y, v.Z} }

func wayOf(w *path) (out Way) {
	for _, p := range w.Positions {
		out.Positions = append(out.Positions, append([]float64{p.Share}, vectorOf(p.vector)...))
	}
	for _, t := range w.Turns {
		out.Turns = append(out.Turns, append(append([]float64{t.Share}, vectorOf(t.vector)...), t.W))
	}
	return out
}
