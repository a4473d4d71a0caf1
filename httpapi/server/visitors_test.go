package server

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// issuer gives one application its token, and remembers it while remembers is set.
type issuer struct{ remembers bool }

var robot = twinplatform.Principal{
	ID: "robot", AccountID: "acme", Kind: twinplatform.Service, Scopes: []string{twinplatform.ScopeWebhooksModify},
	AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Issuer: "https://login.example.com",
}

func (issuer) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	if token != "t-robot" {
		return twinplatform.Principal{}, twinplatform.Unauthenticated
	}
	return robot, nil
}

func (issuer) Trusts(name string) bool { return name == robot.Issuer }

func (i issuer) LastSeen(context.Context, string, string, string) (twinplatform.Principal, time.Time, bool, error) {
	return robot, time.Now(), i.remembers, nil
}

// Transactional implements twinplatform.Transactional: nothing is read.
func (issuer) Transactional() {}

func TestAWebhookOfAnIssuersApplicationDeliversAlsoAfterARestart(t *testing.T) {
	t.Parallel()
	deliveries, address, ca := endpoint(t)
	certificate, err := os.ReadFile(ca)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ada := platform.Caller{Token: "t-ada", Principal: twinplatform.Principal{
		ID: "ada", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}}
	serve := func(tokens issuer) *running {
		cfg := Config{
			Addr: "127.0.0.1:0", AddrFile: filepath.Join(folder, "addr"), DB: filepath.Join(folder, "twin.db"),
			Callers: platform.Callers{ada}, Tokens: tokens,
		}
		cfg.Webhooks.AllowPrivate = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		cfg.Webhooks.RootCAs = x509.NewCertPool()
		cfg.Webhooks.RootCAs.AppendCertsFromPEM(certificate)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- Run(ctx, cfg) }()
		s := &running{t: t, client: &http.Client{Timeout: time.Minute}}
		s.stop = func() error { stop(); return <-done }
		for ctx.Err() == nil {
			if addr, err := os.ReadFile(cfg.AddrFile); err == nil {
				s.base = "http://" + strings.TrimSpace(string(addr))
				return s
			} else if !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatal("it did not start")
		return nil
	}
	receive := func(s *running, name string) {
		t.Helper()
		s.callAs("t-ada", "POST", "/twins/", `{"class": "Thing", "displayName": "`+name+`"}`, http.StatusCreated)
		if d := next(t, deliveries); !strings.Contains(string(d.body), "twins.twinCreated.v1") {
			t.Errorf("it delivered %s", d.body)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(issuer{remembers: true})
	body := `{"callbackUrl": "` + address + `", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`
	made := s.callAs("t-robot", "POST", "/webhooks/", body, http.StatusAccepted).body
	s.callAs("t-robot", "PATCH", "/webhooks/"+made["id"].(string), `{"active": true}`, http.StatusOK)
	receive(s, "Tower")
	receive(serve(issuer{}), "Bridge")
}
