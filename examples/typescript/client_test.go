// Package typescript_test runs the tests of the client in TypeScript.
package typescript_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

// A Node that takes types out runs the files as they are. They are also compiled, as for an older
// one, where TYPESCRIPT names a folder with the packages of internal/clients/ts; .ci/run contract
// makes one.
func TestTheClientInTypeScriptPassesItsTests(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts an interpreter")
	}
	docpages.Needs(t, "node")
	tests := make(map[string]string)
	if exec.CommandContext(t.Context(), "node", "-e", "process.exit(process.features.typescript ? 0 : 1)").Run() == nil {
		tests["as it is"] = "client_test.ts"
	}
	if packages := os.Getenv("TYPESCRIPT"); packages != "" {
		tests["compiled"] = compiled(t, packages)
	}
	if len(tests) == 0 {
		t.Skip("this Node knows no types, and TYPESCRIPT names no packages that take them out")
	}
	for name, file := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tw := httpapitest.New(t, httpapitest.WithControls())
			run := exec.CommandContext(t.Context(), "node", "--test", file)
			run.Env = append(os.Environ(), "TWIN_URL="+tw.Listen(), "TWIN_TOKEN="+tw.TokenOf(tw.Admin()))
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// compiled is the test as JavaScript, its types checked.
func compiled(t *testing.T, packages string) string {
	t.Helper()
	to := t.TempDir()
	tsc := exec.CommandContext(t.Context(), filepath.Join(packages, "node_modules/.bin/tsc"), "--outDir", to,
		"--target", "es2022", "--module", "nodenext", "--strict", "--noUncheckedIndexedAccess", "--rewriteRelativeImportExtensions",
		"--skipLibCheck", "--types", "node", "--typeRoots", filepath.Join(packages, "node_modules/@types"), "client_test.ts")
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(to, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, "client_test.js")
}
