// Command webhookreceiver starts a platform and a receiver of its events, and
// shows one on its way: a twin is made over HTTP, and its event is delivered to the
// receiver, which takes only what the platform has signed.
//
//	go run ./examples/webhookreceiver
package main

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

const secret = "a secret of at least thirty-two characters"

func run(ctx context.Context, out io.Writer) error {
	events := make(chan receiver.Message, 1)
	defer context.AfterFunc(ctx, func() { close(events) })()
	endpoint := httptest.NewTLSServer(receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		events <- m // a program that keeps events does so here, and returns an error where that failed
		return nil
	}))
	defer endpoint.Close()

	// Events go to public addresses with known certificates, unless configured otherwise.
	cfg := platform.Config{Webhooks: webhooks.Config{
		RootCAs:      x509.NewCertPool(),
		AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	}}
	cfg.Webhooks.RootCAs.AddCert(endpoint.Certificate())
	p, err := platform.New(memory.New(), cfg)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	go func() { _ = p.Run(ctx) }() // which Close ends
	robot := twinplatform.Principal{
		ID: "robot", AccountID: "acme", Kind: twinplatform.Service,
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksModify},
	}
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"a-token": robot}), Twins: p.Twins,
		Webhooks: p.Webhooks,
	})
	if err != nil {
		return err
	}
	server := httptest.NewServer(api)
	defer server.Close()

	call := func(method, url, body string) (location string, err error) {
		req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		req.Header.Set("Authorization", "Bearer a-token")
		res, err := endpoint.Client().Do(req)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(out, method, req.URL.Path, res.StatusCode)
		return res.Header.Get("Location"), res.Body.Close()
	}
	hook, err := call("POST", server.URL+"/webhooks",
		`{"callbackUrl": "`+endpoint.URL+`/events", "secret": "`+secret+
			`", "scope": "Account", "eventTypes": ["twins.twinCreated.v1"]}`)
	if err != nil {
		return err
	}
	if _, err := call("PATCH", hook, `{"active": true}`); err != nil {
		return err
	}
	if _, err := call("POST", server.URL+"/twins", `{"class": "Endeavor", "displayName": "Tower"}`); err != nil {
		return err
	}
	fmt.Fprintln(out, "received", (<-events).EventType) // nothing, when ctx is done before
	_, err = call("POST", endpoint.URL+"/events", `{"eventType": "forged"}`)
	return err
}
