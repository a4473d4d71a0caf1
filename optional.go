package twinplatform

import (
	"bytes"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Optional is a property of a create or merge-patch body, where leaving it out, sending
// null and sending a value are three different cases. The zero value is left out.
type Optional[T any] struct {
	value T
	state optionalState
}

type optionalState uint8

const (
	absent optionalState = iota
	null
	given
)

// Set is a property with a value.
func Set[T any](v T) Optional[T] { return Optional[T]{value: v, state: given} }

// Null is a property that is sent as null: a patch clears it.
func Null[T any]() Optional[T] { return Optional[T]{state: null} }

// Present reports whether the property was sent, as null or with a value.
func (o Optional[T]) Present() bool { return o.state != absent }

// IsNull reports whether the property was sent as null.
func (o Optional[T]) IsNull() bool { return o.state == null }

// Get returns the value and whether there is one.
func (o Optional[T]) Get() (T, bool) { return o.value, o.state == given }

// Or returns the value, or def when there is none.
func (o Optional[T]) Or(def T) T {
	if o.state == given {
		return o.value
	}
	return def
}

// Apply changes *to to the value, clears it for null, and leaves it alone where
// the property was left out.
func (o Optional[T]) Apply(to *T) {
	if o.Present() {
		var zero T
		*to = o.Or(zero)
	}
}

// ApplyPointer is Apply for a property that is nil while it is not set.
func (o Optional[T]) ApplyPointer(to **T) {
	switch o.state {
	case given:
		v := o.value
		*to = &v
	case null:
		*to = nil
	}
}

// UnmarshalJSON is called only for a property that is present.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*o = Null[T]()
		return nil
	}
	if err := json.Unmarshal(data, &o.value); err != nil {
		return err
	}
	o.state = given
	return nil
}

// MarshalJSON writes the value, or null. With the tag option omitzero a
// property that is left out is not written at all.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != given {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// NullString is a string whose empty value is null on the wire.
type NullString string

// MarshalJSON writes null for the empty string.
func (s NullString) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	// Whether < and > are escaped is for the encoder around it to say.
	return wire.AppendString(nil, string(s)), nil
}

// UnmarshalJSON reads a string, or null as the empty one.
func (s *NullString) UnmarshalJSON(data []byte) error {
	var v *string
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*s = ""
	if v != nil {
		*s = NullString(*v)
	}
	return nil
}
