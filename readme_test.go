package twinplatform_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

var update = flag.Bool("update", false, "write docs/gantt.svg and docs/site.svg")

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every Go block of these pages is in a function that go test runs to the result that it
// claims: an example whose output is checked, or a test of one of the programs in
// examples.
func TestReadmeCodeIsRunToItsResult(t *testing.T) {
	t.Parallel()
	run := functionsRun(t)
	for _, page := range []string{"README.md", "docs/tutorial.md", "docs/recipes.md"} {
		for _, block := range docpages.Texts(t, page, "go") {
			shown := func(body string) bool {
				for _, indent := range []string{"\t", "\t\t", "\t\t\t"} {
					if strings.Contains(body, "\n"+regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(block, indent+"$1")) {
						return true
					}
				}
				return false
			}
			if !slices.ContainsFunc(run, shown) {
				t.Errorf("this block of %s is in no example that is run:\n%s", page, block)
			}
		}
	}
}

// functionsRun are the bodies of the functions that may be shown: tests, examples, and what
// makes a world for tests.
func functionsRun(t *testing.T) (bodies []string) {
	t.Helper()
	files, err := filepath.Glob("examples/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "example_test.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			body := string(text[f.Body.Pos()-file.FileStart : f.Body.End()-file.FileStart])
			if strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "new") || strings.HasPrefix(f.Name.Name, "Example") && strings.Contains(body, "// Output:") {
				bodies = append(bodies, body)
			}
		}
	}
	return bodies
}

// pictures are what the README opens with, each with the command in the README that draws it: from the plan of the file
// from which the server's first world was made, and from that world.
var pictures = []struct{ file, command, more string }{
	{"docs/gantt.svg", "./cmd/planner gantt ", "-rows 32 -width 520 -today none schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml"},
	{"docs/site.svg", "./examples/site ", "examples/server/testdata/world-j30.json 2026-01-19 2026-02-05 2026-03-06"},
}

func TestTheReadmeOpensWithThePicturesThatItsCommandsDraw(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	first, _, _ := strings.Cut(readme(t), "\n## ")
	for _, p := range pictures {
		if !strings.Contains(first, "]("+p.file+")") || !strings.Contains(first, "go run "+p.command) {
			t.Errorf("the README does not open with %s, and the command that draws it", p.file)
		}
		want := run(t, "go", append([]string{"run"}, strings.Fields(p.command+p.more)...)...)
		got, err := os.ReadFile(p.file)
		if err == nil && bytes.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("%s is another one (%v); run go test . -update and look at it", p.file, err)
			continue
		}
		if err := os.WriteFile(p.file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadmeIsReadInOneSitting(t *testing.T) {
	t.Parallel()
	if n := strings.Count(readme(t), "\n"); n > 150 {
		t.Errorf("the README has %d lines, want at most 150", n)
	}
}

// The programs in examples are for reading, but for the cluster, which is for use.
func TestExamplesAreShort(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`(?m)^\s*[^\s/].*$`)
	lines := make(map[string]int)
	files, err := filepath.Glob("examples/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			lines[filepath.Base(filepath.Dir(name))] += len(code.FindAll(text, -1))
		}
	}
	delete(lines, "cluster")
	for example, n := range lines {
		if n > 90 {
			t.Errorf("examples/%s has %d lines of code, want at most 90", example, n)
		}
	}
	if len(lines) == 0 {
		t.Error("there are no examples")
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
	for _, below := range []string{"docs/*.md", "docs/choices/*.md"} {
		more, err := filepath.Glob(below)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, more...)
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
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
}
