package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
)

const twoCallers = `[
	{"token": "t-admin", "principal": {"id": "p1", "displayName": "Ada", "accountId": "a1", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
	{"token": "t-robot", "principal": {"id": "p2", "displayName": "Robot", "accountId": "a1", "kind": "Service", "scopes": ["twin-platform"]},
		"grants": [{"twinId": "w1", "permissions": ["schedules_read"]}]}
]`

func TestTokens(t *testing.T) {
	t.Parallel()
	callers, err := platform.ReadCallers(strings.NewReader(twoCallers))
	if err != nil {
		t.Fatal(err)
	}
	tokens := callers.Tokens()
	admin, robot := tokens["t-admin"], tokens["t-robot"]
	if len(tokens) != 2 || admin.ID != "p1" || robot.Kind != twinplatform.Service {
		t.Fatalf("tokens are %+v", tokens)
	}
	var env twinplatform.Env
	if !env.Administers(admin, "a1") || env.Administers(admin, "a2") || env.Administers(robot, "a1") {
		t.Error("an organization administrator is who the file says, in the own account alone")
	}
	wantSame(t, "grants", []platform.Grant{{TwinID: "w1", Permissions: []string{"schedules_read"}}}, callers[1].Grants)
	for id, want := range map[string]bool{"p1": false, "p2": true, "nobody": false} {
		if _, ok, err := callers.Application(t.Context(), id); ok != want || err != nil {
			t.Errorf("%s is an application: %v, %v", id, ok, err)
		}
	}
}

func TestDemoPrincipalMayDoEverything(t *testing.T) {
	t.Parallel()
	p, ok := demoCallers(demoToken).Tokens()[demoToken]
	if !ok || !p.HasScope(twinplatform.ScopePlatform) {
		t.Fatalf("the demo token is %+v, %v", p, ok)
	}
	if ok, err := (everything{}).Allowed(t.Context(), p, "anything", twinplatform.Target{AccountID: "somebody else's"}); !ok || err != nil {
		t.Errorf("Allowed returns %v, %v", ok, err)
	}
}

func TestBadTokensAreOneClearLine(t *testing.T) {
	t.Parallel()
	entry := func(token, principal, more string) string {
		return `[{"token": "` + token + `", "principal": {` + principal + `}` + more + `}]`
	}
	good := `"id": "p", "accountId": "a", "kind": "User"`
	for _, tt := range []struct{ name, file, want string }{
		{"empty file", ``, "the file is empty"},
		{"no entries", `[]`, "there are none"},
		{"no array", `{"token": "t"}`, "cannot unmarshal"},
		{"cut off", `[{"token": "t"`, "unexpected EOF"},
		{"two values", `[] []`, "more than one value"},
		{"unknown member", entry("t", good, `, "granted": []`), `unknown field "granted"`},
		{"no token", entry("", good, ""), "the token is empty"},
		{"token with a space", entry("a b", good, ""), "no Authorization header"},
		{"token beyond ASCII", entry("é", good, ""), "no Authorization header"},
		{"no principal id", entry("t", `"accountId": "a", "kind": "User"`, ""), "an id and an accountId"},
		{"no account", entry("t", `"id": "p", "kind": "User"`, ""), "an id and an accountId"},
		{"no kind", entry("t", `"id": "p", "accountId": "a"`, ""), "want User or Service"},
		{"kind in small letters", entry("t", `"id": "p", "accountId": "a", "kind": "user"`, ""), "want User or Service"},
		{"grant without twin", entry("t", good, `, "grants": [{"permissions": ["schedules_read"]}]`), "a grant needs a twinId"},
		{"empty permission", entry("t", good, `, "grants": [{"twinId": "w", "permissions": [""]}]`), "permissions that are not empty"},
		{"token twice", `[{"token": "t", "principal": {` + good + `}}, {"token": "t", "principal": {` + good + `}}]`, "entry 2: the token stands in the file already"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := platform.ReadCallers(strings.NewReader(tt.file))
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("ReadCallers says %q, want one line with %q", err, tt.want)
			}
		})
	}
}

// fileWith returns the path of a new file with the text.
func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
