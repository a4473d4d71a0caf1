package house_test

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Code in the comment of a package compiles, in a file that imports that package and what
// else it names; variables that it does not declare, such as ctx, are those of its reader.
func TestCodeInPackageCommentsCompiles(t *testing.T) {
	t.Parallel()
	ours, from := packages(t)
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, p := range ours {
		for _, code := range codeOf(t, p) {
			blocks++
			names := map[string]string{p.Name: p.ImportPath}
			for _, path := range slices.Backward(slices.Sorted(maps.Keys(all))) {
				// Those of this module come before those of the standard library.
				if other := all[path]; other.importable() && (names[other.Name] == "" || !other.Standard) && other.Name != p.Name {
					names[other.Name] = other.ImportPath
				}
			}
			for _, err := range compiled(code, names, from) {
				t.Errorf("the comment of package %s has code that does not compile: %v\n%s", p.ImportPath, err, code)
			}
		}
	}
	if blocks < 10 {
		t.Errorf("%d blocks of code in the comments of packages", blocks)
	}
}

// importable reports whether a snippet may mean the package by its name: it is one of this
// module, or of the standard library.
func (p listed) importable() bool {
	return p.public() && (p.Standard && !strings.HasPrefix(p.ImportPath, "vendor/") || strings.HasPrefix(p.ImportPath, module))
}

// goCode is what the lines of a program have, and those of commands, requests and tables do not.
var goCode = regexp.MustCompile(`(?m):= |^(?:func|type|var|return|go|defer|if|for) .*[{)]$|^[\w.]+\(.*\)$`)

// codeOf are the blocks of Go in the comment of a package.
func codeOf(t *testing.T, p listed) (blocks []string) {
	t.Helper()
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range new(comment.Parser).Parse(file.Doc.Text()).Content {
			if code, ok := b.(*comment.Code); ok && goCode.MatchString(code.Text) {
				blocks = append(blocks, code.Text)
			}
		}
	}
	return blocks
}

// compiled are the errors of a snippet: of declarations, or else of the body of a function.
func compiled(code string, packages map[string]string, from types.Importer) (errs []error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "snippet.go", "package snippet\n"+code, 0)
	if err != nil {
		file, err = parser.ParseFile(set, "snippet.go", "package snippet\nfunc _() error {\n"+code+"\n}", 0)
	}
	if err != nil {
		return []error{err}
	}
	var imports strings.Builder
	named := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] != "" && !named[x.Name] {
				named[x.Name] = true
				imports.WriteString("import \"" + packages[x.Name] + "\"\n")
			}
		}
		return true
	})
	imported, err := parser.ParseFile(set, "imports.go", "package snippet\n"+imports.String(), 0)
	if err != nil {
		return []error{err}
	}
	file.Decls = append(imported.Decls, file.Decls...)
	config := types.Config{Importer: from, Error: func(err error) {
		typed := err.(types.Error)
		if theReaders.MatchString(typed.Msg) {
			return
		}
		errs = append(errs, err)
	}}
	_, _ = config.Check("snippet", set, []*ast.File{file}, nil)
	return errs
}

// theReaders are complaints about variables that the reader has declared, or will use.
var theReaders = regexp.MustCompile(`^undefined: [a-z]\w*$|^declared and not used|imported and not used|missing return`)

func TestCodeThatDoesNotCompileIsFound(t *testing.T) {
	t.Parallel()
	_, from := packages(t)
	names := map[string]string{"storage": module + "/storage", "memory": module + "/storage/memory"}
	for code, want := range map[string]bool{
		"store := memory.New()\nerr := store.Update(ctx, func(w storage.Writer) error { return nil })": true,
		"func f() storage.Store { return memory.New() }":                                               true,
		"store := memory.New()\nstore.Updates()":                                                       false,
		"store := memory.New(1)":                                                                       false,
		"store := memory.New(…)":                                                                       false,
		"var s storage.Shop":                                                                           false,
	} {
		if errs := compiled(code, names, from); (len(errs) == 0) != want {
			t.Errorf("%s: %v", code, errs)
		}
	}
}
