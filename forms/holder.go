package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// HoldsOf says what the area holds of a twin: "forms", "form definitions", or
// nothing. It asks for no permission: it keeps twins from being deleted with
// something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	twinID, ok := parseGUID(twinID)
	if !ok {
		return "", nil
	}
	accountID := ""
	if s.cfg.Twins != nil {
		if accountID, _, err = s.cfg.Twins.TwinAccount(ctx, twinID); err != nil {
			return "", err
		}
	}
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for _, err := range summaryRecords.All(v, twinScope(twinID), "") {
			what = "forms"
			return err
		}
		for d, err := range definitionRecords.Find(v, definitionsScope, byAccount, accountKey(accountID)) {
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
