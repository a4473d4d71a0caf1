package records

import (
	"bytes"
	"errors"
	"iter"
	"strings"
)

// Encoded is the JSON of a record as its [Table] encodes it. A record that has it as a
// member holds it as it is: nothing is read or checked of it.
type Encoded []byte

// MarshalJSON returns it, for callers that do not know the type.
func (e Encoded) MarshalJSON() ([]byte, error) {
	if e == nil {
		return []byte(null), nil
	}
	return e, nil
}

// UnmarshalJSON keeps a copy of the JSON, for callers that do not know the type.
func (e *Encoded) UnmarshalJSON(data []byte) error {
	*e = bytes.Clone(data)
	return nil
}

// Encode returns the JSON of a record, without what of it is never on the wire.
func (t *Table) Encode(v any) (Encoded, error) {
	sheet := sheets.Get().(*[]byte)
	defer sheets.Put(sheet)
	b, err := appendTo((*sheet)[:0], v)
	if err != nil {
		return nil, err
	}
	if *sheet = nil; cap(b) <= maxSheet {
		*sheet = b
	}
	return bytes.Clone(b), nil
}

// Decode reads what Encode has written.
func (t *Table) Decode(e Encoded) (any, error) {
	v := t.fresh()
	return v, decode(e, v)
}

// PutEncoded is Put of a record that is encoded already, as Encode does, unless e is nil.
// It is Append where the id of the record was never used.
func (t *Table) PutEncoded(u *Update, s Scope, v any, e Encoded, unused bool) (err error) {
	if t.hides {
		e = nil
	}
	at := t.addition(u, s, t.id(v))
	at.prior.unused = unused
	if !unused {
		if e == nil {
			u.declare(t.NeedsOfNew, t.in(s, v), t.id(v))
		}
		if at, err = t.replaced(u, s, t.id(v)); err != nil {
			return err
		}
	}
	_, err = t.put(u, t.in(s, v), v, e, at)
	return err
}

// Stored is a record that is not decoded.
type Stored struct {
	ID   string  // without the prefix that was asked for
	JSON Encoded // as Encode writes it
}

// Encodings yields the records whose ids begin with prefix, in their order, undecoded. A
// failure ends the sequence.
func (t *Table) Encodings(tx Reading, s Scope, prefix string) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		reading := tx.view()
		base := t.key(s, "r", prefix)
		for key, value := range reading.r.Scan(base, "") {
			reading.spent.Read++
			e, err := t.open(tx, s, value)
			if errors.Is(err, ErrNotFound) {
				continue // it is only staged
			}
			one := Stored{ID: key[len(base):], JSON: e.wire}
			if err == nil && strings.Contains(one.ID, "\x00") { // it is shortened
				var v any
				if v, err = t.decode(e); err == nil {
					one.ID = strings.TrimPrefix(t.id(v), prefix)
				}
			}
			if !yield(one, err) || err != nil {
				return
			}
		}
	}
}

// AppendEncoded appends what Encode returns of what v points at, and of any value that could
// be a member of a record.
func AppendEncoded(b []byte, v any) ([]byte, error) { return appendTo(b, v) }
