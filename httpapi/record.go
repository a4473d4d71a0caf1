package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
)

// nothing is the input of an operation that reads no more than path and query.
type nothing struct{}

func decodeNothing(*exchange) (nothing, error) { return nothing{}, nil }

// get is a row that answers with one record under key.
func get[T any](o Operation, key string, call func(context.Context, *exchange) (twinplatform.Record[T], error)) *row {
	r := op(o, decodeNothing,
		func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Record[T], error) { return call(ctx, x) },
		func(x *exchange, rec twinplatform.Record[T]) error {
			if x.notModified(rec.ETag) {
				x.w.Header().Set("ETag", rec.ETag)
				return x.sendNothing(http.StatusNotModified)
			}
			return x.sendRecord(http.StatusOK, key, rec.ETag, rec.JSON)
		})
	r.replies = []reply{recordReply[T](http.StatusOK, key, "ETag"), {status: http.StatusNotModified}}
	return r
}

// discard is a row that answers 204: what it deletes is gone, and there is no
// operation to ask for.
func discard(o Operation, call func(context.Context, *exchange) error) *row {
	r := op(o, decodeNothing,
		func(ctx context.Context, x *exchange, _ nothing) (nothing, error) { return nothing{}, call(ctx, x) },
		func(x *exchange, _ nothing) error { return x.sendNothing(http.StatusNoContent) })
	r.replies = []reply{{status: http.StatusNoContent}}
	return r
}

// sendRecord answers with one record under key.
func (x *exchange) sendRecord(status int, key, etag string, json []byte) error {
	if etag != "" {
		x.w.Header().Set("ETag", etag)
	}
	p := chunks.Get().(*[]byte)
	defer chunks.Put(p)
	b := append(append(append((*p)[:0], `{"`...), key...), `":`...)
	b = append(append(b, json...), '}')
	if cap(b) <= 2*chunk {
		*p = b
	}
	return x.send(status, b)
}

func recordReply[T any](status int, key string, headers ...string) reply {
	return reply{status: status, headers: headers, schema: func(s *schemas) map[string]any {
		return object(key, s.of(reflect.TypeFor[T]()))
	}}
}
