package platform

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// insiders lets everybody do everything in the own account and see nothing of any
// other. Nobody but the platform's own work is let in by it.
type insiders struct{}

var _ interface {
	twinplatform.Authorizer
	twinplatform.Transactional
} = insiders{}

// Allowed implements twinplatform.Authorizer.
func (insiders) Allowed(_ context.Context, p twinplatform.Principal, _ string, target twinplatform.Target) (bool, error) {
	return p.AccountID == target.AccountID, nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (insiders) Transactional() {}

// inside is the platform as insiders see it. It is not to be closed: the store is p's.
func (p *Platform) inside() (*Platform, error) {
	cfg := p.cfg
	cfg.Env.Authorizer, cfg.Env.Background = insiders{}, false
	return New(p.store, cfg)
}

// insider acts within an account, or within none: an id that callers choose means
// one thing within an account alone.
func insider(ctx context.Context, accountID string) context.Context {
	return twinplatform.WithPrincipal(ctx, twinplatform.Principal{
		ID: "platform", DisplayName: "Platform", AccountID: accountID, Kind: twinplatform.Service,
		Scopes: []string{twinplatform.ScopePlatform},
	})
}

// within acts within the account of a twin, which it returns as well.
func (p *Platform) within(ctx context.Context, twinID string) (context.Context, *string) {
	accountID, _, err := p.Twins.TwinAccount(ctx, strings.ToLower(twinID))
	if err != nil {
		accountID = "" // the call that follows says why
	}
	return insider(ctx, accountID), &accountID
}
