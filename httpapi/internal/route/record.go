package route

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// RecordOf is what a service returned, except for its type.
func RecordOf[T any](x *cycle.Exchange, rec *twinplatform.Record[T], err error) (cycle.Record, error) {
	out := cycle.Record{ETag: rec.ETag, JSON: rec.JSON}
	if complete := x.Route.Complete; complete != nil && err == nil {
		value := rec.Value // which is on the heap only where it is needed
		out.JSON, err = complete(x, &value, rec.JSON)
	}
	return out, err
}

// Completed adds to the records that a route answers with, each on its own, what only
// the handler knows: the addresses of what they name, say.
func Completed[T any](r *cycle.Route,
	complete func(x *cycle.Exchange, rec *T, stored []byte) ([]byte, error),
) *cycle.Route {
	r.Complete = func(x *cycle.Exchange, value any, stored []byte) ([]byte, error) {
		return complete(x, value.(*T), stored)
	}
	return r
}

// Getter gets a record from a service.
type Getter func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error)

// Get is a route that answers with one record.
func Get[T any](n *Resource, call func(ctx context.Context, id string) (twinplatform.Record[T], error)) *cycle.Route {
	return n.GetRoute(reflect.TypeFor[T](), Getting(call))
}

// Getting is the getter of a method that takes an id.
func Getting[T any](call func(ctx context.Context, id string) (twinplatform.Record[T], error)) Getter {
	return func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
		rec, err := call(ctx, x.Nth(0))
		return RecordOf(x, &rec, err)
	}
}

// GetIn is get of what another record in the path holds.
func GetIn[T any](n *Resource,
	call func(ctx context.Context, in, id string) (twinplatform.Record[T], error),
) *cycle.Route {
	return n.GetRoute(reflect.TypeFor[T](), GettingIn(call))
}

// GettingIn is the getter of a method that takes an id in what another record holds.
func GettingIn[T any](call func(ctx context.Context, in, id string) (twinplatform.Record[T], error)) Getter {
	return func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
		rec, err := call(ctx, x.Nth(0), x.Nth(1))
		return RecordOf(x, &rec, err)
	}
}

// GetRoute is a route that answers with one record.
func (n *Resource) GetRoute(what reflect.Type, call Getter) *cycle.Route {
	return GetRoute(n.Gets(), n.One, what, call)
}

// GetRoute is a route that answers with one record under key.
func GetRoute(o cycle.Operation, key string, what reflect.Type, call Getter) *cycle.Route {
	r := &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: o,
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			if x.Route.Stored && x.Route.Complete == nil {
				ctx = wire.Only(ctx)
			}
			rec, err := call(ctx, x)
			if err != nil {
				return err
			}
			if x.NotModified(rec.ETag) {
				x.Set("Etag", rec.ETag)
				return x.SendNothing(http.StatusNotModified)
			}
			return x.SendRecord(http.StatusOK, key, rec)
		},
		Replies: []cycle.Reply{RecordReply(what, http.StatusOK, key, "ETag"), NotModified},
	}
	return r.Giving(key, what)
}

// RecordReply is an answer with one record under key.
func RecordReply(what reflect.Type, status int, key string, headers ...string) cycle.Reply {
	return cycle.Reply{Status: status, Headers: headers, Schema: func(s *document.Schemas) map[string]any {
		if key == "" {
			return s.Of(what)
		}
		return document.Object(key, s.Of(what))
	}}
}

// NotModified is the answer to a client that has the requested version.
var NotModified = cycle.Reply{Status: http.StatusNotModified, Headers: []string{"ETag"}}
