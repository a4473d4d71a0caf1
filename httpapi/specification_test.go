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

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// The rows of both specifications are fields, values, rules, limits, states, permissions
// and errors, by section. What covers a row through HTTP says what it is: a step of a
// conversation between its title and its request, and a test of this package in its doc
// comment. The operations are the rows of the route table.
//
//	covers: A section: rule dates are in UTC
//	covers: A section: fields calendarId name
//	covers: A section: http rule technical preview
//	// covers: A section: values Material Human
//	// covers: operations tasks.create tasks.get
//	// covers: operations of schedules
//
// Each row is covered through Go as well, by a test of a domain, which may name a section
// for those of its rows that no such test names alone; rows marked http are not, since no
// Go program meets what they are about. What a field, a value or an error is called must
// be found in the text of what covers it. An operation is covered through HTTP by the
// conversation that bears its name, or by a test.
//
// testdata/specification.txt lists the rows for people. -update writes it, and a row that
// nothing covers any more is seen there to go.
const specificationFile = "testdata/specification.txt"

// specRow is a row of the specification.
type specRow struct {
	section, kind string
	name          string
	overHTTPAlone bool
}

// key is how a row is named where it is covered.
func (r specRow) key() string { return r.section + ": " + r.kind + " " + r.name }

func (r specRow) String() string { return r.key() }

// rowsOf are the rows of a line: several fields, values or errors stand behind the plural.
// A line that names a section alone has none.
func rowsOf(line string) (rows []specRow) {
	section, rest, _ := strings.Cut(line, ": ")
	rest, overHTTPAlone := strings.CutPrefix(rest, "http ")
	kind, name, _ := strings.Cut(rest, " ")
	names := []string{name}
	switch kind {
	case "":
		return nil
	case "fields", "values", "errors":
		kind, names = strings.TrimSuffix(kind, "s"), strings.Fields(name)
	}
	for _, name := range names {
		rows = append(rows, specRow{section, kind, name, overHTTPAlone})
	}
	return rows
}

// listed are rows as the file has them.
func listed(rows []specRow) string {
	var b strings.Builder
	b.WriteString("The rows of the specifications by section, from what covers them; see specification_test.go.\n")
	section := ""
	for _, r := range rows {
		if r.section != section {
			section = r.section
			fmt.Fprintf(&b, "\n## %s\n", section)
		}
		if r.overHTTPAlone {
			b.WriteString("http ")
		}
		fmt.Fprintf(&b, "%s %s\n", r.kind, r.name)
	}
	return b.String()
}

// coverage has the texts of what covers each row, section and operation on one side,
// by the name of the test or the step.
type coverage map[string]map[string]string

// claims are the rows that are named, by their keys.
type claims map[string]specRow

// add notes that a line is covered, and the rows that it names.
func (c claims) add(to coverage, line, by, text string) {
	rows := rowsOf(line)
	if rows == nil {
		to.add(line, by, text)
	}
	for _, r := range rows {
		r.overHTTPAlone = r.overHTTPAlone || c[r.key()].overHTTPAlone
		c[r.key()] = r
		to.add(r.key(), by, text)
	}
}

// sorted are the rows by section, kind and name.
func (c claims) sorted() []specRow {
	return slices.SortedFunc(maps.Values(c), func(a, b specRow) int { return strings.Compare(a.key(), b.key()) })
}

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
func coveredByTests(t *testing.T, named claims, viaGo, viaHTTP coverage) {
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
		side, naming := viaGo, make(claims)
		if pkg == "httpapi" {
			side, naming = viaHTTP, named
		}
		for name, rows := range covers {
			for _, row := range rows {
				naming.add(side, row, name, known.text(name, 3, make(map[string]bool)))
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
func coveredByConversations(t *testing.T, named claims, viaHTTP coverage) {
	t.Helper()
	for op, s := range everyScenario(t) {
		for _, st := range s.steps {
			for _, row := range st.covers {
				named.add(viaHTTP, row, op+": "+st.title, st.request+"\n"+st.answer)
			}
		}
	}
}

// TestEveryRowOfTheSpecificationIsCovered prints the table with -v.
func TestEveryRowOfTheSpecificationIsCovered(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	named, viaGo, viaHTTP := make(claims), make(coverage), make(coverage)
	coveredByTests(t, named, viaGo, viaHTTP)
	coveredByConversations(t, named, viaHTTP)
	checkListed(t, named)
	known, sections := make(map[string]bool), make(map[string]bool)
	for _, row := range named.sorted() {
		sections[row.section], known[row.key()] = true, true
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
	for i, side := range []coverage{viaGo, viaHTTP} {
		for what, by := range side {
			if ofSection := i == 0 && sections[what]; !known[what] && !ofSection {
				t.Errorf("%s: no row is called %q", names(by), what)
			}
		}
	}
}

// checkListed holds the list of the rows for people to the rows.
func checkListed(t *testing.T, named claims) {
	t.Helper()
	want := listed(named.sorted())
	if *update {
		if err := os.WriteFile(specificationFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(specificationFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is to be written again with -update (-want +got):\n%s", specificationFile, diff)
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
	text := strings.Join(slices.Collect(maps.Values(by)), "\n")
	if side == "Go" {
		text = strings.ToLower(text)
	}
	for _, part := range parts {
		if side == "Go" {
			part = strings.ToLower(part)
		}
		if !strings.Contains(text, part) {
			t.Errorf("%s: %s does not name it", row, names(by))
		}
	}
}
