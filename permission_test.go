package twinplatform_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/twins"
)

// permissionsOf returns the constants of a folder that are called a permission, with what
// they are spelled as: a literal, or the name of another constant.
func permissionsOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	permissions := make(map[string]string)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Permission") {
				return true
			}
			switch v := spec.Values[0].(type) {
			case *ast.BasicLit:
				permissions[spec.Names[0].Name] = strings.Trim(v.Value, `"`)
			case *ast.SelectorExpr:
				permissions[spec.Names[0].Name] = v.Sel.Name
			}
			return true
		})
	}
	return permissions
}

// TestPermissionsAreNamedOnceAndTwinsKnowAll since a role of all permissions, the
// owner's, shows what twins know.
func TestPermissionsAreNamedOnceAndTwinsKnowAll(t *testing.T) {
	t.Parallel()
	permissions := permissionsOf(t, ".")
	var all []string
	for _, permission := range permissions {
		all = append(all, permission)
	}
	slices.Sort(all)
	known := twins.Permissions()
	slices.Sort(known)
	if diff := cmp.Diff(all, known); diff != "" {
		t.Errorf("permissions of the root and of twins.Permissions (-root +twins):\n%s", diff)
	}
	areas, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]int)
	for i, name := range areas {
		areas[i] = filepath.Dir(name)
	}
	for _, area := range slices.Compact(areas) {
		for name, as := range permissionsOf(t, area) {
			found[area]++
			if area == "twins" && (name == "PermissionAll" || name == "PermissionDelete") {
				continue // no role is given them
			}
			if permissions[as] == "" {
				t.Errorf("%s.%s is spelled %q and not as a constant of the root", area, name, as)
			}
		}
	}
	if len(found) < 6 {
		t.Errorf("only %v have permissions", found)
	}
}
