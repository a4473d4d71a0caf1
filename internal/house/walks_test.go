package house_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

const walked = "internal/house/testdata"

// walks are what it takes to add something to the platform. Each change is recorded as a patch, which is
// counted, applied to a copy of the repository and tried there; files and lines of code are the most that it
// may take.
var walks = []struct {
	patch, what  string
	files, lines int
}{
	{"task_member", "a member of tasks", 2, 10},
	{"record_type", "a type of record with its REST operations", 3, 80},
	{"event_type", "an event type", 1, 15},
	// A row for all formats, and one each for import, export and the API.
	{"planner_member", "a member of tasks that planner files have too", 6, 12},
	{"subcommand", "a command of the program, with its line of documentation", 2, 20},
}

func TestWalksTakeFewFilesAndLines(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| what | files | lines of code |\n|---|---|---|\n")
	for _, w := range walks {
		text, err := os.ReadFile(filepath.Join(walked, w.patch+".patch"))
		if err != nil {
			t.Fatal(err)
		}
		files, lines := size(string(text))
		fmt.Fprintf(&b, "| %s | %d | %d |\n", w.what, files, lines)
		if files > w.files || lines > w.lines {
			t.Errorf("%s takes %d files and %d lines of code, want at most %d and %d", w.patch, files, lines, w.files, w.lines)
		}
	}
	generated(t, "docs/adding.md", "walks", b.String())
}

// size counts the files of a patch, and the lines of code in it that are new; comments and
// blank lines are none.
func size(patch string) (files, lines int) {
	for line := range strings.Lines(patch) {
		code, added := strings.CutPrefix(line, "+")
		switch code = strings.TrimSpace(code); {
		case strings.HasPrefix(line, "+++"):
			files++
		case added && code != "" && !strings.HasPrefix(code, "//"):
			lines++
		}
	}
	return files, lines
}

// All of the changes together are made in a copy of the repository, where they do what they
// are for, as the tests in proof.go.txt find.
func TestWalksDoWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a changed copy of the platform")
	}
	dir := docpages.Checkout(t, ".")
	run := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-trimpath")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, w := range walks {
		patch, err := filepath.Abs(filepath.Join(walked, w.patch+".patch"))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := run("git", "apply", patch); err != nil {
			t.Fatalf("%s does not apply: it is to be recorded again: %v\n%s", w.patch, err, out)
		}
	}
	proof, err := os.ReadFile(walked + "/proof.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "internal/house/proof")
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "proof_test.go"), proof, 0o644); err != nil {
		t.Fatal(err)
	}
	// Nearly all is compiled again, for a test that takes moments: without optimizing, in two thirds of the time.
	if out, err := run("go", "test", "-vet=off", "-count=1", "-gcflags=github.com/seed-933f9a09/twinplatform/...=-N -l", "./internal/house/proof"); err != nil {
		t.Errorf("the changes do not do what they are for:\n%s", out)
	}
}
