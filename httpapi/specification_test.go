package httpapi_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// The rows of both specifications are in testdata/specification.txt: fields, values,
// rules, limits, states, permissions and errors, by section. The operations are the
// rows of the route table.
//
//	# A specification
//	## A section of it
//	field calendarId
//	http rule technical preview
//
// What covers a row says so itself: a step of a conversation between its title and
// its request, and a test in its doc comment.
//
//	covers: A section of it
//	covers: A section of it: field calendarId
//	// covers: operations tasks.create tasks.get
//	// covers: operations of schedules
//
// Whoever names a section covers those of its rows that nobody names alone. Each row
// is covered through Go, by a test of a domain, and through HTTP, by a step or a test
// of this package; rows marked http through HTTP alone, since no Go program meets
// what they are about. What a field, a value or an error is called must be found in
// the text of what covers it. An operation is covered through HTTP by the conversation
// that bears its name, or by a test.
const specificationFile = "testdata/specification.txt"

// specRow is a row of the specification.
type specRow struct {
	line          int
	section, kind string
	name          string
	overHTTPAlone bool
}

// key is how a row is named where it is covered.
func (r specRow) key() string { return r.section + ": " + r.kind + " " + r.name }

func (r specRow) String() string { return fmt.Sprintf("%s:%d: %s", specificationFile, r.line, r.key()) }

func specification(t *testing.T) []specRow {
	t.Helper()
	raw, err := os.ReadFile(specificationFile)
	if err != nil {
		t.Fatal(err)
	}
	var rows []specRow
	var section string
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		line, overHTTPAlone := strings.CutPrefix(strings.TrimSpace(line), "http ")
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "", "#":
		case "##":
			section = rest
		default:
			rows = append(rows, specRow{n, section, word, rest, overHTTPAlone})
		}
	}
	return rows
}

// coverage has the texts of what covers each row, section and operation on one side,
// by the name of the test or the step.
type coverage map[string]map[string]string

func (c coverage) add(what, by, text string) {
	if c[what] == nil {
		c[what] = make(map[string]string)
	}
	c[what][by] = text
}

// of is what covers a row.
func (c coverage) of(row specRow) map[string]string {
	if own := c[row.key()]; own != nil {
		return own
	}
	return c[row.section]
}

// declarations are the texts of what test files declare, by package and name,
// with the names that each uses.
type declarations map[string]struct {
	text string
	uses []string
}

func (known declarations) add(pkg string, file []byte, d ast.Decl) {
	keep := func(name string, n ast.Node) {
		e := known[pkg+"."+name]
		e.text += string(file[n.Pos()-1 : n.End()-1])
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name != name {
				e.uses = append(e.uses, pkg+"."+id.Name)
			}
			return true
		})
		known[pkg+"."+name] = e
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		keep(d.Name.Name, d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					keep(name.Name, v)
				}
			}
		}
	}
}

// text is that of a declaration, with those that it uses up to a depth.
func (known declarations) text(name string, depth int, seen map[string]bool) string {
	e, ok := known[name]
	if !ok || seen[name] || depth == 0 {
		return ""
	}
	seen[name] = true
	out := e.text
	for _, used := range e.uses {
		out += "\n" + known.text(used, depth-1, seen)
	}
	return out
}

// coveredByTests adds what the tests of the module say that they cover, those of this
// package to viaHTTP and all others to viaGo.
func coveredByTests(t *testing.T, viaGo, viaHTTP coverage) {
	t.Helper()
	for folder, paths := range testFiles(t) {
		known, covers := make(declarations), make(map[string][]string)
		pkg := filepath.Base(folder)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(gotoken.NewFileSet(), path, text, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				known.add(pkg, text, d)
				if f, ok := d.(*ast.FuncDecl); ok {
					covers[pkg+"."+f.Name.Name] = coveredIn(f.Doc)
				}
			}
		}
		side := viaGo
		if pkg == "httpapi" {
			side = viaHTTP
		}
		for name, rows := range covers {
			for _, row := range rows {
				side.add(row, name, known.text(name, 3, make(map[string]bool)))
			}
		}
	}
}

// testFiles are the files of tests by folder, of the folders in which a test says
// that it covers something.
func testFiles(t *testing.T) map[string][]string {
	t.Helper()
	all, saying := make(map[string][]string), make(map[string]bool)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		folder := filepath.Dir(path)
		all[folder] = append(all[folder], path)
		saying[folder] = saying[folder] || bytes.Contains(text, []byte("\n// covers: "))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(all, func(folder string, _ []string) bool { return !saying[folder] })
	return all
}

// coveredIn are the rows that a doc comment names. Operations are named many at a time.
func coveredIn(doc *ast.CommentGroup) (rows []string) {
	if doc == nil {
		return nil
	}
	for _, line := range doc.List {
		row, ok := strings.CutPrefix(line.Text, "// covers: ")
		ids, many := strings.CutPrefix(row, "operations ")
		switch {
		case !ok:
		case many && !strings.HasPrefix(ids, "of "):
			for id := range strings.FieldsSeq(ids) {
				rows = append(rows, "operation "+id)
			}
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

// coveredByConversations adds what the steps say that they cover.
func coveredByConversations(t *testing.T, viaHTTP coverage) {
	t.Helper()
	for op, s := range everyScenario(t) {
		for _, st := range s.steps {
			for _, row := range st.covers {
				viaHTTP.add(row, op+": "+st.title, st.request+"\n"+st.answer)
			}
		}
	}
}

// TestEveryRowOfTheSpecificationIsCovered prints the table with -v.
func TestEveryRowOfTheSpecificationIsCovered(t *testing.T) {
	t.Parallel()
	rows, viaGo, viaHTTP := specification(t), make(coverage), make(coverage)
	coveredByTests(t, viaGo, viaHTTP)
	coveredByConversations(t, viaHTTP)
	known := make(map[string]bool)
	for _, row := range rows {
		known[row.section], known[row.key()] = true, true
		if !row.overHTTPAlone {
			checkSide(t, row, "Go", viaGo.of(row))
		}
		checkSide(t, row, "HTTP", viaHTTP.of(row))
		if testing.Verbose() {
			t.Logf("%s | %s | %s", row, names(viaGo.of(row)), names(viaHTTP.of(row)))
		}
	}
	conversations := everyScenario(t)
	for _, o := range httpapi.Operations() {
		id, area := "operation "+o.ID, "operations of "+o.Area
		known[id], known[area] = true, true
		if conversations[o.ID] == nil && viaHTTP[id] == nil {
			t.Errorf("%s: no conversation bears its name, and no test of this package covers it", id)
		}
		if viaGo[id] == nil && viaGo[area] == nil && viaHTTP[id] == nil {
			t.Errorf("%s: no test covers it through Go", id)
		}
	}
	for _, side := range []coverage{viaGo, viaHTTP} {
		for what, by := range side {
			if !known[what] {
				t.Errorf("%s: there is no %q in %s", names(by), what, specificationFile)
			}
		}
	}
}

func names(by map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(by)), ", ") }

// checkSide checks that something covers a row and is about it.
func checkSide(t *testing.T, row specRow, side string, by map[string]string) {
	t.Helper()
	if len(by) == 0 {
		t.Errorf("%s: nothing covers it through %s", row, side)
		return
	}
	var parts []string
	switch row.kind {
	case "field":
		parts = strings.Split(row.name, ".")
	case "value", "error":
		parts = []string{row.name}
	}
	said := strings.Join(slices.Collect(maps.Values(by)), "\n")
	if side == "Go" {
		said = strings.ToLower(said)
	}
	for _, part := range parts {
		if side == "Go" {
			part = strings.ToLower(part)
		}
		if !strings.Contains(said, part) {
			t.Errorf("%s: %s says nothing of it", row, names(by))
		}
	}
}
