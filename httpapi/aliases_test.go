package httpapi_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"reflect"
	"regexp"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestCommentsOfAliasesNameEveryField keeps what readers of the documentation see of types
// that are in a package which they cannot read.
func TestCommentsOfAliasesNameEveryField(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(gotoken.NewFileSet(), "operation.go", nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	about := make(map[string]string)
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == gotoken.TYPE {
			about[decl.Specs[0].(*ast.TypeSpec).Name.Name] = decl.Doc.Text()
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[httpapi.Operation](), reflect.TypeFor[httpapi.Parameter](), reflect.TypeFor[httpapi.OperationError](),
	} {
		for f := range typ.Fields() {
			described := regexp.MustCompile(`(?m)^\t` + f.Name + ` +` + regexp.QuoteMeta(kindOf(f.Type)))
			if f.IsExported() && !described.MatchString(about[typ.Name()]) {
				t.Errorf("the comment of httpapi.%s does not name %s %s:\n%s", typ.Name(), f.Name, kindOf(f.Type), about[typ.Name()])
			}
		}
	}
}

// kindOf is a type as the comments have it: without a package.
func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Slice {
		return "[]" + kindOf(t.Elem())
	}
	return t.Name()
}
