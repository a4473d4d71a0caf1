package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

func (s *seeder) models(w *World) []part {
	return partsOf(w.Models, func(m *Model) part {
		return part{
			id: m.ID, key: key(m.TwinID, m.ID), twin: m.TwinID, at: m.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.Transform.Models().Model(ctx, m.ID)) },
			make:   func(ctx context.Context) error { return s.makeModel(ctx, m) },
			remove: func(ctx context.Context) error { return s.Transform.Models().DeleteModel(ctx, m.ID) },
		}
	})
}

// makeModel makes a model and fills it.
func (s *seeder) makeModel(ctx context.Context, m *Model) error {
	if _, err := s.Transform.Models().CreateModel(ctx, m.NewModel); err != nil {
		return err
	}
	for i, c := range m.Changesets {
		s.at = c.CreatedDateTime
		if err := s.makeChangeset(entity.As(ctx, c.CreatedBy), m.ID, c); err != nil {
			return fmt.Errorf("changesets[%d]: %w", i, err)
		}
	}
	for i, v := range m.NamedVersions {
		s.at = v.CreatedDateTime
		if _, err := s.Transform.Models().CreateNamedVersion(entity.As(ctx, v.CreatedBy), m.ID,
			v.NewNamedVersion); err != nil {
			return fmt.Errorf("namedVersions[%d]: %w", i, err)
		}
	}
	if err := s.makeViewParts(ctx, m); err != nil {
		return err
	}
	for i, member := range m.Members {
		s.at = member.CreatedDateTime
		if err := s.makeModelMember(ctx, m, member); err != nil {
			return fmt.Errorf("members[%d]: %w", i, err)
		}
	}
	return nil
}

// makeViewParts makes what the views of a model are sorted by. Its id is the model's.
func (s *seeder) makeViewParts(ctx context.Context, m *Model) error {
	for i, g := range m.ViewGroups {
		s.at, g.ModelID = g.CreatedDateTime, m.ID
		if _, err := s.Transform.Models().CreateViewGroup(entity.As(ctx, g.CreatedBy), g.NewViewGroup); err != nil {
			return fmt.Errorf("savedViewGroups[%d]: %w", i, err)
		}
	}
	for i, t := range m.ViewTags {
		s.at, t.ModelID = t.CreatedDateTime, m.ID
		if _, err := s.Transform.Models().CreateViewTag(entity.As(ctx, t.CreatedBy), t.NewViewTag); err != nil {
			return fmt.Errorf("savedViewTags[%d]: %w", i, err)
		}
	}
	return nil
}

func (s *seeder) makeChangeset(ctx context.Context, modelID string, c Changeset) error {
	return outcome(s.Transform.Models().RestoreChangeset(ctx, modelID, models.RestoredChangeset{
		ID: c.ID, Description: c.Description, Extents: c.Extents, Changes: c.changes(),
	}))
}

// changes yields what a changeset did.
func (c *Changeset) changes() iter.Seq2[models.RestoredChange, error] {
	return func(yield func(models.RestoredChange, error) bool) {
		for kind, elements := range map[models.ChangeKind][]Element{
			models.Inserted: c.Inserted,
			models.Updated:  c.Updated,
		} {
			for _, e := range elements {
				if !yield(models.RestoredChange{Kind: kind, Element: e.NewElement, Aspects: e.Aspects}, nil) {
					return
				}
			}
		}
		for _, id := range c.Deleted {
			if !yield(models.RestoredChange{Kind: models.Removed, Element: models.NewElement{ID: id}}, nil) {
				return
			}
		}
	}
}

func (s *seeder) makeModelMember(ctx context.Context, m *Model, member ModelMember) error {
	ids, err := s.roleIDs(ctx, m.TwinID, member.Roles...)
	if err != nil {
		return err
	}
	n := member.NewModelMember
	n.RoleIDs = append(ids, n.RoleIDs...)
	return outcome(s.Transform.Models().CreateModelMember(ctx, m.ID, n))
}

func (s *seeder) savedViews(w *World) []part {
	return partsOf(w.SavedViews, func(v *SavedView) part {
		twin := v.TwinID
		if i := slices.IndexFunc(w.Models, func(m Model) bool { return m.ID == v.ModelID }); i >= 0 {
			twin = cmp.Or(twin, w.Models[i].TwinID)
		}
		return part{
			id: v.ID, key: key(v.TwinID+"\n"+v.ModelID, v.ID), twin: twin, at: v.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.Transform.Models().SavedView(ctx, v.ID)) },
			make:   func(ctx context.Context) error { return s.makeSavedView(ctx, v) },
			remove: func(ctx context.Context) error { return s.Transform.Models().DeleteSavedView(ctx, v.ID) },
		}
	})
}

func (s *seeder) makeSavedView(ctx context.Context, v *SavedView) error {
	n, create := v.NewSavedView, s.Transform.Models().CreateSavedView
	n.TwinID = v.TwinID
	if n.ChangesetID = v.ChangesetID.Or(""); v.ChangesetID.IsNull() {
		create = s.Transform.Models().RestoreSavedView
	}
	if _, err := create(ctx, n); err != nil {
		return err
	}
	for i, e := range v.Extensions {
		if _, err := s.Transform.Models().SetViewExtension(ctx, v.ID, e); err != nil {
			return fmt.Errorf("extensions[%d]: %w", i, err)
		}
	}
	return nil
}

func (s *seeder) configurations(w *World) []part {
	return partsOf(w.Configurations, func(c *Configuration) part {
		return part{
			id: c.ID, key: idPattern.FindString(c.ID), at: c.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.Transform.Configuration(ctx, c.ID)) },
			make:   func(ctx context.Context) error { return s.makeConfiguration(ctx, c) },
			remove: func(ctx context.Context) error { return s.Transform.DeleteConfiguration(ctx, c.ID) },
		}
	})
}

func (s *seeder) makeConfiguration(ctx context.Context, c *Configuration) error {
	if _, err := s.Transform.RestoreConfiguration(ctx, transform.RestoredConfiguration{
		ID: c.ID, NewConfiguration: c.NewConfiguration, CreatedDateTime: c.CreatedDateTime,
		ModifiedDateTime: c.ModifiedDateTime,
	}); err != nil {
		return err
	}
	for i, t := range c.Transformations {
		t.Transformation.ConfigurationID, t.Transformation.Report = c.ID, t.Report
		if err := s.makeTransformation(ctx, t.Transformation); err != nil {
			return fmt.Errorf("transformations[%d]: %w", i, err)
		}
	}
	return nil
}

// makeTransformation makes a transformation unless an interrupted seeding has: those of
// a configuration stay when that is removed.
func (s *seeder) makeTransformation(ctx context.Context, t transform.Transformation) error {
	_, err := s.Transform.RestoreTransformation(ctx, t)
	if !errors.Is(err, twinplatform.Conflict) {
		return err
	}
	if there, err2 := s.Transform.Transformation(ctx, t.ID); err2 != nil ||
		there.Value.ConfigurationID != t.ConfigurationID {
		return err
	}
	return nil
}
