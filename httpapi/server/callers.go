package server

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// principals are who may call, by the tokens file as it was last read.
type principals struct{ now atomic.Pointer[known] }

type known struct {
	platform.Callers
	httpapi.Authenticator
}

// become makes the callers those who may call. It changes nothing when they cannot be.
func (p *principals) become(callers platform.Callers) error {
	next := &known{callers, httpapi.StaticTokens(callers.Tokens())}
	if c, ok := next.Authenticator.(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	p.now.Store(next)
	return nil
}

// Authenticate implements httpapi.Authenticator.
func (p *principals) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	return p.now.Load().Authenticator.Authenticate(r)
}

// Application implements webhooks.ApplicationDirectory.
func (p *principals) Application(ctx context.Context, id string) (twinplatform.Principal, bool, error) {
	return p.now.Load().Application(ctx, id)
}

// Principal implements twinplatform.PrincipalDirectory.
func (p *principals) Principal(ctx context.Context, accountID, id string) (twinplatform.Principal, bool, error) {
	return p.now.Load().Principal(ctx, accountID, id)
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

// reload reads the tokens file and the budget again at each signal, until ctx is done. A file that is no
// good changes nothing.
func (s *server) reload(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.hangups:
		}
		s.reloadBudget(ctx)
		if s.cfg.TokensFile == "" {
			s.log.WarnContext(ctx, "there is no -tokens file to read again")
			continue
		}
		var callers platform.Callers
		err := readFile("tokens", s.cfg.TokensFile, &callers, from(platform.ReadCallers))
		if err == nil {
			err = s.who.become(callers)
		}
		if err == nil {
			err = s.grant(ctx)
		}
		if err != nil {
			s.log.ErrorContext(ctx, "the tokens were not read again", "error", err)
			continue
		}
		s.log.InfoContext(ctx, "tokens read again", "callers", len(callers))
	}
}
