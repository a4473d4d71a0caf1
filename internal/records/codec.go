package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
)

// The codec writes and reads the wire form of a record by a table of its
// fields, made once for each type. It writes exactly what encoding/json writes
// without HTML escapes, and it reads the layout that it writes; from anything
// else it backs out in favour of encoding/json.

// layout lists the fields of a struct in the order of the wire.
type layout struct {
	fields []field
	// whole is false for a type that encoding/json alone understands.
	whole bool
}

type field struct {
	index int
	key   string // "name": with the comma before all but the first
	first string // the same without a comma
	kind  fieldKind
	// optional fields are left out when empty.
	optional bool
}

// fieldKind says how a field is written.
type fieldKind uint8

const (
	otherField fieldKind = iota // by encoding/json
	stringField
	nullStringField
	boolField
	intField
	uintField
	floatField
	dateTimeField
	intPointerField
)

var layouts sync.Map // of reflect.Type to *layout

func layoutOf(t reflect.Type) *layout {
	if known, ok := layouts.Load(t); ok {
		return known.(*layout)
	}
	made, _ := layouts.LoadOrStore(t, makeLayout(t))
	return made.(*layout)
}

var (
	marshaler      = reflect.TypeFor[json.Marshaler]()
	textMarshaler  = reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()
	dateTimeType   = reflect.TypeFor[twinplatform.DateTime]()
	nullStringType = reflect.TypeFor[twinplatform.NullString]()
)

func makeLayout(t reflect.Type) *layout {
	tab := &layout{}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(marshaler) || reflect.PointerTo(t).Implements(textMarshaler) {
		return tab
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if !f.IsExported() && !f.Anonymous || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous || name == "" || !plain(name) || options != "" && options != "omitempty" {
			return tab
		}
		kind := kindOf(f.Type)
		if options == "omitempty" && kind != stringField {
			return tab
		}
		key := `"` + name + `":`
		tab.fields = append(tab.fields, field{index: i, key: "," + key, first: key, kind: kind, optional: options != ""})
	}
	tab.whole = len(tab.fields) > 0
	return tab
}

func kindOf(t reflect.Type) fieldKind {
	switch t {
	case dateTimeType:
		return dateTimeField
	case nullStringType:
		return nullStringField
	}
	if t.Implements(marshaler) || t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(marshaler) {
		return otherField
	}
	switch t.Kind() {
	case reflect.String:
		return stringField
	case reflect.Bool:
		return boolField
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intField
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return uintField
	case reflect.Float64:
		return floatField
	case reflect.Pointer:
		if kindOf(t.Elem()) == intField {
			return intPointerField
		}
	}
	return otherField
}

// encode writes what v points at as the compact JSON that answers carry.
func encode(v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	tab := layoutOf(p.Type().Elem())
	if !tab.whole {
		return encodeSlow(v)
	}
	b := make([]byte, 0, 24*len(tab.fields))
	b = append(b, '{')
	var err error
	for i := range tab.fields {
		f := &tab.fields[i]
		value := p.Elem().Field(f.index)
		if f.optional && value.Len() == 0 {
			continue
		}
		if len(b) == 1 {
			b = append(b, f.first...)
		} else {
			b = append(b, f.key...)
		}
		if b, err = f.append(b, value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func (f *field) append(b []byte, v reflect.Value) ([]byte, error) {
	switch f.kind {
	case stringField:
		return appendString(b, v.String())
	case nullStringField:
		if v.Len() == 0 {
			return append(b, "null"...), nil
		}
		return appendString(b, v.String())
	case boolField:
		return strconv.AppendBool(b, v.Bool()), nil
	case intField:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case uintField:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case intPointerField:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return strconv.AppendInt(b, v.Elem().Int(), 10), nil
	case floatField:
		if x := v.Float(); x == math.Trunc(x) && math.Abs(x) < 1e15 && !(x == 0 && math.Signbit(x)) {
			return strconv.AppendInt(b, int64(x), 10), nil
		}
	case dateTimeField:
		return v.Addr().Interface().(*twinplatform.DateTime).AppendJSON(b), nil
	}
	slow, err := encodeSlow(v.Addr().Interface())
	return append(b, slow...), err
}

// encodeSlow leaves a value to encoding/json.
func encodeSlow(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func appendString(b []byte, s string) ([]byte, error) {
	if !plain(s) {
		slow, err := encodeSlow(s)
		return append(b, slow...), err
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"'), nil
}

// plain reports whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// decode reads into what v points at, a zero value. The data are what encode wrote, now or in
// an earlier version.
func decode(data []byte, v any) error {
	p := reflect.ValueOf(v)
	tab := layoutOf(p.Type().Elem())
	if tab.whole {
		if tab.read(data, p.Elem()) {
			return nil
		}
		p.Elem().SetZero() // of what was read until then
	}
	return json.Unmarshal(data, v)
}

// read reads the layout that encode writes, and reports false at the first byte
// that is not of it.
func (tab *layout) read(data []byte, v reflect.Value) bool {
	if len(data) < 2 || data[0] != '{' {
		return false
	}
	rest, first := data[1:], true
	for i := range tab.fields {
		f := &tab.fields[i]
		key := f.key
		if first {
			key = f.first
		}
		if len(rest) < len(key) || string(rest[:len(key)]) != key {
			if f.optional {
				continue
			}
			return false
		}
		var ok bool
		if rest, ok = f.read(rest[len(key):], v.Field(f.index)); !ok {
			return false
		}
		first = false
	}
	return len(rest) == 1 && rest[0] == '}'
}

var nullBytes = []byte("null")

func (f *field) read(b []byte, v reflect.Value) (rest []byte, ok bool) {
	null := bytes.HasPrefix(b, nullBytes)
	switch f.kind {
	case stringField, nullStringField:
		if null {
			v.SetString("")
			return b[4:], f.kind == nullStringField
		}
		s, rest, ok := plainString(b)
		v.SetString(string(s))
		return rest, ok
	case dateTimeField:
		if null {
			return b[4:], true
		}
		s, rest, ok := plainString(b)
		if !ok {
			return nil, false
		}
		d, err := twinplatform.ParseDateTime(string(s))
		*v.Addr().Interface().(*twinplatform.DateTime) = d
		return rest, err == nil
	case boolField:
		if bytes.HasPrefix(b, []byte("true")) {
			v.SetBool(true)
			return b[4:], true
		}
		return bytes.CutPrefix(b, []byte("false"))
	case otherField:
		value, rest, ok := rawValue(b)
		if !ok || json.Unmarshal(value, v.Addr().Interface()) != nil {
			return nil, false
		}
		return rest, true
	}
	if null {
		return b[4:], f.kind == intPointerField
	}
	n := 0
	for n < len(b) && b[n] != ',' && b[n] != '}' {
		n++
	}
	return b[n:], f.readNumber(string(b[:n]), v)
}

func (f *field) readNumber(s string, v reflect.Value) bool {
	switch f.kind {
	case intField, intPointerField:
		if f.kind == intPointerField {
			if v.IsNil() { // else it points into the record, as members of a hidden part do
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		n, err := strconv.ParseInt(s, 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	case uintField:
		n, err := strconv.ParseUint(s, 10, v.Type().Bits())
		v.SetUint(n)
		return err == nil
	case floatField:
		x, err := strconv.ParseFloat(s, 64)
		v.SetFloat(x)
		return err == nil
	}
	panic(fmt.Sprintf("records: field kind %d is no number", f.kind))
}

// plainString cuts a string without escapes off b.
func plainString(b []byte) (s, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	end := bytes.IndexByte(b[1:], '"')
	if end < 0 {
		return nil, nil, false
	}
	s = b[1 : 1+end]
	return s, b[end+2:], bytes.IndexByte(s, '\\') < 0
}

// rawValue cuts a value of any kind off b.
func rawValue(b []byte) (value, rest []byte, ok bool) {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth == 0 && (c == ',' || c == '}'):
			return b[:i], b[i:], i > 0
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil, nil, false
}
