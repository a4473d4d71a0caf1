package twinplatform_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every Go block of the README stands, indented once, in an example, and those
// are compiled and run.
func TestReadmeCodeIsTakenFromExamples(t *testing.T) {
	t.Parallel()
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) == 0 {
		t.Fatal("the README has no Go code")
	}
	for _, b := range blocks {
		if code := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(b[1], "\t$1"); !strings.Contains(string(examples), code) {
			t.Errorf("this block is in no example:\n%s", b[1])
		}
	}
}

func TestReadmeIsReadInOneSitting(t *testing.T) {
	t.Parallel()
	if n := strings.Count(readme(t), "\n"); n > 250 {
		t.Errorf("the README has %d lines, want at most 250", n)
	}
}

// Links within the repository lead somewhere, from every page at its top and
// below docs.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, below...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
}
