package proof_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// suites are tests of the library that open their stores with storetest.New. Left out is
// what simulates time, in which no database answers, and what counts on the engine: on how
// much goes into a step, or on a process that continues at once with what another left.
var suites = []struct{ folder, run, without string }{
	{"./httpapi", "^Test(Forms|Twins|Data|Webhooks|)Scenarios$", ""},
	{"./platform", "^TestPermissionsAreClosedUnderEveryOperation$/^memory$", ""},
	{"./webhooks", "^TestSwitchesUnderWritersLoseNothing$/^memory$", ""},
}

// longer are those of longer runs: what the domains do over each engine of the library, and their
// conversations over PostgreSQL, is tried without them.
var longer = []struct{ folder, run, without string }{
	{"./schedules", "Test/^memory$", ""},
	{"./forms", "^Test", ""},
	{"./twins", "^Test", "Restart|Export|RunForgets|TwoProcesses"},
	{"./transform", "^Test", "Restart|OneTransformationOfATarget|RunForgets|RunThatWasKilled|TwoProcesses"},
	{"./internal/storm", "Test/^memory$", ""},
	{"./realitydata", "^Test", ""},
}

// The conversations of the REST API, word for word, and the closure of permissions hold
// over PostgreSQL as they do over the engines of the library.
//
//nolint:paralleltest // it has the machine for itself
func TestSuitesOfTheLibraryHoldOverPostgreSQL(t *testing.T) {
	if testing.Short() || testsize.Raced {
		t.Skip("compiles the tests of the library once more")
	}
	server := postgrestest.Shared(t)
	flags := overPostgreSQL(t)
	database, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close(context.Background()) })
	commits := func() (n int) {
		t.Helper()
		if err := database.QueryRow(t.Context(), "select sum(xact_commit) from pg_stat_database").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	all := suites
	if storagetest.Scale(1) > 1 {
		all = slices.Concat(suites, longer)
	}
	for _, s := range all {
		t.Run(filepath.Base(s.folder), func(t *testing.T) {
			args := append([]string{"test", "-vet=off", "-count=1", "-timeout=10m", "-parallel=4", "-run", s.run}, flags...)
			if s.without != "" {
				args = append(args, "-skip", s.without)
			}
			if storagetest.Scale(1) == 1 {
				args = append(args, "-short")
			}
			cmd := exec.CommandContext(t.Context(), "go", append(args, s.folder)...)
			cmd.Dir, cmd.Env = library, append(os.Environ(), "STORETEST_POSTGRES="+server.URL(""))
			before := commits()
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "ok") || strings.Contains(string(out), "no tests to run") {
				t.Errorf("%v: %v\n%s", cmd.Args, err, out)
			}
			made := commits() - before
			if t.Logf("%s%d transactions", out, made); made < 500 {
				t.Error("the tests have not run over PostgreSQL")
			}
		})
	}
}

const library = "../../.."

// overPostgreSQL are flags of the go command by which the library's tests get stores over
// PostgreSQL, and its module what they need for it. Nothing in the library changes.
func overPostgreSQL(t *testing.T) []string {
	t.Helper()
	dir, err := filepath.Abs(library)
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	temporary := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(temporary, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	standIn, err := filepath.Abs("testdata/one.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(dir, "internal/storetest/one.go"): standIn}})
	if err != nil {
		t.Fatal(err)
	}
	engine := "github.com/seed-933f9a09/twinplatform/storage/postgres"
	module := read("go.mod") + "\nrequire " + engine + " v0.0.0\nreplace " + engine + " => ./storage/postgres\n"
	write("go.sum", read("go.sum")+read("storage/postgres/go.sum"))
	return []string{"-mod=mod", "-modfile=" + write("go.mod", module), "-overlay=" + write("overlay.json", string(overlay))}
}
