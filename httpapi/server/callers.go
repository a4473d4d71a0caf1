package server

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// principals are who may call, by the tokens file as it was last read.
type principals struct {
	clock func() time.Time
	uses  lastUses
	now   atomic.Pointer[known]
	// others know tokens that are in no file. It is set before anything is served.
	others []httpapi.TokenAuthenticator
}

type known struct {
	platform.Callers
	httpapi.Authenticator
}

// become makes the callers those who may call. It changes nothing when they cannot be.
func (p *principals) become(callers platform.Callers) error {
	tokens := make([]httpapi.IssuedToken, len(callers))
	for i, c := range callers {
		digest := c.TokenDigest()
		tokens[i] = httpapi.IssuedToken{Digest: digest, Principal: c.Principal, Expires: c.Expires}
		if p.uses.file != "" {
			tokens[i].Used = p.uses.of(digest)
		}
	}
	next := &known{callers, httpapi.IssuedTokens(p.clock, tokens...)}
	if c, ok := next.Authenticator.(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	p.now.Store(next)
	return nil
}

// present are the callers whose tokens are good at this time.
func (p *principals) present() platform.Callers { return p.now.Load().At(p.clock()) }

// Authenticate implements httpapi.Authenticator.
func (p *principals) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	who, err := p.now.Load().Authenticator.Authenticate(r)
	if errors.Is(err, twinplatform.Unauthenticated) {
		return p.byOthers(r, err)
	}
	return who, err
}

// Application implements webhooks.ApplicationDirectory.
func (p *principals) Application(ctx context.Context, id string) (twinplatform.Principal, bool, error) {
	return p.present().Application(ctx, id)
}

// Principal implements twinplatform.PrincipalDirectory.
func (p *principals) Principal(ctx context.Context, accountID, id string) (twinplatform.Principal, bool, error) {
	who, ok, err := p.present().Principal(ctx, accountID, id)
	if ok || err != nil {
		return who, ok, err
	}
	return p.principalOfOthers(ctx, accountID, id)
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (*principals) Transactional() {}

// grant makes the store grant what the callers are to have, unless they may do everything.
func (s *server) grant(ctx context.Context) error {
	if s.demo {
		return nil // and what a file granted waits for the file
	}
	return s.Grant(ctx, s.who.now.Load().Callers)
}

// How often a changed tokens file is looked for, and how often last uses are written.
const (
	tokensEvery = time.Second
	usesEvery   = time.Minute
)

// reload reads the tokens file again when it has changed, and that and the budget at each
// signal, until ctx is done. A file that is no good changes nothing.
func (s *server) reload(ctx context.Context) {
	looks, keeps := time.NewTicker(tokensEvery), time.NewTicker(usesEvery)
	defer looks.Stop()
	defer keeps.Stop()
	for {
		select {
		case <-ctx.Done():
			s.keepUses(ctx)
			return
		case <-keeps.C:
			s.keepUses(ctx)
			continue
		case <-looks.C:
			if s.cfg.TokensFile == "" || s.tokensRead == stampOf(s.cfg.TokensFile) {
				continue
			}
		case <-s.hangups:
			s.reloadBudget(ctx)
		}
		s.reloadTokens(ctx)
	}
}

// reloadTokens reads the tokens file again.
func (s *server) reloadTokens(ctx context.Context) {
	if s.cfg.TokensFile == "" {
		s.log.WarnContext(ctx, "there is no -tokens file to reload")
		return
	}
	s.tokensRead = stampOf(s.cfg.TokensFile)
	callers, err := tokenFile(s.cfg.TokensFile).read()
	if err == nil {
		err = s.who.become(callers)
	}
	if err == nil {
		err = s.grant(ctx)
	}
	if err != nil {
		s.log.ErrorContext(ctx, "the tokens were not reloaded", "error", err)
		return
	}
	s.log.InfoContext(ctx, "tokens reloaded", "callers", len(callers))
}

// keepUses writes when tokens were last used. A failure to write them is logged once.
func (s *server) keepUses(ctx context.Context) {
	if s.who.uses.file == "" {
		return
	}
	if err := s.who.uses.keep(s.disk, s.who.now.Load().Callers); err != nil && !s.usesFailed {
		s.usesFailed = true
		s.log.WarnContext(ctx, "the last uses of tokens are not kept; -token-uses says where", "file", s.who.uses.file,
			"error", withCure(err))
	}
}
