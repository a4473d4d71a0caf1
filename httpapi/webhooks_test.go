package httpapi_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// newWebhooksWorld is a platform with webhooks in it, always the same:
//
//   - writer, a service application that maintains the webhooks of the tower,
//     has made an active webhook, to which one event was delivered and another
//     was refused, and an inactive one;
//   - reader may maintain as much, but its token only reads; admin administers
//     acme; stranger and foreign maintain nothing there; person and boss are no
//     service applications, boss administers acme, and bare has the scope of the
//     platform alone.
func newWebhooksWorld(t testing.TB, log ...slog.Handler) *httpapi.Handler {
	t.Helper()
	return newWebhooksWorldOn(t, ground{store: storetest.New(t)}, log...)
}

func newWebhooksWorldOn(t testing.TB, on ground, log ...slog.Handler) *httpapi.Handler {
	t.Helper()
	var ids atomic.Int64
	holders := permissions{"writer": {webhooks.PermissionMaintainer}, "reader": {webhooks.PermissionMaintainer}, "person": {webhooks.PermissionMaintainer}, "bare": {webhooks.PermissionMaintainer}}
	env := twinplatform.Env{
		Now:        moment.UTC,
		Elapsed:    func() time.Duration { return 0 }, // stands still as Now does
		NewGUID:    func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids.Add(1)) },
		Gate:       on.gate,
		Authorizer: on.rights(holders),
	}
	if len(log) > 0 {
		env.Logger = slog.New(log[0])
	}
	receiver := transport(func(req *http.Request) int {
		body, _ := io.ReadAll(req.Body)
		if strings.Contains(string(body), "refused") {
			return http.StatusBadRequest
		}
		return http.StatusNoContent
	})
	svc := webhooks.New(on.store, webhooks.Config{Env: env, Twins: on.twins(worldTwins), Transport: receiver, Jitter: webhooks.Off, MaxPerTwin: 30})
	who := func(id, account string, scope string, roles ...twinplatform.AdministratorRole) twinplatform.Principal {
		return twinplatform.Principal{ID: id, AccountID: account, Kind: twinplatform.Service, Scopes: []string{scope}, AdministratorRoles: roles}
	}
	person := who("person", "acme", twinplatform.ScopeWebhooksModify)
	boss := who("boss", "acme", twinplatform.ScopeWebhooksModify, "Account Administrator")
	person.Kind, boss.Kind = twinplatform.User, twinplatform.User
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"writer":   who("writer", "acme", twinplatform.ScopeWebhooksModify),
			"reader":   who("reader", "acme", twinplatform.ScopeWebhooksRead),
			"admin":    who("admin", "acme", twinplatform.ScopeWebhooksModify, "Account Administrator"),
			"stranger": who("stranger", "acme", twinplatform.ScopeWebhooksModify),
			"foreign":  who("foreign", "other", twinplatform.ScopeWebhooksModify, "Account Administrator"),
			"bare":     who("bare", "acme", twinplatform.ScopePlatform),
			"person":   person,
			"boss":     boss,
		}),
		Webhooks: svc, Rate: httpapi.Unlimited, BaseURL: "https://api.test", Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := twinplatform.WithPrincipal(t.Context(), who("writer", "acme", twinplatform.ScopeWebhooksModify))
	for range 2 {
		_, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/events", Scope: webhooks.TwinScope, ScopeID: "tower",
			EventTypes: []webhooks.EventType{event.TypeTwinCreated, event.TypeRealityConversionJobCompleted},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := svc.UpdateWebhook(ctx, hookID(1), webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"done", "refused"} {
		_, err := svc.Publish(t.Context(), twinplatform.Event{
			Type: string(event.TypeRealityConversionJobCompleted), TwinID: "tower", Content: []byte(`{"jobId":"` + job + `"}`),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := svc.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	on.rewind(func() { ids.Store(1_000) }) // what a test makes is distinguished from what was there
	return h
}

func hookID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// transport is a receiver that answers with a status.
type transport func(*http.Request) int

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: f(req), Header: make(http.Header), Body: http.NoBody, Request: req}, nil
}

func webhooksScenarios(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, "webhooks")
}

func TestWebhooksScenarios(t *testing.T) {
	t.Parallel()
	holdAll(t, webhooksScenarios(t), func(t testing.TB) *httpapi.Handler { return newWebhooksWorld(t) })
}

// webhooksRequests are one good request to every operation.
var webhooksRequests = map[string]struct {
	method, path, body string
	modifies           bool
}{
	"webhooks.create":    {"POST", "/webhooks/", `{"callbackUrl":"https://receiver.example.com/new","scope":"Twin","scopeId":"tower","eventTypes":["twins.twinCreated.v1"]}`, true},
	"webhooks.list":      {"GET", "/webhooks/", "", false},
	"webhooks.get":       {"GET", "/webhooks/" + hookID(1), "", false},
	"webhooks.update":    {"PATCH", "/webhooks/" + hookID(1), `{"active":false}`, true},
	"webhooks.delete":    {"DELETE", "/webhooks/" + hookID(1), "", true},
	"webhooks.test":      {"POST", "/webhooks/" + hookID(1) + "/test", "", true},
	"deliveries.list":    {"GET", "/webhooks/" + hookID(1) + "/deliveries", "", false},
	"deliveries.get":     {"GET", "/webhooks/" + hookID(1) + "/deliveries/0000000000000000", "", false},
	"webhooks.status":    {"GET", "/webhooks/" + hookID(1) + "/status", "", false},
	"webhooks.replay":    {"POST", "/webhooks/" + hookID(1) + "/replay", "", true},
	"deliveries.message": {"GET", "/webhooks/" + hookID(1) + "/deliveries/0000000000000000/message", "", false},
	"deliveries.redeliver": {
		"POST", "/webhooks/" + hookID(1) + "/deliveries/0000000000000000/redeliver", "", true,
	},
}

// covers: Permissions and errors of webhooks: rule who lost the right hears no more
// covers: Everywhere: http rule 401 in every area
// covers: Permissions and errors of webhooks: permission service applications alone
// covers: Permissions and errors of webhooks: permission scope webhooks:modify
// covers: Permissions and errors of webhooks: permission webhooks_maintainer or organization administrator
func TestEveryWebhooksOperationKnowsItsCallers(t *testing.T) {
	t.Parallel()
	for _, o := range newWebhooksWorld(t).Operations() {
		if o.ID == "openapi" {
			continue
		}
		q, ok := webhooksRequests[o.ID]
		if !ok {
			t.Errorf("%s has no request", o.ID)
			continue
		}
		unseen := 404
		switch o.ID {
		case "webhooks.create":
			unseen = 422
		case "webhooks.list":
			unseen = 200
		}
		// Persons see what they administer, and may switch it off and delete it.
		person, boss := unseen, 0
		switch o.ID {
		case "webhooks.create":
			person, boss = 403, 403
		case "webhooks.test", "webhooks.replay", "deliveries.redeliver", "deliveries.message":
			boss = 403
		}
		reads := 200
		if q.modifies {
			reads = 401
		}
		for caller, want := range map[string]int{
			"": 401, "nobody": 401, "bare": 401, "person": person, "boss": boss, "stranger": unseen, "foreign": unseen, "reader": reads, "writer": 0, "admin": 0,
		} {
			w := ask(newWebhooksWorld(t), q.method, q.path, q.body, "Authorization: Bearer "+caller)
			checkAnswer(t, w)
			if want == 0 && w.Code/100 == 2 || w.Code == want {
				continue
			}
			t.Errorf("%s as %q: %d %s, want %d", o.ID, caller, w.Code, w.Body, want)
		}
	}
}

func TestLogOfWebhooksHoldsNoSecretAndNoToken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newWebhooksWorld(t, slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	const secret = "a-secret-that-no-log-may-ever-hold"
	for caller, body := range map[string]string{
		"writer": `{"callbackUrl":"https://receiver.example.com/","scope":"Twin","scopeId":"tower","eventTypes":["twins.twinCreated.v1"],"secret":"` + secret + `"}`,
		"reader": `{"secret":"` + secret + `"}`,
		"person": `{"secret":["` + secret + `"]}`,
		"admin":  `{"secret":"` + secret + `","secret":"` + secret + `"}`,
	} {
		for _, q := range webhooksRequests {
			w := ask(h, q.method, q.path, body, "Authorization: Bearer "+caller)
			if got := w.Body.String(); strings.Contains(got, secret) && w.Code != http.StatusAccepted {
				t.Errorf("%s %s as %s: the answer %d holds the secret", q.method, q.path, caller, w.Code)
			}
			ask(h, q.method, q.path, body, "Authorization: Bearer "+secret)
		}
	}
	if log.Len() == 0 || strings.Contains(log.String(), secret) || strings.Contains(log.String(), "Bearer") {
		t.Errorf("the log of %d bytes holds a secret or a token, or nothing at all", log.Len())
	}
}

func TestWebhookBeyondWhatATwinMayHaveIsRefused(t *testing.T) {
	t.Parallel()
	h := newWebhooksWorld(t)
	q := webhooksRequests["webhooks.create"]
	var last int
	for range 29 { // there are two
		w := ask(h, q.method, q.path, q.body, "Authorization: Bearer writer")
		if last = w.Code; last == http.StatusConflict {
			checkAnswer(t, w)
			if !strings.Contains(w.Body.String(), `"LimitExceeded"`) {
				t.Error(w.Body)
			}
		}
	}
	if last != http.StatusConflict {
		t.Errorf("the webhook beyond the limit: %d", last)
	}
}
