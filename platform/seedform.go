package platform

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func (s *seeder) definitions(w *World) []part {
	used := make(map[string]bool)
	for _, f := range w.Forms {
		used[f.FormID] = true
	}
	return partsOf(w.FormDefinitions, func(d *FormDefinition) part {
		return part{
			id: d.ID, key: idPattern.FindString(d.ID),
			find: func(ctx context.Context) error { return outcome(s.Forms.FormDefinition(ctx, d.ID)) },
			make: func(ctx context.Context) error {
				s.next = d.ID
				n := d.NewFormDefinition
				if used[d.ID] && n.Status != "" {
					n.Status = forms.Approved // until its forms are there
				}
				res, err := s.Forms.CreateFormDefinition(ctx, n)
				return asChosen(d.ID, res.Value().ID, err)
			},
			remove: func(ctx context.Context) error { return s.Forms.DeleteFormDefinition(ctx, d.ID) },
		}
	})
}

func (s *seeder) forms(w *World) []part {
	return partsOf(w.Forms, func(f *Form) part {
		return part{
			id: f.ID, key: idPattern.FindString(f.ID), at: f.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Forms.Form(ctx, f.ID)) },
			make: func(ctx context.Context) error {
				n, had := f.NewForm, clearing(&f.FormFields)
				had.fill(&n.FormFields)
				s.next, n.Number = f.ID, f.Number
				res, err := s.Forms.CreateForm(ctx, n)
				if err := asChosen(f.ID, res.Value().ID, err); err != nil || len(had) == 0 {
					return err
				}
				return outcome(s.Forms.UpdateForm(ctx, f.ID, forms.FormPatch{FormFields: had.empty()}))
			},
			remove: func(ctx context.Context) error { return s.Forms.DeleteForm(ctx, f.ID) },
		}
	})
}

// definitionsFinal is the second list of the definitions.
const definitionsFinal = "formDefinitions/final"

// finalDefinitions gives the definitions the status and the security that they
// have once their forms are there.
func (s *seeder) finalDefinitions(w *World) (parts []part) {
	for i := range w.FormDefinitions {
		d := &w.FormDefinitions[i]
		if len(d.Security) == 0 && (d.Status == "" || d.Status == forms.Approved) {
			continue
		}
		parts = append(parts, part{
			index: i, id: d.ID, key: d.ID,
			find: func(context.Context) error { return errUnmade },
			make: func(ctx context.Context) error { return s.finishDefinition(ctx, d) },
		})
	}
	return parts
}

func (s *seeder) finishDefinition(ctx context.Context, d *FormDefinition) error {
	rec, err := s.Forms.FormDefinition(ctx, d.ID)
	if err != nil {
		return err
	}
	if d.Status != "" && rec.Value.Status != d.Status {
		if _, err := s.Forms.UpdateFormDefinition(ctx, d.ID, forms.FormDefinitionPatch{Status: twinplatform.Set(d.Status)}); err != nil {
			return err
		}
	}
	for _, in := range d.Security {
		if err := s.Forms.SetSecurity(ctx, d.ID, in.TwinID, &in.Security); err != nil {
			return err
		}
	}
	return nil
}

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
	some := twinplatform.At(time.Unix(0, 0))
	note(f.Description.IsNull(), func(f *forms.FormFields, null bool) { either(&f.Description, "-", null) })
	note(f.DueDate.IsNull(), func(f *forms.FormFields, null bool) { either(&f.DueDate, some, null) })
	note(f.ModelEventDateTime.IsNull(), func(f *forms.FormFields, null bool) { either(&f.ModelEventDateTime, some, null) })
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
