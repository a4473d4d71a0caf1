package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Transactional implements twinplatform.Transactional: HoldsOf reads through the
// transaction that its context carries, and asks nobody outside the store.
func (*Service) Transactional() {}

// HoldsOf says what the area holds of a twin: "reality data", or nothing. It
// asks for no permission: it keeps twins from being deleted with data in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for _, err := range twinRecords.All(v, inTwin(twinID), records.Join(twinID, "")) {
			what = "reality data"
			return err
		}
		return nil
	})
	return what, err
}
