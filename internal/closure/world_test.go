package closure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

const (
	baseURL = "https://api.test"
	account = "b0000000-0000-4000-8000-000000000001" // of the bridges
	token   = "admin"
	program = "program" // the token of a service application, as webhooks want one
)

var admin = twinplatform.Principal{
	ID: "11111111-1111-4111-8111-111111111111", DisplayName: "Ada", Email: "ada@example.com", AccountID: account, Kind: twinplatform.User,
	Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
	AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
}

// tokens are those of the callers.
func tokens() map[string]twinplatform.Principal {
	application := admin
	application.ID, application.Kind = "22222222-2222-4222-8222-222222222222", twinplatform.Service
	return map[string]twinplatform.Principal{token: admin, program: application}
}

// engine opens a store, and opens it again after it was closed.
type engine struct {
	name string
	open func(t *testing.T) func() (storage.Store, error)
}

// lasting is a store in memory that outlives its platform.
type lasting struct{ storage.Store }

func (lasting) Close() error { return nil }

var engines = []engine{
	{"memory", func(*testing.T) func() (storage.Store, error) {
		store := memory.New()
		return func() (storage.Store, error) { return lasting{store}, nil }
	}},
	{"buntdb", func(t *testing.T) func() (storage.Store, error) {
		file := filepath.Join(t.TempDir(), "store.db")
		return func() (storage.Store, error) {
			return buntdb.Open(file, buntdb.Options{Durability: buntdb.SyncNever, ReserveBytes: -1})
		}
	}},
	{"postgres", func(t *testing.T) func() (storage.Store, error) {
		server := postgrestest.Shared(t)
		options := postgres.Options{Schema: server.Schema(t)}
		return func() (storage.Store, error) { return postgres.Open(t.Context(), server.URL(""), options) }
	}},
}

// world is a platform that is served, and what is known of it.
type world struct {
	*testing.T
	contract *contract
	tally    *tally
	r        *rand.Rand
	now      time.Time
	made     atomic.Int64 // ids
	store    func() (storage.Store, error)
	files    string // folder
	platform *platform.Platform
	handler  *httpapi.Handler
	known    *known
	story    []string // the requests that were taken, in short
	found    map[string]bool
	taken    map[string]int // steps that an operation took, by its name
}

func newWorld(t *testing.T, e engine, seed uint64, tally *tally) *world {
	t.Helper()
	w := &world{
		T: t, contract: theContract(), tally: tally, r: rand.New(rand.NewPCG(seed, 27)), now: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC),
		store: e.open(t), files: t.TempDir(), known: newKnown(), found: make(map[string]bool), taken: make(map[string]int),
	}
	w.begin()
	t.Cleanup(func() {
		if err := w.platform.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// config is that of the platform: a history with one seed goes the same way each time.
func (w *world) config() platform.Config {
	id := func() string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", w.made.Add(1)) }
	return platform.Config{
		Env:   twinplatform.Env{Now: func() time.Time { return w.now }, NewID: id, NewGUID: id},
		Twins: twins.Config{Repositories: repositories()},
	}
}

// repositories are for all twins.
func repositories() []twins.GlobalRepository {
	imagery := twins.NewRepository{Class: "GeographicInformationSystem", SubClass: "WebMapService", URI: "https://imagery.example.com/wms"}
	return []twins.GlobalRepository{
		{ID: "earth", NewRepository: imagery, Resources: []twins.NewRepositoryResource{{ID: "clouds:2026", DisplayName: "Nuages"}, {ID: "relief", DisplayName: "Relief"}}},
		{ID: "bores", NewRepository: twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"}},
	}
}

// begin opens the store, as a process does that starts.
func (w *world) begin() {
	w.Helper()
	store, err := w.store()
	if err != nil {
		w.Fatal(err)
	}
	containers, err := filestore.Open(w.files, filestore.Config{BaseURL: "https://files.test", Now: func() time.Time { return w.now }})
	if err != nil {
		w.Fatal(err)
	}
	cfg := w.config()
	cfg.RealityData = realitydata.Config{Containers: containers}
	if w.platform, err = platform.New(store, cfg); err != nil {
		w.Fatal(err)
	}
	w.handler, err = httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(tokens()), BaseURL: baseURL, Rate: httpapi.Unlimited, Env: cfg.Env,
		Schedules: w.platform.Schedules, Forms: w.platform.Forms, Twins: w.platform.Twins, Webhooks: w.platform.Webhooks,
		RealityData: w.platform.RealityData, Transform: w.platform.Transform,
	})
	if err != nil {
		w.Fatal(err)
	}
}

// restart ends the process and starts another.
func (w *world) restart() {
	w.Helper()
	if err := w.platform.Close(); err != nil {
		w.Fatal(err)
	}
	w.begin()
}

// tend lets the platform do for a moment what no request waits for.
func (w *world) tend() {
	w.Helper()
	ctx, stop := context.WithTimeout(w.Context(), 50*time.Millisecond)
	defer stop()
	if err := w.platform.Run(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		w.Fatal(err)
	}
}

// request is one to the API.
type request struct {
	method, target string // with the query
	header         http.Header
	body           []byte
}

func (q request) String() string {
	body := string(q.body)
	if len(body) > 600 {
		body = body[:600] + "…"
	}
	return strings.TrimSpace(q.method + " " + q.target + " " + strings.ToValidUTF8(body, "?"))
}

// answer is one of the API. Its value is what JSON says, with numbers as they are written.
type answer struct {
	op     *operation
	status int
	header http.Header
	body   []byte
	value  map[string]any
}

// ask sends a request and holds the answer to the document.
func (w *world) ask(q request) answer {
	w.Helper()
	r := httptest.NewRequest(q.method, baseURL+q.target, bytes.NewReader(q.body))
	if q.header != nil {
		r.Header = q.header.Clone()
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if strings.HasPrefix(q.target, "/webhooks") {
		r.Header.Set("Authorization", "Bearer "+program)
	}
	if q.body != nil && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	a := answer{status: rec.Code, header: rec.Header(), body: rec.Body.Bytes()}
	a.op, _ = w.contract.find(q.method, r.URL.EscapedPath())
	if a.op == nil {
		w.Fatalf("%s is no operation of the document", q)
	}
	w.tally.note(a.op, a.status)
	if wrong := w.contract.wrong(a.op, a.status, a.header, a.body); wrong != "" {
		w.find(fmt.Sprintf("the answer %d is against the document", a.status), a.op.name, q, wrong, clipped(a.body))
	}
	if a.status >= http.StatusInternalServerError {
		w.find("the platform fails", a.op.name, q, a.status, clipped(a.body))
	}
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.UseNumber()
	_ = dec.Decode(&a.value) // nil where the body is no object
	return a
}

func clipped(body []byte) string {
	if len(body) > 2000 {
		return string(body[:2000]) + "…"
	}
	return string(body)
}
