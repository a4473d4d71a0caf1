package records

import "encoding/json"

// OmitZero is a member of a hidden part that is left out while it is zero. Its tag
// has the option omitzero.
type OmitZero[T comparable] struct {
	Of *T // in the record
}

// IsZero reports whether the member is left out.
func (m OmitZero[T]) IsZero() bool {
	var zero T
	return *m.Of == zero
}

// omitsZero tells the codec that the member is what the first field points at.
func (OmitZero[T]) omitsZero() {}

// MarshalJSON writes the member.
func (m OmitZero[T]) MarshalJSON() ([]byte, error) { return json.Marshal(*m.Of) }

// UnmarshalJSON reads the member.
func (m OmitZero[T]) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, m.Of) }
