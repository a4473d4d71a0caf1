package platform_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// callable reports whether a method is called with zero values alone: what takes
// functions or stores, and what continues until its context ends, is not.
func callable(name string, f reflect.Type) bool {
	switch name {
	case "Run", "Close", "Wait":
		return false
	}
	for in := range f.Ins() {
		known := in == reflect.TypeFor[context.Context]() || in == reflect.TypeFor[io.Reader]()
		if in.Kind() == reflect.Func || in.Kind() == reflect.Interface && !known {
			return false
		}
	}
	return true
}

// Every method of every service answers zero values: nil readers, nil pointers, nothing
// in bodies, ids that are empty, and a principal of whom nothing is known. None panics, and
// what needs something to read fails.
func TestZeroValuesNeverPanic(t *testing.T) {
	t.Parallel()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	known := twinplatform.Principal{ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Scopes: []string{twinplatform.ScopePlatform}}
	contexts := map[string]context.Context{
		"the system": t.Context(), "nobody": twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{}), "an administrator": twinplatform.WithPrincipal(t.Context(), known),
	}
	services := []any{p.Schedules, p.Schedules.In(""), files.In(p.Schedules.In("")), analysis.In(p.Schedules.In("")), p.Forms, p.Twins, p.Webhooks, p.RealityData, p.Transform, p.Transform.Models(), p}
	called, reading := 0, 0
	for _, svc := range services {
		v := reflect.ValueOf(svc)
		for i := range v.NumMethod() {
			name := fmt.Sprintf("%T.%s", svc, v.Type().Method(i).Name)
			if !callable(v.Type().Method(i).Name, v.Method(i).Type()) {
				continue
			}
			for who, ctx := range contexts {
				takes, failed := zeroCall(t, name+" by "+who, v.Method(i), ctx)
				called++
				if takes {
					reading++
				}
				if takes && !failed {
					t.Errorf("%s of %s reads nothing, and succeeds", name, who)
				}
			}
		}
	}
	if called < 3*250 || reading < 3*4 {
		t.Errorf("%d calls, %d of them with something to read", called, reading)
	}
}

// zeroCall calls a method with zero values, and reports whether it takes a reader and
// whether it failed.
func zeroCall(t *testing.T, name string, method reflect.Value, ctx context.Context) (takes, failed bool) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s panics: %v", name, v)
			failed = true
		}
	}()
	f := method.Type()
	var in []reflect.Value
	for i := range f.NumIn() {
		if f.IsVariadic() && i == f.NumIn()-1 {
			break
		}
		value := reflect.Zero(f.In(i))
		switch f.In(i) {
		case reflect.TypeFor[context.Context]():
			value = reflect.ValueOf(ctx)
		case reflect.TypeFor[io.Reader]():
			takes = true
		}
		in = append(in, value)
	}
	out := method.Call(in)
	if len(out) > 0 {
		err, is := reflect.TypeAssert[error](out[len(out)-1])
		failed = is && err != nil
	}
	return takes, failed
}

func TestReadersOfNothingFail(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func() error{
		"ReadCallers":  func() error { _, err := platform.ReadCallers(nil); return err },
		"ReadWorld":    func() error { _, err := platform.ReadWorld(nil); return err },
		"CheckBackup":  func() error { return platform.CheckBackup(t.Context(), nil) },
		"Restore":      func() error { return platform.Restore(t.Context(), memory.New(), nil) },
		"planner.Read": func() error { _, err := planner.Read(nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := read(); err == nil {
				t.Error("it reads nothing, and succeeds")
			}
		})
	}
}
