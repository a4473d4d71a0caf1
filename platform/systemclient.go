package platform

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// systemClients authorizes every caller to do everything in its own account and nothing
// in any other. It is used for the platform's own work only.
type systemClients struct{}

var _ interface {
	twinplatform.Authorizer
	twinplatform.Transactional
} = systemClients{}

// Allowed implements twinplatform.Authorizer.
func (systemClients) Allowed(_ context.Context, p twinplatform.Principal, _ string, target twinplatform.Target) (bool,
	error,
) {
	return p.AccountID == target.AccountID, nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (systemClients) Transactional() {}

// asSystem is the platform as system clients see it. It is not to be closed: the store is
// p's.
func (p *Platform) asSystem() (*Platform, error) {
	cfg := p.cfg
	cfg.Env.Authorizer, cfg.Env.Background = systemClients{}, false
	return New(p.store, cfg)
}

// asSystemClient acts within an account, or within none: an id that callers choose is
// unique only within an account.
func asSystemClient(ctx context.Context, accountID string) context.Context {
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
	return asSystemClient(ctx, accountID), &accountID
}
