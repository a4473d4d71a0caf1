package twinplatform_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The planner's commands of the README run as they are printed. A file that one writes goes
// into a folder of the test.
func TestPlannerCommandsOfTheReadmeRun(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile("`go run (\\./examples/planner [^`]+)`").FindAllStringSubmatch(readme(t), -1)
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

// What pages call the server by, and what receives its events by.
const serverPort, receiverPort = "4790", "8443"

// What the pages and the examples start can run at the same time on one machine.
func TestEachProgramOfThePagesHasItsOwnPorts(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	address := regexp.MustCompile(`(-admin |https?://)?127\.0\.0\.1:(\d{4,5})\b`)
	programs := make(map[string]map[string]bool)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range address.FindAllStringSubmatch(string(text), -1) {
			program := "the server"
			switch page = filepath.ToSlash(page); {
			case m[1] == "-admin ":
				program = "what the server has for operators"
			case m[2] == receiverPort:
				program = "what receives events"
			case m[2] == serverPort && m[1] != "": // what a client calls
			case page == "docs/cluster.md" || strings.HasPrefix(page, "examples/cluster/"):
				program = "the cluster"
			case strings.HasPrefix(page, "examples/") && !strings.HasPrefix(page, "examples/server/"):
				program = filepath.Dir(page)
			}
			if programs[m[2]] == nil {
				programs[m[2]] = make(map[string]bool)
			}
			programs[m[2]][program] = true
		}
	}
	if len(programs) < 4 {
		t.Errorf("only the ports %v are named", slices.Sorted(maps.Keys(programs)))
	}
	for port, of := range programs {
		if len(of) > 1 {
			t.Errorf("port %s is that of %v", port, slices.Sorted(maps.Keys(of)))
		}
	}
}
