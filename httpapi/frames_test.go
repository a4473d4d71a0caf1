package httpapi_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestFewFunctionsLeadFromARequestToItsRecord counts the functions of this module that are
// under way when a request puts its record into the store: who follows one by hand reads them
// all.
func TestFewFunctionsLeadFromARequestToItsRecord(t *testing.T) {
	t.Parallel()
	store := &recordPuts{Store: memory.New()}
	svc := schedules.New(store, schedules.Config{Twins: worldTwins})
	n := schedules.NewSchedule{ID: "s", Name: "Tower", TwinID: "tower"}
	must[schedules.Schedule](t)(svc.CreateSchedule(t.Context(), n))
	h, err := httpapi.New(httpapi.Config{
		Schedules: svc, Rate: httpapi.Unlimited,
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": {
			ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform},
			AdministratorRoles: []string{"Account Administrator"},
		}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, body string
		most               int
	}{
		{"POST", "/schedules/s/tasks", `{"id":"dig","name":"Dig","type":"Work"}`, mostToCreate},
		{"PATCH", "/schedules/s/tasks/dig", `{"name":"Dig deeper"}`, mostToUpdate},
		{"POST", "/schedules/s/resources", `{"id":"crane","name":"Crane","type":"Equipment"}`, mostToCreate},
		{"PATCH", "/schedules/s/resources/crane", `{"name":"Large crane"}`, mostToUpdate},
	} {
		store.way = nil
		res := ask(h, c.method, c.path, c.body, "Authorization: Bearer root", "Content-Type: application/json")
		if res.Code >= 300 {
			t.Errorf("%s %s: %d %s", c.method, c.path, res.Code, res.Body)
			continue
		}
		if n := len(store.way); n == 0 || n > c.most {
			way := strings.Join(store.way, "\n")
			t.Errorf("%s %s: %d functions, want 1 to %d:\n%s", c.method, c.path, n, c.most, way)
		}
	}
}

// How many functions lead from a request to its record at most.
const (
	mostToCreate = 25
	mostToUpdate = 26
)

// recordPuts notes on which way a record comes into a store.
type recordPuts struct {
	storage.Store
	way []string // from the record to the request
}

func (s *recordPuts) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error { return fn(recordWriter{w, s}) })
}

type recordWriter struct {
	storage.Writer
	s *recordPuts
}

func (w recordWriter) Put(key string, value []byte) error {
	if strings.Contains(key, "/tasks/r/") || strings.Contains(key, "/resources/r/") {
		w.s.note()
	}
	return w.Writer.Put(key, value)
}

func (s *recordPuts) note() {
	s.way = nil
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		_, name, own := strings.Cut(f.Function, "/twinplatform/")
		if own && !strings.HasPrefix(name, "httpapi_test.") {
			s.way = append(s.way, name)
		}
	}
}
