package oidc_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// What the page shows of a program is in the example, which compiles.
func TestThePageShowsTheExample(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/signin.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("the page shows no program")
	}
	for line := range strings.Lines(string(shown[1])) {
		if !strings.Contains(string(example), "\t"+line) {
			t.Errorf("the example does not have %s", line)
		}
	}
}
