// Package signin is an OpenID Connect provider for tests: a client of the REST API signs in at
// it as it would at the provider of a deployment, and calls with the tokens that it gets. It
// knows the callers of a tokens file, has no pages of accounts and keeps nothing on disk:
// after a restart everybody signs in again. A deployment has its own provider, whose tokens
// module httpapi/oidc checks.
//
// People sign in with their id, address or name, and with their token of the file as the
// password; service applications are clients whose secret is their token. Nothing that is
// issued outlasts the token that was signed in with, or allows more than it does.
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/internal/cors"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// DefaultAudience is whom access tokens are for unless a Config says otherwise.
const DefaultAudience = "twinplatform"

// How long what is issued is valid for, unless a Config says otherwise.
const (
	DefaultAccessTime  = time.Hour
	DefaultRefreshTime = 30 * 24 * time.Hour
	codeTime           = time.Minute
	deviceTime         = 10 * time.Minute
)

// Config sets who signs in where.
type Config struct {
	// Issuer is the address of the provider, such as http://127.0.0.1:4790/oidc. Required.
	Issuer string
	// Callers are who may sign in at present. Required.
	Callers func() platform.Callers
	// Clients are the programs that people sign in to. Service applications among the callers
	// are clients too.
	Clients []Client
	// Audience is whom access tokens are for; empty: DefaultAudience.
	Audience string
	// Origins lists the origins whose pages may ask for tokens, in the form of
	// httpapi.Config.Origins.
	Origins []string
	// AccessTime and RefreshTime are how long tokens are valid for; 0: the defaults.
	AccessTime, RefreshTime time.Duration
	// Rate is how many requests a minute a network may send; 0: any number.
	Rate int
	// Now is the time by which everything expires; nil: time.Now.
	Now func() time.Time
	// Caller is called with the context of a request when it is known who sent it: who has
	// signed in, or to whom tokens are issued. An access log notes it. Nil: it is not called.
	Caller func(ctx context.Context, who twinplatform.Principal)
}

// Provider answers the requests of OpenID Connect, and authenticates the bearers of its
// access tokens (it is an httpapi.TokenAuthenticator). It is safe for concurrent use.
type Provider struct {
	cfg   Config
	keys  keyring
	rate  *allowance.Allowances // nil: any number of requests
	pages cors.Policy
	mux   *http.ServeMux
	state *state
}

// New returns a provider with a separate signing key.
func New(cfg Config) (*Provider, error) {
	if u, err := url.Parse(cfg.Issuer); err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" ||
		cfg.Callers == nil {
		return nil, errors.New("signin: Config has no Callers, or an Issuer that is no address")
	}
	for _, c := range cfg.Clients {
		if err := CheckClient(c); err != nil {
			return nil, err
		}
	}
	if err := cors.Check(cfg.Origins); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	p := &Provider{cfg: cfg, mux: http.NewServeMux(), state: newState()}
	p.pages = cors.Policy{
		Origins: cfg.Origins, Methods: []string{http.MethodGet, http.MethodPost},
		Exposed: []string{"Retry-After", "WWW-Authenticate"},
	}
	if cfg.Rate > 0 {
		p.rate = allowance.New(cfg.Rate, cfg.Now)
	}
	if err := p.keys.rotate(false); err != nil {
		return nil, err
	}
	p.route()
	return p, nil
}

func (c Config) withDefaults() Config {
	if c.Audience == "" {
		c.Audience = DefaultAudience
	}
	if c.AccessTime == 0 {
		c.AccessTime = DefaultAccessTime
	}
	if c.RefreshTime == 0 {
		c.RefreshTime = DefaultRefreshTime
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Caller == nil {
		c.Caller = func(context.Context, twinplatform.Principal) {}
	}
	return c
}

// The paths of the provider, below its address.
const (
	discoveryPath = "/.well-known/openid-configuration"
	keysPath      = "/keys"
	authorizePath = "/authorize"
	tokenPath     = "/token"
	deviceAskPath = "/device_authorization"
	devicePath    = "/device"
	userinfoPath  = "/userinfo"
	signOutPath   = "/end_session"
	revokePath    = "/revoke"
	introspectAt  = "/introspect"
	// authorizationServerPath is where clients of OAuth 2.0 look for the same metadata (RFC 8414). They put the path of
	// the issuer behind it, which is for the handler that serves the provider: see MetadataPath.
	authorizationServerPath = "/.well-known/oauth-authorization-server"
)

func (p *Provider) route() {
	// What programs ask for, pages of other origins may ask for too; no one signs in there.
	program := func(path string, h http.HandlerFunc, methods ...string) {
		for _, method := range methods {
			p.mux.HandleFunc(method+" "+path, h)
		}
		p.mux.HandleFunc("OPTIONS "+path, func(w http.ResponseWriter, r *http.Request) {
			if err := p.pages.Allow(w, r); err != nil {
				http.Error(w, cors.Refused.Message, http.StatusForbidden)
			}
		})
	}
	program(discoveryPath, p.discover, http.MethodGet)
	program(authorizationServerPath, p.discover, http.MethodGet)
	program(revokePath, p.revoke, http.MethodPost)
	program(introspectAt, p.introspect, http.MethodPost)
	program(keysPath, p.showKeys, http.MethodGet)
	program(tokenPath, p.token, http.MethodPost)
	program(deviceAskPath, p.askDevice, http.MethodPost)
	program(userinfoPath, p.userinfo, http.MethodGet, http.MethodPost)
	p.mux.HandleFunc("GET "+authorizePath, p.authorize)
	p.mux.HandleFunc("POST "+authorizePath, p.authorize)
	p.mux.HandleFunc("GET "+signOutPath, p.endSession)
	p.mux.HandleFunc("POST "+signOutPath, p.endSession)
	p.mux.HandleFunc("GET "+devicePath, p.device)
	p.mux.HandleFunc("POST "+devicePath, p.device)
}

// clientAuth is how clients say who they are.
var clientAuth = []string{"none", "client_secret_basic", "client_secret_post"}

// MetadataPath is where clients of OAuth 2.0 look for the metadata of a provider that is served below a path: a
// request for it goes to the provider with the path /.well-known/oauth-authorization-server.
func MetadataPath(below string) string { return authorizationServerPath + below }

// maxRequest is the size of the largest body of a request, in bytes.
const maxRequest = 64 << 10

// ServeHTTP implements http.Handler: paths begin at the address of the provider.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if len(p.cfg.Origins) > 0 && !slices.Contains([]string{authorizePath, devicePath, signOutPath}, r.URL.Path) {
		p.pages.Share(w.Header(), r)
	}
	if p.rate != nil {
		if err := p.rate.Take(r.Context(), allowance.OfNetwork(r.RemoteAddr)); err != nil {
			httperror.SetRetryAfter(w.Header(), 0)
			writeJSON(w, http.StatusTooManyRequests,
				refusal{Code: "temporarily_unavailable", Text: "too many requests"})
			return
		}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	p.mux.ServeHTTP(w, r)
}

// Rotate signs with a new key from now on. The earlier keys are still published, and what
// they signed is good, unless forget is set.
func (p *Provider) Rotate(forget bool) error { return p.keys.rotate(forget) }

// discover serves the metadata of the provider.
func (p *Provider) discover(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                                        p.cfg.Issuer,
		"authorization_endpoint":                        p.cfg.Issuer + authorizePath,
		"token_endpoint":                                p.cfg.Issuer + tokenPath,
		"device_authorization_endpoint":                 p.cfg.Issuer + deviceAskPath,
		"userinfo_endpoint":                             p.cfg.Issuer + userinfoPath,
		"end_session_endpoint":                          p.cfg.Issuer + signOutPath,
		"revocation_endpoint":                           p.cfg.Issuer + revokePath,
		"introspection_endpoint":                        p.cfg.Issuer + introspectAt,
		"revocation_endpoint_auth_methods_supported":    clientAuth,
		"introspection_endpoint_auth_methods_supported": clientAuth,
		"jwks_uri":                                      p.cfg.Issuer + keysPath,
		"scopes_supported":                              everyScope(),
		"response_types_supported":                      []string{"code"},
		"response_modes_supported":                      []string{"query"},
		"grant_types_supported":                         []string{codeGrant, refreshGrant, deviceGrant, clientGrant},
		"subject_types_supported":                       []string{"public"},
		"id_token_signing_alg_values_supported":         []string{algorithm},
		"token_endpoint_auth_methods_supported":         clientAuth,
		"code_challenge_methods_supported":              []string{challengeMethod},
		"claims_supported": []string{
			"sub", "name", "email", "email_verified",
			"account_id", "roles",
		},
		"prompt_values_supported":                        []string{"login", "none"},
		"authorization_response_iss_parameter_supported": true,
		"request_parameter_supported":                    false,
		"request_uri_parameter_supported":                false,
	})
}

// refusal is an error of OAuth 2.0.
type refusal struct {
	Code string `json:"error"`
	Text string `json:"error_description"`
}

// Error implements error.
func (r refusal) Error() string { return r.Code + ": " + r.Text }

func refuse(code, text string) error { return refusal{code, text} }

// errFull is for a provider in which there is no more room.
var errFull = refusal{"temporarily_unavailable", "too many people are signing in"}

// writeRefusal answers a program with an error.
func writeRefusal(w http.ResponseWriter, err error) {
	r, ok := errors.AsType[refusal](err)
	if !ok {
		r = refusal{"server_error", "the provider failed"}
	}
	status := http.StatusBadRequest
	switch r.Code {
	case "invalid_client":
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Basic realm="oidc"`)
	case "server_error":
		status = http.StatusInternalServerError
	case errFull.Code:
		status = http.StatusServiceUnavailable
		httperror.SetRetryAfter(w.Header(), time.Minute)
	}
	writeJSON(w, status, r)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
