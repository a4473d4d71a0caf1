package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// record is a record without its type, of which an answer needs no more than
// version and wire form.
type record struct {
	etag string
	json []byte
}

// recordOf is what a service returned, but for its type.
func recordOf[T any](x *exchange, rec *twinplatform.Record[T], err error) (record, error) {
	out := record{rec.ETag, rec.JSON}
	if complete := x.row.complete; complete != nil && err == nil {
		value := rec.Value // which is on the heap only where it is needed
		out.json, err = complete(x, &value, rec.JSON)
	}
	return out, err
}

// completed adds to the records that a row answers with, each on its own, what only
// the handler knows: the addresses of what they name, say.
func completed[T any](r *row, complete func(x *exchange, rec *T, stored []byte) ([]byte, error)) *row {
	r.complete = func(x *exchange, value any, stored []byte) ([]byte, error) {
		return complete(x, value.(*T), stored)
	}
	return r
}

// getter gets a record from a service.
type getter func(ctx context.Context, x *exchange) (record, error)

// get is a row that answers with one record.
func get[T any](n *noun, call func(ctx context.Context, id string) (twinplatform.Record[T], error)) *row {
	return n.getRow(reflect.TypeFor[T](), getting(call))
}

// getting is the getter of a method that takes an id.
func getting[T any](call func(ctx context.Context, id string) (twinplatform.Record[T], error)) getter {
	return func(ctx context.Context, x *exchange) (record, error) {
		rec, err := call(ctx, x.nth(0))
		return recordOf(x, &rec, err)
	}
}

// getIn is get of what another thing in the path holds.
func getIn[T any](n *noun, call func(ctx context.Context, in, id string) (twinplatform.Record[T], error)) *row {
	return n.getRow(reflect.TypeFor[T](), gettingIn(call))
}

// gettingIn is the getter of a method that takes an id in what another thing holds.
func gettingIn[T any](call func(ctx context.Context, in, id string) (twinplatform.Record[T], error)) getter {
	return func(ctx context.Context, x *exchange) (record, error) {
		rec, err := call(ctx, x.nth(0), x.nth(1))
		return recordOf(x, &rec, err)
	}
}

func (n *noun) getRow(what reflect.Type, call getter) *row {
	return getRow(n.gets(), n.one, what, call)
}

// getRow is a row that answers with one record under key.
func getRow(o Operation, key string, what reflect.Type, call getter) *row {
	return &row{
		cost:      byRequest,
		Operation: o,
		serve: func(ctx context.Context, x *exchange) error {
			if x.row.stored && x.row.complete == nil {
				ctx = wire.Only(ctx)
			}
			rec, err := call(ctx, x)
			if err != nil {
				return err
			}
			if x.notModified(rec.etag) {
				x.set("Etag", rec.etag)
				return x.sendNothing(http.StatusNotModified)
			}
			return x.sendRecord(http.StatusOK, key, rec)
		},
		replies: []reply{recordReply(what, http.StatusOK, key, "ETag"), notModified},
	}
}

// sendRecord answers with one record under key; without a key it is all there is.
func (x *exchange) sendRecord(status int, key string, rec record) error {
	if rec.etag != "" {
		x.set("Etag", rec.etag)
	}
	if key == "" {
		return x.send(status, rec.json)
	}
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	b := append(append(append((*p)[:0], `{"`...), key...), `":`...)
	b = append(append(b, rec.json...), '}')
	if cap(b) <= 2*chunk {
		*p = b
	}
	return x.send(status, b)
}

func recordReply(what reflect.Type, status int, key string, headers ...string) reply {
	return reply{status: status, headers: headers, schema: func(s *document.Schemas) map[string]any {
		if key == "" {
			return s.Of(what)
		}
		return document.Object(key, s.Of(what))
	}}
}

var errNoID = errors.New("httpapi: a record was made that has no id")

// id is that of the record, which its wire form has as a member of that name. It
// is looked for there, and not asked of the record, whose type is not known here.
func (rec record) id() (string, error) {
	s := scan{b: rec.json}
	for ok := len(s.b) > 0 && s.open('}'); ok; ok = s.more('}') {
		s.space()
		name, err := s.name()
		if err != nil {
			return "", err
		}
		s.space()
		s.i++ // the colon
		s.space()
		if string(name) == "id" && s.b[s.i] == '"' {
			id, err := s.name() // a string, as names are
			return string(id), err
		}
		if err := s.value(nil, 0); err != nil {
			return "", err
		}
	}
	return "", errNoID
}
