// Package walks_test holds what it takes to add something to the platform: each change is
// recorded as a patch, which is counted, applied to a copy of the repository and tried there.
package walks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

const root = "../.."

// walks are the changes, with the most files and lines of code that each may take.
var walks = []struct {
	patch        string
	files, lines int
}{
	{"task_member", 2, 10},
	{"record_type", 3, 70},
	{"event_type", 1, 15},
	{"planner_member", 6, 12}, // a row for all formats, and one each for import, export and the API
	{"subcommand", 2, 20},     // a file, and its line of documentation
}

func TestWalksTakeFewFilesAndLines(t *testing.T) {
	t.Parallel()
	for _, w := range walks {
		text, err := os.ReadFile(filepath.Join("testdata", w.patch+".patch"))
		if err != nil {
			t.Fatal(err)
		}
		if files, lines := size(string(text)); files > w.files || lines > w.lines {
			t.Errorf("%s takes %d files and %d lines of code, want at most %d and %d", w.patch, files, lines, w.files, w.lines)
		}
	}
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
	dir := docpages.Checkout(t, root)
	run := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-trimpath")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, w := range walks {
		patch, err := filepath.Abs(filepath.Join("testdata", w.patch+".patch"))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := run("git", "apply", patch); err != nil {
			t.Fatalf("%s does not apply: it is to be recorded again: %v\n%s", w.patch, err, out)
		}
	}
	proof, err := os.ReadFile("testdata/proof.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "internal/walks/proof")
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "proof_test.go"), proof, 0o644); err != nil {
		t.Fatal(err)
	}
	// Nearly all is compiled again, for a test that takes moments: without optimizing, in two thirds of the time.
	if out, err := run("go", "test", "-vet=off", "-count=1", "-gcflags=github.com/seed-933f9a09/twinplatform/...=-N -l", "./internal/walks/proof"); err != nil {
		t.Errorf("the changes do not do what they are for:\n%s", out)
	}
}
