package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"testing"
)

// metric is one in an expression of the dashboard.
var metric = regexp.MustCompile(`\b(?:twinplatform|go)_[a-z_]+`)

// A panel for a metric that no node has would stay empty.
func TestDashboardNamesMetricsThatNodesHave(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("dashboard.json")
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
		t.Fatalf("%d panels: %v", len(d.Panels), err)
	}
	picture, err := os.ReadFile("../../docs/operating/cluster.svg")
	if err != nil {
		t.Fatal(err)
	}
	n := start(t, append(shared(t), "-admin", "127.0.0.1:0"))
	n.twin("Tower")
	metrics := string(n.call("GET", n.admin()+"/metrics", "", http.StatusOK))
	for _, p := range d.Panels {
		if !bytes.Contains(picture, []byte(">"+p.Title+"<")) {
			t.Errorf("the picture has no panel %q: run .ci/dashboard cluster", p.Title)
		}
		if len(p.Targets) == 0 {
			t.Errorf("the panel %q asks for nothing", p.Title)
		}
		for _, target := range p.Targets {
			names := metric.FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("the panel %q names no metric: %s", p.Title, target.Expr)
			}
			for _, name := range names {
				if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(metrics) {
					t.Errorf("the panel %q names %s, which a node does not have", p.Title, name)
				}
			}
		}
	}
}
