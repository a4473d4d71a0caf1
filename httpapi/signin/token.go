package signin

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// The grants by which programs get tokens.
const (
	codeGrant    = "authorization_code"
	refreshGrant = "refresh_token"
	deviceGrant  = "urn:ietf:params:oauth:grant-type:device_code"
	clientGrant  = "client_credentials"
)

// issued is an answer with tokens.
type issued struct {
	AccessToken  string `json:"access_token"`
	Type         string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
	Scope        string `json:"scope"`

	who twinplatform.Principal // whom the tokens identify
}

// token exchanges what a program has for tokens.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	answer, err := p.exchange(r)
	if err != nil {
		writeRefusal(w, err)
		return
	}
	p.cfg.Caller(r.Context(), answer.who)
	w.Header().Set("Pragma", "no-cache")
	writeJSON(w, http.StatusOK, answer)
}

func (p *Provider) exchange(r *http.Request) (issued, error) {
	form, err := formOf(r)
	if err != nil {
		return issued{}, err
	}
	id, secret, err := credentials(r, form)
	if err != nil {
		return issued{}, err
	}
	if form.Get("grant_type") == clientGrant {
		return p.serve(id, secret, form.Get("scope"))
	}
	if _, ok := p.client(id); !ok || secret != "" {
		return issued{}, refuse("invalid_client", "there is no client of this id without a secret")
	}
	switch form.Get("grant_type") {
	case codeGrant:
		return p.exchangeCode(id, form)
	case refreshGrant:
		return p.refresh(id, form)
	case deviceGrant:
		return p.pollDevice(id, form)
	}
	return issued{}, refuse("unsupported_grant_type", "want one of those of the metadata")
}

// formOf is the body of a request, in which no parameter is repeated.
func formOf(r *http.Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		return nil, refuse("invalid_request", "the body is no form, or too long")
	}
	return r.PostForm, unrepeated(r.PostForm)
}

func unrepeated(values url.Values) error {
	for name, v := range values {
		if len(v) > 1 {
			return refuse("invalid_request", name+" is there twice")
		}
	}
	return nil
}

// credentials are the id and the secret of a client, from the header or the body.
func credentials(r *http.Request, form url.Values) (id, secret string, err error) {
	id, secret, ok := r.BasicAuth()
	if !ok {
		return form.Get("client_id"), form.Get("client_secret"), nil
	}
	if form.Has("client_secret") {
		return "", "", refuse("invalid_request", "the secret is there twice")
	}
	if id, err = url.QueryUnescape(id); err == nil {
		secret, err = url.QueryUnescape(secret)
	}
	if err != nil || form.Has("client_id") && form.Get("client_id") != id {
		return "", "", refuse("invalid_client", "the Authorization header does not say who the client is")
	}
	return id, secret, nil
}

// serve issues a token for a service application.
func (p *Provider) serve(id, secret, scope string) (issued, error) {
	now := p.cfg.Now()
	caller, ok := p.bearer(id, secret, now)
	if !ok || caller.Principal.Kind != twinplatform.Service {
		return issued{}, refuse("invalid_client", "there is no service application of this id and secret")
	}
	g := grant{
		client: id, digest: caller.TokenDigest(), scopes: scopesOf(scope, caller.Principal, false),
		signedIn: now,
	}
	return p.issue(session{grant: g, id: p.serviceID(caller), expires: expiry(caller, now.Add(p.cfg.AccessTime))}, "",
		now)
}

func (p *Provider) exchangeCode(client string, form url.Values) (issued, error) {
	now := p.cfg.Now()
	s, refresh, err := p.redeemed(client, form, now)
	if err != nil {
		return issued{}, err
	}
	return p.issue(s, refresh, now)
}

// redeemed is the session that a code of a client begins.
func (p *Provider) redeemed(client string, form url.Values, now time.Time) (s session, refresh string, err error) {
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	c, err := p.state.redeem(form.Get("code"), now)
	switch {
	case err != nil:
		return s, "", err
	case c.client != client:
		return s, "", errBadGrant
	case form.Get("redirect_uri") != c.redirect:
		return s, "", refuse("invalid_grant", "the redirect_uri is not that of the code")
	case !proves(form.Get("code_verifier"), c.challenge):
		return s, "", refuse("invalid_grant", "the code_verifier is not that of the code")
	}
	if s, refresh, err = p.beginSession(c.grant, now); err == nil {
		c.used, c.session = true, s.id
		p.state.codes[form.Get("code")] = c
	}
	return s, refresh, err
}

// beginSession makes a session that no longer lasts than the token that was signed in with.
// The state is locked.
func (p *Provider) beginSession(g grant, now time.Time) (session, string, error) {
	caller, ok := p.of(g.digest, now)
	if !ok {
		return session{}, "", errBadGrant
	}
	stays := has(g.scopes, offlineScope)
	lasts := p.cfg.AccessTime
	if stays {
		lasts = p.cfg.RefreshTime
	}
	return p.state.begin(g, now, expiry(caller, now.Add(lasts)), stays)
}

// The bounds of a code_verifier, RFC 7636.
const minVerifier, maxVerifier = 43, 128

// proves reports whether a challenge was made of the verifier by S256 (RFC 7636). It
// compares them in constant time.
func proves(verifier, challenge string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return len(verifier) >= minVerifier && len(verifier) <= maxVerifier &&
		subtle.ConstantTimeCompare([]byte(encoded(sum[:])), []byte(challenge)) == 1
}

func (p *Provider) refresh(client string, form url.Values) (issued, error) {
	now := p.cfg.Now()
	p.state.mu.Lock()
	s, next, err := p.state.renew(client, form.Get("refresh_token"), strings.Fields(form.Get("scope")), now)
	p.state.mu.Unlock()
	if err != nil {
		return issued{}, err
	}
	return p.issue(s, next, now)
}

// issue signs the tokens of a session.
func (p *Provider) issue(s session, refresh string, now time.Time) (issued, error) {
	caller, ok := p.of(s.digest, now)
	if !ok {
		return issued{}, errBadGrant
	}
	who := caller.Principal
	expires := now.Add(p.cfg.AccessTime)
	if expires.After(s.expires) {
		expires = s.expires
	}
	c := p.claimsOf(s, who, now, expires)
	out := issued{
		Type: "Bearer", ExpiresIn: int64(expires.Sub(now).Seconds()), RefreshToken: refresh, Scope: c.Scope,
		who: who,
	}
	var err error
	if out.AccessToken, err = p.keys.sign(accessType, c); err != nil || !has(s.scopes, openScope) {
		return out, err
	}
	sum := sha256.Sum256([]byte(out.AccessToken))
	id := idClaims{
		Issuer: c.Issuer, Subject: c.Subject, Audience: s.client, Expires: c.Expires, Issued: c.Issued,
		SignedIn: s.signedIn.Unix(), Session: s.id, Nonce: s.nonce, AccessHash: encoded(sum[:len(sum)/2]),
		profile: profileOf(who, s.scopes),
	}
	out.IDToken, err = p.keys.sign(idType, id)
	return out, err
}
