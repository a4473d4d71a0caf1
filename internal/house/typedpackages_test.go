package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// listed is what go list reports of a package.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
	Standard, DepOnly             bool
}

// loaded are the packages of this module and what they import, with their compiled types.
var loaded = sync.OnceValues(func() (map[string]listed, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,Standard,DepOnly", "./...").Output()
	if err != nil {
		return nil, err
	}
	all := make(map[string]listed)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
})

// packages returns the packages of the module, and a way to their types.
func packages(t *testing.T) (ours []listed, of types.Importer) {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if !p.DepOnly && len(p.GoFiles) > 0 { // some have tests alone
			ours = append(ours, p)
		}
	}
	slices.SortFunc(ours, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return ours, importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
}

// public reports whether other modules may import the package.
func (p listed) public() bool {
	return p.Name != "main" && !slices.Contains(strings.Split(p.ImportPath, "/"), "internal")
}

// Reasons why an exported name may yet be of a type that other modules cannot write.
const (
	describes = "package httpapi makes the OpenAPI document of it"
	composes  = "the packages of an area that build on each other pass their stores on by it"
)

// madeForTheModule are the exported names that are of use to packages of this module alone.
var madeForTheModule = map[string]string{
	"analysis.Schemas": describes, "forms.Schemas": describes, "models.Schemas": describes, "realitydata.Schemas": describes,
	"schedules.Schemas": describes, "exchange.Schemas": describes, "transform.Schemas": describes, "twins.Schemas": describes, "webhooks.Schemas": describes,
	"realitydata.DescribeNewJob": describes,
	"forms.Kinds":                describes, "models.Kinds": describes, "realitydata.Kinds": describes, "schedules.Kinds": describes,
	"transform.Kinds": describes, "twins.Kinds": describes, "webhooks.Kinds": describes,

	"schedules.Inside": composes,
	"exchange.In":      composes, "scheduling.In": composes, "synchronizers.In": composes, "synchronizers.InFiles": composes, "synchronizers.Records": composes, "synchronizers.Missing": composes,
	"statuses.Places": composes,
	"animation.In":    composes, "codes.In": composes, "files.In": composes, "statuses.In": composes, "userfields.In": composes,
	"animation.Shown": composes, "animation.ShowsResource": composes, "codes.All": composes, "codes.AllValues": composes, "codes.Imported": composes, "userfields.Imported": composes,
	"files.Exported": composes, "files.Of": composes, "schedules.Plan.Area": composes,
	"files.Store.Export": composes, "files.Store.Extend": composes, "files.Store.Find": composes, "files.Store.Open": composes, "files.Store.Room": composes,
	"models.New": composes, "models.Service.Entrusted": composes, "models.Service.Visibility": composes,
}

// Names that other modules cannot write have no place in what they call: a value of such a
// type can be kept in no field, and passed to no function, of a program of theirs. Where a
// public package has an alias of it, they can.
func TestExportedSignaturesNameNoInternalTypes(t *testing.T) {
	t.Parallel()
	ours, from := packages(t)
	var all []*types.Package
	aliased := make(map[*types.TypeName]bool)
	for _, p := range ours {
		if !p.public() {
			continue
		}
		pkg, err := from.Import(p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pkg)
		for _, name := range pkg.Scope().Names() {
			if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && o.Exported() && o.IsAlias() {
				if named, ok := types.Unalias(o.Type()).(*types.Named); ok {
					aliased[named.Obj()] = true
				}
			}
		}
	}
	needed := make(map[string]bool)
	for _, pkg := range all {
		for at, internal := range internalNames(pkg, aliased) {
			needed[at] = true
			if madeForTheModule[at] == "" {
				t.Errorf("%s names %s, which no program can", at, internal)
			}
		}
	}
	for at := range madeForTheModule {
		if !needed[at] {
			t.Errorf("%s names no internal type, and needs no exemption", at)
		}
	}
}

// internalNames are the exported names of a package of which the type, or that of an exported
// field or a method, is internal, with that type.
func internalNames(pkg *types.Package, aliased map[*types.TypeName]bool) map[string]string {
	found := make(map[string]string)
	look := func(at string, t types.Type) {
		w := &walk{aliased: aliased}
		w.typ(t)
		if w.internal != "" {
			found[pkg.Name()+"."+at] = w.internal
		}
	}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !ok || !isType {
			look(name, o.Type())
			continue
		}
		look(name, named.Underlying())
		for m := range named.Methods() {
			if m.Exported() {
				look(name+"."+m.Name(), m.Type())
			}
		}
	}
	return found
}

// walk looks for an internal type in another.
type walk struct {
	aliased  map[*types.TypeName]bool
	internal string
}

func (w *walk) typ(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		w.name(t.Obj())
		for a := range t.TypeArgs().Types() {
			w.typ(a)
		}
	case *types.Named:
		w.name(t.Obj())
		for a := range t.TypeArgs().Types() {
			w.typ(a)
		}
	case *types.Pointer:
		w.typ(t.Elem())
	case *types.Slice:
		w.typ(t.Elem())
	case *types.Array:
		w.typ(t.Elem())
	case *types.Chan:
		w.typ(t.Elem())
	case *types.Map:
		w.typ(t.Key())
		w.typ(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			w.typ(v.Type())
		}
	case *types.Signature:
		w.typ(t.Params())
		w.typ(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				w.typ(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				w.typ(m.Type())
			}
		}
	}
}

func (w *walk) name(o *types.TypeName) {
	p := o.Pkg()
	if p == nil || w.aliased[o] || !strings.HasPrefix(p.Path(), module+"/") || !slices.Contains(strings.Split(p.Path(), "/"), "internal") {
		return
	}
	w.internal = p.Name() + "." + o.Name()
}
