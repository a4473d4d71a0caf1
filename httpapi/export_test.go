package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
)

// Thing is the record of an area that exists in tests alone, so that what the
// handler does for every area can be tested against a service that misbehaves.
type Thing struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ThingBody has a property of every type that bodies are made of.
type ThingBody struct {
	ID      string                        `json:"id"`
	Name    string                        `json:"name"`
	Count   *int32                        `json:"count"`
	Ratio   float64                       `json:"ratio"`
	Start   twinplatform.DateTime         `json:"start"`
	Note    twinplatform.Optional[string] `json:"note,omitzero"`
	Tags    []string                      `json:"tags"`
	Inner   ThingPart                     `json:"inner"`
	Batch   []ThingPart                   `json:"batch"`
	Any     map[string]any                `json:"any"`
	IfMatch string                        `json:"-"`
}

// ThingPart is nested in ThingBody.
type ThingPart struct {
	On   bool       `json:"on"`
	Size *int64     `json:"size"`
	Deep *ThingPart `json:"deep"`
}

// Things is the service of the area: functions that a test sets.
type Things struct {
	List   func(context.Context, twinplatform.ListOptions, string) (twinplatform.Page[Thing], error)
	Get    func(ctx context.Context, id string) (twinplatform.Record[Thing], error)
	Write  func(context.Context, ThingBody) (twinplatform.Result[Thing], error)
	Delete func(ctx context.Context, ids []string) (twinplatform.Result[Thing], error)
}

// NewThings returns a handler that serves the things.
func NewThings(cfg Config, things Things) (*Handler, error) {
	write := func(ctx context.Context, x *exchange, b ThingBody) (twinplatform.Result[Thing], error) {
		b.IfMatch = twinplatform.IfMatchHeader(x.ifMatch())
		return things.Write(ctx, b)
	}
	strict := accept(Operation{ID: "T8", Method: "POST", Path: "/things/{id}/strict", Summary: "Strict"}, many("things"), write)
	strict.strict = true
	strict.noBody = &twinplatform.Error{Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing."}
	strict.Scopes = []string{twinplatform.ScopeWebhooksModify, twinplatform.ScopePlatform}
	return serving(cfg, []area{{
		name: "things", served: true,
		scopes: []string{twinplatform.ScopePlatform}, read: "things_read", modify: "things_modify",
		bad:        twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidThingsRequest", Message: "The request is invalid."},
		operations: "/things/{id}/operations/{operationId}",
		rows: []*row{
			list(Operation{ID: "T1", Method: "GET", Path: "/things", Summary: "List", Query: []Parameter{{Name: "name"}}}, paging{}, "things",
				func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[Thing], error) {
					return things.List(ctx, o, x.query("name"))
				}),
			list(Operation{ID: "T2", Method: "GET", Path: "/boxes/{id}/things", Summary: "List nested"}, paging{continuation: "continuationToken", noDelta: true, noETag: true}, "box.things",
				func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[Thing], error) {
					return things.List(ctx, o, x.path("id"))
				}),
			get(Operation{ID: "T3", Method: "GET", Path: "/things/{id}", Summary: "Get"}, "thing",
				func(ctx context.Context, x *exchange) (twinplatform.Record[Thing], error) {
					return things.Get(ctx, x.path("id"))
				}),
			create(Operation{ID: "T4", Method: "POST", Path: "/things", Summary: "Create"}, "thing", func(t Thing) string { return t.ID }, write),
			change(Operation{ID: "T5", Method: "PATCH", Path: "/things/{id}", Summary: "Update"}, "thing", write),
			batch(Operation{ID: "T6", Method: "POST", Path: "/things/batch", Summary: "Batch"}, "batch", many("things"), write),
			assign(Operation{ID: "T7", Method: "POST", Path: "/things/{id}/values", Summary: "Assign"}, "value", write),
			strict,
			remove(Operation{ID: "T9", Method: "DELETE", Path: "/things", Summary: "Delete", Query: []Parameter{{Name: "thingIds"}}}, many("things"),
				func(ctx context.Context, x *exchange) (twinplatform.Result[Thing], error) {
					return things.Delete(ctx, x.ids("thingIds"))
				}),
			discard(Operation{ID: "T10", Method: "DELETE", Path: "/things/{id}", Summary: "Discard"},
				func(ctx context.Context, x *exchange) error {
					_, err := things.Delete(ctx, []string{x.path("id")})
					return err
				}),
		},
	}})
}

// Scan is what every request body goes through.
func Scan[B any](raw []byte) (unknown string, err error) {
	return scanBody(raw, shapeOf(reflect.TypeFor[B]()))
}

// MaxValues and MaxDepth are the bounds of a body.
const (
	MaxValues = maxValues
	MaxDepth  = maxDepth
)

// ChangingBodies are the types of the bodies with which operations change what
// is there.
func ChangingBodies() map[string]reflect.Type {
	bodies := make(map[string]reflect.Type)
	for _, a := range (Config{}).areas() {
		for _, r := range a.table() {
			if r.in != nil && (r.Method == http.MethodPatch || r.Method == http.MethodPut) {
				bodies[r.ID] = r.in
			}
		}
	}
	return bodies
}

// OptionalOf returns what an Optional holds, and whether it is one.
func OptionalOf(t reflect.Type) (reflect.Type, bool) { return optional(t) }

// Fields returns the properties of a body by their names.
func Fields(t reflect.Type) map[string]reflect.Type {
	fields := make(map[string]reflect.Type)
	for _, f := range fieldsOf(t) {
		fields[f.name] = f.typ
	}
	return fields
}
