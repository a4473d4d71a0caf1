package cycle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
)

// twoValues is a property that came under both of its names with different values.
type twoValues struct{ path, first, second string }

func (t twoValues) Error() string {
	return "'" + t.second + "' is another name of '" + t.first + "', which has another value."
}

// twinValues are the properties with two names that an object has, so far.
type twinValues []twinValue

type twinValue struct {
	inside string // its name in the specification
	sent   string // as it came
	value  []byte
}

// agree adds the value of a property, in JSON, and reports whether there is no other one.
func (t *twinValues) agree(as string, name, value []byte) bool {
	inside := cmp.Or(as, string(name))
	for _, other := range *t {
		if other.inside == inside {
			return sameJSON(other.value, value)
		}
	}
	*t = append(*t, twinValue{inside, string(name), value})
	return true
}

// first is the name under which a property came first.
func (t twinValues) first(as string, name []byte) string {
	for _, other := range t {
		if other.inside == cmp.Or(as, string(name)) {
			return other.sent
		}
	}
	return ""
}

// sameJSON reports whether two texts of valid JSON have one value. Numbers are compared as
// they are written.
func sameJSON(a, b []byte) bool {
	read := func(raw []byte) (v any) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		_ = d.Decode(&v)
		return v
	}
	return bytes.Equal(a, b) || reflect.DeepEqual(read(a), read(b))
}
