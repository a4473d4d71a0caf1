package records

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

var (
	marshalerType  = reflect.TypeFor[json.Marshaler]()
	textType       = reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()
	dateTimeType   = reflect.TypeFor[twinplatform.DateTime]()
	nullStringType = reflect.TypeFor[twinplatform.NullString]()
	timeType       = reflect.TypeFor[time.Time]()
	encodedType    = reflect.TypeFor[Encoded]()
	memberType     = reflect.TypeFor[interface{ omitsZero() }]()
)

// fill makes the codec of a type.
func (m codecMaker) fill(c *codec, t reflect.Type) {
	*c = slowly
	switch {
	case t == dateTimeType:
		*c = codec{append: appendDateTime, read: readDateTime}
	case t == nullStringType:
		*c = codec{append: appendNullString, read: orNull(readString)}
	case t == encodedType:
		*c = codec{append: appendEncoded, read: readEncoded}
	case t == timeType:
		*c = codec{append: appendTime, read: readTime}
	case t.Implements(memberType):
		of := m.codec(t.Field(0).Type.Elem())
		c.append = func(b []byte, v reflect.Value) ([]byte, error) { return of.append(b, v.Field(0).Elem()) }
		c.read = func(b string, v reflect.Value) (string, bool) { return of.read(b, v.Field(0).Elem()) }
	case !marshals(t):
		m.fillKind(c, t)
	}
}

// marshals reports whether values of a type write themselves.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() != reflect.Pointer && (p.Implements(marshalerType) || p.Implements(textType))
}

func (m codecMaker) fillKind(c *codec, t reflect.Type) {
	switch t.Kind() {
	case reflect.String:
		*c = codec{append: appendText, read: readString}
	case reflect.Bool:
		*c = codec{append: appendBool, read: readBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*c = codec{append: appendInt, read: readInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		*c = codec{append: appendUint, read: readUint}
	case reflect.Float64:
		*c = codec{append: appendFloat, read: readFloat}
	case reflect.Struct:
		if fields, ok := m.members(t); ok {
			*c = codec{appendFields(fields), readFields(fields), fields}
		}
	case reflect.Pointer:
		c.append, c.read = pointer(m.codec(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are written in base64
			c.append, c.read = slice(m.codec(t.Elem()))
		}
	}
}

func appendDateTime(b []byte, v reflect.Value) ([]byte, error) {
	d := v.Addr().Interface().(*twinplatform.DateTime)
	if !d.Valid() {
		return nil, &ValueError{Why: "The year of a date-time is 1 to 9999."}
	}
	return d.AppendJSON(b), nil
}

func readDateTime(b string, v reflect.Value) (string, bool) {
	if rest, null := strings.CutPrefix(b, null); null {
		return rest, true
	}
	s, rest, ok := plainString(b)
	if !ok {
		return "", false
	}
	d, err := twinplatform.ParseDateTime(s)
	*v.Addr().Interface().(*twinplatform.DateTime) = d
	return rest, err == nil
}

func appendEncoded(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, null...), nil
	}
	return append(b, v.Bytes()...), nil
}

func readEncoded(b string, v reflect.Value) (string, bool) {
	value, rest, ok := rawValue(b)
	v.SetBytes([]byte(value))
	return rest, ok
}

func appendTime(b []byte, v reflect.Value) ([]byte, error) {
	t := v.Addr().Interface().(*time.Time)
	b, err := t.AppendText(append(b, '"'))
	return append(b, '"'), err
}

func readTime(b string, v reflect.Value) (string, bool) {
	s, rest, ok := plainString(b)
	return rest, ok && v.Addr().Interface().(*time.Time).UnmarshalText([]byte(s)) == nil
}

func appendText(b []byte, v reflect.Value) ([]byte, error) {
	return wire.AppendString(b, v.String()), nil
}

func appendNullString(b []byte, v reflect.Value) ([]byte, error) {
	if v.Len() == 0 {
		return append(b, null...), nil
	}
	return appendText(b, v)
}

func readString(b string, v reflect.Value) (string, bool) {
	s, rest, ok := plainString(b)
	if !ok {
		return slowly.read(b, v)
	}
	v.SetString(s)
	return rest, true
}

// orNull reads null as the zero value.
func orNull(read func(string, reflect.Value) (string, bool)) func(string, reflect.Value) (string, bool) {
	return func(b string, v reflect.Value) (string, bool) {
		if rest, null := strings.CutPrefix(b, null); null {
			v.SetZero()
			return rest, true
		}
		return read(b, v)
	}
}

func appendBool(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendBool(b, v.Bool()), nil
}

func readBool(b string, v reflect.Value) (string, bool) {
	rest, is := strings.CutPrefix(b, "true")
	v.SetBool(is)
	if is {
		return rest, true
	}
	return strings.CutPrefix(b, "false")
}

func appendInt(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendInt(b, v.Int(), 10), nil
}

func readInt(b string, v reflect.Value) (string, bool) {
	s, rest := number(b)
	if s == "0" { // as most are
		v.SetInt(0)
		return rest, true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v.OverflowInt(n) {
		return "", false
	}
	v.SetInt(n)
	return rest, true
}

func appendUint(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendUint(b, v.Uint(), 10), nil
}

func readUint(b string, v reflect.Value) (string, bool) {
	s, rest := number(b)
	n, err := strconv.ParseUint(s, 10, v.Type().Bits())
	v.SetUint(n)
	return rest, err == nil
}

func appendFloat(b []byte, v reflect.Value) ([]byte, error) {
	if x := v.Float(); x == math.Trunc(x) && math.Abs(x) < 1e15 && !(x == 0 && math.Signbit(x)) {
		return strconv.AppendInt(b, int64(x), 10), nil
	}
	return slowly.append(b, v)
}

func readFloat(b string, v reflect.Value) (string, bool) {
	s, rest := number(b)
	if s == "0" { // as most are
		v.SetFloat(0)
		return rest, true
	}
	x, err := strconv.ParseFloat(s, 64)
	v.SetFloat(x)
	return rest, err == nil
}

// pointer writes and reads what values of of are pointed at by. A pointer into a
// record is followed, any other is made.
func pointer(of *codec) (func([]byte, reflect.Value) ([]byte, error), func(string, reflect.Value) (string, bool)) {
	return func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, null...), nil
			}
			return of.append(b, v.Elem())
		}, orNull(func(b string, v reflect.Value) (string, bool) {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			return of.read(b, v.Elem())
		})
}

func slice(of *codec) (func([]byte, reflect.Value) ([]byte, error), func(string, reflect.Value) (string, bool)) {
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
			if v.IsNil() {
				return append(b, null...), nil
			}
			b = append(b, '[')
			for i := range v.Len() {
				if i > 0 {
					b = append(b, ',')
				}
				if b, err = of.append(b, v.Index(i)); err != nil {
					return nil, inside("["+strconv.Itoa(i)+"]", err)
				}
			}
			return append(b, ']'), nil
		}, orNull(func(b string, v reflect.Value) (string, bool) {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			if rest, empty := strings.CutPrefix(b, "[]"); empty {
				return rest, true
			}
			for before := byte('['); len(b) > 0 && b[0] == before; before = ',' {
				v.Grow(1)
				v.SetLen(v.Len() + 1)
				var ok bool
				if b, ok = of.read(b[1:], v.Index(v.Len()-1)); !ok {
					return "", false
				}
			}
			return strings.CutPrefix(b, "]")
		})
}

const null = "null"

// plain reports whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// plainString cuts a string without escapes off b.
func plainString(b string) (s, rest string, ok bool) {
	if b == "" || b[0] != '"' {
		return "", "", false
	}
	end := strings.IndexByte(b[1:], '"')
	if end < 0 {
		return "", "", false
	}
	s = b[1 : 1+end]
	return s, b[end+2:], strings.IndexByte(s, '\\') < 0
}

// number cuts what may be a number off b.
func number(b string) (s, rest string) {
	n := 0
	for n < len(b) && b[n] != ',' && b[n] != '}' && b[n] != ']' {
		n++
	}
	return b[:n], b[n:]
}

// rawValue cuts a value of any kind off b, to which more belongs.
func rawValue(b string) (value, rest string, ok bool) {
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
		case depth == 0 && (c == ',' || c == '}' || c == ']'):
			return b[:i], b[i:], i > 0
		case c == '}' || c == ']':
			depth--
		}
	}
	return "", "", false
}
