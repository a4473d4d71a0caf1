package httpapi_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// TestDescriptionsAreTheDocComments keeps descriptions.txt in step with the
// comments of the types of bodies. After a rewriting, the document is another: run
// it again.
func TestDescriptionsAreTheDocComments(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	testsize.OneClient(t)
	as := httpapi.DescribedAs()
	all, words := make(map[string]string), make(map[string]map[string]string)
	for _, folder := range []string{
		"..", ".", "../schedules/internal/model", "../schedules", "../schedules/analysis", "../schedules/animation", "../schedules/codes", "../schedules/exchange", "../schedules/files", "../schedules/scheduling", "../schedules/statuses", "../schedules/synchronizers", "../schedules/units", "../schedules/userfields",
		"../forms", "../twins", "../webhooks", "../realitydata", "../transform", "../transform/models",
	} {
		maps.Copy(all, docCommentsOf(t, folder, words, as))
	}
	areas, err := filepath.Glob("internal/routes/*")
	if err != nil || len(areas) == 0 {
		t.Fatalf("there are %d areas, %v", len(areas), err)
	}
	for _, folder := range areas {
		maps.Copy(all, docCommentsOf(t, folder, words, as))
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(httpapi.DescriptionNames())) {
		if text := all[name]; text != "" {
			fmt.Fprintf(&b, "%s\t%s\n", name, text)
		}
	}
	sameFile(t, "internal/document/descriptions.txt", b.String())
}

// sameFile holds a generated file to what it should be.
func sameFile(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not in step (%v); run go test ./httpapi -update, twice (-want +got):\n%s", path, err, cmp.Diff(want, string(got)))
	}
}

// comments are the doc comments of a folder, in the words of the REST API.
type comments struct {
	pkg    string
	folder string            // below the root
	words  map[string]string // of constants of the domain, by their names
	out    map[string]string
	as     func(goName string) string // what the document calls a type, where that is something else
}

// docCommentsOf are the comments of the types of a folder and of their fields, by
// the names of the schemas. words are those of the folders before, by their domains.
func docCommentsOf(t *testing.T, folder string, words map[string]map[string]string, as func(string) string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	c := comments{out: make(map[string]string), as: as, folder: strings.TrimPrefix(folder, "../")}
	var types []*ast.GenDecl
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		c.pkg = file.Name.Name
		domain, _, below := strings.Cut(strings.TrimPrefix(folder, "../"), "/")
		switch {
		case domain == "internal": // of this package
			c.pkg = "httpapi"
		case below:
			c.pkg = domain
		}
		if words[c.pkg] == nil {
			words[c.pkg] = make(map[string]string)
		}
		c.words = words[c.pkg]
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == gotoken.TYPE {
				types = append(types, decl)
			} else if ok && decl.Tok == gotoken.CONST {
				c.constants(decl)
			}
		}
	}
	for _, decl := range types {
		for _, spec := range decl.Specs {
			c.typ(spec.(*ast.TypeSpec), decl.Doc.Text())
		}
	}
	return c.out
}

func (c *comments) constants(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				if lit, ok := spec.Values[i].(*ast.BasicLit); ok {
					c.words[name.Name] = inWords(lit.Value)
				}
			}
		}
	}
}

// inWords is a literal as a text says it.
func inWords(literal string) string {
	if text, err := strconv.Unquote(literal); err == nil {
		return text
	}
	return strings.ReplaceAll(literal, "_", ",")
}

func (c *comments) typ(spec *ast.TypeSpec, doc string) {
	called := c.as(c.folder + "." + spec.Name.Name)
	if called == "" {
		called = spec.Name.Name
	}
	name := c.pkg + "." + called
	about := c.text(doc+spec.Doc.Text(), nil)
	if first, rest, ok := strings.Cut(about, " "); ok && first == spec.Name.Name {
		about = strings.ToUpper(called[:1]) + called[1:] + " " + rest
	}
	c.out[name] = about
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	members := make(map[string]string)
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			members[n.Name] = wireName(f, n.Name)
		}
	}
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			c.out[name+"."+members[n.Name]] = c.text(f.Doc.Text()+f.Comment.Text(), members)
		}
	}
}

func wireName(f *ast.Field, name string) string {
	if f.Tag == nil {
		return name
	}
	tag, _ := strconv.Unquote(f.Tag.Value)
	json, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return json
}

var goName = regexp.MustCompile(`\[?\b[A-Za-z]\w*\b\]?`)

// text is a comment in one line, which calls members and values as the wire does.
func (c *comments) text(doc string, members map[string]string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	doc = goName.ReplaceAllStringFunc(doc, func(word string) string {
		name := strings.Trim(word, "[]")
		if name == "nil" {
			return "null"
		}
		if wire, ok := members[name]; ok && wire != "-" {
			return wire
		}
		if value, ok := c.words[name]; ok && value != "" && name[0] < 'a' {
			return value
		}
		return name
	})
	if doc != "" && !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return doc
}
