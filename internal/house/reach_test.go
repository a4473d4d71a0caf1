package house_test

import (
	"bufio"
	"bytes"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// areaPackages are the packages with a Service that programs import.
var areaPackages = []string{"schedules", "schedules/animation", "schedules/exchange", "schedules/scheduling", "forms", "twins", "webhooks", "realitydata", "transform", "transform/models"}

// kitTypes are generic types with many methods, which the compiler makes again in every
// package that can reach an instance of them through a type, a field or a method of what
// it imports, whether it is exported or not.
var kitTypes = []string{
	module + "/internal/entity.Kind", module + "/schedules/internal/model.Family", module + "/schedules/internal/model.Change", module + "/twins.family",
}

// TestImportersDoNotCompileTheKitAgain holds that no instance of the kit can be reached from
// the exported types of an area: where one can, each package that imports the area
// takes up to half a minute longer to compile.
func TestImportersDoNotCompileTheKitAgain(t *testing.T) {
	t.Parallel()
	imports := importer.ForCompiler(token.NewFileSet(), "gc", exportData(t))
	for _, area := range areaPackages {
		pkg, err := imports.Import(module + "/" + area)
		if err != nil {
			t.Fatal(err)
		}
		r := reach{t: t, seen: make(map[types.Type]bool)}
		for _, name := range pkg.Scope().Names() {
			if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && o.Exported() {
				r.through(o.Type(), area+"."+name)
			}
		}
		if len(r.seen) < 10 {
			t.Errorf("only %d types of %s were looked at", len(r.seen), area)
		}
	}
}

// exportData opens what the compiler writes for the importers of a package.
func exportData(t *testing.T) importer.Lookup {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, area := range areaPackages {
		args = append(args, module+"/"+area)
	}
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		path, file, _ := strings.Cut(lines.Text(), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// reach goes over types as the compiler reads them: through fields and methods that are not
// exported as well, and not through interfaces, which do not show what is behind them.
type reach struct {
	t    *testing.T
	seen map[types.Type]bool
}

func (r reach) through(typ types.Type, by string) {
	typ = types.Unalias(typ)
	if r.seen[typ] {
		return
	}
	r.seen[typ] = true
	switch typ := typ.(type) {
	case *types.Named:
		r.named(typ, by)
	case *types.Struct:
		for f := range typ.Fields() {
			r.through(f.Type(), by+"."+f.Name())
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{typ.Params(), typ.Results()} {
			for v := range list.Variables() {
				r.through(v.Type(), by)
			}
		}
	case *types.Interface:
		for m := range typ.ExplicitMethods() {
			r.through(m.Type(), by+"."+m.Name())
		}
	case *types.Map:
		r.through(typ.Key(), by)
		r.through(typ.Elem(), by)
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		r.through(typ.Elem(), by)
	}
}

func (r reach) named(typ *types.Named, by string) {
	if typ.Obj().Pkg() == nil || !strings.HasPrefix(typ.Obj().Pkg().Path(), module) {
		return
	}
	if typ.TypeArgs().Len() > 0 {
		for _, kit := range kitTypes {
			if typ.Obj().Pkg().Path()+"."+typ.Obj().Name() == kit {
				r.t.Errorf("%s leads to %s: put an interface or a function of the package between", by, typ)
				return
			}
		}
	}
	for arg := range typ.TypeArgs().Types() {
		r.through(arg, by)
	}
	r.through(typ.Underlying(), by)
	for m := range typ.Methods() {
		r.through(m.Type(), by+"."+m.Name())
	}
}
