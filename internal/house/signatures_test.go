package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// typedPackages are the folders of which no function takes or returns a value of no type.
var typedPackages = []string{"internal/entity", "internal/jobs", "schedules", "schedules/exchange", "schedules/internal/importing", "schedules/internal/rescheduling", "schedules/scheduling"}

// untypedFiles are files whose functions may do so yet, with the reason.
var untypedFiles = map[string]string{
	"schedules/exchange/importbaselines.go": importedFacts,
	"schedules/exchange/importcalendars.go": importedFacts,
	"schedules/exchange/importplan.go":      importedFacts,
	"schedules/exchange/importcodes.go":     importedFacts,
	"schedules/exchange/importcosts.go":     importedFacts,
	"schedules/exchange/importlinks.go":     importedFacts,
	"schedules/exchange/importresources.go": importedFacts,
	"schedules/exchange/importtasks.go":     importedFacts,
	"schedules/internal/importing/diff.go":  importedFacts,
	"schedules/internal/importing/hash.go":  importedFacts,
	"schedules/internal/importing/names.go": importedFacts,
	"schedules/exchange/importdates.go":     importedFacts,
	"internal/entity/ties.go":               "what refers to a record is found and followed whatever its type is",
	"schedules/exchange/importpreview.go":   "a preview names a record that is to be written, of whatever type it is",
}

const importedFacts = "what a planner file has of a record is compared as JSON, of whatever type it is"

// TestNoSignatureOfTheKitTakesAny keeps what the kit, jobs and schedules pass on typed, so
// that a tool can follow it: type parameters are no values, arguments of a format are of any
// type, and so is the hidden part of a record.
func TestNoSignatureOfTheKitTakesAny(t *testing.T) {
	t.Parallel()
	needed := make(map[string]bool)
	for _, folder := range typedPackages {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d files, %v", folder, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range untyped(file) {
				if _, may := untypedFiles[filepath.ToSlash(name)]; may {
					needed[filepath.ToSlash(name)] = true
					continue
				}
				t.Errorf("%s: a signature with any: the value needs a type, or a type parameter", set.Position(at))
			}
		}
	}
	for name := range untypedFiles {
		if !needed[name] {
			t.Errorf("%s has no signature with any, and needs no exemption", name)
		}
	}
}

// untyped are the places of a file where the type of a function has any.
func untyped(file *ast.File) (at []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Hidden" {
				return false
			}
		case *ast.FuncType:
			for _, list := range []*ast.FieldList{n.Params, n.Results} {
				if list == nil {
					continue
				}
				for _, field := range list.List {
					if hasAny(field.Type) {
						at = append(at, field.Pos())
					}
				}
			}
		}
		return true
	})
	return at
}

// hasAny reports whether a type has any in it. The types of functions are looked at on
// their own, and the arguments of a format are left out.
func hasAny(typ ast.Expr) (has bool) {
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType, *ast.Ellipsis:
			return false
		case *ast.Ident:
			has = has || n.Name == "any"
		case *ast.InterfaceType:
			has = has || n.Methods.NumFields() == 0
		}
		return true
	})
	return has
}

func TestUntypedSignaturesAreFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"func f(v any)":                           1,
		"func f() (int, any)":                     1,
		"func f(v interface{})":                   1,
		"func f(v []any, w map[string]any)":       2,
		"var f = func(v any) {}":                  1,
		"type s struct{ f func() any }":           1,
		"func f(g func(v any))":                   1,
		"func f[T any](v T) T":                    0,
		"func f(format string, args ...any)":      0,
		"var c = s{Hidden: func(v *T) any {}}":    0,
		"type s[T any] struct{ f func(T) error }": 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(untyped(file)); got != want {
			t.Errorf("%s: %d, want %d", source, got, want)
		}
	}
}
