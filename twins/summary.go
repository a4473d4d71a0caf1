package twins

import (
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
)

// Summary is a twin as lists with return=minimal carry it.
type Summary struct {
	Class         Class                   `json:"class"`
	DisplayName   string                  `json:"displayName"`
	ID            string                  `json:"id"`
	Number        string                  `json:"number"`
	SubClass      SubClass                `json:"subClass"`
	TwinAccountID twinplatform.NullString `json:"twinAccountId"`
	Type          twinplatform.NullString `json:"type"`
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
	b = appendText(append(b, `{"class":`...), string(s.Class))
	b = appendText(append(b, `,"displayName":`...), s.DisplayName)
	b = appendText(append(b, `,"id":`...), s.ID)
	b = appendText(append(b, `,"number":`...), s.Number)
	b = appendText(append(b, `,"subClass":`...), string(s.SubClass))
	b = appendNullable(append(b, `,"twinAccountId":`...), s.TwinAccountID)
	b = appendNullable(append(b, `,"type":`...), s.Type)
	return append(b, '}')
}

func appendNullable(b []byte, s twinplatform.NullString) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendText(b, string(s))
}

// appendText appends a JSON string. Only text that needs escaping is left to the
// encoder.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // which never fails for a string
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
