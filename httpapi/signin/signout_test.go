package signin_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// signIn signs Ben in to the client app.
func (w *world) signIn() answer {
	w.t.Helper()
	got := w.redeem(w.code("Ben", "tok-ben"))
	if !w.good(got) || got.text("refresh_token") == "" {
		w.t.Fatalf("signing in: %d %v", got.status, got.member)
	}
	return got
}

func TestSigningOutEndsTheSessionAndLeadsBackToTheClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, method := range []string{"GET", "POST"} {
		tokens, other := w.signIn(), w.signIn()
		w.now = w.now.Add(time.Hour) // ID tokens say who signed in when they have expired, too
		asked := values("id_token_hint", tokens.text("id_token"), "post_logout_redirect_uri", callback, "state", "s&t")
		var a answer
		if method == "GET" {
			a = w.ask(method, "/end_session?"+asked.Encode(), nil)
		} else {
			a = w.ask(method, "/end_session", asked)
		}
		if a.status != http.StatusSeeOther || a.header.Get("Location") != callback+"?state=s%26t" || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", method, a.status, a.header)
		}
		if w.refresh("app", tokens.text("refresh_token")).status != 400 || w.refresh("app", other.text("refresh_token")).status != 200 {
			t.Errorf("%s: not just the one session has ended", method)
		}
		w.now = w.now.Add(-time.Hour)
	}
	if a := w.ask("GET", "/end_session", nil); a.status != 200 || !strings.Contains(a.body, "You are signed out.") {
		t.Errorf("without anything: %d %s", a.status, a.body)
	}
	back := values("client_id", "app", "post_logout_redirect_uri", "http://127.0.0.1:4711/back").Encode()
	if a := w.ask("GET", "/end_session?"+back, nil); a.status != http.StatusSeeOther {
		t.Errorf("without an ID token: %d %s", a.status, a.body)
	}
}

func TestSigningOutLeadsToNoAddressThatIsNotRegistered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	tokens := w.signIn()
	for name, asked := range map[string]url.Values{
		"an address of another":     values("id_token_hint", tokens.text("id_token"), "post_logout_redirect_uri", "https://other.example/"),
		"an address of no client":   values("client_id", "app", "post_logout_redirect_uri", "https://evil.example/"),
		"no client":                 values("post_logout_redirect_uri", callback),
		"a client that is not here": values("client_id", "x", "post_logout_redirect_uri", callback),
		"the ID token of another":   values("client_id", "other", "id_token_hint", tokens.text("id_token"), "post_logout_redirect_uri", "https://other.example/"),
		"an access token":           values("id_token_hint", tokens.text("access_token"), "post_logout_redirect_uri", callback),
		"no token":                  values("id_token_hint", "x.y.z", "post_logout_redirect_uri", callback),
		"an address that is there twice": {
			"client_id": {"app"}, "post_logout_redirect_uri": {callback, "https://evil.example/"},
		},
	} {
		a := w.ask("GET", "/end_session?"+asked.Encode(), nil)
		if a.status != 400 || a.header.Get("Location") != "" || strings.Contains(a.body, "evil") {
			t.Errorf("%s: %d %v %s", name, a.status, a.header, a.body)
		}
	}
	// Where the ID token is its own, the session ends all the same; a wrong one ends none.
	if again := w.signIn(); !w.good(again) {
		t.Error("another session has ended")
	}
}

func TestARevokedTokenEndsItsSessionForItsOwnClientAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, kind := range []string{"access_token", "refresh_token"} {
		tokens := w.signIn()
		for client, ends := range map[string]bool{"other": false, "app": true} {
			if client == "app" && !w.good(tokens) {
				t.Errorf("%s: another client has revoked it", kind)
			}
			a := w.ask("POST", "/revoke", values("token", tokens.text(kind), "client_id", client), "Origin: https://app.example")
			if a.status != 200 || a.body != "" || a.header.Get("Access-Control-Allow-Origin") == "" {
				t.Errorf("%s: %d %s", kind, a.status, a.body)
			}
			if ends && w.good(tokens) {
				t.Errorf("%s: its session has not ended", kind)
			}
			if ends {
				break
			}
		}
	}
	for name, test := range map[string]struct {
		form url.Values
		want int
		code string
	}{
		"a token that is not known":   {values("token", "x", "client_id", "app"), 200, ""},
		"no token":                    {values("client_id", "app"), 400, "invalid_request"},
		"no client":                   {values("token", "x"), 401, "invalid_client"},
		"a client with a secret":      {values("token", "x", "client_id", "app", "client_secret", "s"), 401, "invalid_client"},
		"a token of a service itself": {values("token", w.service(), "client_id", "id-robot", "client_secret", "tok-robot"), 400, "unsupported_token_type"},
	} {
		if a := w.ask("POST", "/revoke", test.form); a.status != test.want || a.text("error") != test.code {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

// service is an access token of the service application.
func (w *world) service() string {
	w.t.Helper()
	basic := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("id-robot:tok-robot"))
	return w.ask("POST", "/token", values("grant_type", "client_credentials"), basic).text("access_token")
}

func TestIntrospectionSaysWhatATokenIsWorthToWhoMayKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	tokens := w.signIn()
	robot := values("client_id", "id-robot", "client_secret", "tok-robot")
	ask := func(token string, who url.Values) answer {
		form := values("token", token)
		for name := range who {
			form.Set(name, who.Get(name))
		}
		return w.ask("POST", "/introspect", form)
	}
	for _, who := range []url.Values{robot, values("client_id", "app")} {
		a := ask(tokens.text("access_token"), who)
		want := map[string]any{
			"active": true, "client_id": "app", "username": "Ben", "token_type": "Bearer", "sub": "id-ben", "iss": issuer, "account_id": "zenith",
			"scope": tokens.text("scope"), "exp": float64(w.now.Add(time.Hour).Unix()), "iat": float64(w.now.Unix()),
		}
		delete(a.member, "jti")
		delete(a.member, "aud")
		if diff := cmp.Diff(want, a.member); diff != "" {
			t.Errorf("an access token (-want +got)\n%s", diff)
		}
		if a := ask(tokens.text("refresh_token"), who); a.member["active"] != true || a.text("sub") != "id-ben" || a.text("token_type") != "" {
			t.Errorf("a refresh token: %d %s", a.status, a.body)
		}
	}
	// It stays good, however often it is asked for.
	if w.refresh("app", tokens.text("refresh_token")).status != 200 {
		t.Error("introspection has used a refresh token up")
	}
	if a := ask(w.service(), robot); a.member["active"] != true || a.text("sub") != "id-robot" {
		t.Errorf("the token of a service: %s", a.body)
	}
	for name, a := range map[string]answer{
		"a token of another client": ask(tokens.text("access_token"), values("client_id", "other")),
		"a used refresh token":      ask(tokens.text("refresh_token"), robot),
		"an ID token":               ask(tokens.text("id_token"), robot),
		"a text":                    ask("x", robot),
	} {
		if a.status != 200 || a.body != `{"active":false}`+"\n" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := ask(tokens.text("access_token"), values("client_id", "id-robot", "client_secret", "wrong")); a.status != 401 {
		t.Errorf("a wrong secret: %d %s", a.status, a.body)
	}
}

// Every endpoint of the metadata is there, and the metadata is the same where clients of OAuth 2.0 look for it.
func TestTheMetadataNamesWhatIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	open, oauth := w.ask("GET", "/.well-known/openid-configuration", nil), w.ask("GET", "/.well-known/oauth-authorization-server", nil)
	if diff := cmp.Diff(open.member, oauth.member); open.status != 200 || diff != "" {
		t.Errorf("%d %s", open.status, diff)
	}
	found := 0
	for name, at := range open.member {
		if !strings.HasSuffix(name, "_endpoint") && name != "jwks_uri" {
			continue
		}
		found++
		path, ok := strings.CutPrefix(at.(string), issuer)
		if get, post := w.ask("GET", path, nil), w.ask("POST", path, values()); !ok || get.status == 404 || get.status == 405 && post.status == 405 {
			t.Errorf("%s is %v, which answers %d and %d", name, at, get.status, post.status)
		}
	}
	if found < 8 {
		t.Errorf("the metadata names %d endpoints", found)
	}
}
