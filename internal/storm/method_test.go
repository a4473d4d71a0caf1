package storm_test

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const module = "github.com/seed-933f9a09/twinplatform"

var (
	contextType = reflect.TypeFor[context.Context]()
	readerType  = reflect.TypeFor[io.Reader]()
)

// method is one that is called.
type method struct {
	name   string // twins.Service.CreateTwin
	index  int
	on     func(plan string) reflect.Value
	handle bool // of a schedule
	in     []parameter
	reads  bool // it takes a reader
	weight int
}

// parameter is one of a method, by the name that its source gives it.
type parameter struct {
	name     string
	of       reflect.Type
	variadic bool
}

// methodsOf are the methods of a platform, of its areas and of the handles of a schedule. What is
// exported later joins by itself.
func methodsOf(p *platform.Platform, k *knowledge) (all []method) {
	svc := func(v any) func(string) reflect.Value {
		return func(string) reflect.Value { return reflect.ValueOf(v) }
	}
	handle := func(of func(schedules.Plan) any) func(string) reflect.Value {
		return func(plan string) reflect.Value { return reflect.ValueOf(of(p.Schedules.In(plan))) }
	}
	services := []func(string) reflect.Value{
		svc(p), svc(p.Twins), svc(p.Schedules), svc(p.Forms), svc(p.RealityData), svc(p.Transform), svc(p.Transform.Models()), svc(p.Webhooks),
	}
	handles := []func(string) reflect.Value{
		handle(func(plan schedules.Plan) any { return plan }),
		handle(func(plan schedules.Plan) any { return analysis.In(plan) }),
		handle(func(plan schedules.Plan) any { return animation.In(plan) }),
		handle(func(plan schedules.Plan) any { return codes.In(plan) }),
		handle(func(plan schedules.Plan) any { return exchange.In(plan) }),
		handle(func(plan schedules.Plan) any { return scheduling.In(plan) }),
		handle(func(plan schedules.Plan) any { return synchronizers.In(plan) }),
		handle(func(plan schedules.Plan) any { return files.In(plan) }),
		handle(func(plan schedules.Plan) any { return statuses.In(plan) }),
		handle(func(plan schedules.Plan) any { return userfields.In(plan) }),
	}
	for i, on := range append(services, handles...) {
		t := on("").Type()
		for m := range t.Methods() {
			if !callable(m.Name, on("").Method(m.Index).Type()) {
				continue
			}
			f := on("").Method(m.Index).Type()
			names := k.parameters[called(t)+"."+m.Name]
			one := method{name: path.Base(called(t)) + "." + m.Name, index: m.Index, on: on, handle: i >= len(services), weight: weightOf(m.Name)}
			for n := range f.NumIn() {
				p := parameter{of: f.In(n), variadic: f.IsVariadic() && n == f.NumIn()-1}
				if n < len(names) {
					p.name = names[n]
				}
				one.reads = one.reads || p.of == readerType
				one.in = append(one.in, p)
			}
			all = append(all, one)
		}
	}
	return all
}

// called is what a type is called with its package.
func called(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() + "." + t.Name()
}

// callable reports whether a method is called: none that continues until its context ends, wires
// areas together or makes a store full for all that follows, and none that takes what no one
// outside of the module has.
func callable(name string, f reflect.Type) bool {
	switch name {
	case "Run", "Close", "AddHolder", "SetBudget":
		return false
	}
	for in := range f.Ins() {
		inner := in
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		foreign := inner.Kind() == reflect.Interface && in != contextType && in != readerType && !strings.HasSuffix(in.PkgPath(), "/webhooks/event")
		if in.Kind() == reflect.Func || foreign || strings.Contains(inner.PkgPath(), "/internal/") {
			return false
		}
	}
	return true
}

func weightOf(name string) int {
	switch {
	case strings.HasPrefix(name, "Create"), strings.HasPrefix(name, "Add"), strings.HasPrefix(name, "Set"), strings.HasPrefix(name, "Assign"):
		return 16
	case strings.HasPrefix(name, "Update"):
		return 10
	case strings.HasPrefix(name, "Delete"), strings.HasPrefix(name, "Remove"):
		return 3
	case name == "Export", name == "Seed", name == "Stats":
		return 1
	}
	return 5
}

// knowledge is what the sources and the document say.
type knowledge struct {
	book       schema.Book
	parameters map[string][]string // names, by method with its package
	codes      map[string]bool     // of errors, that are documented
}

var known = sync.OnceValue(func() *knowledge {
	k := &knowledge{parameters: make(map[string][]string), codes: make(map[string]bool)}
	for _, describe := range []func(*schema.Book){
		twins.Schemas, schedules.Schemas, exchange.Schemas, analysis.Schemas, forms.Schemas, realitydata.Schemas, transform.Schemas, models.Schemas, webhooks.Schemas,
	} {
		describe(&k.book)
	}
	for _, folder := range []string{
		"platform", "twins", "schedules", "schedules/analysis", "schedules/animation", "schedules/codes", "schedules/files", "schedules/statuses",
		"schedules/userfields", "forms", "realitydata", "transform", "transform/models", "webhooks",
	} {
		k.readFolder(folder)
	}
	k.readDocument()
	return k
})

const root = "../.."

// readFolder learns what parameters are called.
func (k *knowledge) readFolder(folder string) {
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			receiver := f.Recv.List[0].Type
			if star, is := receiver.(*ast.StarExpr); is {
				receiver = star.X
			}
			of, is := receiver.(*ast.Ident)
			if !is {
				continue
			}
			var params []string
			for _, p := range f.Type.Params.List {
				for _, n := range p.Names {
					params = append(params, n.Name)
				}
			}
			k.parameters[module+"/"+folder+"."+of.Name+"."+f.Name.Name] = params
		}
	}
}

// readDocument learns which codes of errors are documented.
func (k *knowledge) readDocument() {
	text, err := os.ReadFile(root + "/httpapi/openapi.json")
	if err != nil {
		panic(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	for _, item := range document.Paths {
		for _, raw := range item {
			var operation struct {
				Errors map[string][]string `json:"x-errors"`
			}
			if json.Unmarshal(raw, &operation) != nil {
				continue // parameters of all operations of a path
			}
			for status, codes := range operation.Errors {
				if n, err := strconv.Atoi(status); err != nil || n < 400 {
					panic("x-errors has the status " + status)
				}
				for _, code := range codes {
					k.codes[code] = true
				}
			}
		}
	}
}
