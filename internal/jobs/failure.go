package jobs

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Bounds of what is recorded of a failure. Both the failure and its description stand in one
// record, and an operation whose failure no record can hold would never end.
const (
	maxFailureText    = 4 << 10   // bytes of a message or a target
	maxFailureDetails = 128 << 10 // bytes of all details as JSON
)

// Describe says in a sentence or more why work failed, so that a record can hold it: the message,
// and that of each detail.
func Describe(e *twinplatform.Error) string {
	e = recordable(e)
	var text strings.Builder
	text.WriteString(e.Message)
	for _, d := range e.Details {
		text.WriteString(" " + d.Message)
	}
	return text.String()
}

// recordable is a failure as a record can hold it: long texts are cut, and the message says how
// many details are left out.
func recordable(e *twinplatform.Error) *twinplatform.Error {
	short := *e
	short.Message, short.Target, short.Details = cut(e.Message), cut(e.Target), nil
	room := maxFailureDetails
	for i, d := range e.Details {
		d.Message, d.Target = cut(d.Message), cut(d.Target)
		data, err := json.Marshal(d)
		if room -= len(data); room < 0 || err != nil {
			short.Message += fmt.Sprintf(" %d of its %d details are left out.", len(e.Details)-i, len(e.Details))
			break
		}
		short.Details = append(short.Details, d)
	}
	return &short
}

// cut is a text that ends with an ellipsis where it was too long.
func cut(s string) string {
	if len(s) <= maxFailureText {
		return s
	}
	return strings.ToValidUTF8(s[:maxFailureText], "") + "…"
}
