package cycle

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
// hold its memory forever.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keptBody is how many bytes a buffer has at most that is kept.
const keptBody = 1 << 20

// emptyBody is what an operation without a body reads.
var emptyBody any = &Nothing{}

// Body is a pointer to the request's body, read as what the route takes. Property
// names count as they are documented, case and all.
func (x *Exchange) Body() (any, error) {
	if x.Route.Body == nil {
		return emptyBody, nil
	}
	buf := bodies.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= keptBody {
			buf.Reset()
			bodies.Put(buf)
		}
	}()
	if err := x.readBody(buf); err != nil {
		return nil, err
	}
	if x.Route.Computes || buf.Len() > largeBody {
		if err := x.takeSlot(); err != nil {
			return nil, err
		}
	}
	b := reflect.New(x.Route.Body).Interface()
	var refused func([]byte, []twinplatform.Detail) []twinplatform.Detail
	if x.server.RefuseUnknown {
		refused = x.refused
	}
	unknown, err := x.Route.Decode(buf.Bytes(), b, refused)
	if x.server.ReportUnknown {
		x.leaves(unknown...)
	}
	return b, err
}

// Decode reads a body into what to points at, and returns the properties that it does not
// know. refused decides which of the unknown properties, given as details in stray, make it
// refuse the body; nil lets all of them pass.
func (r *Route) Decode(raw []byte, to any,
	refused func(sent []byte, stray []twinplatform.Detail) []twinplatform.Detail,
) (unknown []string, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		switch {
		case r.BodyOptional:
			return nil, nil
		case r.NoBody != nil:
			return nil, r.NoBody
		}
		return nil, r.misfit(badBody("", "The request body is missing."))
	}
	scanned, err := ScanBody(raw, r.Shape)
	unknown = scanned.Unknown
	if w, ok := errors.AsType[strayWord](err); ok {
		return unknown, asSent{r.misfit(BadValue(w.path, w.Error()))}
	}
	if two, ok := errors.AsType[twoValues](err); ok {
		return unknown, asSent{r.misfit(BadValue(two.path, two.Error()))}
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
	// encoding/json stops at the first property that its type cannot hold; the client is
	// shown all.
	var details []twinplatform.Detail
	for _, m := range shape.Misfits(scanned.body, r.Body, maxMisfits) {
		details = append(details, BadValue(m.Path, "The value of '"+m.Path+"' "+m.Why))
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

// misfit is the route's answer to a body that it cannot take.
func (r *Route) misfit(details ...twinplatform.Detail) *twinplatform.Error {
	if r.Detail != nil {
		for i := range details {
			r.Detail(&details[i])
		}
	}
	return r.Invalid(details...)
}

func (x *Exchange) readBody(buf *bytes.Buffer) error {
	for _, coding := range x.R.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") && coding != "" {
			return ErrEncoding
		}
	}
	limit := x.server.MaxBody
	if x.R.ContentLength > limit {
		return ErrTooLarge
	}
	if x.R.Body == nil {
		return nil
	}
	if x.R.ContentLength > 0 {
		// One byte more than there is lets ReadFrom see the end without growing.
		buf.Grow(int(x.R.ContentLength) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(x.W, x.R.Body, limit))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return ErrTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return context.DeadlineExceeded
	case err != nil:
		return x.Route.misfit(badBody("", "The request body could not be read.")).Because(err)
	}
	return nil
}

// maxMisfits is the number of wrong properties that one answer names.
const maxMisfits = 100

// Nothing is the input of an operation that reads no more than path and query.
type Nothing struct{}
