package forms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// FormFields are the properties of a form that callers set, in a new form and in
// a patch alike: what is left out stays, null clears. Null for an object clears
// what it holds; null for Properties leaves them as they are.
type FormFields struct {
	// Assignee replaces the primary assignee.
	Assignee twinplatform.Optional[Person] `json:"assignee,omitzero"`
	// Assignees replaces all assignees. The primary one stays when it is among
	// them; otherwise the first user takes its place.
	Assignees twinplatform.Optional[[]Assignee] `json:"assignees,omitzero"`
	// BoundingBox has both corners.
	BoundingBox twinplatform.Optional[BoundingBox] `json:"boundingBox,omitzero"`
	// Description has at most 32,000 characters.
	Description twinplatform.Optional[string] `json:"description,omitzero"`
	// by when action is due; null clears it
	DueDate twinplatform.Optional[twinplatform.DateTime] `json:"dueDate,omitzero"`
	// merged into what is there; null clears it
	Location twinplatform.Optional[Location] `json:"location,omitzero"`
	// the time represented in a 4D model; null clears it
	ModelEventDateTime twinplatform.Optional[twinplatform.DateTime] `json:"modelEventDateTime,omitzero"`
	// merged into what is there; null clears it
	ModelPin  twinplatform.Optional[ModelPin]  `json:"modelPin,omitzero"`
	ModelView twinplatform.Optional[ModelView] `json:"modelView,omitzero"` // merged into what is there; null clears it
	// Properties has at most 64 KiB as JSON, together with what is there. Each
	// property is set as a whole; null removes it.
	Properties twinplatform.Optional[Properties] `json:"properties,omitzero"`
	// in place of what is there; null clears it
	SourceEntity twinplatform.Optional[SourceEntity] `json:"sourceEntity,omitzero"`
	// Status is one of the workflow of the form's type. Null makes it the
	// initial one.
	Status twinplatform.Optional[string] `json:"status,omitzero"`
	// Subject has at most 1,000 characters.
	Subject twinplatform.Optional[string] `json:"subject,omitzero"`
}

// check checks what does not need the form.
func (n *FormFields) check(c *problem.Checks) {
	c.AtMost("subject", n.Subject.Or(""), MaxText)
	c.AtMost("description", n.Description.Or(""), MaxDescription)
	c.Date("dueDate", n.DueDate.Or(twinplatform.DateTime{}))
	c.Date("modelEventDateTime", n.ModelEventDateTime.Or(twinplatform.DateTime{}))
	if p, ok := n.Assignee.Get(); ok {
		checkPerson(c, "assignee", p)
	}
	c.Holds(schema.May("assignees", schema.List(0, MaxAssignees, schema.Value{})))
	if list := n.Assignees.Or(nil); len(list) > MaxAssignees {
		c.Bad("assignees", "A form has at most %d assignees.", MaxAssignees)
	} else {
		for i, a := range list {
			checkPerson(c, fmt.Sprintf("assignees[%d]", i), Person{a.DisplayName, a.ID})
		}
	}
	checkProperties(c, n.Properties.Or(nil))
	checkObject(c, n.BoundingBox, (*BoundingBox).check)
	checkObject(c, n.Location, (*Location).check)
	checkObject(c, n.ModelPin, (*ModelPin).check)
	checkObject(c, n.ModelView, (*ModelView).check)
	checkObject(c, n.SourceEntity, (*SourceEntity).check)
}

func checkObject[T any](c *problem.Checks, sent twinplatform.Optional[T], check func(*T, *problem.Checks)) {
	if v, ok := sent.Get(); ok {
		check(&v, c)
	}
}

func checkPerson(c *problem.Checks, target string, p Person) {
	c.Given(target+".id", p.ID != "")
	c.GUID(target+".id", p.ID)
	c.AtMost(target+".displayName", p.DisplayName, MaxName)
}

// apply changes the form, or returns all violations.
func (n *FormFields) apply(f *Form, w Workflow) error {
	var c problem.Checks
	merge(&f.Subject, n.Subject)
	merge(&f.Description, n.Description)
	merge(&f.DueDate, n.DueDate)
	merge(&f.ModelEventDateTime, n.ModelEventDateTime)
	mergeObject(&f.BoundingBox, n.BoundingBox, (*BoundingBox).merge)
	mergeObject(&f.Location, n.Location, (*Location).merge)
	mergeObject(&f.ModelPin, n.ModelPin, (*ModelPin).merge)
	mergeObject(&f.ModelView, n.ModelView, (*ModelView).merge)
	mergeObject(&f.SourceEntity, n.SourceEntity, (*SourceEntity).merge)
	if f.BoundingBox != nil {
		f.BoundingBox.whole(&c)
	}
	f.Properties = mergeProperties(&c, f.Properties, n.Properties)
	n.assign(&c, f)
	if n.Status.Present() {
		f.Status = n.Status.Or(w.Initial)
		if _, ok := w.status(f.Status); !ok {
			c.Bad("status", "The value of 'status' is one of %s.", strings.Join(w.names(), ", "))
		}
	}
	f.derive(w)
	return c.Err(InvalidRequest)
}

// derive sets what follows from the rest of the form.
func (f *Form) derive(w Workflow) {
	if s, ok := w.status(f.Status); ok {
		f.State, f.StatusColor = s.State, s.Color
	}
	if f.DisplayName = f.Subject.Or(""); f.DisplayName == "" {
		f.DisplayName = f.Number
	}
}

// assign sets the assignees, and keeps the primary one among them.
func (n *FormFields) assign(c *problem.Checks, f *Form) {
	if !n.Assignee.Present() && !n.Assignees.Present() {
		return
	}
	a := assignment{list: slices.Clone(f.Assignees.Or(nil))}
	a.primary, a.some = f.Assignee.Get()
	if n.Assignees.Present() {
		a.replace(n.Assignees.Or(nil))
	} else if a.some {
		a.list = slices.DeleteFunc(a.list, func(one Assignee) bool { return one.ID == a.primary.ID })
	}
	if n.Assignee.Present() {
		a.lead(n.Assignee.Get())
	}
	if len(a.list) > MaxAssignees {
		c.Bad("assignees", "A form has at most %d assignees.", MaxAssignees)
	}
	f.Assignee = setOrCleared(f.Assignee, a.primary, a.some)
	f.Assignees = setOrCleared(f.Assignees, a.list, len(a.list) > 0)
}

// assignment is who a form is assigned to. The primary assignee, if there is some,
// is in the list.
type assignment struct {
	primary Person
	some    bool
	list    []Assignee
}

func (a *assignment) index(is func(Assignee) bool) int { return slices.IndexFunc(a.list, is) }

// replace puts others, each once, in place of all. The primary one stays when it is among
// them; otherwise the first user takes its place.
func (a *assignment) replace(others []Assignee) {
	a.list = nil
	for _, other := range others {
		p := named(Person{other.DisplayName, other.ID})
		if a.index(func(one Assignee) bool { return one.ID == p.ID }) < 0 {
			a.list = append(a.list, Assignee{p.DisplayName, p.ID, other.IsRole})
		}
	}
	i := a.index(func(one Assignee) bool { return a.some && one.ID == a.primary.ID })
	if i < 0 {
		i = a.index(func(one Assignee) bool { return !one.IsRole })
	}
	if a.some = i >= 0; a.some {
		a.primary = Person{a.list[i].DisplayName, a.list[i].ID}
	}
}

// lead makes someone, or no one, the primary assignee.
func (a *assignment) lead(p Person, some bool) {
	a.primary, a.some = named(p), some
	if some && a.index(func(one Assignee) bool { return one.ID == a.primary.ID }) < 0 {
		a.list = slices.Insert(a.list, 0, Assignee{a.primary.DisplayName, a.primary.ID, false})
	}
}

// named is a person with the id in lower case and a name.
func named(p Person) Person {
	if id, ok := parseGUID(p.ID); ok {
		p.ID = id
	}
	if p.DisplayName == "" {
		p.DisplayName = p.ID
	}
	return p
}

// setOrCleared is a value, or null in place of one that was set before.
func setOrCleared[T any](was twinplatform.Optional[T], v T, ok bool) twinplatform.Optional[T] {
	if ok {
		return twinplatform.Set(v)
	}
	if was.Present() {
		return twinplatform.Null[T]()
	}
	return was
}

// parts reports which kinds of properties are sent; each takes its own permission.
func (n *FormFields) parts() (status, assignees, others bool) {
	others = n.Subject.Present() || n.Description.Present() || n.DueDate.Present() || n.Location.Present() ||
		n.ModelEventDateTime.Present() || n.ModelPin.Present() || n.ModelView.Present() || n.Properties.Present() ||
		n.SourceEntity.Present() || n.BoundingBox.Present()
	return n.Status.Present(), n.Assignee.Present() || n.Assignees.Present(), others
}
