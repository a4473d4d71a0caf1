package console_test

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
)

const (
	ownerToken   = "token-of-an-owner-1f2e3d"
	strangerTok  = "token-of-a-stranger-aa55"
	programToken = "token-of-a-program-77cc"
	ownAccount   = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	planTwin     = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"
)

func principal(id, account string, roles ...twinplatform.AdministratorRole) twinplatform.Principal {
	return twinplatform.Principal{
		ID: id, DisplayName: "Name of " + id, AccountID: account, Kind: twinplatform.User, AdministratorRoles: roles,
		Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
	}
}

// world is a platform with a console, and the browser of someone.
type world struct {
	t        testing.TB
	platform *platform.Platform
	journal  *journal.Journal
	controls *control.Controls
	tokens   map[string]twinplatform.Principal
	handler  http.Handler
	now      time.Time
}

// tokens are those that are good at present.
type tokens struct{ w *world }

func (t tokens) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if token == "unchecked" {
		return twinplatform.Principal{}, errors.New("the directory does not answer")
	}
	p, ok := t.w.tokens[token]
	if !ok {
		return p, twinplatform.Unauthenticated
	}
	return p, nil
}

// open makes a world with two plans; change says how its console differs.
func open(t testing.TB, change func(*console.Config)) *world {
	t.Helper()
	return openOver(t, nil, change)
}

// openFiles makes a world that keeps the bytes of reality data, in files of at most as many bytes.
func openFiles(t testing.TB, most int64, change func(*console.Config)) *world {
	t.Helper()
	files, err := filestore.Temporary(filestore.Config{BaseURL: "/files", MaxFile: most})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	w := openOver(t, files, func(cfg *console.Config) {
		cfg.Files, cfg.MaxFile = http.StripPrefix("/files", files), files.MaxFile()
		if change != nil {
			change(cfg)
		}
	})
	if err := files.Follow(t.Context(), w.platform.RealityData); err != nil {
		t.Fatal(err)
	}
	return w
}

func openOver(t testing.TB, containers realitydata.Containers, change func(*console.Config)) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	program := principal("33333333-3333-4333-8333-333333333333", ownAccount, twinplatform.AccountAdministrator)
	program.Kind = twinplatform.Service
	w.tokens = map[string]twinplatform.Principal{
		ownerToken:   principal("11111111-1111-4111-8111-111111111111", ownAccount, twinplatform.AccountAdministrator),
		strangerTok:  principal("22222222-2222-4222-8222-222222222222", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"),
		programToken: program,
	}
	w.controls = control.New(func() time.Time { return w.now })
	env := twinplatform.Env{Now: w.controls.Now, Gate: w.controls.Gate()}
	box := inbox.New(inbox.Config{Now: env.Now})
	p, err := platform.New(memory.New(), platform.Config{Env: env, Webhooks: webhooks.Config{Inbox: box, Transport: refusing{}}, RealityData: realitydata.Config{Containers: containers}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, name := range []string{"world-j30.json", "world-bridge.json"} {
		f, err := os.Open("../../examples/server/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		seed, err := platform.ReadWorld(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Seed(t.Context(), seed, platform.SeedOptions{Owner: w.tokens[ownerToken]}); err != nil {
			t.Fatal(err)
		}
	}
	w.platform, w.journal = p, journal.New(journal.Config{Now: env.Now})
	cfg := console.Config{Journal: w.journal, Holds: w.controls.Operations, Inbox: box, API: httpapi.Config{
		Authenticator: tokens{w}, Rate: httpapi.Unlimited, Env: env, Observer: w.journal.Observe,
		Schedules: p.Schedules, Forms: p.Forms, Twins: p.Twins, RealityData: p.RealityData, Transform: p.Transform,
		Webhooks: p.Webhooks,
	}}
	if change != nil {
		change(&cfg)
	}
	api, err := httpapi.New(cfg.API)
	if err != nil {
		t.Fatal(err)
	}
	c, err := console.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.handler = c.Wrap(w.journal.Handler(api))
	return w
}

func demo(cfg *console.Config) {
	cfg.Demo = []console.Caller{{Name: "Demo", Token: ownerToken}, {Name: "Demo service", Token: programToken}}
	cfg.Operator = func(p twinplatform.Principal) bool { return p.AccountID == ownAccount }
}

// visitor keeps cookies as browsers do.
type visitor struct {
	w      *world
	cookie *http.Cookie
	host   string
	from   string // address and port
	header http.Header
}

func (w *world) browser() *visitor {
	return &visitor{
		w: w, host: "localhost:4790", from: "127.0.0.1:51000",
		header: http.Header{"Sec-Fetch-Site": {"same-origin"}, "Sec-Fetch-Mode": {"navigate"}},
	}
}

func (b *visitor) do(method, target string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(form.Encode()))
	r.Host, r.RemoteAddr = b.host, b.from
	maps.Copy(r.Header, b.header)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	rec := httptest.NewRecorder()
	b.w.handler.ServeHTTP(rec, r)
	for _, c := range rec.Result().Cookies() {
		b.cookie = c
	}
	return rec
}

func (b *visitor) get(target string) *httptest.ResponseRecorder { return b.do("GET", target, nil) }

// post sends a form and follows where it leads.
func (b *visitor) post(target string, form url.Values) *httptest.ResponseRecorder {
	if form == nil {
		form = url.Values{}
	}
	return b.do("POST", target, form)
}

func (b *visitor) signIn(token string) {
	b.w.t.Helper()
	if res := b.post("/console/sign-in", url.Values{"token": {token}}); res.Code != http.StatusSeeOther {
		b.w.t.Fatalf("signing in answers %d: %s", res.Code, res.Body)
	}
}

// wantHeaders holds an answer to the headers of all.
func wantHeaders(t testing.TB, where string, h http.Header) {
	t.Helper()
	csp := h.Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") &&
		!strings.Contains(csp, "sandbox") || !strings.Contains(csp, "sandbox") && (!strings.Contains(
		csp, "frame-ancestors 'none'",
	) || !strings.Contains(csp, "base-uri 'none'")) {
		t.Errorf("%s has the policy %q", where, csp)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
		if got := h.Get(name); got != want {
			t.Errorf("%s has %s %q, want %q", where, name, got, want)
		}
	}
	if got := h.Get("Cache-Control"); got != "no-store" && !strings.Contains(where, "/assets/") {
		t.Errorf("%s has Cache-Control %q", where, got)
	}
}

func (w *world) state() string {
	w.t.Helper()
	all, err := w.platform.Export(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := all.Write(&b); err != nil {
		w.t.Fatal(err)
	}
	return b.String()
}
