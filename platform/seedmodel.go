package platform

import (
	"context"
	"fmt"
)

func (s *seeder) models(w *World) []part {
	return partsOf(w.Models, func(m *Model) part {
		return part{
			id: m.ID, key: key(m.TwinID, m.ID), twin: m.TwinID, at: m.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.Transform.Model(ctx, m.ID)) },
			make:   func(ctx context.Context) error { return s.makeModel(ctx, m) },
			remove: func(ctx context.Context) error { return s.Transform.DeleteModel(ctx, m.ID) },
		}
	})
}

func (s *seeder) makeModel(ctx context.Context, m *Model) error {
	if _, err := s.Transform.CreateModel(ctx, m.NewModel); err != nil {
		return err
	}
	for i, member := range m.Members {
		if err := s.makeModelMember(ctx, m, member); err != nil {
			return fmt.Errorf("members[%d]: %w", i, err)
		}
	}
	return nil
}

func (s *seeder) makeModelMember(ctx context.Context, m *Model, member ModelMember) error {
	ids, err := s.roleIDs(ctx, m.TwinID, member.Roles...)
	if err != nil {
		return err
	}
	n := member.NewModelMember
	n.RoleIDs = append(ids, n.RoleIDs...)
	s.at = member.CreatedDateTime.Time
	return outcome(s.Transform.CreateModelMember(ctx, m.ID, n))
}
