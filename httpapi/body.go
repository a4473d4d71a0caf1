package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// decodeBody reads the request's body as a B. Property names count as they are
// documented, case and all.
func decodeBody[B any](x *exchange) (b B, err error) {
	buf := bodies.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= DefaultMaxBody {
			buf.Reset()
			bodies.Put(buf)
		}
	}()
	if err := x.readBody(buf); err != nil {
		return b, err
	}
	raw := buf.Bytes()
	if len(bytes.TrimSpace(raw)) == 0 {
		if x.row.omissible {
			return b, nil
		}
		if x.row.noBody != nil {
			return b, x.row.noBody
		}
		return b, x.row.invalid(badBody("", "The request body is missing."))
	}
	unknown, err := scanBody(raw, x.row.shape)
	switch {
	case err != nil:
		return b, x.row.invalid(badBody("", err.Error()))
	case x.row.strict && unknown != "":
		d := badBody(unknown, "The property '"+unknown+"' is not one that may be given.")
		if x.row.strictCode != "" {
			d.Code = x.row.strictCode
		}
		return b, x.row.invalid(d)
	}
	if json.Unmarshal(raw, &b) == nil {
		return b, nil
	}
	details := misfits(nil, "", raw, x.row.in)
	if len(details) == 0 {
		details = append(details, badBody("", "The request body does not have the documented form."))
	}
	return b, x.row.invalid(details...)
}

func (x *exchange) readBody(buf *bytes.Buffer) error {
	for _, coding := range x.r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") && coding != "" {
			return errEncoding
		}
	}
	limit := x.h.cfg.MaxBody
	if x.r.ContentLength > limit {
		return errTooLarge
	}
	if x.r.Body == nil {
		return nil
	}
	if x.r.ContentLength > 0 {
		// One byte more than there is lets ReadFrom see the end without growing.
		buf.Grow(int(x.r.ContentLength) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(x.w, x.r.Body, limit))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return errTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return context.DeadlineExceeded
	case err != nil:
		return x.row.invalid(badBody("", "The request body could not be read.")).Because(err)
	}
	return nil
}

// maxMisfits is the number of wrong properties that one answer names.
const maxMisfits = 100

// misfits finds the properties of a body that their types cannot hold, after
// decoding it as a whole has failed. raw is valid JSON.
func misfits(found []twinplatform.Detail, path string, raw []byte, t reflect.Type) []twinplatform.Detail {
	if len(found) >= maxMisfits || bytes.Equal(raw, []byte("null")) {
		return found
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if inner, ok := optional(t); ok {
		return misfits(found, path, raw, inner)
	}
	if !decodesItself(t) {
		switch {
		case t.Kind() == reflect.Struct && raw[0] == '{':
			var members map[string]json.RawMessage
			_ = json.Unmarshal(raw, &members)
			for _, f := range fieldsOf(t) {
				if member, ok := members[f.name]; ok {
					found = misfits(found, join(path, f.name), member, f.typ)
				}
			}
			return found
		case t.Kind() == reflect.Slice && raw[0] == '[':
			var elements []json.RawMessage
			_ = json.Unmarshal(raw, &elements)
			for i, element := range elements {
				found = misfits(found, fmt.Sprintf("%s[%d]", path, i), element, t.Elem())
			}
			return found
		}
	}
	err := json.Unmarshal(raw, reflect.New(t).Interface())
	if err == nil {
		return found
	}
	return append(found, badValue(path, "The value of '"+path+"' "+reason(t, err)))
}

// reason says what a value should be.
func reason(t reflect.Type, err error) string {
	if t == reflect.TypeFor[twinplatform.DateTime]() {
		return "must be a date-time in ISO 8601, such as 2026-01-31T09:00:00Z."
	}
	if decodesItself(t) {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return "is refused: " + err.Error() + "."
		}
	}
	switch t.Kind() {
	case reflect.String:
		return "must be a string."
	case reflect.Bool:
		return "must be true or false."
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "must be a whole number within its bounds."
	case reflect.Float32, reflect.Float64:
		return "must be a number within its bounds."
	case reflect.Slice, reflect.Array:
		return "must be an array."
	case reflect.Struct, reflect.Map:
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
