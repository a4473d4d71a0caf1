package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	var details []twinplatform.Detail
	for _, m := range shape.Misfits(scanned.body, r.in, maxMisfits) {
		details = append(details, badValue(m.Path, "The value of '"+m.Path+"' "+m.Why))
	}
	switch {
	case len(details) > 0:
	case failed:
		details = append(details, badBody("", "The request body does not have the documented form."))
	default:
		return unknown, nil
	}
	return unknown, r.misfit(details...)
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
