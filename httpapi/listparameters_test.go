package httpapi_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Clients write a list of values with commas, or give the parameter once for each.
func TestListsOfValuesAreTakenInEitherForm(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	lists := 0
	for _, o := range httpapi.Operations() {
		for _, p := range o.Query {
			if o.Area != "schedules" || !strings.Contains(p.Description, "separated by commas") || strings.Contains(p.Name, "select") || strings.Contains(p.Name, "$") {
				continue
			}
			lists++
			path := strings.NewReplacer("{scheduleId}", "plan", "{baselineId}", "none").Replace(o.Path)
			if strings.Contains(path, "{") {
				continue
			}
			bearer := "Authorization: Bearer writer"
			commas := ask(h, o.Method, path+"?"+p.Name+"=none,other", "", bearer)
			apart := ask(h, o.Method, path+"?"+p.Name+"=none&"+p.Name+"=other", "", bearer)
			if commas.Code != apart.Code || strings.Contains(apart.Body.String(), "more than once") {
				t.Errorf("%s %s: %d with commas, %d %s apart", o.Method, path, commas.Code, apart.Code, apart.Body)
			}
		}
	}
	if lists < 15 {
		t.Errorf("only %d parameters take lists", lists)
	}
}
