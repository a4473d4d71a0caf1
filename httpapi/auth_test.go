package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func newRecorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

// authFunc is an authenticator that is a function.
type authFunc func(*http.Request) (twinplatform.Principal, error)

func (f authFunc) Authenticate(r *http.Request) (twinplatform.Principal, error) { return f(r) }

func TestLogHasTheReasonOfUnauthenticatedRequests(t *testing.T) {
	t.Parallel()
	ended := authFunc(func(*http.Request) (twinplatform.Principal, error) {
		return twinplatform.Principal{}, fmt.Errorf("the session has ended: %w", twinplatform.Unauthenticated)
	})
	nameless := authFunc(func(*http.Request) (twinplatform.Principal, error) {
		return twinplatform.Principal{Scopes: me.Scopes}, nil
	})
	for name, test := range map[string]struct {
		auth   httpapi.Authenticator
		header string
		reason string
	}{
		"no header":            {nil, "", "no Authorization header"},
		"another scheme":       {nil, "Basic bWU6bWU=", "malformed Authorization header"},
		"no token":             {nil, "Bearer", "malformed Authorization header"},
		"a token with a blank": {nil, "Bearer a b", "malformed Authorization header"},
		"a token too long":     {nil, "Bearer " + strings.Repeat("x", 8<<10+1), "malformed Authorization header"},
		"another token":        {nil, "Bearer wrong", "unknown token"},
		"another scope":        {nil, "Bearer hooks", "missing scope: the principal hooks has none of twin-platform"},
		"an authenticator":     {ended, "", "the session has ended"},
		"no id":                {nameless, "", "a principal without an id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			env := twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))}
			w := ask(things(t, httpapi.Config{Env: env, Authenticator: test.auth}, thing()), "GET", "/things/a", "", "Authorization: "+test.header)
			message := "The Authorization header was not found in the request. Access denied."
			if strings.HasPrefix(test.header, "Basic") {
				message = "The Authorization header is of a scheme that this operation does not take: send 'Bearer' with a token. Access denied."
			}
			same(t, shown(w), "401"+json+"WWW-Authenticate: Bearer\n"+`{"error":{"code":"HeaderNotFound","message":"`+message+`"}}`)
			if !strings.Contains(log.String(), "code=HeaderNotFound reason=") || !strings.Contains(log.String(), test.reason) {
				t.Errorf("logged:\n%s", log.String())
			}
			if _, secret, _ := strings.Cut(test.header, " "); secret != "" && secret != "hooks" && strings.Contains(log.String(), secret) {
				t.Errorf("the log has the token:\n%s", log.String())
			}
		})
	}
}

func TestCredentialsThatCannotBeCheckedAreNotWrong(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := things(t, httpapi.Config{
		Env:           twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))},
		Authenticator: authFunc(func(*http.Request) (twinplatform.Principal, error) { return me, errors.New("directory is down") }),
	}, thing())
	if w := ask(h, "GET", "/things/a", ""); w.Code != 503 || !strings.Contains(w.Body.String(), "AuthenticationUnavailable") {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "directory is down") {
		t.Errorf("logged:\n%s", log.String())
	}
}

type loginKey struct{}

func TestAuthenticatorGetsTheRequest(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{Timeout: time.Hour, Authenticator: authFunc(func(r *http.Request) (twinplatform.Principal, error) {
		if _, limited := r.Context().Deadline(); !limited {
			return me, errors.New("it may take for ever")
		}
		if id, _ := r.Context().Value(loginKey{}).(string); id == me.ID && r.Header.Get("X-Office") == "7" {
			return me, nil
		}
		return me, twinplatform.Unauthenticated
	})}, thing())
	r := request("GET", "/things/a")
	r.Header.Set("X-Office", "7")
	w := newRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), loginKey{}, me.ID)))
	if w.Code != 200 {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
}

func TestPrincipalsThatCouldDoNothingAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for cure, auth := range map[string]httpapi.Authenticator{
		"set Principal.ID":               httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {AccountID: "acme", Scopes: me.Scopes}}),
		"set Principal.AccountID":        httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {ID: "ada", Scopes: me.Scopes}}),
		"set Principal.Scopes":           httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {ID: "ada", AccountID: "acme"}}),
		"did you mean 'twin-platform'?":  httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {ID: "ada", AccountID: "acme", Scopes: []string{twinplatform.ScopeWebhooksRead, "twin_platform"}}}),
		"did you mean 'webhooks:read'?":  httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {ID: "ada", AccountID: "acme", Scopes: []string{"Webhooks:Read"}}}),
		"printable ASCII without":        httpapi.StaticTokens(map[string]twinplatform.Principal{"two words": me}),
		"give it what does":              httpapi.BearerTokens(nil),
		"Authenticator is required":      nil,
		"the authenticator is not ready": unready{},
		"principal \"\" (Ada) has no":    httpapi.StaticTokens(map[string]twinplatform.Principal{"t": {DisplayName: "Ada"}}),
	} {
		_, err := httpapi.New(httpapi.Config{Authenticator: auth})
		if err == nil || !strings.Contains(err.Error(), cure) || strings.Contains(err.Error(), "two words") {
			t.Errorf("%s: %v", cure, err)
		}
	}
}

// unready is an authenticator that finds itself wanting.
type unready struct{ authFunc }

func (unready) Check() error { return errors.New("the authenticator is not ready") }

func TestErrorsOfHandlersAroundHaveTheDocumentedForm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"documented": {
			&twinplatform.Error{Kind: twinplatform.NotFound, Code: "ThingNotFound", Message: "No <thing>.", Target: "id"},
			"404" + json + `{"error":{"code":"ThingNotFound","message":"No \u003cthing\u003e.","target":"id"}}`,
		},
		"rate limited": {
			&twinplatform.Error{Kind: twinplatform.RateLimited, Code: "TooMany", Message: "Wait.", RetryAfter: 1500 * time.Millisecond},
			"429" + json + "Retry-After: 2\n" + `{"error":{"code":"TooMany","message":"Wait."}}`,
		},
		"unauthenticated": {
			&twinplatform.Error{Kind: twinplatform.Unauthenticated, Code: "Who", Message: "Who?"},
			"401" + json + "WWW-Authenticate: Bearer\n" + `{"error":{"code":"Who","message":"Who?"}}`,
		},
		"any other": {errors.New("secret"), "500" + json + `{"error":{"code":"InternalError","message":"An unexpected error occurred."}}`},
		"none":      {nil, "500" + json + `{"error":{"code":"InternalError","message":"An unexpected error occurred."}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newRecorder()
			httpapi.WriteError(w, test.err)
			same(t, shown(w), test.want)
		})
	}
}
