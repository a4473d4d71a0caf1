package httpapitest

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// callers are who may call a harness: principals with their tokens, and what those
// may do whose tokens say it.
type callers struct {
	mu      sync.Mutex
	now     func() time.Time
	tokens  map[string]issued
	permits map[string][]string // by principal
}

type issued struct {
	principal twinplatform.Principal
	until     time.Time // zero: forever
}

func newCallers(now func() time.Time) *callers {
	return &callers{now: now, tokens: make(map[string]issued), permits: make(map[string][]string)}
}

// copy returns the same callers, to be kept.
func (c *callers) copy() *callers {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &callers{tokens: maps.Clone(c.tokens), permits: maps.Clone(c.permits)}
}

// become takes over those callers of a copy that are not known.
func (c *callers) become(kept *callers) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.tokens, kept.tokens)
	maps.Copy(c.permits, kept.permits)
}

func (c *callers) add(token string, p twinplatform.Principal, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[token] = issued{p, until}
}

// tokenOf returns a token of a principal that lasts.
func (c *callers) tokenOf(p twinplatform.Principal) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for token, known := range c.tokens {
		if known.until.IsZero() && reflect.DeepEqual(known.principal, p) {
			return token
		}
	}
	token := p.ID
	for n := 2; c.tokens[token].principal.ID != ""; n++ {
		token = fmt.Sprintf("%s-%d", p.ID, n)
	}
	c.tokens[token] = issued{principal: p}
	return token
}

// permit lets a new principal hold permissions.
func (c *callers) permit(permissions []string) twinplatform.Principal {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := twinplatform.Principal{
		ID: fmt.Sprintf("22222222-2222-4222-8222-%012d", len(c.permits)+1), DisplayName: fmt.Sprintf("Caller %d",
			len(c.permits)+1),
		AccountID: AccountID, Kind: twinplatform.Service, Scopes: everyScope(),
	}
	c.permits[p.ID] = slices.Clone(permissions)
	return p
}

// Authenticate implements httpapi.TokenAuthenticator.
func (c *callers) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	c.mu.Lock()
	known, ok := c.tokens[token]
	c.mu.Unlock()
	switch {
	case !ok:
		return twinplatform.Principal{}, twinplatform.Unauthenticated
	case !known.until.IsZero() && !c.now().Before(known.until):
		return twinplatform.Principal{}, fmt.Errorf("%w: the token has expired", twinplatform.Unauthenticated)
	}
	return known.principal, nil
}

// Application implements webhooks.ApplicationDirectory.
func (c *callers) Application(_ context.Context, id string) (twinplatform.Principal, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.tokens {
		if known.principal.ID == id {
			return known.principal, known.principal.Kind == twinplatform.Service, nil
		}
	}
	return twinplatform.Principal{}, false, nil
}

// Transactional implements twinplatform.Transactional: no caller is asked.
func (*callers) Transactional() {}

// authorizer lets callers do what their tokens say, at every twin of their account,
// and leaves all else to another.
type authorizer struct {
	callers   *callers
	otherwise twinplatform.Authorizer
}

var _ interface {
	twinplatform.Authorizer
	twinplatform.Transactional
} = (*authorizer)(nil)

// Allowed implements twinplatform.Authorizer.
func (a *authorizer) Allowed(ctx context.Context, p twinplatform.Principal, permission string,
	target twinplatform.Target,
) (bool, error) {
	a.callers.mu.Lock()
	held := a.callers.permits[p.ID]
	a.callers.mu.Unlock()
	if slices.Contains(held, permission) && p.AccountID == target.AccountID {
		return true, nil
	}
	return a.otherwise.Allowed(ctx, p, permission, target)
}

// Transactional implements twinplatform.Transactional.
func (*authorizer) Transactional() {}

func everyScope() []string {
	return []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
}
