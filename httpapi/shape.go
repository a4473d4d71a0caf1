package httpapi

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// shape is what the scan of a body needs to know of the type that it will be
// decoded into: the names of its properties, at every depth. A nil shape holds
// anything.
//
// Under a vocabulary the names are those of one side, and each knows what the other
// side calls it.
type shape struct {
	fields  map[string]property
	open    bool              // may have properties that are not known
	elem    *shape            // of an array
	each    *shape            // of the properties of an object whose names are arbitrary
	words   map[string]string // what a text is called on the other side
	integer bool              // a number that encoding/json takes in digits alone
	base64  bool              // bytes, which are a text
}

// property is a property of a shape.
type property struct {
	as string // its name on the other side; empty where it is the same
	in *shape
}

// known are the shapes that were asked for. Programs that make a handler for each of
// their tests would work them out again and again; there are no more than types of
// bodies.
var known sync.Map // of *shape by reflect.Type

// shapeOf returns the shape of a type.
func shapeOf(t reflect.Type) *shape {
	if s, ok := known.Load(t); ok {
		return s.(*shape)
	}
	s := shapes{}.of(t)
	known.Store(t, s)
	return s
}

// shapes are those already met, so that a type may hold itself.
type shapes map[reflect.Type]*shape

func (met shapes) of(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if inner, ok := optional(t); ok {
		return met.of(inner)
	}
	if s, ok := met[t]; ok || decodesItself(t) {
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		s := &shape{fields: make(map[string]property)}
		met[t] = s
		for _, f := range fieldsOf(t) {
			s.fields[f.name] = property{in: met.of(f.typ)}
		}
		return s
	case reflect.Slice:
		s := &shape{base64: t == base64Type}
		met[t] = s
		s.elem = met.of(t.Elem())
		return s
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return &shape{integer: true}
	}
	return nil
}

// field is a property of a type as the wire names it.
type field struct {
	name    string
	typ     reflect.Type
	omitted bool         // may be left out of what is written
	in      reflect.Type // the struct that it stands in
}

// fieldsOf lists the properties of a struct in the order of its fields, those
// of embedded structs in their place.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			out = append(out, fieldsOf(f.Type)...)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out = append(out, field{name: name, typ: f.Type, omitted: strings.Contains(options, "omit"), in: t})
	}
	return out
}

// optional returns what an Optional holds.
func optional(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.Name(), "Optional[") {
		return nil, false
	}
	// To ask for a method by its name would keep that of every type in the
	// program.
	value, ok := t.FieldByName("value")
	return value.Type, ok
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// decodesItself reports whether encoding/json leaves the reading of a type to
// the type.
func decodesItself(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }
