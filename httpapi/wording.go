package httpapi

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// speaking returns how a table speaks under a vocabulary; nil where that says nothing.
func (v Vocabulary) speaking(table rows) (*vocabulary.Dialect, error) {
	if v.words().Key() == "" {
		return nil, nil
	}
	return v.words().Speak(table.named(), everyRow().named(), ownHeaders)
}

// named are the rows as a vocabulary knows them.
func (rs rows) named() []vocabulary.Operation {
	out := make([]vocabulary.Operation, len(rs))
	for i, bodies := range bodiesOf(rs) {
		r := rs[i]
		o := vocabulary.Operation{
			ID: r.ID, Method: r.Method, Path: r.Path, Area: r.Area, Operations: r.operations, Apart: r.apart, InPath: r.names, Reads: r.shape, Bodies: bodies,
		}
		for _, p := range r.Query {
			o.Query = append(o.Query, vocabulary.Parameter{Name: p.Name, Alias: p.alias, Enumerates: p.enumerates(), Expression: p.expression()})
		}
		for _, e := range r.errorsOf() {
			o.Codes = append(o.Codes, e.Code)
		}
		out[i] = o
	}
	return out
}

// enumerates reports whether a parameter takes words of an enumeration.
func (q Parameter) enumerates() bool {
	if q.is == nil {
		return false
	}
	t := q.is
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.String && t.PkgPath() != ""
}

// expression reports whether a parameter takes an expression that names members.
func (q Parameter) expression() bool {
	switch option(q.Name) {
	case option("$filter"), option("$orderby"), option("select"):
		return true
	}
	return false
}

// describedBodies are the bodies of the tables that were asked for, by their patterns.
// Describing a table takes longer than all else of a handler.
var describedBodies sync.Map // of []vocabulary.Bodies

// bodiesOf returns the bodies of a table, row by row.
func bodiesOf(table rows) []vocabulary.Bodies {
	key := strings.Join(table.patterns(), "\n")
	if known, ok := describedBodies.Load(key); ok {
		return known.([]vocabulary.Bodies)
	}
	bodies := vocabulary.BodiesIn(document.Of(api(), described(table)))
	out := make([]vocabulary.Bodies, len(table))
	for i, r := range table {
		out[i] = bodies(r.Method, r.Path)
	}
	known, _ := describedBodies.LoadOrStore(key, out)
	return known.([]vocabulary.Bodies)
}

// ownHeaders are the headers that the platform has and HTTP has not.
var ownHeaders = []string{
	RequestIDHeader, "Continuation-Token", "Delta-Token", "Operation-Id", "Operation-Location", queueing, maxReturn, queryScope,
}

// asSent is a failure whose targets and messages are in the words of the request
// already.
type asSent struct{ err *twinplatform.Error }

func (e asSent) Error() string { return e.err.Error() }

// Unwrap makes it the error that its body tells.
func (e asSent) Unwrap() error { return e.err }

// Worded is an error as clients of an operation are told about it under the handler's
// vocabulary, for handlers around this one that refuse requests in its place. The
// operation is an id, such as tasks.create, or empty. Without a vocabulary it is err itself.
func (h *Handler) Worded(operation string, err *twinplatform.Error) *twinplatform.Error {
	if h.dialect == nil {
		return err
	}
	l, w := h.dialect.Of(""), (*vocabulary.Wording)(nil)
	table := h.rows()
	if i := slices.IndexFunc(table, func(r *row) bool { return r.ID == operation }); i >= 0 {
		w = table[i].wording
		l = w.Lexicon
	}
	return l.Coded(w.Worded(err))
}

// nullLinks says whether links that lead nowhere are written as null.
func (x *exchange) nullLinks() bool {
	if x.h.dialect == nil || x.h.dialect.NullLinks == "" {
		return x.row.nullLinks
	}
	return x.h.dialect.NullLinks == WriteNullLinks
}

// at is the row's path as clients send it.
func (r *row) at() string {
	if r.wording != nil {
		return r.wording.At
	}
	return r.Path
}

// apartAt is the row's apart as clients send it.
func (r *row) apartAt() string {
	if r.wording != nil {
		return r.wording.ApartAt
	}
	return r.apart
}

// saidParameter is what clients call a parameter.
func (r *row) saidParameter(name string) string {
	if r.wording == nil {
		return name
	}
	return r.wording.Parameter(name)
}

// saidHeader is the deployment's name of a header.
func (r *row) saidHeader(name string) string {
	if r.wording == nil {
		return name
	}
	return r.wording.Header(name)
}

// answers is the shape of an answer of a status; nil where it is sent as it is.
func (r *row) answers(status int) *shape.Shape {
	if r == nil || r.wording == nil {
		return nil
	}
	return r.wording.Answer(status)
}

// sendRenamed is sendJoined under a vocabulary. The length of what does not fit into
// a chunk is not known before it is sent; a client can tell that it was cut off by
// its end being missing.
func (x *exchange) sendRenamed(sh *shape.Shape, open []byte, records [][]byte, end []byte) error {
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
func (x *exchange) sendPart(part []byte) error {
	if x.status == 0 {
		x.set("Content-Type", jsonType)
		x.set("X-Content-Type-Options", noSniff)
		x.status = http.StatusOK
		x.w.WriteHeader(http.StatusOK)
	}
	return x.write(part)
}
