package httpapi_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// The rows of both specifications are in testdata/specification.txt, each with
// the tests that cover it through Go and through HTTP:
//
//	# A specification
//	## A section of it
//	go schedules.TestResourceOnTheWire
//	http resources.get: the record
//	field calendarId
//	error ResourceNotFound => go schedules.TestX ; http resources.get: one that is not there
//
// The tests of a section hold for all its rows that name none themselves; a "+"
// before a test adds it to these. A test through HTTP is a step of a scenario or
// a test of this package. What a row of these kinds is about must be found in
// the text of the tests on both sides: field, value, error. What only HTTP has,
// such as a body that is missing, names tests of this package for Go, too.
const specificationFile = "testdata/specification.txt"

type specRow struct {
	line                          int
	document, section, kind, name string
	viaGo, viaHTTP                []string
}

func (r specRow) String() string {
	return fmt.Sprintf("%s:%d: %s, %s %s", specificationFile, r.line, r.section, r.kind, r.name)
}

func specification(t *testing.T) []specRow {
	t.Helper()
	raw, err := os.ReadFile(specificationFile)
	if err != nil {
		t.Fatal(err)
	}
	var rows []specRow
	var at specRow
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "":
		case "#":
			at = specRow{document: rest}
		case "##":
			at = specRow{document: at.document, section: rest}
		case "go":
			at.viaGo = strings.Fields(rest)
		case "http":
			at.viaHTTP = steps(rest)
		default:
			name, own, _ := strings.Cut(rest, " => ")
			row := at
			row.line, row.kind, row.name = n, word, strings.TrimSpace(name)
			for part := range strings.SplitSeq(own, " ; ") {
				if list, ok := strings.CutPrefix(part, "go "); ok {
					row.viaGo = replaced(row.viaGo, strings.Fields(list))
				} else if list, ok := strings.CutPrefix(part, "http "); ok {
					row.viaHTTP = replaced(row.viaHTTP, steps(list))
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// steps are references that are separated by " & ", since titles have spaces.
func steps(list string) []string { return strings.Split(list, " & ") }

// ofHTTP reports whether all of a row's tests are of this package: what they are
// about is nothing that a Go program meets.
func ofHTTP(tests []string) bool {
	return !slices.ContainsFunc(tests, func(ref string) bool { return !strings.HasPrefix(ref, "httpapi.") })
}

// replaced are a row's own tests, with those of its section where one of them
// begins with a plus.
func replaced(inherited, own []string) []string {
	out := slices.Clone(own)
	if slices.ContainsFunc(own, func(s string) bool { return strings.HasPrefix(s, "+") }) {
		out = append(out, inherited...)
	}
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], "+")
	}
	return out
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

// goTests are the texts of all tests of the module by package and name.
func goTests(t *testing.T) map[string]string {
	t.Helper()
	known := make(declarations)
	for _, folder := range []string{
		".", "../schedules", "../twins", "../forms", "../webhooks", "../webhooks/receiver", "../realitydata", "../transform", "..",
		"../internal/records", "../internal/jobs",
	} {
		paths, err := filepath.Glob(folder + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(folder)
		switch folder {
		case ".":
			name = "httpapi"
		case "..":
			name = "twinplatform"
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(gotoken.NewFileSet(), path, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				known.add(name, text, d)
			}
		}
	}
	out := make(map[string]string)
	for name := range known {
		if _, test, _ := strings.Cut(name, "."); strings.HasPrefix(test, "Test") {
			out[name] = known.text(name, 3, make(map[string]bool))
		}
	}
	return out
}

// httpSteps are the texts of all steps of scenarios by operation and title.
func httpSteps(t *testing.T) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, pattern := range []string{"testdata/*.txtar", "testdata/*/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			s := load(t, path)
			for _, st := range s.steps {
				out[s.operation()+": "+st.title] = st.request + "\n" + st.answer
			}
		}
	}
	return out
}

// TestEveryRowOfTheSpecificationIsCovered prints the table with -v. A test that
// was renamed is told first, once and with nothing beside it: all else that is
// wrong then may come of it.
func TestEveryRowOfTheSpecificationIsCovered(t *testing.T) {
	t.Parallel()
	rows, sources := specification(t), sources{goTests(t), httpSteps(t)}
	missing := make(map[string][]specRow)
	for _, row := range rows {
		for _, ref := range row.viaGo {
			if _, ok := sources.tests[ref]; !ok {
				missing["test "+ref] = append(missing["test "+ref], row)
			}
		}
		for _, ref := range row.viaHTTP {
			if _, ok := sources.http(ref); !ok {
				missing["step or test "+ref] = append(missing["step or test "+ref], row)
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("%s: there is no %s; %d rows name it", missing[what][0], what, len(missing[what]))
	}
	if t.Failed() {
		return
	}
	for _, row := range rows {
		sources.check(t, row)
	}
	checkOperations(t, rows)
	if testing.Verbose() && !t.Failed() {
		for _, row := range rows {
			t.Logf("%s %s | %s", row, strings.Join(row.viaGo, ", "), strings.Join(row.viaHTTP, ", "))
		}
	}
}

// sources are the texts of the tests through Go and of the steps through HTTP.
type sources struct{ tests, steps map[string]string }

func (s sources) http(ref string) (text string, ok bool) {
	if text, ok = s.steps[ref]; !ok {
		text, ok = s.tests["httpapi."+ref]
	}
	return text, ok
}

// check checks that a row has tests on both sides, and that they are about it.
func (s sources) check(t *testing.T, row specRow) {
	t.Helper()
	if len(row.viaGo) == 0 || len(row.viaHTTP) == 0 {
		t.Errorf("%s: no test covers it through Go or through HTTP", row)
		return
	}
	names := []string{row.name}
	switch row.kind {
	case "field":
		names = strings.Split(row.name, ".")
	case "value", "error":
	default:
		return
	}
	var viaGo, viaHTTP string
	for _, ref := range row.viaGo {
		viaGo += s.tests[ref]
	}
	for _, ref := range row.viaHTTP {
		text, _ := s.http(ref)
		viaHTTP += text
	}
	for _, name := range names {
		if !ofHTTP(row.viaGo) && !strings.Contains(strings.ToLower(viaGo), strings.ToLower(name)) {
			t.Errorf("%s: %v say nothing of it", row, row.viaGo)
		}
		if !strings.Contains(viaHTTP, name) {
			t.Errorf("%s: %q say nothing of it", row, row.viaHTTP)
		}
	}
}

// checkOperations holds the rows of operations and the route table to each other.
func checkOperations(t *testing.T, rows []specRow) {
	t.Helper()
	for _, o := range httpapi.Operations() {
		if !slices.ContainsFunc(rows, func(row specRow) bool { return row.kind == "operation" && o.Is(row.name) }) {
			t.Errorf("%s is in the route table and in no row", o.ID)
		}
	}
	for _, row := range rows {
		if row.kind == "operation" && !slices.ContainsFunc(httpapi.Operations(), func(o httpapi.Operation) bool { return o.Is(row.name) }) {
			t.Errorf("%s: it is not in the route table", row)
		}
	}
}
