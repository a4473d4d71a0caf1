package forms

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks nobody outside the store.
func (*Service) Transactional() {}

var _ twinplatform.Transactional = (*Service)(nil)

// HoldsOf says what the area holds of a twin: "forms", "form definitions", or
// nothing. It asks for no permission: it keeps twins from being deleted with
// something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	twinID, ok := parseGUID(twinID)
	if !ok {
		return "", nil
	}
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for _, err := range summaryRecords.All(v, inTwin(twinID), "") {
			what = "forms"
			return err
		}
		candidates, err := s.definitionsNear(v.Within(ctx), v, twinID)
		if err != nil {
			return err
		}
		for d, err := range candidates {
			if err != nil {
				return err
			}
			if d.TwinID == twinID {
				what = "form definitions"
				return nil
			}
		}
		return nil
	})
	return what, err
}

// definitionsNear yields those of the twin's account, or all there are where the
// account cannot be told within a transaction.
func (s *Service) definitionsNear(within context.Context, v *records.View, twinID string) (iter.Seq2[*FormDefinition, error], error) {
	accountID, ok := "", s.cfg.Twins == nil
	if transactional(s.cfg.Twins) {
		var err error
		if accountID, ok, err = s.cfg.Twins.TwinAccount(within, twinID); err != nil {
			return nil, err
		}
	}
	if !ok {
		return definitionRecords.All(v, allAccounts, ""), nil
	}
	return definitionRecords.Find(v, inAccount(accountID), byAccount, accountKey(accountID)), nil
}

// transactional reports whether a directory answers through the transaction that
// its context carries.
func transactional(d twinplatform.TwinDirectory) bool {
	_, ok := d.(twinplatform.Transactional)
	return ok
}
