package twins

import "context"

// LimitExports makes exports of more twins fail.
func (s *Service) LimitExports(twins int) { s.exportTwins = twins }

// ForgetInvitations does one step of what Run does.
func (s *Service) ForgetInvitations(ctx context.Context) (more bool, err error) {
	return s.forgetInvitations(ctx)
}
