package httpapi_test

import (
	"context"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// mostFunctions is how many functions lead from a request to its record at most.
const mostFunctions = 17

// TestFewFunctionsLeadFromARequestToItsRecord counts the functions of this module that are
// under way when a request puts its record into the store: who follows one by hand reads them
// all.
func TestFewFunctionsLeadFromARequestToItsRecord(t *testing.T) {
	t.Parallel()
	store := &recordPuts{Store: memory.New()}
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": {
			ID: "11111111-1111-4111-8111-111111111111", AccountID: acmeID, Kind: twinplatform.Service,
			Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksModify},
			AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		}}),
		Schedules: p.Schedules, Forms: p.Forms, Twins: p.Twins, Webhooks: p.Webhooks, RealityData: p.RealityData,
		Transform: p.Transform, Rate: httpapi.Unlimited,
	})
	if err != nil {
		t.Fatal(err)
	}
	made := make(map[string]string) // where the record of a collection that was made last is
	for _, c := range []struct{ method, path, body, collection string }{
		{"POST", "/twins", `{"class":"Endeavor","subClass":"Project","displayName":"First of its account","number":"F"}`, ""},
		{"POST", "/twins", `{"class":"Thing","subClass":"Asset","displayName":"Tower","number":"T"}`, "twins"},
		{"PATCH", "", `{"displayName":"High tower"}`, "twins"},
		{"POST", "/schedules", `{"id":"s","name":"Tower","twinId":"{twins}"}`, "schedules"},
		{"POST", "/schedules/s/tasks", `{"id":"dig","name":"Dig","type":"Work"}`, "tasks"},
		{"PATCH", "/schedules/s/tasks/dig", `{"name":"Dig deeper"}`, "tasks"},
		{"POST", "/schedules/s/resources", `{"id":"crane","name":"Crane","type":"Equipment"}`, "resources"},
		{"PATCH", "/schedules/s/resources/crane", `{"name":"Large crane"}`, "resources"},
		{"POST", "/forms/formDefinitions", `{"twinId":"{twins}","displayName":"Snag","type":"Issue","status":"Approved"}`, "definitions"},
		{"POST", "/forms", `{"formId":"{definitions}","subject":"Crack"}`, "forms"},
		{"PATCH", "", `{"subject":"Wide crack"}`, "forms"},
		{"PATCH", "/forms/formDefinitions/{definitions}", `{"status":"Archived"}`, "definitions"},
		{
			"POST", "/webhooks",
			`{"callbackUrl":"https://receiver.example.com/","scope":"Twin","scopeId":"{twins}","eventTypes":["twins.twinCreated.v1"]}`,
			"webhooks",
		},
		{"PATCH", "", `{"eventTypes":["twins.twinDeleted.v1"]}`, "webhooks"},
		{"POST", "/reality-management/reality-data", `{"twinId":"{twins}","displayName":"Scan","type":"LAS"}`, "data"},
		{"PATCH", "", `{"displayName":"Second scan"}`, "data"},
		{"POST", "/models", `{"twinId":"{twins}","displayName":"Structure"}`, "models"},
		{"POST", "/saved-views", `{"modelId":"{models}","displayName":"Beams","view":{}}`, "saved-views"},
		{"PATCH", "", `{"displayName":"Walls"}`, "saved-views"},
	} {
		if c.path == "" {
			c.path = made[c.collection]
		}
		for collection, at := range made {
			id := at[strings.LastIndex(at, "/")+1:]
			c.path = strings.ReplaceAll(c.path, "{"+collection+"}", id)
			c.body = strings.ReplaceAll(c.body, "{"+collection+"}", id)
		}
		store.collection, store.way = c.collection, nil
		res := ask(h, c.method, c.path, c.body, "Authorization: Bearer root", "Content-Type: application/json")
		if res.Code >= 300 {
			t.Fatalf("%s %s: %d %s", c.method, c.path, res.Code, res.Body)
		}
		if at, err := url.Parse(res.Header().Get("Location")); err == nil && at.Path != "" && c.collection != "" {
			made[c.collection] = at.Path
		}
		if n := len(store.way); c.collection != "" && (n == 0 || n > mostFunctions) {
			way := strings.Join(store.way, "\n")
			t.Errorf("%s %s: %d functions, want 1 to %d:\n%s", c.method, c.path, n, mostFunctions, way)
		}
	}
}

// recordPuts notes on which way a record of a collection comes into a store.
type recordPuts struct {
	storage.Store
	collection string
	way        []string // from the record to the request; the longest
}

func (s *recordPuts) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error { return fn(recordWriter{w, s}) })
}

type recordWriter struct {
	storage.Writer
	s *recordPuts
}

func (w recordWriter) Put(key string, value []byte) error {
	if w.s.collection != "" && strings.Contains(key, "/"+w.s.collection+"/r/") {
		w.s.note()
	}
	return w.Writer.Put(key, value)
}

func (s *recordPuts) note() {
	var way []string
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		_, name, own := strings.Cut(f.Function, "/twinplatform/")
		if own && !strings.HasPrefix(name, "httpapi_test.") {
			way = append(way, name)
		}
	}
	if len(way) > len(s.way) {
		s.way = way
	}
}
