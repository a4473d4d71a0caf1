package platform

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// cleared are the fields of a form that are null because they had a value once,
// which a new form cannot say: they are given one and cleared.
type cleared []clearedField

// clearedField sets a field to something, or to null.
type clearedField func(f *forms.FormFields, null bool)

func clearing(f *forms.FormFields) (c cleared) {
	someone := forms.Person{ID: "00000000-0000-4000-8000-000000000000", DisplayName: "Nobody"}
	note := func(null bool, field clearedField) {
		if null {
			c = append(c, field)
		}
	}
	note(f.Assignee.IsNull() || f.Assignees.IsNull(), func(f *forms.FormFields, null bool) { either(&f.Assignee, someone, null) })
	note(f.Assignees.IsNull(), func(f *forms.FormFields, null bool) {
		if null { // the primary one goes with the others
			f.Assignee = twinplatform.Optional[forms.Person]{}
		}
		either(&f.Assignees, []forms.Assignee{{ID: someone.ID, DisplayName: someone.DisplayName}}, null)
	})
	note(f.Description.IsNull(), func(f *forms.FormFields, null bool) { either(&f.Description, "-", null) })
	note(f.DueDate.IsNull(), func(f *forms.FormFields, null bool) { either(&f.DueDate, twinplatform.At(time.Unix(0, 0)), null) })
	note(f.ModelEventDateTime.IsNull(), func(f *forms.FormFields, null bool) {
		either(&f.ModelEventDateTime, twinplatform.At(time.Unix(0, 0)), null)
	})
	note(f.Subject.IsNull(), func(f *forms.FormFields, null bool) { either(&f.Subject, "-", null) })
	return c
}

func either[T any](to *twinplatform.Optional[T], v T, null bool) {
	if *to = twinplatform.Set(v); null {
		*to = twinplatform.Null[T]()
	}
}

// fill gives each field something.
func (c cleared) fill(f *forms.FormFields) {
	for _, field := range c {
		field(f, false)
	}
}

// empty is the patch that clears each field.
func (c cleared) empty() (f forms.FormFields) {
	for _, field := range c {
		field(&f, true)
	}
	return f
}
