package twinplatform_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

var update = flag.Bool("update", false, "rewrite the table of operations in the README")

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

const (
	tableBegin = "<!-- operations: go test . -update -->\n"
	tableEnd   = "<!-- end of operations -->\n"
)

func TestReadmeListsTheOperations(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	text := readme(t)
	before, rest, begun := strings.Cut(text, tableBegin)
	got, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		t.Fatalf("the README lacks the lines %s and %s", tableBegin, tableEnd)
	}
	want := operationsTable(httpapi.Operations())
	if got == want {
		return
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table of operations is not that of the routes; run go test . -update (-want +got):\n%s", gocmp.Diff(want, got))
}

// operationsTable has one line for each collection: its operations and, after
// the rest of their path, those of what it holds.
func operationsTable(operations []httpapi.Operation) string {
	var collections []string
	paths := make(map[string][]string) // of a collection
	calls := make(map[string][]string) // of a path
	for _, o := range operations {
		c := collection(o.Path)
		if paths[c] == nil {
			collections = append(collections, c)
		}
		if calls[o.Path] == nil {
			paths[c] = append(paths[c], o.Path)
		}
		calls[o.Path] = append(calls[o.Path], o.Method+" `"+o.ID+"`"+marks(o))
	}
	var b strings.Builder
	b.WriteString("\n| path | operations |\n|---|---|\n")
	for _, c := range collections {
		slices.SortStableFunc(paths[c], func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		var below []string
		for _, p := range paths[c] {
			rest := ""
			if p != c {
				rest = "`" + strings.TrimPrefix(p, c) + "` "
			}
			below = append(below, rest+strings.Join(calls[p], ", "))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", c, strings.Join(below, " · "))
	}
	b.WriteString("\n")
	return b.String()
}

func marks(o httpapi.Operation) (m string) {
	if o.Preview {
		m += " ¹"
	}
	if o.Addition {
		m += " ²"
	}
	if o.Deprecated {
		m += " ³"
	}
	return m
}

// collection is the beginning of a path that names a collection: /twins,
// /forms/formDefinitions, /schedules/{scheduleId}/tasks.
func collection(path string) string {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	n := 1
	switch {
	case len(segments) > 2 && strings.HasPrefix(segments[1], "{"):
		n = 3
	case len(segments) > 1 && !strings.HasPrefix(segments[1], "{"):
		n = 2
	}
	return "/" + strings.Join(segments[:n], "/")
}

func TestReadmeIsReadInOneSitting(t *testing.T) {
	t.Parallel()
	if n := strings.Count(readme(t), "\n"); n > 250 {
		t.Errorf("the README has %d lines, want at most 250", n)
	}
}

// Links within the repository lead somewhere, from every page at its top.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.FromSlash(link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
}
