package httpapi_test

import (
	"encoding/csv"
	stdjson "encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestNoCSVHoldsAFormula gives texts that spreadsheets take for formulas to twins and
// tasks, and reads the export of the twins and the comparison of the plan over HTTP.
func TestNoCSVHoldsAFormula(t *testing.T) {
	t.Parallel()
	formulas := []string{
		"=cmd|' /C calc'!A0", `=HYPERLINK("http://evil.example","x")`, "+1+1", "-2+3", "@SUM(1)", "\t=1+1", "\r=1+1",
	}
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	ann := twinplatform.Principal{
		ID: "ann", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"ann": ann}), Twins: p.Twins, Schedules: p.Schedules, BaseURL: "https://api.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path string, body any) string {
		t.Helper()
		text := []byte(nil)
		if body != nil {
			if text, err = stdjson.Marshal(body); err != nil {
				t.Fatal(err)
			}
		}
		w := ask(h, method, path, string(text), "Authorization: Bearer ann")
		if w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	type object = map[string]any
	var twin struct{ Twin struct{ ID string } }
	for i, name := range formulas {
		answer := send("POST", "/twins", object{"class": "Thing", "subClass": "Asset", "displayName": name, "number": fmt.Sprint("n-", i), "latitude": -20.5 - float64(i)})
		if err := stdjson.Unmarshal([]byte(answer), &twin); err != nil {
			t.Fatal(err)
		}
	}
	var export struct {
		Export struct{ OutputURL string }
	}
	if err := stdjson.Unmarshal([]byte(send("POST", "/twins/exports", object{"outputFormat": "Csv", "select": "displayName,number,latitude"})), &export); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(export.Export.OutputURL)
	if err != nil {
		t.Fatal(err)
	}
	send("POST", "/schedules", object{"id": "plan", "name": "Plan", "twinId": twin.Twin.ID})
	for i, name := range formulas {
		send("POST", "/schedules/plan/tasks", object{"id": fmt.Sprint("t", i), "name": name, "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 7200 * (i + 1)})
	}
	send("POST", "/schedules/plan/baselines", object{"id": "first", "name": "First"})
	for i := range formulas {
		send("PATCH", fmt.Sprint("/schedules/plan/tasks/t", i), object{"plannedDuration": 3600})
	}
	for what, text := range map[string]string{
		"the export of twins": send("GET", address.Path, nil),
		"the comparison":      send("GET", "/schedules/plan/baselines/first/comparison.csv", nil),
	} {
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(lines) != 1+len(formulas) {
			t.Fatalf("%s: %v\n%s", what, err, text)
		}
		texts, numbers := 0, 0
		for _, line := range lines[1:] {
			for _, field := range line {
				switch {
				case strings.HasPrefix(field, "'"):
					texts++
				case strings.HasPrefix(field, "-") && strings.Trim(field, "-.0123456789") == "":
					numbers++
				case strings.ContainsRune("=+-@\t\r", []rune(field + " ")[0]):
					t.Errorf("%s has the field %q", what, field)
				}
			}
		}
		if texts != len(formulas) || numbers < len(formulas)-1 {
			t.Errorf("%s has %d texts that were quoted and %d numbers below zero\n%s", what, texts, numbers, text)
		}
	}
}
