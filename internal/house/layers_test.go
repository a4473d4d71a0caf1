package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layersOf reads the layers of a package from docs/architecture.md: the rows of the table below the
// heading that names the package, the lowest first. It returns the layer of each file.
func layersOf(t *testing.T, folder string) (names []string, of map[string]int) {
	t.Helper()
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n## Layers of `"+folder+"`\n")
	if !found {
		t.Fatalf("docs/architecture.md has no layers of %s", folder)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	of = make(map[string]int)
	for _, row := range regexp.MustCompile("(?m)^\\| ([a-z]+) \\|.*\\| (`.*) \\|$").FindAllStringSubmatch(rest, -1) {
		for f := range strings.SplitSeq(row[2], ",") {
			file := strings.Trim(f, " `") + ".go"
			if _, twice := of[file]; twice {
				t.Errorf("docs/architecture.md has %s/%s in two layers", folder, file)
			}
			of[file] = len(names)
		}
		names = append(names, row[1])
	}
	return names, of
}

// A file names what lies in its own layer and in those below. So what a plan holds is read
// without how it is scheduled, and that without how it is imported.
func TestNoFileOfSchedulesNamesOneOfAHigherLayer(t *testing.T) {
	t.Parallel()
	const folder = "schedules"
	layers, of := layersOf(t, folder)
	files, uses := usesWithin(t, folder)
	for _, f := range files {
		if _, ok := of[f]; !ok {
			t.Errorf("%s/%s is in no layer of docs/architecture.md", folder, f)
		}
	}
	for f := range of {
		if !slices.Contains(files, f) {
			t.Errorf("docs/architecture.md has %s/%s in a layer, and there is no such file", folder, f)
		}
	}
	for _, u := range uses {
		if from, to := of[u.from], of[u.to]; from < to {
			t.Errorf("%s/%s (%s) names %s of %s (%s)", folder, u.from, layers[from], u.name, u.to, layers[to])
		}
	}
}

// use is a name that is in one file of a package and is declared in another one.
type use struct{ from, to, name string }

// usesWithin are the files of a package, and the names of one that are in another.
func usesWithin(t *testing.T, folder string) (names []string, uses []use) {
	t.Helper()
	ours, from := packages(t)
	at := slices.IndexFunc(ours, func(p listed) bool { return p.ImportPath == module+"/"+folder })
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range ours[at].GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := (&types.Config{Importer: from}).Check(ours[at].ImportPath, fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[use]bool)
	for id, o := range info.Uses {
		if o.Pkg() != pkg {
			continue
		}
		u := use{filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(o.Pos()).Filename), named(o)}
		if u.from != u.to && !seen[u] {
			seen[u] = true
			uses = append(uses, u)
		}
	}
	slices.SortFunc(uses, func(a, b use) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return ours[at].GoFiles, uses
}

// named is the name of an object, behind that of its receiver where it is a method.
func named(o types.Object) string {
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			return n.Obj().Name() + "." + o.Name()
		}
	}
	return o.Name()
}

// A package is one subject, which is read in one go: at most 50 files.
func TestNoPackageHasMoreFilesThanAReaderTakes(t *testing.T) {
	t.Parallel()
	const most = 50
	ours, _ := packages(t)
	for _, p := range ours {
		if n := len(p.GoFiles); n > most {
			t.Errorf("%s has %d files, and a package has at most %d", strings.TrimPrefix(p.ImportPath, module+"/"), n, most)
		}
	}
}

// The core of schedules is the largest subject. What is no part of a plan and of its records is a
// feature, with its names in a package of its own.
func TestTheCoreOfSchedulesHasNamesThatAReaderTakes(t *testing.T) {
	t.Parallel()
	const most = 330
	_, from := packages(t)
	pkg, err := from.Import(module + "/schedules")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(exportedNames(pkg)); n > most {
		t.Errorf("schedules exports %d names, and at most %d are read", n, most)
	}
}

// exportedNames are what a package declares for others: its names, and the methods of its types.
func exportedNames(pkg *types.Package) (all []string) {
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		all = append(all, name)
		t, isType := o.(*types.TypeName)
		if !isType || t.IsAlias() {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok {
			for m := range named.Methods() {
				if m.Exported() {
					all = append(all, name+"."+m.Name())
				}
			}
		}
	}
	return all
}
