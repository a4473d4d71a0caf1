package twins

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Summary is a twin as lists with return=minimal carry it.
type Summary struct {
	Class         Class                   `json:"class"`
	DisplayName   string                  `json:"displayName"`
	ID            string                  `json:"id"`
	Number        string                  `json:"number"` // unique within the account
	SubClass      SubClass                `json:"subClass"`
	TwinAccountID twinplatform.NullString `json:"twinAccountId"` // null for an account and for what belongs to none
	Type          twinplatform.NullString `json:"type"`          // open-ended; null when there is none
}

// Summary is what a minimal list carries of the twin.
func (t *Twin) Summary() Summary {
	return Summary{
		Class: t.Class, DisplayName: t.DisplayName, ID: t.ID, Number: t.Number, SubClass: t.SubClass,
		TwinAccountID: t.TwinAccountID, Type: t.Type,
	}
}

// AppendJSON appends the wire form, which is what json.Marshal writes. Lists make
// one for each item, so that it is written without reflection.
func (s Summary) AppendJSON(b []byte) []byte {
	if b == nil {
		b = make([]byte, 0, 256)
	}
	b = wire.AppendString(append(b, `{"class":`...), string(s.Class))
	b = wire.AppendString(append(b, `,"displayName":`...), s.DisplayName)
	b = wire.AppendString(append(b, `,"id":`...), s.ID)
	b = wire.AppendString(append(b, `,"number":`...), s.Number)
	b = wire.AppendString(append(b, `,"subClass":`...), string(s.SubClass))
	b = appendNullable(append(b, `,"twinAccountId":`...), s.TwinAccountID)
	b = appendNullable(append(b, `,"type":`...), s.Type)
	return append(b, '}')
}

func appendNullable(b []byte, s twinplatform.NullString) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return wire.AppendString(b, string(s))
}
