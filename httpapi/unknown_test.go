package httpapi_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestEveryMisspeltMemberIsRefusedByName goes over all members of all bodies that
// operations read.
func TestEveryMisspeltMemberIsRefusedByName(t *testing.T) {
	t.Parallel()
	all := httpapi.Misspellings()
	if len(all) < 500 {
		t.Errorf("only %d members were misspelt", len(all))
	}
	for _, m := range all {
		sent := m.Member + "x"
		e, refused := errors.AsType[*twinplatform.Error](m.Refused)
		if !refused || len(e.Details) != 1 {
			t.Errorf("%s takes %s: %v", m.Operation, sent, m.Refused)
			continue
		}
		d := e.Details[0]
		if !strings.HasSuffix(d.Target, sent) || !strings.Contains(d.Message, "'"+sent+"'") || !strings.Contains(d.Message, "; did you mean '"+m.Member+"'?") {
			t.Errorf("%s refuses %s with %q at %q", m.Operation, sent, d.Message, d.Target)
		}
		if e, ok := errors.AsType[*twinplatform.Error](m.Passed); ok && strings.Contains(e.Error(), sent) {
			t.Errorf("%s refuses %s where unknown members are passed over: %v", m.Operation, sent, e)
		}
	}
}

func TestLongNamesOfUnknownMembersAreCutShort(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	w := ask(h, "PATCH", "/things/a", `{"`+strings.Repeat("é", 250_000)+`":1}`)
	if w.Code != 400 || w.Body.Len() > 1_000 || !strings.Contains(w.Body.String(), "é…' is not one that may be given.") {
		t.Errorf("answered with %d and %d bytes: %.300s", w.Code, w.Body.Len(), w.Body)
	}
}

func TestUnknownMembersArePassedOverAsConfigured(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		policy httpapi.UnknownMembers
		status int
		unread []string
	}{
		"refused":  {httpapi.RefuseUnknown, 400, []string{"nam"}},
		"reported": {httpapi.ReportUnknown, 200, []string{"nam"}},
		"ignored":  {httpapi.IgnoreUnknown, 200, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen httpapi.Observation
			svc := thing()
			svc.Write = func(context.Context, httpapi.ThingBody) (twinplatform.Result[httpapi.Thing], error) {
				return twinplatform.Result[httpapi.Thing]{Records: make([]twinplatform.Record[httpapi.Thing], 1)}, nil
			}
			h := things(t, httpapi.Config{
				UnknownMembers: tt.policy, Observer: func(_ context.Context, o httpapi.Observation) { seen = o },
			}, svc)
			if w := ask(h, "PATCH", "/things/a", `{"nam":"b"}`); w.Code != tt.status {
				t.Errorf("answered with %d %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(tt.unread, seen.Unread); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := httpapi.New(httpapi.Config{Authenticator: httpapi.StaticTokens(nil), UnknownMembers: 3}); err == nil {
		t.Error("a handler is made with a policy that there is not")
	}
}
