package twinplatform_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The README opens with two commands, behind which a comment says what one gets: one does the main thing, the
// other passes the tests, as .ci/run does.
func TestTheReadmeOpensWithTwoCommands(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(readme(t), "\n```sh\n")
	block, _, _ := strings.Cut(rest, "\n```")
	var commands []string
	for line := range strings.Lines(block) {
		command, _, _ := strings.Cut(line, "#")
		commands = append(commands, strings.TrimSpace(command))
	}
	if len(commands) != 2 || commands[1] != "go test -short ./..." {
		t.Fatalf("the README opens with %q", commands)
	}
	name, args, _ := strings.Cut(commands[0], " ")
	if out := run(t, name, strings.Fields(args)...); !strings.Contains(string(out), "critical path") {
		t.Errorf("%s prints\n%s", commands[0], out)
	}
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "\t"+commands[1]) {
		t.Errorf(".ci/run does not call %s", commands[1])
	}
}

// What the README opens with leaves nothing behind, and needs no file besides the program: it runs in an empty folder.
func TestTheFirstCommandOfTheReadmeNeedsNoFileAndLeavesNone(t *testing.T) {
	t.Parallel()
	planner, folder := filepath.Join(t.TempDir(), "planner"), t.TempDir()
	if runtime.GOOS == "windows" {
		planner += ".exe"
	}
	run(t, "go", "build", "-o", planner, "./cmd/planner")
	cmd := exec.CommandContext(t.Context(), planner, "demo")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "TMP="+t.TempDir()) // where the page goes
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "critical path") || !strings.Contains(string(out), "chart: file://") {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v, it leaves %v", err, left)
	}
}

// The planner's commands of the README run as they are printed. A file that one writes goes
// into a folder of the test.
func TestPlannerCommandsOfTheReadmeRun(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile("`go run (\\./cmd/planner [^`]+)`").FindAllStringSubmatch(readme(t), -1)
	if len(commands) == 0 {
		t.Fatalf("the README has %d commands of the planner", len(commands))
	}
	for _, c := range commands {
		args := append([]string{"run"}, strings.Fields(c[1])...)
		if i := slices.Index(args, "-o"); i > 0 {
			args[i+1] = filepath.Join(t.TempDir(), args[i+1])
			run(t, "go", args...)
			if written, err := os.ReadFile(args[i+1]); err != nil || len(written) == 0 {
				t.Errorf("%s wrote %d bytes, %v", c[0], len(written), err)
			}
			continue
		}
		if out := run(t, "go", args...); len(out) == 0 {
			t.Errorf("%s printed nothing", c[0])
		}
	}
}

// run runs a command in the folder of the repository and returns what it prints.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, stderr.String())
	}
	return out
}
