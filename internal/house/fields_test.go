package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentedFields is the share of the fields of exported structs that must say
// what their name and type do not: unit, limit, default, what null means, who
// sets them.
const documentedFields = 0.8

func TestMostFieldsOfExportedTypesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{".", "forms", "httpapi", "platform", "realitydata", "schedules", "transform", "twins", "webhooks", "webhooks/receiver", "realitydata/filestore"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			all, bare := fieldsOf(t, folder)
			if share := 1 - float64(len(bare))/float64(all); share < documentedFields {
				t.Errorf("%.0f percent of %d fields have a comment, want %.0f; these have none:\n%s", 100*share, all, 100*documentedFields, strings.Join(bare, "\n"))
			}
		})
	}
}

// fieldsOf counts the exported fields of the exported structs of a folder, and names
// those that no comment within the struct, or above it, describes.
func fieldsOf(t *testing.T, folder string) (all int, bare []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				if named, ok := spec.(*ast.TypeSpec); ok && named.Name.IsExported() {
					n, without := bareFields(named, decl.Doc.Text()+named.Doc.Text())
					all, bare = all+n, append(bare, without...)
				}
			}
		}
	}
	return all, bare
}

// bareFields counts the exported fields of a type, and names those without a
// comment that no other comment of the type names either.
func bareFields(named *ast.TypeSpec, comments string) (all int, bare []string) {
	s, ok := named.Type.(*ast.StructType)
	if !ok {
		return 0, nil
	}
	for _, f := range s.Fields.List {
		comments += " " + f.Doc.Text()
	}
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			if !name.IsExported() {
				continue
			}
			all++
			if f.Doc.Text()+f.Comment.Text() == "" && !regexp.MustCompile(`\b`+name.Name+`\b`).MatchString(comments) {
				bare = append(bare, named.Name.Name+"."+name.Name)
			}
		}
	}
	return all, bare
}
