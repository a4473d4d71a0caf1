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
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// bodies are buffers that requests are read into. One that grew beyond what most
// requests need is left to the garbage collector, or a single large body would
// hold its memory for ever.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// nobody is what an operation without a body reads.
var nobody any = &nothing{}

// body is a pointer to the request's body, read as what the row takes. Property
// names count as they are documented, case and all.
func (x *exchange) body() (any, error) {
	if x.row.in == nil {
		return nobody, nil
	}
	buf := bodies.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= DefaultMaxBody {
			buf.Reset()
			bodies.Put(buf)
		}
	}()
	if err := x.readBody(buf); err != nil {
		return nil, err
	}
	if x.row.computes || buf.Len() > largeBody {
		if err := x.takeSlot(); err != nil {
			return nil, err
		}
	}
	b := reflect.New(x.row.in).Interface()
	policy := x.h.cfg.UnknownMembers
	var refused func([]byte, []twinplatform.Detail) []twinplatform.Detail
	if policy == RefuseUnknown {
		refused = x.refused
	}
	unknown, err := x.row.decode(buf.Bytes(), b, refused)
	if policy != IgnoreUnknown {
		x.leaves(unknown...)
	}
	return b, err
}

// decode reads a body into what to points at, and returns the properties that it
// does not know. refused are those of a body, with what is wrong with them, that it refuses;
// nil passes over them.
func (r *row) decode(raw []byte, to any, refused func(sent []byte, stray []twinplatform.Detail) []twinplatform.Detail) (unknown []string, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		switch {
		case r.omissible:
			return nil, nil
		case r.noBody != nil:
			return nil, r.noBody
		}
		return nil, r.misfit(badBody("", "The request body is missing."))
	}
	scanned, err := scanBody(raw, r.shape)
	unknown = scanned.unknown
	if w, ok := errors.AsType[strayWord](err); ok {
		return unknown, asSent{r.misfit(badValue(w.path, w.Error()))}
	}
	if err != nil {
		return unknown, r.misfit(badBody("", err.Error()))
	}
	if refused != nil {
		if stray := r.stray(unknown); len(stray) > 0 {
			if stray = refused(raw, stray); len(stray) > 0 {
				return unknown, asSent{r.misfit(stray...)}
			}
		}
	}
	failed := json.Unmarshal(scanned.body, to) != nil
	if !failed && !scanned.lenient {
		return unknown, nil
	}
	// encoding/json stops at the first property that its type cannot hold; the
	// client is told of all.
	details := misfits(nil, "", scanned.body, r.in)
	switch {
	case len(details) > 0:
	case failed:
		details = append(details, badBody("", "The request body does not have the documented form."))
	default:
		return unknown, nil
	}
	return unknown, r.misfit(details...)
}

// takesNull reports whether null is a value of a type, and not what leaves it as it is.
func takesNull(t reflect.Type) bool {
	if _, is := shape.Optional(t); is || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return true
	}
	return shape.DecodesItself(t) && t != reflect.TypeFor[twinplatform.DateTime]()
}

// misfit is the row's answer to a body that it cannot take.
func (r *row) misfit(details ...twinplatform.Detail) *twinplatform.Error {
	if r.detail != nil {
		for i := range details {
			r.detail(&details[i])
		}
	}
	return r.invalid(details...)
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
		return x.row.misfit(badBody("", "The request body could not be read.")).Because(err)
	}
	return nil
}

// maxMisfits is the number of wrong properties that one answer names.
const maxMisfits = 100

// misfits finds the properties of a body that their types cannot hold, after
// decoding it as a whole has failed. raw is valid JSON.
//
// It goes down the body and the type side by side, since encoding/json tells of
// one property only, and of that by the name of the Go field. A type that decodes
// itself is asked as a whole; null is what every type takes or passes over.
func misfits(found []twinplatform.Detail, path string, raw []byte, t reflect.Type) []twinplatform.Detail {
	if len(found) >= maxMisfits || bytes.Equal(raw, []byte("null")) {
		return found
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if inner, ok := shape.Optional(t); ok {
		return misfits(found, path, raw, inner)
	}
	whole := shape.DecodesItself(t)
	switch {
	case !whole && t.Kind() == reflect.Struct && raw[0] == '{':
		return memberMisfits(found, path, raw, t)
	case t == shape.Bytes && raw[0] == '[':
		return append(found, badValue(path, "The value of '"+path+"' must be a string in base64."))
	case !whole && t.Kind() == reflect.Slice && raw[0] == '[':
		return elementMisfits(found, path, raw, t.Elem())
	}
	if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
		found = append(found, badValue(path, "The value of '"+path+"' "+reason(t, err)))
	}
	return found
}

// memberMisfits is misfits of an object.
func memberMisfits(found []twinplatform.Detail, path string, raw []byte, t reflect.Type) []twinplatform.Detail {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members)
	for _, f := range shape.Members(t) {
		if member, ok := members[f.Name]; ok {
			found = misfits(found, join(path, f.Name), member, f.Type)
		}
	}
	return found
}

// elementMisfits is misfits of an array.
func elementMisfits(found []twinplatform.Detail, path string, raw []byte, elem reflect.Type) []twinplatform.Detail {
	var elements []json.RawMessage
	_ = json.Unmarshal(raw, &elements)
	for i, element := range elements {
		at := fmt.Sprintf("%s[%d]", path, i)
		if bytes.Equal(element, []byte("null")) && !takesNull(elem) && len(found) < maxMisfits {
			found = append(found, badValue(at, "The value of '"+at+"' "+reason(elem, nil)))
			continue
		}
		found = misfits(found, at, element, elem)
	}
	return found
}

// reason says what a value should be.
func reason(t reflect.Type, err error) string {
	if t == reflect.TypeFor[twinplatform.DateTime]() {
		return "must be a date-time in ISO 8601, such as 2026-01-31T09:00:00Z."
	}
	if shape.DecodesItself(t) {
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
