package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// asForm sends a form to the provider of a server.
func (s *running) asForm(path string, status int, pairs ...string) answer {
	s.t.Helper()
	form := make(url.Values)
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.send(req, "", status)
}

func TestTokensOfTheProviderAreGoodUntilTheClockOfTheTestHasThemExpire(t *testing.T) {
	t.Parallel()
	s := start(t, "-oidc", "-test-controls")
	metadata := s.callAs("", "GET", "/oidc/.well-known/openid-configuration", "", 200).body
	if metadata["issuer"] != s.base+"/oidc" || !strings.Contains(s.banner, s.base+"/oidc") {
		t.Errorf("the issuer is %v, and the banner says %s", metadata["issuer"], s.banner)
	}
	ask := func() string {
		got := s.asForm("/oidc/token", 200, "grant_type", "client_credentials", "client_id", "Demo service", "client_secret", "demo-service", "scope", "twin-platform")
		return got.body["access_token"].(string)
	}
	token := ask()
	s.callAs(token, "GET", "/twins", "", 200)
	s.callAs(token, "GET", "/webhooks", "", 401) // without their scope
	s.callAs(token+"x", "GET", "/twins", "", 401)
	s.call("POST", "/_test/clock", `{"advance": "59m"}`, 200)
	s.callAs(token, "GET", "/twins", "", 200)
	s.call("POST", "/_test/clock", `{"advance": "1m"}`, 200)
	s.callAs(token, "GET", "/twins", "", 401)

	token = ask()
	s.callAs("", "POST", "/_test/oidc/keys", ``, 204)
	s.callAs(token, "GET", "/twins", "", 200)
	s.callAs("", "POST", "/_test/oidc/keys", `{"forget": true}`, 204)
	s.callAs(token, "GET", "/twins", "", 401)
	s.callAs(ask(), "GET", "/twins", "", 200)
}

func TestTheProviderIsOffUnlessItIsAskedFor(t *testing.T) {
	t.Parallel()
	s := start(t, "-test-controls")
	s.call("GET", "/oidc/.well-known/openid-configuration", "", 404)
	s.callAs("", "POST", "/_test/oidc/keys", ``, 400)
	others := func(context.Context, string, *slog.Logger) (storage.Store, error) {
		return nil, errors.ErrUnsupported
	}
	for want, args := range map[string][]string{
		"-oidc, which is off":               {"-oidc-client", "app"},
		"an id, or id=address":              {"-oidc", "-oidc-client", "app=/callback"},
		"an id, or id=address ":             {"-oidc", "-oidc-client", "=https://app.example/"},
		"-oidc is for one server: others o": {"-oidc", "-db", "postgres://db/x", "-file-key", "k", "-files", "f"},
	} {
		if _, _, err := parseOptions(everyOption(), map[string]Engine{"postgres": others}, args, nil); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestClientsOfTheProviderHaveSeveralAddresses(t *testing.T) {
	t.Parallel()
	c, _, err := parseConfig([]string{"-oidc", "-oidc-client", "app=https://app.example/a", "-oidc-client", "cli", "-oidc-client", "app=https://app.example/b?c=d"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, "the clients", "[{app [https://app.example/a https://app.example/b?c=d]} {cli []}]", fmt.Sprint(c.OIDCClients))
}
