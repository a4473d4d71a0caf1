package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
)

// Misfit is a property of a body that its type cannot hold.
type Misfit struct {
	Path string // of the property
	Why  string // what the value should be: "must be a string."
}

// Misfits finds the properties of a body that their types cannot hold, at most so many,
// after decoding it as a whole has failed. raw is valid JSON.
//
// It goes down the body and the type side by side, since encoding/json reports one
// property only, by the name of the Go field. A type that decodes itself is asked as a
// whole; null is what every type takes or passes over.
func Misfits(raw []byte, t reflect.Type, most int) []Misfit {
	m := misfits{most: most}
	m.value("", raw, See(t))
	return m.found
}

// misfits collects the misfits found so far, most at most.
type misfits struct {
	found []Misfit
	most  int
}

func (m *misfits) add(path, why string) { m.found = append(m.found, Misfit{path, why}) }

func (m *misfits) value(path string, raw []byte, t Type) {
	if len(m.found) >= m.most || bytes.Equal(raw, []byte("null")) {
		return
	}
	switch {
	case t.Kind == Object && !t.Reads && raw[0] == '{':
		m.members(path, raw, t)
		return
	case t.Kind == Bytes && raw[0] == '[':
		m.add(path, "must be a string in base64.")
		return
	case t.Kind == List && !t.Reads && raw[0] == '[':
		m.elements(path, raw, See(t.Elem()))
		return
	}
	if err := json.Unmarshal(raw, reflect.New(t.Go).Interface()); err != nil {
		m.add(path, t.wanted(err))
	}
}

func (m *misfits) members(path string, raw []byte, t Type) {
	var sent map[string]json.RawMessage
	_ = json.Unmarshal(raw, &sent)
	for _, f := range t.Members() {
		if member, ok := sent[f.Name]; ok {
			m.value(join(path, f.Name), member, See(f.Type))
		}
	}
}

func (m *misfits) elements(path string, raw []byte, elem Type) {
	var elements []json.RawMessage
	_ = json.Unmarshal(raw, &elements)
	for i, element := range elements {
		at := fmt.Sprintf("%s[%d]", path, i)
		if bytes.Equal(element, []byte("null")) && !elem.takesNull() && len(m.found) < m.most {
			m.add(at, elem.wanted(nil))
			continue
		}
		m.value(at, element, elem)
	}
}

// dateTime reads null as what leaves it as it is.
var dateTime = reflect.TypeFor[twinplatform.DateTime]()

// takesNull reports whether null is a value of a type, and not what leaves it as it is.
func (t Type) takesNull() bool {
	return t.Pointer || t.Optional || t.Go.Kind() == reflect.Interface || t.Reads && t.Go != dateTime
}

// wanted says what a value should have been that could not be read.
func (t Type) wanted(err error) string {
	if t.Go == dateTime {
		return "must be a date-time in ISO 8601, such as 2026-01-31T09:00:00Z."
	}
	if t.Reads {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return "is refused: " + err.Error() + "."
		}
	}
	switch t.Kind {
	case Text:
		return "must be a string."
	case Bool:
		return "must be true or false."
	case Integer:
		return "must be a whole number within its bounds."
	case Number:
		return "must be a number within its bounds."
	case Bytes, List:
		return "must be an array."
	case Object, Map:
		return "must be an object."
	}
	return "does not have the documented type."
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
