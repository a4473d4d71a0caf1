package transform

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Run goes on with what is in the background, and with what an earlier process left,
// and forgets what was deleted or done longer ago than Env.Retain, until ctx is done.
// It returns nil then, and an error only when the store does.
func (s *Service) Run(ctx context.Context) error { return s.jobs.Run(ctx) }

// PurgeDeleted forgets the configurations, models and saved views that were
// deleted longer ago than so, and gives back their space. A delta token from
// before a forgotten deletion is refused from then on, with InvalidValue and a
// message that asks to list anew. Run does the same with Env.Retain; this is for
// a program that wants the space back earlier, and for the system alone.
//
// Errors: InsufficientPermissions; InvalidTransformationsRequest with InvalidValue
// (olderThan).
func (s *Service) PurgeDeleted(ctx context.Context, olderThan time.Duration) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.Forbidden
	}
	if olderThan < 0 {
		var c problem.Checks
		c.Bad("olderThan", "An age is 0 or more.")
		return c.Err(InvalidRequest)
	}
	return s.db.ForgetIn(ctx, allAccounts, s.now().Add(-olderThan), func(*records.Update) error { return nil })
}
