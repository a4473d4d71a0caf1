package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// documentedErrors are the errors of each operation, as "404 TaskNotFound".
func documentedErrors() map[string][]string {
	out := make(map[string][]string)
	for _, o := range httpapi.Operations() {
		for _, e := range o.Errors {
			out[o.ID] = append(out[o.ID], fmt.Sprint(e.Status, " ", e.Code))
		}
	}
	return out
}

func TestEveryErrorOfAConversationIsDocumentedOfItsOperation(t *testing.T) {
	t.Parallel()
	documented, methods := documentedErrors(), make(map[string]string)
	for _, o := range httpapi.Operations() {
		methods[o.ID] = o.Method
	}
	seen := 0
	for id, s := range everyScenario(t) {
		for _, st := range s.steps {
			status, rest, _ := strings.Cut(strings.TrimSpace(st.answer), "\n")
			_, body, _ := strings.Cut(rest, "\n\n")
			var failure struct{ Error struct{ Code string } }
			if _, method, _ := requestLine(st.request); method != methods[id] || status < "400" || stdjson.Unmarshal([]byte(body), &failure) != nil {
				continue
			}
			seen++
			if got := status + " " + failure.Error.Code; !slices.Contains(documented[id], got) {
				t.Errorf("%s answers %s (%s), and the table has %q", id, got, st.title, documented[id])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d errors were looked at", seen)
	}
}

func TestDocumentedErrorsAreWhole(t *testing.T) {
	t.Parallel()
	documented := documentedErrors()
	for _, o := range httpapi.Operations() {
		last := 0
		for _, e := range o.Errors {
			if e.Code == "" || e.Message == "" || e.Status < max(last, 400) {
				t.Errorf("%s: %+v behind %d", o.ID, e, last)
			}
			if e.Target != "" && !strings.Contains(o.Path, "{"+e.Target+"}") {
				t.Errorf("%s: the path has no %s", o.ID, e.Target)
			}
			last = e.Status
		}
		if !slices.Contains(documented[o.ID], "429 RateLimitExceeded") {
			t.Errorf("%s is not limited", o.ID)
		}
	}
}
