package records

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// ValueError reports a value that could be stored and not be read again, such as a date-time
// in the year 10000, or not be stored at all, such as an infinite number. No record has one.
type ValueError struct {
	Path string // of the member, such as acquisition.endDateTime; empty where it is not known
	Why  string // a sentence
}

func (e *ValueError) Error() string { return "records: " + e.Path + ": " + e.Why }

// Unwritable is what no record can have of what v points at, at any depth; nil where it can be
// written.
func Unwritable(v any) *ValueError {
	p := reflect.ValueOf(v).Elem()
	if p.IsZero() {
		return nil
	}
	if _, err := codecOf(p.Type()).append(nil, p); err != nil {
		return valueError(err)
	}
	return nil
}

// inside is the error of a member, in what has the member.
func inside(member string, err error) *ValueError {
	e := *valueError(err)
	switch {
	case e.Path == "":
		e.Path = member
	case strings.HasPrefix(e.Path, "["):
		e.Path = member + e.Path
	default:
		e.Path = member + "." + e.Path
	}
	return &e
}

func valueError(err error) *ValueError {
	if e, ok := errors.AsType[*ValueError](err); ok {
		return e
	}
	if _, ok := errors.AsType[*json.UnsupportedValueError](err); ok {
		return &ValueError{Why: "A number is finite, and no value contains itself."}
	}
	if _, ok := errors.AsType[*json.MarshalerError](err); ok {
		return &ValueError{Why: "The year of a date-time is 1 to 9999."}
	}
	return &ValueError{Why: "JSON has no such value."}
}

// refused is the error of a change with a value that no record can have, where nothing has
// refused it by name before.
func refused(err error) *twinplatform.Error {
	_, value := errors.AsType[*ValueError](err)
	_, number := errors.AsType[*json.UnsupportedValueError](err)
	_, kind := errors.AsType[*json.UnsupportedTypeError](err)
	_, marshals := errors.AsType[*json.MarshalerError](err)
	if !value && !number && !kind && !marshals {
		return nil
	}
	e := valueError(err)
	return (&twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidValue", Target: e.Path,
		Message: "The value cannot be stored. " + e.Why,
	}).Because(err)
}
