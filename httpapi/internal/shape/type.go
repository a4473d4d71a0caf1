package shape

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Kind is what the values of a type are on the wire.
type Kind int

// The kinds of values. Types with their own encoding are of the kind of their underlying
// type.
const (
	Any  Kind = iota // whatever JSON has
	Text             // of an enumeration too
	Bool
	Integer // a number that encoding/json takes in digits alone
	Number
	Bytes // a text in base64
	List
	Map    // an object whose names are arbitrary
	Object // an object that has members
)

// Type is a Go type as the wire sees it.
type Type struct {
	Kind Kind
	// Go is what is behind pointers and Optional.
	Go reflect.Type
	// Pointer and Optional say that it is behind either, and so has null.
	Pointer, Optional bool
	// Reads and Writes say that values are read and written by methods of the type.
	Reads, Writes bool
}

// See is the one place that knows how a Go type is seen on the wire.
func See(t reflect.Type) Type {
	out := Type{Go: t}
	for {
		if inner, ok := optional(out.Go); ok {
			out.Go, out.Optional = inner, true
		} else if out.Go.Kind() == reflect.Pointer {
			out.Go, out.Pointer = out.Go.Elem(), true
		} else {
			break
		}
	}
	out.Kind = kindOf(out.Go)
	methods := reflect.PointerTo(out.Go)
	out.Reads = methods.Implements(unmarshaler)
	out.Writes = methods.Implements(marshaler) || methods.Implements(appender)
	return out
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	marshaler   = reflect.TypeFor[json.Marshaler]()
	appender    = reflect.TypeFor[interface{ AppendJSON(b []byte) []byte }]()
)

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Bool:
		return Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Integer
	case reflect.Float32, reflect.Float64:
		return Number
	case reflect.Slice, reflect.Array:
		if t == reflect.TypeFor[[]byte]() {
			return Bytes
		}
		return List
	case reflect.Map:
		return Map
	case reflect.Struct:
		return Object
	}
	return Any
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

// Elem is the type of the elements of bytes and lists, and of the values of a map.
func (t Type) Elem() reflect.Type { return t.Go.Elem() }

// Member is a member of an object as the wire names it.
type Member struct {
	Name    string
	Type    reflect.Type
	Omitted bool         // may be left out of what is written
	In      reflect.Type // the struct that it is in
}

// Members lists the members of an object in the order of its fields, those of embedded
// structs in their place, but those that others hide.
func (t Type) Members() []Member {
	all := members(t.Go)
	out := all[:0:0]
	for i, m := range all {
		if !slices.ContainsFunc(all[i+1:], func(other Member) bool { return other.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out
}

func members(t reflect.Type) []Member {
	var out []Member
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			out = append(out, members(f.Type)...)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out = append(out, Member{Name: name, Type: f.Type, Omitted: strings.Contains(options, "omit"), In: t})
	}
	return out
}
