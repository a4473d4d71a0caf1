// Package oidc checks bearer tokens of an OpenID Connect issuer, such as Keycloak, Auth0 or
// Entra ID, for the handler of package httpapi: access tokens that are JWTs, with their
// signature, issuer, audience and times, become principals of the platform.
//
// The keys of the issuer are read when the first token comes, again after an hour, and when
// one comes that an unknown key has signed, but then at most once in ten seconds. Those whose
// keys are known never wait for the issuer, also while it is down. The issuer is not asked
// about single tokens: one is good until it expires.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"github.com/seed-933f9a09/twinplatform"
)

// DefaultLeeway is how much the clocks of the issuer and of this machine may differ unless a
// Config says otherwise, MaxLeeway how much one may say.
const (
	DefaultLeeway = 30 * time.Second
	MaxLeeway     = 5 * time.Minute
)

// Config says whose tokens are good, and what they are worth.
type Config struct {
	// Issuer is the address of the issuer, exactly as its tokens name it, such as
	// https://login.example.com/realms/twins. It is one of https, or of the loopback
	// interface, unless AllowHTTP is set. Required.
	Issuer string
	// Audience is what tokens for this API have among their audiences. It is not the id of a
	// client: ID tokens have that. Required.
	Audience string
	// Leeway is how much clocks may differ; 0: DefaultLeeway, negative: not at all.
	Leeway time.Duration
	// AllowHTTP lets the issuer be reached without TLS: who is between can issue tokens.
	AllowHTTP bool

	// AccountClaim is the claim with the id of the bearer's account; empty: account_id.
	// Account is the account of bearers whose tokens have no such claim; empty: those are
	// refused.
	AccountClaim, Account string
	// RolesClaim is the claim with the bearer's administrator roles, such as
	// twinplatform.AccountAdministrator; empty: tokens make no administrators. Other roles
	// in it are those of other programs and are passed over.
	RolesClaim string
	// AdministratorRole is the third administrator role, as the platform's
	// Env.AdministratorRole; empty: there is none.
	AdministratorRole twinplatform.AdministratorRole
	// Scopes maps each scope that tokens name to the scope of the platform that it grants;
	// others grant nothing. Nil means that tokens name the platform's own.
	Scopes map[string]string
	// Principal makes a principal of a token that is good, in place of the three above. An
	// error that is twinplatform.Unauthenticated refuses the bearer; any other error means
	// that this could not be found out. Nil: see [Verifier.Authenticate].
	Principal func(ctx context.Context, token *goidc.IDToken) (twinplatform.Principal, error)

	// Client sends requests to the issuer; nil: one of http.DefaultTransport. Redirects are
	// not followed, answers are read up to 1 MiB, and nothing takes longer than ten seconds.
	Client *http.Client
	// Now is the time; nil: time.Now.
	Now func() time.Time
}

// Verifier knows the bearers of an issuer's tokens. It is an httpapi.TokenAuthenticator, and a
// twinplatform.PrincipalDirectory of those bearers who have called with a token that is still
// good. It is safe for concurrent use.
type Verifier struct {
	cfg   Config
	keys  *keySet
	seen  directory
	check *goidc.Config
}

// algorithms lists the accepted algorithms. All use public keys: with a shared key, anyone
// who checks tokens could sign them too.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512,
	jose.EdDSA,
}

// New returns a verifier. It sends nothing: the issuer may be down.
func New(cfg Config) (*Verifier, error) {
	u, err := url.Parse(cfg.Issuer)
	switch {
	case err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("oidc: Config.Issuer is %q, and wants an address such as https://login.example.com",
			cfg.Issuer)
	case u.Scheme != "https" && (u.Scheme != "http" || !cfg.AllowHTTP && !loopback(u.Hostname())):
		return nil, fmt.Errorf("oidc: Config.Issuer %s is not reached by TLS; Config.AllowHTTP lets it be so",
			cfg.Issuer)
	case cfg.Audience == "":
		return nil, errors.New("oidc: Config.Audience is required: tokens for other APIs are not good here")
	case cfg.Leeway > MaxLeeway:
		return nil, fmt.Errorf("oidc: Config.Leeway is more than %s", MaxLeeway)
	}
	switch {
	case cfg.Leeway == 0:
		cfg.Leeway = DefaultLeeway
	case cfg.Leeway < 0:
		cfg.Leeway = 0
	}
	if cfg.AccountClaim == "" {
		cfg.AccountClaim = "account_id"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	v := &Verifier{
		cfg: cfg, keys: newKeySet(cfg),
		seen: directory{known: make(map[bearer]entry), applications: make(map[bearer]seen)},
	}
	v.check = &goidc.Config{ClientID: cfg.Audience, Now: func() time.Time { return cfg.Now().Add(-cfg.Leeway) }}
	for _, a := range algorithms {
		v.check.SupportedSigningAlgs = append(v.check.SupportedSigningAlgs, string(a))
	}
	return v, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Authenticate implements httpapi.TokenAuthenticator. Unless Config.Principal says otherwise
// the bearer has
//
//   - the id of the claim sub, and the account of Config.AccountClaim;
//   - the name of the claim name or preferred_username, and the address of email where
//     email_verified is true;
//   - the scopes of the claim scope or scp, a list or a text with spaces;
//   - the kind Service where sub is the client (client_id or azp), as for tokens by client
//     credentials, and else User.
//
// A token that is not good fails with twinplatform.Unauthenticated. Where the keys of the
// issuer could not be read, and the token may be good, it is another error.
func (v *Verifier) Authenticate(ctx context.Context, token string) (twinplatform.Principal, error) {
	asked := &signature{keys: v.keys}
	verified, err := goidc.NewVerifier(v.cfg.Issuer, asked, v.check).Verify(ctx, token)
	switch {
	case asked.unavailable != nil:
		return twinplatform.Principal{}, asked.unavailable
	case err == nil:
		err = v.usable(verified)
	}
	if err != nil {
		return twinplatform.Principal{}, refused(err.Error())
	}
	who, err := v.principal(ctx, verified)
	if err != nil {
		return twinplatform.Principal{}, err
	}
	who.Issuer = v.cfg.Issuer
	v.seen.note(who, verified.Expiry, v.cfg.Now())
	return who, nil
}

// maxReason is the length of the longest reason in the log, which may quote the token's
// header.
const maxReason = 200

func refused(reason string) error {
	return fmt.Errorf("%w: %s", twinplatform.Unauthenticated, reason[:min(len(reason), maxReason)])
}

// usable reports what is wrong with a token of the issuer that is for this API.
func (v *Verifier) usable(token *goidc.IDToken) error {
	var claims struct {
		NotBefore float64 `json:"nbf"`
		Type      string  `json:"typ"` // how Keycloak marks the kind of a token
	}
	if err := token.Claims(&claims); err != nil {
		return errors.New("claims of other types than theirs")
	}
	latest := v.cfg.Now().Add(v.cfg.Leeway)
	switch {
	case token.AccessTokenHash != "" || slices.Contains([]string{"ID", "Refresh", "Offline", "Logout"}, claims.Type):
		return errors.New("no access token")
	case token.IssuedAt.After(latest) || claims.NotBefore > float64(latest.Unix()):
		return errors.New("a token that is not good yet")
	}
	return nil
}

// signature checks one token by the keys of the issuer.
type signature struct {
	keys        *keySet
	unavailable error // why the keys could not be read
}

// accessTypes are the types that access tokens have in their headers, in lower case.
var accessTypes = []string{"", "jwt", "at+jwt", "application/at+jwt"}

var errSignature = errors.New("a signature that is not the issuer's")

// VerifySignature implements goidc.KeySet.
func (s *signature) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	jws, err := jose.ParseSigned(token, algorithms)
	if err != nil || len(jws.Signatures) != 1 {
		return nil, errSignature
	}
	header := jws.Signatures[0].Protected
	if kind, _ := header.ExtraHeaders[jose.HeaderType].(string); !slices.Contains(accessTypes, strings.ToLower(kind)) {
		return nil, errors.New("no access token")
	}
	keys, err := s.keys.find(ctx, header.KeyID)
	if err != nil {
		if !errors.Is(err, errUnknownKey) {
			s.unavailable = err
		}
		return nil, err
	}
	for _, key := range keys {
		if key.Algorithm != "" && key.Algorithm != header.Algorithm {
			continue
		}
		if payload, err := jws.Verify(key); err == nil {
			return payload, nil
		}
	}
	return nil, errSignature
}

// maxSeen is how many bearers are remembered.
const maxSeen = 10_000

// directory are bearers who have called, until their tokens expire, and service applications
// beyond that.
type directory struct {
	mu           sync.Mutex
	known        map[bearer]entry
	applications map[bearer]seen
}

type bearer struct{ account, id string }

type entry struct {
	who   twinplatform.Principal
	until time.Time
}

// seen is an application as in its last token.
type seen struct {
	who twinplatform.Principal
	at  time.Time
}

func (d *directory) note(who twinplatform.Principal, until, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := bearer{who.AccountID, who.ID}
	if who.Kind == twinplatform.Service {
		d.meet(at, who, now)
	}
	if _, known := d.known[at]; !known && len(d.known) >= maxSeen {
		d.makeRoom(now)
	}
	d.known[at] = entry{who, until}
}

// meet notes an application, in place of the one that was not seen for longest where
// there are too many.
func (d *directory) meet(at bearer, who twinplatform.Principal, now time.Time) {
	if _, known := d.applications[at]; !known && len(d.applications) >= maxSeen {
		oldest := at
		for other, s := range d.applications {
			if oldest == at || s.at.Before(d.applications[oldest].at) {
				oldest = other
			}
		}
		delete(d.applications, oldest)
	}
	d.applications[at] = seen{who, now}
}

// makeRoom forgets those whose tokens have expired, or someone.
func (d *directory) makeRoom(now time.Time) {
	for at, e := range d.known {
		if !now.Before(e.until) {
			delete(d.known, at)
		}
	}
	for at := range d.known {
		if len(d.known) < maxSeen {
			return
		}
		delete(d.known, at)
	}
}

// Principal implements twinplatform.PrincipalDirectory for bearers who have called: they may
// call until the token that they called with last expires. It knows none after a restart, until
// they call again.
func (v *Verifier) Principal(_ context.Context, accountID, id string) (twinplatform.Principal, bool, error) {
	v.seen.mu.Lock()
	defer v.seen.mu.Unlock()
	e, ok := v.seen.known[bearer{accountID, id}]
	if !ok || !v.cfg.Now().Before(e.until.Add(v.cfg.Leeway)) {
		return twinplatform.Principal{}, false, nil
	}
	return e.who, true, nil
}

// Trusts implements webhooks.VisitorDirectory: it trusts Config.Issuer alone.
func (v *Verifier) Trusts(issuer string) bool { return issuer == v.cfg.Issuer }

// LastSeen implements webhooks.VisitorDirectory for service applications: they are as in
// the last token that they called with, also when that has expired. It knows none after a
// restart, until they call again, and of 10,000 those that were seen last.
func (v *Verifier) LastSeen(_ context.Context, issuer, accountID, id string) (twinplatform.Principal, time.Time, bool,
	error,
) {
	v.seen.mu.Lock()
	defer v.seen.mu.Unlock()
	s, ok := v.seen.applications[bearer{accountID, id}]
	return s.who, s.at, ok && v.Trusts(issuer), nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (*Verifier) Transactional() {}
