package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nowhere is the id of a twin that is not there.
const nowhere = "00000000-0000-4000-8000-00000000dead"

func TestServesTheSeed(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile)

	tasks, _ := s.list(plan+"/tasks?$top=10", "tasks")
	links, _ := s.list(plan+"/task-links?$top=10", "taskLinks")
	resources, _ := s.list(plan+"/resources", "resources")
	wantSame(t, "tasks, links and resources", []int{64, 96, 6}, []int{len(tasks), len(links), len(resources)})

	baseline := s.call("POST", plan+"/baselines", `{"name": "As planned"}`, http.StatusCreated).body["baseline"].(map[string]any)
	of := plan + "/baselines/" + baseline["id"].(string)
	baselineTasks, tasksSince := s.list(of+"/baseline-tasks?$top=10", "baselineTasks")
	baselineLinks, linksSince := s.list(of+"/baseline-task-links?$top=10", "baselineTaskLinks")
	wantSame(t, "tasks and links of the baseline", []int{64, 96}, []int{len(baselineTasks), len(baselineLinks)})

	_, taskDelta := s.list(plan+"/tasks", "tasks")
	_, linkDelta := s.list(plan+"/task-links", "taskLinks")
	var gone []string
	for _, l := range links {
		if l["predecessorId"] == "task-2" || l["successorId"] == "task-2" {
			gone = append(gone, l["id"].(string))
		}
	}
	s.call("DELETE", plan+"/tasks?taskIds=task-2", "", http.StatusAccepted)

	changed, _ := s.list(plan+"/tasks?deltaToken="+url.QueryEscape(taskDelta), "tasks")
	wantSame(t, "changed tasks", []string{"task-2"}, ids(changed, "id"))
	wantSame(t, "the task", true, changed[0]["deleted"])
	changed, _ = s.list(plan+"/task-links?$deltaToken="+url.QueryEscape(linkDelta), "taskLinks")
	sameSet(t, "changed links", gone, ids(changed, "id"))
	changed, _ = s.list(of+"/baseline-tasks?deltaToken="+url.QueryEscape(tasksSince), "baselineTasks")
	wantSame(t, "changed baseline tasks", 0, len(changed))
	changed, _ = s.list(of+"/baseline-task-links?deltaToken="+url.QueryEscape(linksSince), "baselineTaskLinks")
	wantSame(t, "changed baseline links", 0, len(changed))
}

func sameSet(t *testing.T, what string, want, got []string) {
	t.Helper()
	set := func(ids []string) map[string]int {
		m := make(map[string]int)
		for _, id := range ids {
			m[id]++
		}
		return m
	}
	wantSame(t, what, set(want), set(got))
}

func TestBannerCallWorks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"with a seed", []string{"-seed", seedFile}, `"id":"task-1"`},
		{"with tokens", []string{"-seed", seedFile, "-tokens", tokensFile(t)}, `"id":"task-1"`},
		{"with nothing", nil, `"twins":[]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.args...)
			_, command, _ := strings.Cut(s.banner, "  try ")
			sh := exec.CommandContext(t.Context(), "sh", "-c", command)
			sh.Env = append(os.Environ(), "TOKEN=t-admin")
			got, err := sh.CombinedOutput()
			if err != nil || !strings.Contains(string(got), tt.want) {
				t.Errorf("%s\nprints %s (%v), want it to have %s", strings.TrimSpace(command), got, err, tt.want)
			}
		})
	}
}

func TestBannerShowsWhetherTheStoreLasts(t *testing.T) {
	t.Parallel()
	if s := start(t); !strings.Contains(s.banner, "gone when this process ends") {
		t.Errorf("over memory:\n%s", s.banner)
	}
	file := filepath.Join(t.TempDir(), "twin.db")
	if s := start(t, "-db", file); !strings.Contains(s.banner, file+": it lasts") {
		t.Errorf("over a file:\n%s", s.banner)
	}
}

func TestAddressFileIsThereWhileTheServerServes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "addr")
	if err := os.WriteFile(file, []byte("127.0.0.1:1"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "-addr-file", file)
	got, err := os.ReadFile(file)
	if err != nil || "http://"+string(got) != s.base {
		t.Errorf("the file holds %q (%v), the banner says %s", got, err, s.base)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file of a server that is gone: %v", err)
	}
}

// tokensFile has an administrator of the seed's account, a reader of its twin,
// a stranger, and a token without the platform's scope.
func tokensFile(t *testing.T) string {
	t.Helper()
	const account, twin = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"
	entry := func(token, account string, admin bool, scope string, permissions ...string) map[string]any {
		e := map[string]any{"token": token, "principal": map[string]any{
			"id": "p-" + token, "displayName": token, "accountId": account, "kind": "User",
			"scopes": []string{scope}, "organizationAdmin": admin,
		}}
		if permissions != nil {
			e["grants"] = []any{map[string]any{"twinId": twin, "permissions": permissions}}
		}
		return e
	}
	text, err := json.Marshal([]any{
		entry("t-stranger", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb", true, "twin-platform"),
		entry("t-admin", account, true, "twin-platform"),
		entry("t-reader", account, false, "twin-platform", "schedules_read"),
		entry("t-editor", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb", false, "twin-platform", "schedules_read", "schedules_modify"),
		entry("t-scopeless", account, true, "webhooks:read"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return fileWith(t, string(text))
}

func TestTokensGrantTheirPermissions(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile, "-tokens", tokensFile(t))
	const body = `{"name": "Dig", "type": "Work"}`
	for _, tt := range []struct {
		token       string
		read, write int
	}{
		{"t-admin", 200, 202},
		{"t-reader", 200, 403},
		{"t-editor", 200, 202},
		{"t-stranger", 404, 404},
		{"t-scopeless", 401, 401},
		{"demo", 401, 401},
		{"", 401, 401},
	} {
		t.Run(tt.token, func(t *testing.T) {
			t.Parallel()
			s.in(t).callAs(tt.token, "GET", plan+"/tasks", "", tt.read)
			s.in(t).callAs(tt.token, "POST", plan+"/tasks", body, tt.write)
		})
	}
}

func TestTwinsBelongToTheFirstPrincipalByDefault(t *testing.T) {
	t.Parallel()
	seed := fileWith(t, `{"twins": [{"id": "10000000-0000-4000-8000-000000000000"}, {"id": "20000000-0000-4000-8000-000000000000", "twinAccountId": "a2", "status": "Active"}]}`)
	s := start(t, "-seed", seed, "-tokens", fileWith(t, twoCallers))
	create := func(twin string, status int) {
		s.callAs("t-admin", "POST", "/schedules/", fmt.Sprintf(`{"name": "Plan", "twinId": %q}`, twin), status)
	}
	create("10000000-0000-4000-8000-000000000000", http.StatusCreated)
	create("20000000-0000-4000-8000-000000000000", http.StatusBadRequest) // belongs to another account
	create("30000000-0000-4000-8000-000000000000", http.StatusBadRequest)
}

func TestRestartShowsTheSame(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-db", db, "-seed", seedFile)
	s.call("DELETE", plan+"/tasks?taskIds=task-2", "", http.StatusAccepted)
	s.call("POST", plan+"/baselines", `{"name": "As planned"}`, http.StatusCreated)
	before := s.everything()
	if len(before["tasks"]) != 63 {
		t.Fatalf("there are %d tasks after one was deleted", len(before["tasks"]))
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	again := start(t, "-db", db, "-seed", seedFile)
	wantSame(t, "after a restart with the seed", before, again.everything())
	again.call("DELETE", plan, "", http.StatusNoContent)
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}

	again = start(t, "-db", db, "-seed", seedFile)
	again.call("GET", plan, "", http.StatusNotFound) // its users deleted it
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}

	bare := start(t, "-db", db)
	bare.call("POST", "/schedules/", `{"name": "Another", "twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}`, http.StatusCreated)
	bare.call("POST", "/schedules/", `{"name": "Another", "twinId": "elsewhere"}`, http.StatusBadRequest)
}

func TestBackground(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile, "-background")
	a := s.call("POST", plan+"/task-links/batch", `{"batch": [{"predecessorId": "task-2", "successorId": "task-60", "type": "StartToStart"}]}`, http.StatusAccepted)
	if a.header.Get("Operation-Id") == "" {
		t.Errorf("the answer names no operation: %v", a.header)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := start(t, "-rate", "1")
	s.call("GET", "/schedules?twinId="+nowhere, "", http.StatusOK)
	if a := s.call("GET", "/schedules?twinId="+nowhere, "", http.StatusTooManyRequests); a.header.Get("Retry-After") == "" {
		t.Error("429 without Retry-After")
	}
}

func TestFatalStarts(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing.json")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"address of no interface", []string{"-addr", "192.0.2.1:1"}, "192.0.2.1:1"},
		{"no seed file", []string{"-seed", missing}, missing},
		{"no tokens file", []string{"-tokens", missing}, missing},
		{"seed that is no world", []string{"-seed", fileWith(t, `[1]`)}, "cannot unmarshal"},
		{"seed with what is not served", []string{"-seed", fileWith(t, `{"form": []}`)}, `unknown field "form"`},
		{"seed with a twin with an unknown member", []string{"-seed", fileWith(t, `{"twins": [{"id": "w", "colour": "red"}]}`)}, `unknown field "colour"`},
		{"reality data without a GUID", []string{"-seed", fileWith(t, `{"realityData": [{"id": "scan"}]}`)}, "realityData[0]: the id"},
		{"twin without a GUID", []string{"-seed", fileWith(t, `{"twins": [{"id": "w"}]}`)}, "The id of a twin is a GUID"},
		{"member with an unknown role", []string{"-seed", fileWith(t, `{"twins": [{"id": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}],
			"members": [{"twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", "id": "ada", "roles": ["Queen"]}]}`)}, `"Queen": RoleNotFound`},
		{"files at a file", []string{"-files", fileWith(t, "")}, "opening the folder for files"},
		{"no certificates", []string{"-webhook-ca", missing}, missing},
		{"certificates of words", []string{"-webhook-ca", fileWith(t, "trust me")}, "holds no certificate"},
		{"no sealing key", []string{"-webhook-key", missing}, missing},
		{"no key of files", []string{"-file-key", missing}, missing},
		{"short key of files", []string{"-file-key", fileWith(t, "abcd")}, "32 bytes"},
		{"short sealing key", []string{"-webhook-key", fileWith(t, "abcd")}, "64 hexadecimal digits"},
		{"schedule without id", []string{"-seed", fileWith(t, `{"schedules": [{"name": "Plan", "twinId": "w"}]}`)}, `schedules[0]: the id ""`},
		{"twin named twice", []string{"-seed", fileWith(t, `{"twins": [{"id": "w"}, {"id": "w"}]}`)}, `twins[1]: the id "w"`},
		{"schedule of an unknown twin", []string{"-seed", fileWith(t, `{"schedules": [{"id": "s", "name": "Plan", "twinId": "v"}]}`)}, `schedule "s"`},
		{"link to nowhere", []string{"-seed", fileWith(t, `{"twins": [{"id": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}], "schedules": [{"id": "s", "name": "Plan", "twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90",
			"taskLinks": [{"predecessorId": "a", "successorId": "b", "type": "FinishToStart"}]}]}`)}, "taskLinks 1 to 1"},
		{"store in a missing folder", []string{"-db", filepath.Join(missing, "twin.db")}, "opening the store"},
		{"address file that is a folder", []string{"-addr-file", t.TempDir()}, "is a folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, log strings.Builder
			args := append([]string{"-addr", "127.0.0.1:0"}, tt.args...)
			err := run(t.Context(), args, nil, &out, &log)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("run says %q, want one line with %q", err, tt.want)
			}
			wantSame(t, "standard output", "", out.String())
		})
	}
}

func TestStoppedBeforeItServes(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	db := filepath.Join(t.TempDir(), "twin.db")
	log := writerFunc(func(p []byte) (int, error) {
		cancel() // at the first line, which reports the seed
		return len(p), nil
	})
	two := fileWith(t, `{"twins": [{"id": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}], "schedules": [
		{"id": "s1", "name": "Plan", "twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}, {"id": "s2", "name": "Plan", "twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}]}`)
	var out strings.Builder
	if err := run(ctx, []string{"-addr", "127.0.0.1:0", "-db", db, "-seed", two}, nil, &out, log); err != nil || out.Len() > 0 {
		t.Errorf("a server stopped while it is seeded ends with %v and says %q", err, out.String())
	}
	start(t, "-db", db, "-seed", two).call("GET", "/schedules/s2", "", http.StatusOK)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestTwoServersDoNotShareAFile(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	start(t, "-db", db)
	if err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-db", db}, nil, new(strings.Builder), new(strings.Builder)); err == nil {
		t.Error("a second server opened the file of the first")
	}
}

// The licence of the seed asks for the credit to travel with it.
func TestSeedCarriesItsLicence(t *testing.T) {
	t.Parallel()
	note, err := os.ReadFile("../../examples/server/testdata/LICENCE-world-j30.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CC BY 4.0", "D. Poza", "J. Homberger", "Changed:"} {
		if !strings.Contains(string(note), want) {
			t.Errorf("the licence note does not say %s", want)
		}
	}
}

func TestDemoTokenIsSecretBeyondThisMachine(t *testing.T) {
	t.Parallel()
	s := start(t, "-addr", ":0")
	if s.token == demoToken || len(s.token) < 20 {
		t.Errorf("a server that the network reaches has the token %q", s.token)
	}
	if !strings.HasPrefix(s.base, "http://127.0.0.1:") {
		t.Errorf("the base URL is %s", s.base)
	}
	s.call("GET", "/schedules?twinId="+nowhere, "", http.StatusOK)
	s.callAs(demoToken, "GET", "/schedules?twinId="+nowhere, "", http.StatusUnauthorized)
	if diff := cmp.Diff("demo", start(t).token); diff != "" {
		t.Errorf("the token on the loopback address:\n%s", diff)
	}
}
