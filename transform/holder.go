package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// HoldsOf says what the area holds of a twin: "models", "transformation
// configurations", or nothing. It asks for no permission: it keeps twins from
// being deleted with something in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for range modelRecords.IDs(v, area, "twin", twinID) {
			what = "models"
			return nil
		}
		for range configurationRecords.IDs(v, area, "targetProject", twinID) {
			what = "transformation configurations"
			return nil
		}
		return nil
	})
	return what, err
}
