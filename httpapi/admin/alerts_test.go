package admin_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// remote is a store behind a network.
type remote struct{ storage.Store }

func (remote) Stats() storage.Stats { return storage.Stats{Remote: new(storage.RemoteStats)} }

// allMetrics is what /metrics says over a store of this machine, and over one behind a network.
func allMetrics(t *testing.T) (text string) {
	t.Helper()
	requests := admin.NewRequests()
	requests.Observe(t.Context(), httpapi.Observation{
		Operation: "tasks.list", Status: 503, Duration: time.Second, Err: &twinplatform.Error{Code: "StoreUnavailable"},
	})
	for _, store := range []storage.Store{memory.New(), remote{memory.New()}} {
		p := opened(t, store)
		p.SetBudget(platform.Budget{Account: 1000, Store: 5000})
		text += ask(admin.New(admin.Config{Requests: requests, Store: store, Platform: p}), "GET", "/metrics", "", nil).Body.String()
	}
	return text
}

// selector is a metric in an expression, with the labels that it is chosen by.
var selector = regexp.MustCompile(`\b((?:twinplatform|go)_[a-z_]+)(?:\{([^}]*)\})?`)

// The server has every metric that the rules, the dashboard and the page use: a name that
// is misspelled would alarm no one.
func TestAlertsAndDashboardNameMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	metrics := allMetrics(t)
	for _, file := range []string{"alerts.yml", "alerts_test.yml", "dashboard.json", "../operating.md"} {
		text, err := os.ReadFile("../../docs/operating/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := selector.FindAllStringSubmatch(strings.ReplaceAll(string(text), `\"`, `"`), -1)
		if len(found) < 7 {
			t.Errorf("%s names %d metrics", file, len(found))
		}
		for _, m := range found {
			name, labels := m[1], m[2]
			if strings.HasPrefix(name, "go_") && !strings.Contains(string(text), "("+name) {
				continue // of another page
			}
			sample := regexp.MustCompile(`(?m)^` + name + `(\{.*\})? `)
			family := regexp.MustCompile(`(?m)^# TYPE ` + name + ` `)
			if !sample.MatchString(metrics) && !family.MatchString(metrics) {
				t.Errorf("%s names %s, which /metrics does not have", file, name)
				continue
			}
			for _, label := range regexp.MustCompile(`([a-z]+)\s*=`).FindAllStringSubmatch(labels, -1) {
				if label[1] == "job" || label[1] == "instance" {
					continue // which Prometheus adds
				}
				if !regexp.MustCompile(`(?m)^`+name+`\{.*\b`+label[1]+`="`).MatchString(metrics) && sample.MatchString(metrics) {
					t.Errorf("%s chooses %s by %s, which it does not have", file, name, label[1])
				}
			}
		}
	}
}

// Operations are called in metrics as in the list of operations.
func TestMetricsHaveTheSpeakingNamesOfOperations(t *testing.T) {
	t.Parallel()
	requests := admin.NewRequests()
	for _, o := range httpapi.Operations() {
		requests.Observe(t.Context(), httpapi.Observation{Operation: o.ID, Status: 200})
	}
	text := ask(admin.New(admin.Config{Requests: requests}), "GET", "/metrics", "", nil).Body.String()
	for _, o := range httpapi.Operations() {
		if !strings.Contains(text, `twinplatform_http_requests_total{operation="`+o.ID+`",status="200"} 1`+"\n") {
			t.Errorf("the metrics have no operation %s", o.ID)
		}
		if o.ID == o.SpecID && o.SpecID != "" {
			t.Errorf("%s is no name that speaks", o.ID)
		}
	}
}

func TestTheDashboardHasAPanelForEachMetricToWatch(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operating/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil || len(d.Panels) == 0 {
		t.Fatalf("%d panels, %v", len(d.Panels), err)
	}
	picture, err := os.ReadFile("../../docs/operating/dashboard.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		if len(p.Targets) == 0 || p.Targets[0].Expr == "" {
			t.Errorf("the panel %q asks for nothing", p.Title)
		}
		if !strings.Contains(string(picture), ">"+p.Title+"<") {
			t.Errorf("the picture has no panel %q: run .ci/dashboard", p.Title)
		}
	}
}
