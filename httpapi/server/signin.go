package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/accesslog"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// oidcPath is where the OpenID Connect provider for tests is.
const oidcPath = "/oidc"

// demoClient is the client of a provider that was given none: a program on this machine.
var demoClient = signin.Client{ID: "app", Redirects: []string{"http://127.0.0.1/callback", "http://[::1]/callback"}}

// oidcClients adds a client, or one more address of a client, to those named already.
func (c *Config) oidcClients(s string) ([]signin.Client, bool) {
	id, address, some := strings.Cut(s, "=")
	clients := slices.Clone(c.OIDCClients)
	at := slices.IndexFunc(clients, func(known signin.Client) bool { return known.ID == id })
	if at < 0 {
		at, clients = len(clients), append(clients, signin.Client{ID: id})
	}
	if some {
		clients[at].Redirects = append(slices.Clip(clients[at].Redirects), address)
	}
	return clients, signin.CheckClient(clients[at]) == nil
}

// checkOIDC finds what contradicts itself.
func (c *Config) checkOIDC() error {
	switch {
	case len(c.OIDCClients) > 0 && !c.OIDC:
		return errors.New("-oidc-client names a client of -oidc, which is off")
	case c.OIDC && c.shared():
		return errors.New("-oidc is for one server: others over the same -db would not know what it issues")
	}
	return nil
}

// withSignIn serves the provider alongside the API, if there is one, and accepts its tokens.
func (s *server) withSignIn(api http.Handler) (http.Handler, error) {
	if s.cfg.Tokens != nil {
		s.who.others = append(s.who.others, s.cfg.Tokens)
	}
	if !s.cfg.OIDC {
		return api, nil
	}
	clients := s.cfg.OIDCClients
	if len(clients) == 0 {
		clients = []signin.Client{demoClient}
	}
	provider, err := signin.New(signin.Config{
		Issuer: s.base + oidcPath, Callers: func() platform.Callers { return s.who.now.Load().Callers },
		Clients: clients, Origins: s.cfg.Origins, Rate: max(0, s.cfg.Rate), Now: s.controls.Now,
		Caller: accesslog.Caller,
	})
	if err != nil {
		return nil, err
	}
	s.who.others = append(s.who.others, provider)
	s.oidc = provider
	pages := s.access.WrapSealed(provider)
	api = httpapi.Mount(httpapi.Mount(api, oidcPath, pages), metadataPath, metadata(pages))
	if s.cfg.TestControls {
		api = s.controls.Wrap(api, map[string]control.Action{"POST /oidc/keys": s.rotate})
	}
	return api, nil
}

// metadataPath is where clients of OAuth 2.0 look for the metadata of the provider, but for the last part of the path.
var metadataPath = strings.TrimSuffix(signin.MetadataPath(oidcPath), oidcPath)

// metadata serves what the provider has below its own address where such clients look for it.
func metadata(provider http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != oidcPath {
			http.NotFound(w, r)
			return
		}
		inner := r.Clone(r.Context())
		inner.URL.Path, inner.URL.RawPath = metadataPath, ""
		provider.ServeHTTP(w, inner)
	})
}

// rotate has the provider sign with a new key.
func (s *server) rotate(r *http.Request) (any, error) {
	var body struct {
		Forget bool `json:"forget"`
	}
	if err := control.Read(r, &body); err != nil {
		return nil, err
	}
	return nil, s.oidc.Rotate(body.Forget)
}

// byOthers asks who knows tokens that are in no file, where one does.
func (p *principals) byOthers(r *http.Request, unknown error) (twinplatform.Principal, error) {
	for _, others := range p.others {
		who, err := httpapi.BearerTokens(others).Authenticate(r)
		if !errors.Is(err, twinplatform.Unauthenticated) {
			return who, err
		}
		unknown = err
	}
	return twinplatform.Principal{}, unknown
}

// principalOfOthers is one who is in no file, as far as those know who authenticate it.
func (p *principals) principalOfOthers(ctx context.Context, accountID, id string) (twinplatform.Principal, bool,
	error,
) {
	for _, others := range p.others {
		if directory, ok := others.(twinplatform.PrincipalDirectory); ok {
			if who, known, err := directory.Principal(ctx, accountID, id); known || err != nil {
				return who, known, err
			}
		}
	}
	return twinplatform.Principal{}, false, nil
}
