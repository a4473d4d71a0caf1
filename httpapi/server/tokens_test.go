package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		{"token twice", `[{"token": "t", "principal": {` + good + `}}, {"token": "t", "principal": {` + good + `}}]`, "entry 2: the token is in the file already"},
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

// An address of files that a principal was given writes no more once the tokens file that
// is read again has the principal no longer, or lets it do less.
func TestAnAddressOfFilesEndsWithTheTokensFile(t *testing.T) {
	t.Parallel()
	const account = "b0000000-0000-4000-8000-000000000001"
	tokens := func(mia string) string {
		return `[{"token": "t-ada", "principal": {"id": "ada", "accountId": "` + account + `", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}}` + mia + `]`
	}
	mia := func(more string) string {
		return `, {"token": "t-mia", "principal": {"id": "mia", "accountId": "` + account + `", "kind": "User", "scopes": ["twin-platform"]` + more + `}`
	}
	granted := func(permissions string) string {
		return mia(`}, "grants": [{"twinId": "` + bridge + `", "permissions": [` + permissions + `]}]`)
	}
	const all = `"realitydata_use", "realitydata_create", "realitydata_manage"`
	for name, tt := range map[string]struct{ before, after string }{
		"struck":               {granted(all), ""},
		"granted nothing":      {granted(all), mia("}")},
		"granted reading":      {granted(all), granted(`"realitydata_use"`)},
		"administrator struck": {mia(`, "organizationAdmin": true}`), ""},
		"no administrator":     {mia(`, "organizationAdmin": true}`), mia("}")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := fileWith(t, tokens(tt.before))
			s := start(t, "-seed", bridgeFile, "-tokens", file)
			a := s.callAs("t-mia", "GET", "/reality-management/reality-data/"+cloud+"/writeaccess?twinId="+bridge, "", http.StatusOK)
			address := strings.Replace(a.body["_links"].(map[string]any)["containerUrl"].(map[string]any)["href"].(string), "?", "/late.las?", 1)
			if status := s.put(address); status != http.StatusCreated {
				t.Fatalf("before: %d", status)
			}
			if err := os.WriteFile(file, []byte(tokens(tt.after)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			status := 0
			for range 1000 {
				if status = s.put(address); status >= 400 {
					break
				}
			}
			if again := s.put(address); status != again || status != http.StatusNotFound && status != http.StatusForbidden {
				t.Errorf("the address answers %d and %d", status, again)
			}
		})
	}
}

// put is the status of a file that is sent to an address.
func (s *running) put(address string) int {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPut, address, strings.NewReader("points"))
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
