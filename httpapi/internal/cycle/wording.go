package cycle

import (
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// asSent is a failure whose targets and messages are in the words of the request
// already.
type asSent struct{ err *twinplatform.Error }

func (e asSent) Error() string { return e.err.Error() }

// Unwrap makes it the error in its body.
func (e asSent) Unwrap() error { return e.err }

// Speak makes the route speak under a vocabulary.
func (r *Route) Speak(w *vocabulary.Wording) {
	if r.Wording = w; w.In != nil {
		r.Shape = w.In
		r.showing()
	}
}

// nullLinks reports whether links that lead nowhere are written as null.
func (x *Exchange) nullLinks() bool {
	if x.server.Dialect == nil || x.server.Dialect.NullLinks == "" {
		return x.Route.NullLinks
	}
	return x.server.Dialect.NullLinks == vocabulary.WriteNullLinks
}

// At is the route's path as clients send it.
func (r *Route) At() string {
	if r.Wording != nil {
		return r.Wording.At
	}
	return r.Path
}

// apartAt is the route's apart as clients send it.
func (r *Route) apartAt() string {
	if r.Wording != nil {
		return r.Wording.ApartAt
	}
	return r.Apart
}

// HeaderWord is the value of a header that takes words of an enumeration, in the
// specification's words.
func (x *Exchange) HeaderWord(name string) (string, error) {
	value, strange := x.Route.Wording.HeaderWord(name, x.Header(name))
	if strange {
		said := x.Route.headerName(name)
		return "", x.Route.Invalid(BadValue(said, "'"+value+"' is not one of the documented values."))
	}
	return value, nil
}

// parameterName is what clients call a parameter.
func (r *Route) parameterName(name string) string {
	if r.Wording == nil {
		return name
	}
	return r.Wording.Parameter(name)
}

// headerName is the deployment's name of a header.
func (r *Route) headerName(name string) string {
	if r.Wording == nil {
		return name
	}
	return r.Wording.Header(name)
}

// answers is the shape of an answer of a status; nil where it is sent as it is.
func (r *Route) answers(status int) *shape.Shape {
	if r == nil || r.Wording == nil {
		return nil
	}
	return r.Wording.Answer(status)
}

// sendRenamed is SendJoined under a vocabulary. The length of what does not fit into a
// chunk is not known before it is sent; a client can detect that it was cut off by its
// end being missing.
func (x *Exchange) sendRenamed(sh *shape.Shape, open []byte, records [][]byte, end []byte) error {
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	r := vocabulary.NewRenamer(sh)
	b := r.Append((*p)[:0], open)
	for i, record := range records {
		if len(b)+len(record) > chunk {
			if err := x.sendPart(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if i > 0 {
			b = r.Append(b, []byte{','})
		}
		b = r.Append(b, record)
	}
	b = r.Append(b, end)
	if cap(b) <= 2*chunk {
		*p = b
	}
	if x.status == 0 {
		x.begin(http.StatusOK, len(b))
	}
	return x.write(b)
}

// sendPart sends a part of an answer of a length that is not known.
func (x *Exchange) sendPart(part []byte) error {
	if x.status == 0 {
		x.Set("Content-Type", jsonType)
		x.Set("X-Content-Type-Options", noSniff)
		x.status = http.StatusOK
		x.W.WriteHeader(http.StatusOK)
	}
	return x.write(part)
}
