package signin

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// challengeMethod is how a client hides what it proves itself by (PKCE).
const challengeMethod = "S256"

// challengeLength is how many characters a SHA-256 has in base64 without padding (RFC 7636,
// section 4.2).
const challengeLength = 43

// request is what a client asks people to sign in for.
type request struct {
	client    Client
	redirect  string
	state     string
	scope     string
	nonce     string
	challenge string
	hint      string // who may be about to sign in
}

// authorize shows the page to sign in on, and sends people back with a code. A request that
// does not come from a known client is answered here: people are sent to no address that the
// client has not registered.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err == nil {
		err = unrepeated(query)
	}
	client, ok := p.client(query.Get("client_id"))
	if err != nil || !ok || !client.sends(query.Get("redirect_uri")) {
		p.show(w, http.StatusBadRequest,
			view{
				Title:   "This link is wrong",
				Problem: "It names no client of this provider, or an address that the client has not registered.",
			})
		return
	}
	asked := request{
		client, query.Get("redirect_uri"), query.Get("state"), query.Get("scope"), query.Get("nonce"),
		query.Get("code_challenge"), query.Get("login_hint"),
	}
	if err := unanswerable(query); err != nil {
		p.sendBack(w, r, asked, url.Values{"error": {err.Code}, "error_description": {err.Text}})
		return
	}
	v := view{Title: "Sign in to " + client.ID, Asks: asked.scope, Name: asked.hint, Back: asked.redirect}
	if r.Method == http.MethodGet {
		p.show(w, http.StatusOK, v)
		return
	}
	form, err := formOf(r)
	if err != nil {
		v.Problem = "The form could not be read."
		p.show(w, http.StatusBadRequest, v)
		return
	}
	if form.Get("answer") == "deny" {
		p.sendBack(w, r, asked, url.Values{
			"error":             {"access_denied"},
			"error_description": {"the user has not signed in"},
		})
		return
	}
	caller, ok := p.person(form)
	if !ok {
		v.Name, v.Problem = form.Get("user"), wrongPassword
		p.show(w, http.StatusUnauthorized, v)
		return
	}
	p.cfg.Caller(r.Context(), caller.Principal)
	text, err := p.newCode(asked, caller)
	if err != nil {
		p.sendBack(w, r, asked, url.Values{"error": {errFull.Code}, "error_description": {errFull.Text}})
		return
	}
	p.sendBack(w, r, asked, url.Values{"code": {text}})
}

// unanswerable reports why a request of a known client gets no code; nil: it may.
func unanswerable(query url.Values) *refusal {
	challenge := query.Get("code_challenge")
	switch {
	case query.Has("request"):
		return &refusal{"request_not_supported", "parameters are in the query"}
	case query.Has("request_uri"):
		return &refusal{"request_uri_not_supported", "parameters are in the query"}
	case query.Get("response_type") != "code":
		return &refusal{"unsupported_response_type", "want response_type=code"}
	case query.Has("response_mode") && query.Get("response_mode") != "query":
		return &refusal{"invalid_request", "want response_mode=query"}
	case query.Get("code_challenge_method") != challengeMethod || len(challenge) != challengeLength:
		return &refusal{"invalid_request", "want a code_challenge with code_challenge_method=S256 (PKCE)"}
	case query.Get("prompt") == "none":
		return &refusal{"login_required", "people sign in each time"}
	}
	return nil
}

const wrongPassword = "This name and password are not known." //nolint:gosec // it is none

// person is the one who signs in with a form.
func (p *Provider) person(form url.Values) (platform.Caller, bool) {
	c, ok := p.bearer(strings.TrimSpace(form.Get("user")), form.Get("password"), p.cfg.Now())
	return c, ok && c.Principal.Kind == twinplatform.User
}

// newCode makes a code for a client.
func (p *Provider) newCode(asked request, c platform.Caller) (string, error) {
	now := p.cfg.Now()
	text := rand.Text()
	made := code{
		grant: grant{
			client: asked.client.ID, digest: c.TokenDigest(), scopes: scopesOf(asked.scope, c.Principal, true),
			nonce: asked.nonce, signedIn: now,
		},
		redirect: asked.redirect, challenge: asked.challenge, expires: now.Add(codeTime),
	}
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	return text, keep(p.state.codes, text, made, func(old code) bool { return now.After(old.expires.Add(deviceTime)) })
}

// sendBack sends people back to the client that asked, with an answer.
func (p *Provider) sendBack(w http.ResponseWriter, r *http.Request, asked request, answer url.Values) {
	to, err := url.Parse(asked.redirect)
	if err != nil { // it was registered
		p.show(w, http.StatusBadRequest,
			view{Title: "This link is wrong", Problem: "The address of the client is none."})
		return
	}
	answer.Set("iss", p.cfg.Issuer)
	if asked.state != "" {
		answer.Set("state", asked.state)
	}
	to.RawQuery = strings.TrimPrefix(to.RawQuery+"&"+answer.Encode(), "&")
	protect(w.Header(), asked.redirect)
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}
