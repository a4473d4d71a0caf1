package platform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

func (s *seeder) applyModels(ctx context.Context, w *World) (tally, error) {
	return each(ctx, s, "models", "model", w.Models, func(m *Model) (context.Context, part) {
		ctx, account := s.within(ctx, m.TwinID)
		return ctx, part{
			id: m.ID, account: account, at: m.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Transform.Model(ctx, m.ID)) },
			make: func(ctx context.Context) error { return outcome(s.Transform.CreateModel(ctx, m.NewModel)) },
		}
	})
}

func (s *seeder) applySavedViews(ctx context.Context, w *World) (tally, error) {
	return each(ctx, s, "savedViews", "saved view", w.SavedViews, func(v *SavedView) (context.Context, part) {
		twin := v.TwinID
		if i := slices.IndexFunc(w.Models, func(m Model) bool { return m.ID == v.ModelID }); i >= 0 {
			twin = cmp.Or(twin, w.Models[i].TwinID)
		}
		ctx, account := s.within(ctx, twin)
		return ctx, part{
			id: v.ID, account: account, at: v.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Transform.SavedView(ctx, v.ID)) },
			make: func(ctx context.Context) error { return outcome(s.Transform.CreateSavedView(ctx, v.NewSavedView)) },
		}
	})
}

func (s *seeder) applyDefinitions(ctx context.Context, w *World) (tally, error) {
	used := make(map[string]bool)
	for _, f := range w.Forms {
		used[f.FormID] = true
	}
	return each(ctx, s, "formDefinitions", "form definition", w.FormDefinitions, func(d *FormDefinition) (context.Context, part) {
		return ctx, part{
			id:   d.ID,
			find: func(ctx context.Context) error { return outcome(s.Forms.Definition(ctx, d.ID)) },
			make: func(ctx context.Context) error {
				s.next = d.ID
				n := d.NewDefinition
				if used[d.ID] && n.Status != "" {
					n.Status = forms.Approved // until its forms are there
				}
				res, err := s.Forms.CreateDefinition(ctx, n)
				return asChosen(d.ID, res.Value().ID, err)
			},
			remove: func(ctx context.Context) error { return s.Forms.DeleteDefinition(ctx, d.ID) },
		}
	})
}

func (s *seeder) applyForms(ctx context.Context, w *World) (tally, error) {
	return each(ctx, s, "forms", "form", w.Forms, func(f *Form) (context.Context, part) {
		return ctx, part{
			id: f.ID, at: f.CreatedDateTime,
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

// applyStatuses gives the definitions the status and the security that they have
// once their forms are there.
func (s *seeder) applyStatuses(ctx context.Context, w *World) (tally, error) {
	unfinished := slices.DeleteFunc(slices.Clone(w.FormDefinitions), func(d FormDefinition) bool {
		return len(d.Security) == 0 && (d.Status == "" || d.Status == forms.Approved)
	})
	_, err := each(ctx, s, "formDefinitions/final", "form definition", unfinished, func(d *FormDefinition) (context.Context, part) {
		return ctx, part{
			id:   d.ID,
			find: func(context.Context) error { return errUnmade },
			make: func(ctx context.Context) error { return s.finishDefinition(ctx, d) },
		}
	})
	return tally{}, err // they were counted when they were made
}

// errUnmade tells of a part that was never made.
var errUnmade = &twinplatform.Error{Kind: twinplatform.NotFound, Code: "NotMade", Message: "The part was not made."}

func (s *seeder) finishDefinition(ctx context.Context, d *FormDefinition) error {
	rec, err := s.Forms.Definition(ctx, d.ID)
	if err != nil {
		return err
	}
	if d.Status != "" && rec.Value.Status != d.Status {
		if _, err := s.Forms.UpdateDefinition(ctx, d.ID, forms.DefinitionPatch{Status: twinplatform.Set(d.Status)}); err != nil {
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

func (s *seeder) applyRealityData(ctx context.Context, w *World) (tally, error) {
	return each(ctx, s, "realityData", "reality data", w.RealityData, func(d *RealityData) (context.Context, part) {
		id := strings.ToLower(d.ID)
		return ctx, part{
			id: id, at: d.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.RealityData.Get(ctx, id, "")) },
			make:   func(ctx context.Context) error { return s.makeRealityData(ctx, id, *d) },
			remove: func(ctx context.Context) error { return s.RealityData.Delete(ctx, id) },
		}
	})
}

func (s *seeder) makeRealityData(ctx context.Context, id string, d RealityData) error {
	n := d.NewRealityData
	if n.TwinID == "" && len(d.TwinIDs) > 0 {
		n.TwinID = d.TwinIDs[0]
	}
	by := ctx
	if n.TwinID == "" && d.AccountID != "" {
		by = insider(ctx, d.AccountID)
	}
	s.next = id
	res, err := s.RealityData.Create(by, n)
	if err := asChosen(id, res.Value().ID, err); err != nil {
		return err
	}
	for _, twin := range d.TwinIDs {
		if strings.EqualFold(twin, n.TwinID) {
			continue
		}
		if err := s.RealityData.Associate(ctx, id, twin); err != nil {
			return err
		}
	}
	return nil
}

// applyDetectors makes those that are published last: no account may begin a
// detector with the name of a published one.
func (s *seeder) applyDetectors(ctx context.Context, w *World) (tally, error) {
	detectors := slices.Clone(w.Detectors)
	published := func(d Detector) int {
		if slices.ContainsFunc(d.Versions, func(v DetectorVersion) bool { return v.Published }) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(detectors, func(a, b Detector) int { return published(a) - published(b) })
	return each(ctx, s, "detectors", "detector", detectors, func(d *Detector) (context.Context, part) {
		owner := twinplatform.Principal{
			ID: cmp.Or(d.OwnerID, s.owner.ID), AccountID: cmp.Or(d.AccountID, s.owner.AccountID), Kind: twinplatform.User,
		}
		return twinplatform.WithPrincipal(ctx, owner), part{
			id: d.Name, account: &owner.AccountID,
			find: func(ctx context.Context) error {
				found, err := s.RealityData.Detector(ctx, d.Name)
				if err == nil && found.Value.AccountID != owner.AccountID {
					err = errUnmade // a published one of another account
				}
				return err
			},
			make:   func(ctx context.Context) error { return s.makeDetector(ctx, owner, d) },
			remove: func(ctx context.Context) error { return s.RealityData.DeleteDetector(ctx, d.Name) },
		}
	})
}

// makeDetector makes a detector in the name of its owner.
func (s *seeder) makeDetector(ctx context.Context, owner twinplatform.Principal, d *Detector) error {
	if _, err := s.RealityData.CreateDetector(ctx, d.NewDetector); err != nil {
		return err
	}
	for _, v := range d.Versions {
		if err := s.makeDetectorVersion(ctx, owner, d.Name, v); err != nil {
			return fmt.Errorf("version %q: %w", v.VersionNumber, err)
		}
	}
	return nil
}

func (s *seeder) makeDetectorVersion(ctx context.Context, owner twinplatform.Principal, name string, v DetectorVersion) error {
	if v.CreatorID != "" && v.CreatorID != owner.ID {
		owner.ID = v.CreatorID
	}
	s.at = v.CreationDate.Time
	ctx = twinplatform.WithPrincipal(ctx, owner)
	if _, _, err := s.RealityData.CreateDetectorVersion(ctx, name, v.NewDetectorVersion); err != nil {
		return err
	}
	if v.Status == realitydata.AwaitingData {
		return nil
	}
	err := s.RealityData.CompleteDetectorVersion(ctx, name, v.VersionNumber)
	if err == nil && v.Published {
		err = s.RealityData.PublishDetectorVersion(ctx, name, v.VersionNumber)
	}
	return err
}

// asChosen fails unless what was made has the id of the seed.
func asChosen(want, got string, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("it was made as %q", got)
	}
	return err
}
