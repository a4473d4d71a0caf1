package signin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// The scopes of OpenID Connect; those of the platform are used next to them.
const (
	openScope    = "openid"
	profileScope = "profile"
	emailScope   = "email"
	offlineScope = "offline_access" // with it there is a refresh token
)

func everyScope() []string {
	return append([]string{openScope, profileScope, emailScope, offlineScope}, twinplatform.Scopes()...)
}

func has(scopes []string, scope string) bool { return slices.Contains(scopes, scope) }

// scopesOf are the scopes that are granted of those that are asked for: the ones that the
// principal has, all of them where none is asked for, and with people those of OpenID Connect.
func scopesOf(asked string, who twinplatform.Principal, person bool) []string {
	if strings.TrimSpace(asked) == "" {
		return who.Scopes
	}
	var granted []string
	for scope := range strings.FieldsSeq(asked) {
		known := has(who.Scopes, scope) ||
			person && has([]string{openScope, profileScope, emailScope, offlineScope}, scope)
		if known && !has(granted, scope) {
			granted = append(granted, scope)
		}
	}
	return granted
}

// accessClaims holds the claims of an access token (RFC 9068): who calls, and by whose
// leave.
type accessClaims struct {
	Issuer   string                           `json:"iss"`
	Subject  string                           `json:"sub"`
	Audience string                           `json:"aud"`
	Client   string                           `json:"client_id"`
	Expires  int64                            `json:"exp"`
	Issued   int64                            `json:"iat"`
	ID       string                           `json:"jti"`
	Session  string                           `json:"sid"`
	Scope    string                           `json:"scope"`
	Account  string                           `json:"account_id"`
	Roles    []twinplatform.AdministratorRole `json:"roles,omitempty"` // of administrators
	profile
}

// idClaims holds the claims of an ID token: who has signed in to a client.
type idClaims struct {
	Issuer     string `json:"iss"`
	Subject    string `json:"sub"`
	Audience   string `json:"aud"`
	Expires    int64  `json:"exp"`
	Issued     int64  `json:"iat"`
	SignedIn   int64  `json:"auth_time"`
	Session    string `json:"sid"` // which a sign-out with this token ends
	Nonce      string `json:"nonce,omitempty"`
	AccessHash string `json:"at_hash"`
	profile
}

// profile is what people call someone.
type profile struct {
	Name     string `json:"name,omitempty"`
	Email    string `json:"email,omitempty"`
	Verified bool   `json:"email_verified,omitempty"`
}

func profileOf(who twinplatform.Principal, scopes []string) (out profile) {
	if has(scopes, profileScope) {
		out.Name = who.DisplayName
	}
	if has(scopes, emailScope) && who.Email != "" {
		out.Email, out.Verified = who.Email, true
	}
	return out
}

// claimsOf makes the claims of an access token. They always name the bearer to the API. A
// service application is its own client.
func (p *Provider) claimsOf(s session, who twinplatform.Principal, now, expires time.Time) accessClaims {
	client := s.client
	if who.Kind == twinplatform.Service {
		client = who.ID
	}
	return accessClaims{
		Issuer: p.cfg.Issuer, Subject: who.ID, Audience: p.cfg.Audience, Client: client, Expires: expires.Unix(),
		Issued: now.Unix(),
		ID:     rand.Text(), Session: s.id, Scope: strings.Join(s.scopes, " "), Account: who.AccountID,
		Roles:   who.AdministratorRoles,
		profile: profileOf(who, []string{profileScope, emailScope}),
	}
}

// Authenticate implements httpapi.TokenAuthenticator: the principal is the one of the tokens
// file as it is by now, with the scopes of the token, and while what was signed in with is
// good.
func (p *Provider) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	_, who, err := p.check(token)
	return who, err
}

// check reads an access token.
func (p *Provider) check(token string) (c accessClaims, who twinplatform.Principal, err error) {
	unknown := func(text string) (accessClaims, twinplatform.Principal, error) {
		return accessClaims{}, twinplatform.Principal{}, fmt.Errorf("%w: %s", twinplatform.Unauthenticated, text)
	}
	now := p.cfg.Now()
	if err := p.keys.verify(accessType, token, &c); err != nil || c.Issuer != p.cfg.Issuer ||
		c.Audience != p.cfg.Audience {
		return unknown("no access token of the provider at " + p.cfg.Issuer)
	}
	if now.Unix() >= c.Expires {
		return unknown("an access token of " + c.Subject + " that has expired")
	}
	caller, ok := p.signedIn(c.Session, now)
	if !ok || caller.Principal.ID != c.Subject {
		return unknown("an access token of " + c.Subject + " whose session has ended")
	}
	who = caller.Principal
	who.Scopes = slices.DeleteFunc(strings.Fields(c.Scope),
		func(scope string) bool { return !has(caller.Principal.Scopes, scope) })
	return c, who, nil
}

// signedIn is who began a session, while it lasts.
func (p *Provider) signedIn(id string, now time.Time) (platform.Caller, bool) {
	p.state.mu.Lock()
	s, ok := p.state.sessions[id]
	p.state.mu.Unlock()
	if ok {
		return p.of(s.digest, now)
	}
	for _, c := range p.cfg.Callers() { // a service application has no session
		if c.Principal.Kind == twinplatform.Service && !c.Expired(now) && p.serviceID(c) == id {
			return c, true
		}
	}
	return platform.Caller{}, false
}

// serviceID is in tokens of a service application for the token of the file, which it
// does not reveal.
func (p *Provider) serviceID(c platform.Caller) string {
	h := hmac.New(sha256.New, p.state.secret[:])
	digest := c.TokenDigest()
	_, _ = h.Write(digest[:])
	return encoded(h.Sum(nil)[:18])
}

// of is the caller whose token has a digest, while it is good.
func (p *Provider) of(digest platform.TokenDigest, now time.Time) (found platform.Caller, ok bool) {
	for _, c := range p.cfg.Callers() {
		known := c.TokenDigest()
		if subtle.ConstantTimeCompare(known[:], digest[:]) == 1 && !c.Expired(now) {
			found, ok = c, true
		}
	}
	return found, ok
}

// bearer is the caller with a name and a token, which is the password.
func (p *Provider) bearer(name, token string, now time.Time) (platform.Caller, bool) {
	c, ok := p.of(platform.DigestOf(token), now)
	who := c.Principal
	named := name == who.ID || name == c.Name || name == who.DisplayName || strings.EqualFold(name, who.Email)
	return c, ok && name != "" && named
}

// expiry is when something ends that lasts until a time at most, and no longer than a token.
func expiry(c platform.Caller, at time.Time) time.Time {
	if !c.Expires.IsZero() && c.Expires.Before(at) {
		return c.Expires
	}
	return at
}

// userinfo shows the bearer of an access token who has signed in.
func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	c, who, err := p.check(strings.TrimSpace(token))
	if err == nil {
		p.cfg.Caller(r.Context(), who)
	}
	switch {
	case err != nil || !strings.EqualFold(scheme, "Bearer"):
		w.Header().Set("WWW-Authenticate", `Bearer realm="oidc", error="invalid_token"`)
		writeJSON(w, http.StatusUnauthorized, refusal{"invalid_token", "the access token is not good, or no longer"})
	case !has(strings.Fields(c.Scope), openScope):
		w.Header().Set("WWW-Authenticate", `Bearer realm="oidc", error="insufficient_scope", scope="openid"`)
		writeJSON(w, http.StatusForbidden, refusal{"insufficient_scope", "the access token has no scope openid"})
	default:
		writeJSON(w, http.StatusOK, struct {
			Subject string                           `json:"sub"`
			Account string                           `json:"account_id"`
			Roles   []twinplatform.AdministratorRole `json:"roles,omitempty"`
			profile
		}{who.ID, who.AccountID, who.AdministratorRoles, profileOf(who, strings.Fields(c.Scope))})
	}
}
