package twinplatform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// DateTime is an instant as the wire carries it: ISO 8601 in UTC, with three
// digits of milliseconds or, at a whole second, none; and null for the zero value.
type DateTime struct{ time.Time }

// String is the instant as the wire has it, without quotes; empty for the zero
// value.
func (d DateTime) String() string {
	if d.IsZero() {
		return ""
	}
	return strings.Trim(string(d.AppendJSON(nil)), `"`)
}

// firstInstant stands for the first instant of the year 1. It is a nanosecond late, since
// the zero time.Time means null.
var firstInstant = time.Time{}.Add(1)

// At is t as the wire carries it: in UTC and cut to the millisecond.
func At(t time.Time) DateTime {
	if cut := t.UTC().Truncate(time.Millisecond); !cut.IsZero() || t.IsZero() {
		return DateTime{cut}
	}
	return DateTime{firstInstant}
}

// The seconds with which the year 1 begins and the year 9999 ends, in UTC.
var (
	firstSecond = time.Time{}.Unix()
	lastSecond  = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - 1
)

// Valid reports whether the wire can carry the instant: its year is 1 to 9999 in UTC.
func (d DateTime) Valid() bool {
	s := d.Unix()
	return s >= firstSecond && s <= lastSecond
}

// errYear is the error of an instant that is not valid.
var errYear = errors.New("the year of a date-time is 1 to 9999")

// MarshalJSON writes null for the zero value, and fails for an instant that is not valid.
func (d DateTime) MarshalJSON() ([]byte, error) {
	if !d.Valid() {
		return nil, errYear
	}
	return d.AppendJSON(nil), nil
}

// AppendJSON appends what MarshalJSON writes of an instant that is valid.
func (d DateTime) AppendJSON(b []byte) []byte {
	if d.IsZero() {
		return append(b, "null"...)
	}
	t := d.UTC()
	b = t.AppendFormat(append(b, '"'), time.RFC3339)
	if ms := t.Nanosecond() / int(time.Millisecond); ms > 0 {
		b = append(b[:len(b)-1], '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
	}
	return append(b, '"')
}

// The forms in which an instant may be sent. One without a zone is in UTC.
var dateTimeForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04", time.DateOnly,
}

// UnmarshalJSON reads an ISO 8601 date-time, or null as the zero value. A
// date-time without a zone is in UTC, what is finer than a millisecond is cut
// off, and the year is 1 to 9999.
func (d *DateTime) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*d = DateTime{}
		return nil
	}
	var err error
	if len(b) > 1 && b[0] == '"' {
		text := string(b[1 : len(b)-1])
		if bytes.IndexByte(b, '\\') >= 0 { // no usual spelling of one, and a valid one
			if err := json.Unmarshal(b, &text); err != nil {
				return err
			}
		}
		if *d, err = ParseDateTime(text); err == nil {
			return nil
		}
	}
	// In this form the decoders of Go up to 1.26 add which property it was.
	return &json.UnmarshalTypeError{
		Value: "something other than an ISO 8601 date-time",
		Type:  reflect.TypeFor[DateTime](),
	}
}

// ParseDateTime reads an ISO 8601 date-time, as UnmarshalJSON does.
func ParseDateTime(s string) (DateTime, error) {
	for _, form := range dateTimeForms {
		t, err := time.Parse(form, s)
		if err != nil {
			continue
		}
		t = t.UTC()
		if !(DateTime{t}).Valid() {
			return DateTime{}, errYear
		}
		if t.IsZero() {
			t = firstInstant
		}
		return At(t), nil
	}
	return DateTime{}, fmt.Errorf("a date-time is in ISO 8601, such as 2026-01-31T09:00:00Z")
}
