package shape

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Member is a member of an object as the wire names it.
type Member struct {
	Name    string
	Type    reflect.Type
	Omitted bool         // may be left out of what is written
	In      reflect.Type // the struct that it stands in
}

// Members lists the members of a struct in the order of its fields, those of embedded
// structs in their place.
func Members(t reflect.Type) []Member {
	var out []Member
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			out = append(out, Members(f.Type)...)
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

// Optional returns what an Optional holds.
func Optional(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.Name(), "Optional[") {
		return nil, false
	}
	// To ask for a method by its name would keep that of every type in the
	// program.
	value, ok := t.FieldByName("value")
	return value.Type, ok
}

// Bytes is the type of bytes, which are a text on the wire.
var Bytes = reflect.TypeFor[[]byte]()

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// DecodesItself reports whether encoding/json leaves the reading of a type to the type.
func DecodesItself(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }
