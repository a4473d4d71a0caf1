package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// DeleteTwin removes a twin with its roles, members and invitations (DELETE
// /twins/{id}). It is for organization administrators of the twin's account, and
// for whom an authorizer of the program's own grants PermissionDelete.
// Nothing is lost with the twin: one that has twins below it, or of which another
// domain holds anything, is refused. Domains over the same store are asked in the
// transaction that deletes.
//
// Errors: twinNotFound; InsufficientPermissions; TwinNotEmpty with TwinHasChildren
// or TwinInUse, one for each reason.
func (s *Service) DeleteTwin(ctx context.Context, twinID string) error {
	near, far := s.holdersBySeat()
	var elsewhere []twinplatform.Detail
	if len(far) > 0 {
		// Whoever may not delete the twin learns nothing of what it holds.
		err := s.view(ctx, func(ctx context.Context, v *records.View) error {
			_, err := s.deletable(ctx, v, twinID)
			return err
		})
		if err != nil {
			return err
		}
		if elsewhere, err = held(ctx, far, twinID); err != nil {
			return err
		}
	}
	return s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.deletable(ctx, u, twinID)
		if err != nil {
			return err
		}
		reasons, err := held(ctx, near, twinID)
		if err != nil {
			return err
		}
		if all := slices.Concat(children(u, twinID), reasons, elsewhere); len(all) > 0 {
			return conflict("TwinNotEmpty", "The twin is not empty. What it holds must be deleted or moved first.", all...)
		}
		if err := s.emitTwin(ctx, u, twinDeleted, t); err != nil {
			return err
		}
		return erase(u, twinID)
	})
}

// deletable returns a twin that the caller may delete.
func (s *Service) deletable(ctx context.Context, tx records.Reading, twinID string) (*Twin, error) {
	rec, err := s.visible(ctx, tx, twinID)
	if err != nil {
		return nil, err
	}
	t := &rec.Value
	if !s.own {
		return t, s.requireAll(ctx, t.target(), PermissionDelete)
	}
	if !s.unbound(ctx, t.account()) {
		return nil, errDeletion
	}
	return t, nil
}

// errDeletion says why no permission would help.
var errDeletion = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: refuse.Forbidden.Code,
	Message: "Twins are deleted by the administrators of their organization: no role grants it.",
}

// children is the reason that twins below a twin are, if there are any.
func children(tx records.Reading, twinID string) []twinplatform.Detail {
	for range twinRecords.IDs(tx, area, indexParent, twinID) {
		return []twinplatform.Detail{{Code: "TwinHasChildren", Message: "The twin has twins below it.", Target: "twinId"}}
	}
	return nil
}

// holdersBySeat divides the other domains into those that answer within the
// transaction and those that do not.
func (s *Service) holdersBySeat() (near, far []twinplatform.TwinHolder) {
	for _, h := range *s.holders.Load() {
		if _, ok := h.(twinplatform.Transactional); ok {
			near = append(near, h)
		} else {
			far = append(far, h)
		}
	}
	return near, far
}

// held asks other domains what they hold of a twin.
func held(ctx context.Context, holders []twinplatform.TwinHolder, twinID string) (reasons []twinplatform.Detail, err error) {
	for _, h := range holders {
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
