package oidc_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/oidc"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// deployment is an API whose callers sign in at the provider for tests, which it knows as
// it would know any issuer.
type deployment struct {
	t        *testing.T
	provider *signin.Provider
	browser  http.Client // of people, which shows where they are sent
	ctx      context.Context
}

const (
	provided = "https://sign.example/oidc"
	callback = "http://127.0.0.1:51000/callback"
)

// deployed runs a test whose time is its own.
func deployed(t *testing.T, test func(*testing.T, *deployment)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		callers := platform.Callers{
			{Token: "tok-ann", Principal: twinplatform.Principal{
				ID: "id-ann", DisplayName: "Ann Ångström", Email: "ann@example.org", AccountID: "acme", Kind: twinplatform.User, Scopes: twinplatform.Scopes(),
			}},
			{Token: "tok-robot", Principal: twinplatform.Principal{
				ID: "id-robot", DisplayName: "Robot", AccountID: "acme", Kind: twinplatform.Service, Scopes: twinplatform.Scopes(),
			}},
		}
		provider, err := signin.New(signin.Config{
			Issuer: provided, Callers: func() platform.Callers { return callers },
			Clients: []signin.Client{{ID: "app", Redirects: []string{"http://127.0.0.1/callback"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		hosts := direct{"sign.example": http.StripPrefix("/oidc", provider)}
		client := &http.Client{Transport: hosts}
		verifier, err := oidc.New(oidc.Config{Issuer: provided, Audience: signin.DefaultAudience, Client: client})
		if err != nil {
			t.Fatal(err)
		}
		p, err := platform.New(memory.New(), platform.Config{Env: twinplatform.Env{Principals: verifier}})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		api, err := httpapi.New(httpapi.Config{Authenticator: httpapi.BearerTokens(verifier), Twins: p.Twins, Schedules: p.Schedules, BaseURL: "https://api.example"})
		if err != nil {
			t.Fatal(err)
		}
		hosts["api.example"] = api
		d := &deployment{t: t, provider: provider, browser: http.Client{Transport: hosts, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
		d.ctx = context.WithValue(t.Context(), oauth2.HTTPClient, client)
		test(t, d)
	})
}

// sign fills in the page that an address leads to, and returns where that sends people.
func (d *deployment) sign(address string, form url.Values) *url.URL {
	d.t.Helper()
	form.Set("user", "ann@example.org")
	form.Set("password", "tok-ann")
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := d.browser.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return nil
	}
	to, err := res.Location()
	if err != nil {
		d.t.Fatalf("%d %v", res.StatusCode, err)
	}
	return to
}

// me is what the API answers a client with.
func (d *deployment) me(client *http.Client) int {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, "https://api.example/twins", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	res, err := client.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// app is the configuration of the client, with the addresses that the provider publishes.
func (d *deployment) app() (oauth2.Config, *goidc.Provider) {
	d.t.Helper()
	p, err := goidc.NewProvider(d.ctx, provided)
	if err != nil {
		d.t.Fatal(err)
	}
	return oauth2.Config{
		ClientID: "app", Endpoint: p.Endpoint(), RedirectURL: callback,
		Scopes: []string{goidc.ScopeOpenID, "profile", "email", goidc.ScopeOfflineAccess, twinplatform.ScopePlatform},
	}, p
}

func TestAClientSignsInByCodeAndRefreshesItsTokens(t *testing.T) {
	t.Parallel()
	deployed(t, func(t *testing.T, d *deployment) {
		app, provider := d.app()
		verifier := oauth2.GenerateVerifier()
		to := d.sign(app.AuthCodeURL("the state", oauth2.S256ChallengeOption(verifier), goidc.Nonce("the nonce")), url.Values{})
		if to.Query().Get("state") != "the state" || !strings.HasPrefix(to.String(), callback) {
			t.Fatalf("sent to %s", to)
		}
		if _, err := app.Exchange(d.ctx, to.Query().Get("code")); err == nil {
			t.Error("a code is exchanged without the verifier")
		}
		to = d.sign(app.AuthCodeURL("the state", oauth2.S256ChallengeOption(verifier), goidc.Nonce("the nonce")), url.Values{})
		token, err := app.Exchange(d.ctx, to.Query().Get("code"), oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := token.Extra("id_token").(string)
		id, err := provider.Verifier(&goidc.Config{ClientID: "app"}).Verify(d.ctx, raw)
		if err != nil || id.Subject != "id-ann" || id.Nonce != "the nonce" || id.VerifyAccessToken(token.AccessToken) != nil {
			t.Fatalf("%+v %v", id, err)
		}
		info, err := provider.UserInfo(d.ctx, oauth2.StaticTokenSource(token))
		if err != nil || info.Email != "ann@example.org" || !info.EmailVerified {
			t.Errorf("%+v %v", info, err)
		}
		source := app.TokenSource(d.ctx, token)
		client := oauth2.NewClient(d.ctx, source)
		if got := d.me(client); got != 200 {
			t.Errorf("the API answers %d", got)
		}
		if got := d.me(oauth2.NewClient(d.ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: raw}))); got != 401 {
			t.Errorf("with the ID token the API answers %d", got)
		}
		time.Sleep(time.Hour + oidc.DefaultLeeway + time.Second)
		if got := d.me(oauth2.NewClient(d.ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token.AccessToken}))); got != 401 {
			t.Errorf("with the expired token the API answers %d", got)
		}
		if got := d.me(client); got != 200 { // which refreshes its token
			t.Errorf("with a new token the API answers %d", got)
		}
		if next, err := source.Token(); err != nil || next.RefreshToken == token.RefreshToken || next.AccessToken == token.AccessToken {
			t.Errorf("the tokens are not new: %v", err)
		}
		if err := d.provider.Rotate(true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if got := d.me(client); got != 200 {
			t.Errorf("after the key has changed the API answers %d", got)
		}
	})
}

func TestADeviceSignsIn(t *testing.T) {
	t.Parallel()
	deployed(t, func(t *testing.T, d *deployment) {
		app, _ := d.app()
		device, err := app.DeviceAuth(d.ctx)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Minute, func() { d.sign(device.VerificationURI, url.Values{"code": {device.UserCode}}) })
		token, err := app.DeviceAccessToken(d.ctx, device)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.me(app.Client(d.ctx, token)); got != 200 || token.RefreshToken == "" {
			t.Errorf("the API answers %d", got)
		}
		device, err = app.DeviceAuth(d.ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = app.DeviceAccessToken(d.ctx, device)
		if refused, ok := errors.AsType[*oauth2.RetrieveError](err); !ok || refused.ErrorCode != "expired_token" {
			// The library gives up by itself at the end of the code.
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("no one lets it in: %v", err)
			}
		}
	})
}

func TestAServiceApplicationCallsByClientCredentials(t *testing.T) {
	t.Parallel()
	deployed(t, func(t *testing.T, d *deployment) {
		robot := clientcredentials.Config{ClientID: "id-robot", ClientSecret: "tok-robot", TokenURL: provided + "/token", Scopes: []string{twinplatform.ScopePlatform}}
		client := robot.Client(d.ctx)
		if got := d.me(client); got != 200 {
			t.Errorf("the API answers %d", got)
		}
		time.Sleep(2 * time.Hour)
		if got := d.me(client); got != 200 {
			t.Errorf("two hours later the API answers %d", got)
		}
		robot.Scopes = []string{twinplatform.ScopeWebhooksRead}
		if got := d.me(robot.Client(d.ctx)); got != 401 {
			t.Errorf("without its scope the API answers %d", got)
		}
		robot.ClientSecret = "tok-ann"
		if _, err := robot.Token(d.ctx); err == nil {
			t.Error("someone else's token is its secret")
		}
	})
}
