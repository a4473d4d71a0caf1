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

// endSession ends the session of an ID token, and sends people to an address of its client (OpenID Connect
// RP-Initiated Logout 1.0). The ID token may have expired. Without one there is nothing to end, since the provider
// does not remember browsers. An address that the client has not registered, or without a client, is shown no more
// than that people are signed out.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || unrepeated(r.Form) != nil {
		p.show(w, http.StatusBadRequest,
			view{Title: "This link is wrong", Problem: "Its parameters cannot be read, or one is there twice."})
		return
	}
	id := r.Form.Get("client_id")
	if hint := r.Form.Get("id_token_hint"); hint != "" {
		var c idClaims
		if err := p.keys.verify(idType, hint, &c); err != nil || c.Issuer != p.cfg.Issuer ||
			id != "" && id != c.Audience {
			p.show(w, http.StatusBadRequest,
				view{
					Title:   "This link is wrong",
					Problem: "Its id_token_hint is no ID token of this provider, or of another client.",
				})
			return
		}
		id = c.Audience
		p.state.end(c.Session)
	}
	back := r.Form.Get("post_logout_redirect_uri")
	client, ok := p.client(id)
	to, err := url.Parse(back)
	switch {
	case back == "":
		p.show(w, http.StatusOK, view{Title: "Signed out", Done: "You are signed out."})
		return
	case !ok || !client.sends(back) || err != nil:
		p.show(w, http.StatusBadRequest,
			view{Title: "Signed out", Problem: "You are signed out. The link names no client of this provider, or an " +
				"address that the client has not registered."})
		return
	}
	if state := r.Form.Get("state"); state != "" {
		to.RawQuery = strings.TrimPrefix(to.RawQuery+"&"+url.Values{"state": {state}}.Encode(), "&")
	}
	protect(w.Header(), back)
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// end ends a session. One that is not there has ended.
func (s *state) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, id)
}

// asker is a client that asks about a token: a service application, with its secret, or one without a secret.
type asker struct {
	client  string
	service bool
}

// asking is the client that asks about a token, and the token.
func (p *Provider) asking(r *http.Request) (who asker, token string, err error) {
	form, err := formOf(r)
	if err != nil {
		return who, "", err
	}
	id, secret, err := credentials(r, form)
	if err != nil {
		return who, "", err
	}
	if token = form.Get("token"); token == "" {
		return who, "", refuse("invalid_request", "token is missing")
	}
	if caller, ok := p.bearer(id, secret, p.cfg.Now()); ok && caller.Principal.Kind == twinplatform.Service {
		return asker{caller.Principal.ID, true}, token, nil
	}
	if _, ok := p.client(id); !ok || secret != "" {
		return who, "", refuse("invalid_client",
			"there is no service application of this id and secret, and no client of this id without one")
	}
	return asker{client: id}, token, nil
}

// revoke ends the session of a token, with all of its tokens (RFC 7009). A token that is not known is revoked. Only a
// client's own tokens are: of another's nothing is said, and nothing happens.
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	who, token, err := p.asking(r)
	if err != nil {
		writeRefusal(w, err)
		return
	}
	switch k, ok := p.known(token); {
	case !ok || k.client != who.client:
	case k.session == "":
		writeRefusal(w, refuse("unsupported_token_type",
			"a token of a service application ends when it expires, or with its secret"))
		return
	default:
		p.state.end(k.session)
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// introspection is what is said of a token (RFC 7662); of one that is not good, or is none of the client's business,
// no more than that.
type introspection struct {
	Active   bool   `json:"active"`
	Scope    string `json:"scope,omitempty"`
	Client   string `json:"client_id,omitempty"`
	Username string `json:"username,omitempty"`
	Type     string `json:"token_type,omitempty"`
	Expires  int64  `json:"exp,omitempty"`
	Issued   int64  `json:"iat,omitempty"`
	Subject  string `json:"sub,omitempty"`
	Audience string `json:"aud,omitempty"`
	Issuer   string `json:"iss,omitempty"`
	ID       string `json:"jti,omitempty"`
	Account  string `json:"account_id,omitempty"`
}

// introspect says what a token is worth: to a service application of every token, to any other client of its own.
func (p *Provider) introspect(w http.ResponseWriter, r *http.Request) {
	who, token, err := p.asking(r)
	if err != nil {
		writeRefusal(w, err)
		return
	}
	k, ok := p.known(token)
	if !ok || !who.service && k.client != who.client {
		writeJSON(w, http.StatusOK, introspection{})
		return
	}
	writeJSON(w, http.StatusOK, k.introspection)
}

// knownToken is a token that is good.
type knownToken struct {
	introspection

	client  string
	session string // empty: of a service application
}

// known is a token that is good: an access token or the one refresh token of a session.
func (p *Provider) known(token string) (k knownToken, ok bool) {
	if c, who, err := p.check(token); err == nil {
		k = knownToken{introspection{
			true, c.Scope, c.Client, who.DisplayName, "Bearer", c.Expires, c.Issued, c.Subject, c.Audience, c.Issuer,
			c.ID, c.Account,
		}, c.Client, c.Session}
		if who.Kind == twinplatform.Service {
			k.session = ""
		}
		return k, true
	}
	s, ok := p.state.refreshes(token, p.cfg.Now())
	if !ok {
		return k, false
	}
	caller, ok := p.of(s.digest, p.cfg.Now())
	who := caller.Principal
	return knownToken{introspection{
		Active: true, Scope: strings.Join(s.scopes, " "), Client: s.client, Username: who.DisplayName,
		Expires: s.expires.Unix(),
		Issued:  s.signedIn.Unix(), Subject: who.ID, Issuer: p.cfg.Issuer, Account: who.AccountID,
	}, s.client, s.id}, ok
}

// refreshes is the session whose one good refresh token a text is. It stays good.
func (s *state) refreshes(token string, now time.Time) (session, bool) {
	if len(token) <= familyLength {
		return session{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.sessions[sessionID(token[:familyLength])]
	sum := sha256.Sum256([]byte(token))
	return known, ok && now.Before(known.expires) && subtle.ConstantTimeCompare(sum[:], known.refresh[:]) == 1
}
