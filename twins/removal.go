package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// DeleteTwin removes a twin with its roles, members and invitations (DELETE
// /twins/{id}). It is for organization administrators of the twin's account, and
// for whom an authorizer of the program's own grants PermissionDelete.
// Nothing is lost with the twin: one that has twins below it, or of which another
// domain holds anything, is refused. What a domain begins to hold while the twin
// is being deleted stays with that domain.
//
// Errors: twinNotFound; InsufficientPermissions; TwinNotEmpty with TwinHasChildren
// or TwinInUse, one for each reason.
func (s *Service) DeleteTwin(ctx context.Context, twinID string) error {
	t, err := s.visible(ctx, twinID)
	if err != nil {
		return err
	}
	if err := s.mayDelete(ctx, t); err != nil {
		return err
	}
	reasons, err := s.held(ctx, twinID)
	if err != nil {
		return err
	}
	return s.change(ctx, func(u *records.Update) error {
		t, err := twinRecords.Value(u, area, twinID)
		if err != nil {
			return twinMissing.Or(err)
		}
		var children []twinplatform.Detail
		for range twinRecords.IDs(u, area, indexParent, twinID) {
			children = append(children, twinplatform.Detail{Code: "TwinHasChildren", Message: "The twin has twins below it.", Target: "twinId"})
			break
		}
		if all := append(children, reasons...); len(all) > 0 {
			return conflict("TwinNotEmpty", "The twin is not empty. What it holds must be deleted or moved first.", all...)
		}
		if err := s.emitTwin(ctx, u, twinDeleted, t); err != nil {
			return err
		}
		return erase(u, twinID)
	})
}

// mayDelete fails unless the caller may delete a twin. No role grants it.
func (s *Service) mayDelete(ctx context.Context, t *Twin) error {
	if !s.own {
		return s.require(ctx, PermissionDelete, t.target())
	}
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && !s.env.Administers(p, t.account()) {
		return refuse.Forbidden
	}
	return nil
}

// held asks the other domains what they hold of a twin.
func (s *Service) held(ctx context.Context, twinID string) (reasons []twinplatform.Detail, err error) {
	for _, h := range *s.holders.Load() {
		what, err := h.HoldsOf(ctx, twinID)
		if err != nil {
			return nil, err
		}
		if what != "" {
			reasons = append(reasons, twinplatform.Detail{Code: "TwinInUse", Message: "The twin has " + what + ".", Target: what})
		}
	}
	return reasons, nil
}

// erase removes a twin and what belongs to it.
func erase(u *records.Update, twinID string) error {
	if err := eraseAll(u, &memberRecords, twinID, func(m *Member) string { return m.ID }); err != nil {
		return err
	}
	if err := eraseAll(u, &roleRecords, twinID, func(r *Role) string { return r.ID }); err != nil {
		return err
	}
	if err := eraseAll(u, &invitationRecords, twinID, func(i *Invitation) string { return i.ID }); err != nil {
		return err
	}
	return twinRecords.Erase(u, area, twinID)
}

func eraseAll[T any](u *records.Update, c *records.Collection[T], twinID string, id func(*T) string) error {
	for v, err := range c.All(u, area, joined(twinID, "")) {
		if err != nil {
			return err
		}
		if err := c.Erase(u, area, joined(twinID, id(v))); err != nil {
			return err
		}
	}
	return nil
}
