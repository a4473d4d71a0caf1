package records

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// The codec writes and reads records by a table of functions, made once for each
// type from the tags of its fields. It writes exactly what encoding/json writes
// without HTML escapes, and it reads what it writes; from anything else it backs
// out in favour of encoding/json.

// encode writes what v points at as the compact JSON that answers carry.
func encode(v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	c := codecOf(p.Type().Elem())
	return c.append(make([]byte, 0, 24*(1+len(c.fields))), p.Elem())
}

// appendTo is encode behind b.
func appendTo(b []byte, v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	return codecOf(p.Type().Elem()).append(b, p.Elem())
}

// sheets are what records are written on before it is known how long they are. They are
// kept from record to record.
var sheets = sync.Pool{New: func() any { return new([]byte) }}

// maxSheet is the length up to which one is kept: most that is written at once, as changes of
// an import are, fits.
const maxSheet = 128 << 10

// decode reads into what v points at: a zero value, or the hidden part of one, whose
// pointers lead into the record. The data are what encode wrote, here or in another
// version. The texts of a record are parts of one copy of the data.
func decode(data []byte, v any) error {
	p := reflect.ValueOf(v)
	c := codecOf(p.Type().Elem())
	if rest, ok := c.read(string(data), p.Elem()); ok && rest == "" {
		return nil
	}
	for i := range c.fields {
		forget(p.Elem().Field(c.fields[i].index)) // what was read until then
	}
	return json.Unmarshal(data, v)
}

// codec is how values of a type are written and read.
type codec struct {
	append func(b []byte, v reflect.Value) ([]byte, error)
	// read cuts a value off b, and reports false at the first byte that is not as
	// append would have written it.
	read func(b string, v reflect.Value) (rest string, ok bool)
	// fields lists the fields of a struct in the order in which they are on the wire.
	fields []field
}

// field is one of a struct.
type field struct {
	*codec
	index int
	name  string
	key   string // "name": with the comma before all but the first
	// absent reports whether the field is left out; nil for one that never is.
	absent func(v reflect.Value) bool
}

// forget makes a field zero, unless it leads into a record.
func forget(v reflect.Value) {
	if v.Kind() != reflect.Pointer && !v.Type().Implements(memberType) {
		v.SetZero()
	}
}

var codecs sync.Map // of reflect.Type to *codec

func codecOf(t reflect.Type) *codec {
	if known, ok := codecs.Load(t); ok {
		return known.(*codec)
	}
	made := codecMaker{}
	c := made.codec(t)
	for t, c := range made {
		codecs.LoadOrStore(t, c)
	}
	return c
}

// codecMaker has the codecs that are being made: a type may contain itself.
type codecMaker map[reflect.Type]*codec

func (m codecMaker) codec(t reflect.Type) *codec {
	if known, ok := codecs.Load(t); ok {
		return known.(*codec)
	}
	if begun := m[t]; begun != nil {
		return begun
	}
	c := new(codec)
	m[t] = c
	m.fill(c, t)
	return c
}

// members lists the fields of a struct; false for one whose tags only encoding/json
// understands.
func (m codecMaker) members(t reflect.Type) ([]field, bool) {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if !f.IsExported() && !f.Anonymous || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		absent, known := absence(f.Type, options)
		if f.Anonymous || name == "" || !plain(name) || !known {
			return nil, false
		}
		fields = append(fields, field{m.codec(f.Type), i, name, `,"` + name + `":`, absent})
	}
	return fields, len(fields) > 0
}

// absence is the rule by which a field of a type with these options is left out.
func absence(t reflect.Type, options string) (absent func(reflect.Value) bool, known bool) {
	switch {
	case options == "":
		return nil, true
	case options == "omitempty":
		switch t.Kind() {
		case reflect.String, reflect.Slice, reflect.Map:
			return func(v reflect.Value) bool { return v.Len() == 0 }, true
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Pointer:
			return reflect.Value.IsZero, true
		}
	case options != "omitzero":
	case t.Kind() == reflect.Pointer && t.Implements(zeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(zeroer).IsZero() }, true
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(v reflect.Value) bool { return v.Addr().Interface().(zeroer).IsZero() }, true
	case t.Kind() != reflect.Interface:
		return reflect.Value.IsZero, true
	}
	return nil, false
}

// zeroer is a value that knows when it is zero, as encoding/json asks it.
type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

func appendFields(fields []field) func([]byte, reflect.Value) ([]byte, error) {
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '{')
		first := true
		for i := range fields {
			f := &fields[i]
			value := v.Field(f.index)
			if f.absent != nil && f.absent(value) {
				continue
			}
			key := f.key
			if first {
				key = key[1:]
			}
			first = false
			if b, err = f.append(append(b, key...), value); err != nil {
				return nil, inside(f.name, err)
			}
		}
		return append(b, '}'), nil
	}
}

// readFields reads members in the order in which they are written. A member that is
// missing leaves its field as it is, one that no field has is passed over.
func readFields(fields []field) func(string, reflect.Value) (string, bool) {
	return func(b string, v reflect.Value) (_ string, ok bool) {
		if rest, empty := strings.CutPrefix(b, "{}"); empty {
			return rest, true
		}
		next := 0
		for before := byte('{'); len(b) > 0 && b[0] == before; before = ',' {
			var i int
			if i, b, ok = position(fields, next, b[1:]); !ok {
				return "", false
			}
			if i < 0 {
				_, b, ok = rawValue(b)
			} else {
				b, ok = fields[i].read(b, v.Field(fields[i].index))
				next = i + 1
			}
			if !ok {
				return "", false
			}
		}
		return strings.CutPrefix(b, "}")
	}
}

// position tells the field that the member at the beginning of b is of, and where
// its value begins; -1 for a member that no field has. A member that is out of
// order is not ok.
func position(fields []field, next int, b string) (i int, value string, ok bool) {
	for i := next; i < len(fields); i++ {
		if value, is := strings.CutPrefix(b, fields[i].key[1:]); is {
			return i, value, true
		}
	}
	name, rest, ok := plainString(b)
	if !ok || !strings.HasPrefix(rest, ":") {
		return 0, "", false
	}
	for i := range fields {
		if strings.EqualFold(name, fields[i].name) {
			return 0, "", false
		}
	}
	return -1, rest[1:], true
}

// slowly leaves values to encoding/json.
var slowly = codec{
	append: func(b []byte, v reflect.Value) ([]byte, error) { return wire.Append(b, v.Addr().Interface()) },
	read: func(b string, v reflect.Value) (string, bool) {
		value, rest, ok := rawValue(b)
		return rest, ok && json.Unmarshal([]byte(value), v.Addr().Interface()) == nil
	},
}
