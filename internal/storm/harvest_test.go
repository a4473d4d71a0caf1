package storm_test

import (
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// most is how many records of a kind are remembered.
const most = 300

// harvest remembers what a call has answered: ids, versions, tokens, keys.
func (s *storm) harvest(o outcome, plan string) {
	at := make(map[string]string)
	for i, p := range o.m.in {
		if p.of.Kind() == reflect.String && p.name != "" && i < len(o.args) {
			at[p.name] = o.args[i].String()
		}
	}
	for _, v := range o.out {
		s.glean(v, at, plan, o.m.name)
	}
}

func (s *storm) glean(v reflect.Value, at map[string]string, plan, method string) {
	t := v.Type()
	switch of := v.Interface().(type) {
	case error:
		return
	case twinplatform.Principal:
		s.callers = append(s.callers[:min(len(s.callers), 15)], caller{"someone who was answered", &of})
		return
	case io.Closer:
		if !v.IsNil() {
			_ = of.Close()
		}
		return
	}
	generic := func(name string) bool { return t.PkgPath() == module && strings.HasPrefix(t.Name(), name+"[") }
	switch {
	case generic("Record"):
		s.etags = append(s.etags[:min(len(s.etags), 40)], v.FieldByName("ETag").String())
		s.remember(v.FieldByName("Value"), at, plan)
	case generic("Result"):
		if id := v.FieldByName("Operation").FieldByName("ID").String(); id != "" {
			s.note("operation", &entry{id, at, plan})
		}
		for _, rec := range v.FieldByName("Records").Seq2() {
			s.glean(rec, at, plan, method)
		}
	case generic("Page"):
		for _, name := range []string{"Next", "Delta"} {
			if token := v.FieldByName(name).String(); token != "" {
				s.next = append(s.next[:min(len(s.next), 40)], token)
			}
		}
		if v.MethodByName("Len").Call(nil)[0].Int() == 0 {
			return
		}
		values := v.MethodByName("Values").Call(nil)
		if err, failed := reflect.TypeAssert[error](values[1]); failed && err != nil {
			s.Errorf("%s answers a page that cannot be read: %v", method, err)
			return
		}
		s.remember(values[0].Index(s.r.IntN(values[0].Len())), at, plan)
	case t.Kind() == reflect.Struct && t.PkgPath() != "" && strings.HasPrefix(t.PkgPath(), module):
		s.remember(v, at, plan)
		for f, of := range v.Fields() { // an answer of several records
			if inner := of.Type(); f.IsExported() && inner.PkgPath() == module && inner.Kind() == reflect.Struct {
				s.glean(of, at, plan, method)
			}
		}
	}
}

// remember notes a record by its id, or its name where it has no id.
func (s *storm) remember(v reflect.Value, at map[string]string, plan string) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	kind := strings.ToLower(v.Type().Name())
	for _, name := range []string{"ID", "Name", "VersionNumber", "Key"} {
		if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.String && f.String() != "" {
			e := &entry{f.String(), at, plan}
			if kind == "schedule" {
				e.plan = e.id
			}
			s.note(kind, e)
			return
		}
	}
}

func (s *storm) note(kind string, e *entry) {
	all := s.found[kind]
	if slices.ContainsFunc(all[max(0, len(all)-20):], func(other *entry) bool { return other.id == e.id && other.plan == e.plan }) {
		return
	}
	if len(all) >= most {
		all = slices.Delete(all, 0, 1+s.r.IntN(most/2))
	}
	s.found[kind] = append(all, e)
}
