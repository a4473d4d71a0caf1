package webhooks

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// HoldsOf says what the area holds of a twin: "webhooks", or nothing. It asks for
// no permission: it keeps twins from being deleted with webhooks that nobody
// could reach any more.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		what = ""
		for w, err := range webhookRecords.All(v, account, "") {
			if err != nil {
				return err
			}
			if w.Scope == TwinScope && w.ScopeID == twinID {
				what = "webhooks"
				return nil
			}
		}
		return nil
	})
	return what, err
}
