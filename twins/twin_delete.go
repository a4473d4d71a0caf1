package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// DeleteTwin removes a twin with its roles, members, invitations and repositories (DELETE
// /twins/{id}). It is for organization administrators of the twin's account, and for
// callers to which the program's own authorizer grants PermissionDelete. Nothing is lost
// with the twin: one that has twins below it, or of which another domain holds anything,
// is refused. Domains over the same store are asked in the transaction that deletes.
//
// Errors: twinNotFound; InsufficientPermissions; TwinNotEmpty with TwinHasChildren
// or TwinInUse, one for each reason; VersionMismatch.
func (s *Service) DeleteTwin(ctx context.Context, twinID string, pre ...twinplatform.Precondition) error {
	return s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		t, err := s.deletable(u, j, twinID)
		if err != nil {
			return err
		}
		if err := twinRecords.Check(u, t.scope(), twinID, twinplatform.ConditionOf(pre...)); err != nil {
			return problem.Precondition(err)
		}
		reasons, err := s.holdings(j, twinID)
		if err != nil {
			return err
		}
		if all := append(children(u, t), reasons...); len(all) > 0 {
			return conflict("TwinNotEmpty", "The twin is not empty. What it holds must be deleted or moved first.",
				all...)
		}
		if err := j.Emit(u, t.target(), event.TwinDeleted(t.eventContent(j))); err != nil {
			return err
		}
		// Only now: who might see the twin until now hears of its deletion, too.
		if err := s.permissionsChange(j, t.target(), ""); err != nil {
			return err
		}
		for _, eraseAll := range []func(*records.Update, *Twin) error{
			callsOf(s).members.eraseAll,
			callsOf(s).groupMembers.eraseAll, callsOf(s).groups.eraseAll, callsOf(s).shares.eraseAll,
			callsOf(s).roles.eraseAll, callsOf(s).invitations.eraseAll, callsOf(s).repositories.eraseAll,
			eraseAllResources, eraseImage,
		} {
			if err := eraseAll(u, t); err != nil {
				return err
			}
		}
		return twinRecords.Erase(u, t.scope(), twinID)
	})
}

// deletable returns a twin that the caller may delete.
func (s *Service) deletable(tx records.Reading, j *judge.Judge, twinID string) (*Twin, error) {
	if !s.own {
		return permitted(tx, j, twinID, PermissionDelete)
	}
	rec, err := visible(tx, j, twinID)
	if err == nil && !s.unbound(j, rec.Value.account()) {
		err = errDeletion
	}
	return &rec.Value, err
}

// errDeletion reports that no permission would help.
var errDeletion = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: problem.Forbidden.Code,
	Message: "Twins are deleted by the administrators of their organization: no role grants it.",
}

// children is the reason that twins below a twin are, if there are any.
func children(tx records.Reading, t *Twin) []twinplatform.Detail {
	for range twinRecords.IDs(tx, inAccount(t.account()), indexParent, t.ID) {
		return []twinplatform.Detail{{
			Code: "TwinHasChildren", Message: "The twin has twins below it.",
			Target: "twinId",
		}}
	}
	return nil
}

// holdings asks the other domains what they hold of a twin. It is for the principal that may
// delete the twin: no other principal learns of it.
func (s *Service) holdings(j *judge.Judge, twinID string) (reasons []twinplatform.Detail, err error) {
	type question struct{ holder int }
	for i, h := range *s.holders.Load() {
		what, err := judge.Ask(j, h, question{i},
			func(ctx context.Context) (string, error) { return h.HoldsOf(ctx, twinID) })
		if err != nil {
			return nil, err
		}
		if what != "" {
			reasons = append(reasons, twinplatform.Detail{
				Code: "TwinInUse", Message: "The twin has " + what + ".",
				Target: what,
			})
		}
	}
	return reasons, nil
}
