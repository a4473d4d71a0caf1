package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
)

// Run forgets what has ended longer ago than Env.Retain, until ctx is done. It
// returns nil then, and an error only when the store does.
func (s *Service) Run(ctx context.Context) error { return jobs.Forget(ctx, s.db, s.env) }
