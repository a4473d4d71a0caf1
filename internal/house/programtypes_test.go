package house_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// kits are the generic types of the inside that are large: with a collection of records come some
// two hundred functions. One of records of no type, which stands for all, is compiled once.
var kits = map[string]bool{
	"entity.Kind": true, "jobs.Kind": true, "model.Family": true,
	"records.Cache": true, "records.Collection": true, "records.Digests": true,
}

// What imports a package compiles every generic type that its exported types are made of, with all
// methods: through fields, and through what methods take and return, exported or not. So the kits
// stand behind interfaces, and in what functions take instead of methods: a program of a few lines, and
// each package of tests, has a quarter fewer functions to compile.
func TestProgramsCompileNoGenericTypesOfTheInside(t *testing.T) {
	t.Parallel()
	_, from := packages(t)
	const platform = "github.com/seed-933f9a09/twinplatform/platform"
	pkg, err := from.Import(platform)
	if err != nil {
		t.Fatal(err)
	}
	w := typeWalk{seen: make(map[types.Type]bool), found: make(map[string]string)}
	w.walk(pkg.Scope().Lookup("Platform").Type(), "platform")
	if len(w.seen) < 1000 {
		t.Fatalf("only %d types were reached", len(w.seen))
	}
	for name, path := range w.found {
		t.Errorf("a program with a Platform compiles %s, by %s", name, path)
	}
}

// typeWalk goes through all types that a type is made of.
type typeWalk struct {
	seen  map[types.Type]bool
	found map[string]string // the generic types of the inside, with the way to each
}

func (w *typeWalk) walk(t types.Type, path string) {
	if t = types.Unalias(t); w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.named(t, path)
	case *types.Pointer:
		w.walk(t.Elem(), path)
	case *types.Slice:
		w.walk(t.Elem(), path)
	case *types.Array:
		w.walk(t.Elem(), path)
	case *types.Chan:
		w.walk(t.Elem(), path)
	case *types.Map:
		w.walk(t.Key(), path)
		w.walk(t.Elem(), path)
	case *types.Struct:
		for f := range t.Fields() {
			w.walk(f.Type(), path+"."+f.Name())
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				w.walk(v.Type(), path)
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			w.walk(m.Type(), path+"."+m.Name())
		}
	}
}

// named goes through a type with a name: what it is, its type arguments and its methods.
func (w *typeWalk) named(t *types.Named, path string) {
	if p := t.Obj().Pkg(); p == nil || !strings.HasPrefix(p.Path(), "github.com/seed-933f9a09/twinplatform") {
		return
	}
	path = fmt.Sprintf("%s(%s)", path, t.Obj().Name())
	if t.TypeArgs().Len() > 0 {
		for arg := range t.TypeArgs().Types() {
			w.walk(arg, path)
		}
		if kits[t.Obj().Pkg().Name()+"."+t.Obj().Name()] && t.TypeArgs().At(0).String() != "struct{}" {
			w.found[t.String()] = path
		}
	}
	w.walk(t.Underlying(), path)
	for m := range t.Methods() {
		w.walk(m.Type(), path+"."+m.Name())
	}
}
