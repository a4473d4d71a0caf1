package house_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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
