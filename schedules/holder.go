package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// HoldsOf says what the area holds of a twin: "schedules", or nothing. It asks
// for no permission: it keeps twins from being deleted with schedules in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for range scheduleRecords.IDs(v, allAccounts, "twin", twinID) {
			what = "schedules"
			break
		}
		return nil
	})
	return what, err
}

// Transactional says that HoldsOf, called within a transaction over the same
// store, answers from it.
func (s *Service) Transactional() {}
