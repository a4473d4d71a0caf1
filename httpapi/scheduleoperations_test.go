package httpapi_test

import (
	stdjson "encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// knownOperation is a line of the list of operations that are known of schedules.
type knownOperation struct {
	route  string
	id     string // of the row that serves it, or
	family string // what it is missing with
	also   bool   // it is not listed by itself
}

func knownOperations(t *testing.T) (all []knownOperation) {
	t.Helper()
	text, err := os.ReadFile("testdata/scheduleoperations.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rest, also := strings.CutPrefix(line, "also ")
		fields := strings.Fields(rest)
		switch {
		case len(fields) == 3:
			all = append(all, knownOperation{route: fields[0] + " " + fields[1], id: fields[2], also: also})
		case len(fields) == 4 && fields[2] == "missing":
			all = append(all, knownOperation{route: fields[0] + " " + fields[1], family: fields[3], also: also})
		default:
			t.Fatalf("%q is neither routed nor missing", line)
		}
	}
	return all
}

// routesOfSchedules are the ids of operations by method and path.
func routesOfSchedules(operations []httpapi.Operation) map[string]string {
	ids := make(map[string]string)
	for _, o := range operations {
		if o.Area == "schedules" {
			ids[o.Method+" "+o.Path] = o.ID
		}
	}
	return ids
}

func TestWhatIsKnownOfSchedulesIsRoutedOrDeclaredMissing(t *testing.T) {
	t.Parallel()
	routed, unserved := routesOfSchedules(httpapi.Operations()), routesOfSchedules(httpapi.NotImplemented())
	seen := make(map[string]bool)
	for _, k := range knownOperations(t) {
		_, missing := unserved[k.route]
		switch {
		case seen[k.route]:
			t.Errorf("%s is listed twice", k.route)
		case routed[k.route] != k.id:
			t.Errorf("%s is served by %q, and listed as %q", k.route, routed[k.route], k.id)
		case missing != (k.family != ""):
			t.Errorf("%s is among those not implemented: %t; listed as missing with %q", k.route, missing, k.family)
		}
		seen[k.route] = true
		delete(unserved, k.route)
	}
	for route := range unserved {
		t.Errorf("%s is not implemented, and not listed", route)
	}
}

// TestMostOfWhatIsKnownOfSchedulesIsRouted counts the operations that are listed by
// themselves. So few are missing, with those that are not, that 85 are routed of
// whichever 104 someone else counts.
func TestMostOfWhatIsKnownOfSchedulesIsRouted(t *testing.T) {
	t.Parallel()
	const known, least = 104, 85
	listed, routed, missing := 0, 0, 0
	for _, k := range knownOperations(t) {
		if k.family != "" {
			missing++
		}
		if k.also {
			continue
		}
		listed++
		if k.id != "" {
			routed++
		}
	}
	if listed != known || routed < least || missing > known-least {
		t.Errorf("%d of %d operations are routed, want %d of %d; %d are missing in all, want %d at most", routed, listed, least, known, missing, known-least)
	}
}

// Pollers of Azure's libraries look for the status at the top of what Operation-Location names.
func TestTheStatusOfAnOperationIsNextToItWhereThatIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, extra := range []bool{false, true} {
		h := newWorld(t, func(cfg *httpapi.Config) { cfg.OperationStatus = extra }).handler
		made := ask(h, http.MethodPost, "/schedules/plan/tasks", `{"name":"Paint","type":"Work"}`, "Authorization: Bearer writer")
		w := ask(h, http.MethodGet, strings.TrimPrefix(made.Header().Get("Operation-Location"), base), "", "Authorization: Bearer writer")
		var got struct {
			Operation struct{ Status string }
			Status    string
		}
		if err := stdjson.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
			t.Fatalf("%d %s (%v)", w.Code, w.Body, err)
		}
		want := ""
		if extra {
			want = "Succeeded"
		}
		if got.Operation.Status != "Succeeded" || got.Status != want {
			t.Errorf("extra %t: %s", extra, w.Body)
		}
		if again := ask(h, http.MethodGet, strings.TrimPrefix(made.Header().Get("Operation-Location"), base), "", "Authorization: Bearer writer", "If-None-Match: "+w.Header().Get("ETag")); again.Code != 304 {
			t.Errorf("extra %t: %d for the version that is known", extra, again.Code)
		}
	}
}
