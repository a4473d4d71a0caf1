// Package clients_test holds the OpenAPI document to what generators of clients
// make of it.
package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// run runs a command and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// world is a platform with a twin, at an address.
func world(t *testing.T) (url, token, twin string) {
	t.Helper()
	tw := httpapitest.New(t)
	twin = tw.NewTwin("Tower")
	return tw.Listen(), tw.TokenOf(tw.Admin()), twin
}

func TestGeneratedGoClientPagesTasksAndFollowsOperations(t *testing.T) {
	t.Parallel()
	program := generate(t, httpapi.OpenAPI("/"), "client", "./follow")
	url, token, twin := world(t)
	if got := run(t, program, url, token, twin); strings.TrimSpace(got) != "5 tasks" {
		t.Errorf("the client says %q", got)
	}
}

// typeScript is the folder ts with the packages of npm and what follow and upload were built
// to, which .ci/run contract makes.
func typeScript(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TYPESCRIPT")
	if dir == "" {
		t.Skip("SKIPPED: TYPESCRIPT names no folder with the packages of npm; bash .ci/run contract makes one")
	}
	return dir
}

func TestGeneratedTypeScriptClientDoesTheSame(t *testing.T) {
	t.Parallel()
	program := filepath.Join(typeScript(t), "dist/follow.js")
	url, token, twin := world(t)
	if got := run(t, "node", program, url, token, twin); strings.TrimSpace(got) != "5 tasks" {
		t.Errorf("the client says %q", got)
	}
}
