package platform

import (
	"context"
	"slices"
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
				var p forms.FormPatch
				n := f.NewForm
				had := clearing(&n.FormFields, &p.FormFields)
				s.next, n.Number, n.Restored = f.ID, f.Number, f.restored()
				p.Restored = n.Restored
				res, err := s.Forms.CreateForm(ctx, n)
				if err := asChosen(f.ID, res.Value().ID, err); err != nil || !had {
					return err
				}
				return outcome(s.Forms.UpdateForm(ctx, f.ID, p))
			},
			remove: func(ctx context.Context) error { return s.Forms.DeleteForm(ctx, f.ID) },
		}
	})
}

// restored is the maker and the last editor of a form in a world.
func (f *Form) restored() *forms.RestoredForm {
	return &forms.RestoredForm{
		CreatedBy:            forms.Person{ID: f.CreatedByID, DisplayName: f.CreatedBy},
		LastModifiedBy:       forms.Person{ID: f.LastModifiedByID, DisplayName: f.LastModifiedBy},
		LastModifiedDateTime: f.LastModifiedDateTime,
	}
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
		if _, err := s.Forms.UpdateFormDefinition(ctx, d.ID,
			forms.FormDefinitionPatch{Status: twinplatform.Set(d.Status)}); err != nil {
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

// clearing makes of fields that are null, because they had a value once, ones that
// have some, and a patch that clears them: a new form cannot say it. It reports
// whether there are any.
func clearing(n, p *forms.FormFields) bool {
	someone := forms.Person{ID: "00000000-0000-4000-8000-000000000000", DisplayName: "Nobody"}
	if n.Assignees.IsNull() { // the primary one goes with the others
		n.Assignee, p.Assignees = twinplatform.Set(someone), n.Assignees
		n.Assignees = twinplatform.Set([]forms.Assignee{{ID: someone.ID, DisplayName: someone.DisplayName}})
	}
	some, point := twinplatform.At(time.Unix(0, 0)), forms.Point3D{}
	camera := forms.CameraView{
		Direction: twinplatform.Set(point), Up: twinplatform.Set(point),
		ViewPoint: twinplatform.Set(point),
	}
	return slices.Contains([]bool{
		p.Assignees.IsNull(),
		cleared(&n.Assignee, &p.Assignee, someone),
		cleared(&n.Description, &p.Description, "-"),
		cleared(&n.DueDate, &p.DueDate, some),
		cleared(&n.ModelEventDateTime, &p.ModelEventDateTime, some),
		cleared(&n.Subject, &p.Subject, "-"),
		clearedIn(&n.Location, &p.Location, func(n, p *forms.Location) []bool {
			return []bool{
				cleared(&n.Description, &p.Description, "-"), cleared(&n.Elevation, &p.Elevation, 0),
				cleared(&n.Latitude, &p.Latitude, 0), cleared(&n.Longitude, &p.Longitude, 0),
			}
		}),
		clearedIn(&n.BoundingBox, &p.BoundingBox, func(n, p *forms.BoundingBox) []bool {
			return []bool{
				cleared(&n.LowerLeftPoint3D, &p.LowerLeftPoint3D, point),
				cleared(&n.UpperRightPoint3D, &p.UpperRightPoint3D, point),
			}
		}),
		clearedIn(&n.ModelPin, &p.ModelPin, func(n, p *forms.ModelPin) []bool {
			return []bool{cleared(&n.Description, &p.Description, "-"), cleared(&n.Location, &p.Location, point)}
		}),
		clearedIn(&n.ModelView, &p.ModelView, func(n, p *forms.ModelView) []bool {
			return []bool{cleared(&n.CameraView, &p.CameraView, camera), cleared(&n.ModelJsView, &p.ModelJsView, "-")}
		}),
	}, true)
}

// clearedIn is cleared for the members of a part.
func clearedIn[T any](field, patch *twinplatform.Optional[T], each func(n, p *T) []bool) bool {
	n, given := field.Get()
	var p T
	if !given || !slices.Contains(each(&n, &p), true) {
		return false
	}
	*field, *patch = twinplatform.Set(n), twinplatform.Set(p)
	return true
}

func cleared[T any](field, patch *twinplatform.Optional[T], v T) bool {
	if !field.IsNull() {
		return false
	}
	*patch, *field = *field, twinplatform.Set(v)
	return true
}
