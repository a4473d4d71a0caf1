package httpapi_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestIssuedTokensAreGoodUntilTheyExpire(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	me := twinplatform.Principal{ID: "me", AccountID: "a", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}}
	var used []time.Time
	auth := httpapi.IssuedTokens(func() time.Time { return now },
		httpapi.IssuedToken{Digest: sha256.Sum256([]byte("for-a-day")), Principal: me, Expires: now.Add(24 * time.Hour), Used: func(at time.Time) { used = append(used, at) }},
		httpapi.IssuedToken{Digest: sha256.Sum256([]byte("for-ever")), Principal: me},
	)
	ask := func(token string) error {
		r := httptest.NewRequestWithContext(context.Background(), "GET", "/", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		p, err := auth.Authenticate(r)
		if (err == nil) != (p.ID == "me") {
			t.Errorf("%s is of %+v, %v", token, p, err)
		}
		return err
	}
	if err := errors.Join(ask("for-a-day"), ask("for-ever")); err != nil {
		t.Error(err)
	}
	now = now.Add(24 * time.Hour)
	if err := ask("for-a-day"); !errors.Is(err, twinplatform.Unauthenticated) || !strings.Contains(err.Error(), "expired at 2026-03-02") {
		t.Errorf("after its end: %v", err)
	}
	if err := ask("for-ever"); err != nil {
		t.Error(err)
	}
	if err := ask("for-nobody"); !errors.Is(err, twinplatform.Unauthenticated) {
		t.Errorf("an unknown one: %v", err)
	}
	if len(used) != 1 {
		t.Errorf("it was used at %v", used)
	}
	if _, err := httpapi.New(httpapi.Config{Authenticator: httpapi.IssuedTokens(nil, httpapi.IssuedToken{})}); err == nil || !strings.Contains(err.Error(), "has no id") {
		t.Errorf("a token of no one: %v", err)
	}
}
