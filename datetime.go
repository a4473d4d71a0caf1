package twinplatform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// DateTime is an instant as the wire carries it: ISO 8601 in UTC, and null for
// the zero value.
type DateTime struct{ time.Time }

// At is t as the wire carries it.
func At(t time.Time) DateTime { return DateTime{t.UTC()} }

// MarshalJSON writes null for the zero value.
func (d DateTime) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// AppendJSON appends what MarshalJSON writes.
func (d DateTime) AppendJSON(b []byte) []byte {
	if d.IsZero() {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = d.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

// The forms in which an instant may be sent. One without a zone is in UTC.
var dateTimeForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly}

// UnmarshalJSON reads an ISO 8601 date-time, or null as the zero value. A
// date-time without a zone is in UTC; the year is 1 to 9899, so that dates
// derived from it can be written too.
func (d *DateTime) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*d = DateTime{}
		return nil
	}
	var err error
	if len(b) > 1 && b[0] == '"' {
		if *d, err = ParseDateTime(string(b[1 : len(b)-1])); err == nil {
			return nil
		}
	}
	// In this form the decoder adds which property it was.
	return &json.UnmarshalTypeError{Value: "something other than an ISO 8601 date-time", Type: reflect.TypeFor[DateTime]()}
}

// ParseDateTime reads an ISO 8601 date-time, as UnmarshalJSON does.
func ParseDateTime(s string) (DateTime, error) {
	for _, form := range dateTimeForms {
		t, err := time.Parse(form, s)
		if err != nil {
			continue
		}
		if t = t.UTC(); t.IsZero() || t.Year() < 1 || t.Year() > 9899 {
			return DateTime{}, fmt.Errorf("the year of a date-time is 1 to 9899")
		}
		return DateTime{t}, nil
	}
	return DateTime{}, fmt.Errorf("a date-time is in ISO 8601, such as 2026-01-31T09:00:00Z")
}
