package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
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
	Ratios  []float64                     `json:"ratios"`
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

// ThingQuery asks for a list of things.
type ThingQuery struct {
	twinplatform.ListOptions
	Name string
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
	n := &route.Resource{Path: "/things", Many: "things", One: "thing", ID: "id"}
	boxed := &route.Resource{Path: "/boxes/{id}/things", Many: "box.things"}
	write := func(ctx context.Context, x *cycle.Exchange, b ThingBody) (twinplatform.Result[Thing], error) {
		b.IfMatch = twinplatform.IfMatchHeader(x.Preconditions()...)
		return things.Write(ctx, b)
	}
	strict := route.Writes(n.Operation("strict", "POST", n.Each()+"/strict", "Strict"), route.Accepted(route.Many("things")), write).Named("T8")
	strict.Strict = true
	strict.NoBody = &twinplatform.Error{Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing."}
	strict.Scopes = []string{twinplatform.ScopeWebhooksModify, twinplatform.ScopePlatform}
	return serving(cfg, []cycle.Area{{
		Name: "things", Served: true,
		Scopes: []string{twinplatform.ScopePlatform}, Read: "things_read", Modify: "things_modify",
		Bad:        twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidThingsRequest", Message: "The request is invalid."},
		Operations: "/things/{id}/operations/{operationId}",
		Routes: func() cycle.Routes {
			return cycle.Routes{
				route.List(n, cycle.Paging{}, func(ctx context.Context, q ThingQuery) (twinplatform.Page[Thing], error) {
					return things.List(ctx, q.ListOptions, q.Name)
				}, route.Text("name", "", func(q *ThingQuery) *string { return &q.Name })).Named("T1"),
				route.ListIn(boxed, cycle.Paging{Continuation: "continuationToken", NoDelta: true, NoETag: true}, func(ctx context.Context, id string, q ThingQuery) (twinplatform.Page[Thing], error) {
					return things.List(ctx, q.ListOptions, id)
				}).Named("T2"),
				route.Get(n, things.Get).Named("T3"),
				route.Writes(n.Creates(), route.Created("thing"), write).Named("T4"),
				route.Writes(n.Updates(), route.Changed("thing"), write).Named("T5"),
				route.Writes(n.CreatesMany(), route.Batched("batch", route.Many("things")), write).Named("T6"),
				route.Writes(n.Operation("assign", "POST", n.Each()+"/values", "Assign"), route.Assigned("value"), write).Named("T7"),
				strict,
				route.Writes(n.DeletesMany(), route.Accepted(route.Many("things")), func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (twinplatform.Result[Thing], error) {
					return things.Delete(ctx, x.IDs("thingIds"))
				}).Named("T9"),
				route.Discard(n, func(ctx context.Context, id string, _ ...twinplatform.Precondition) error {
					_, err := things.Delete(ctx, []string{id})
					return err
				}).Named("T10"),
			}
		},
	}})
}

// DescriptionNames are the names that the document looks for descriptions of.
func DescriptionNames() map[string]bool {
	return document.DescriptionNames(api(), described(everyRoute()))
}

// DescribedAs is what the document calls a type, by what Go calls it with the folder of its
// package; empty for one that both call the same.
func DescribedAs() func(goName string) string {
	names := make(map[string]string)
	for t, name := range document.Called(api(), described(everyRoute())) {
		folder := strings.TrimPrefix(t.PkgPath(), reflect.TypeFor[twinplatform.Operation]().PkgPath()+"/")
		names[folder+"."+t.Name()] = name
	}
	return func(goName string) string { return names[goName] }
}

// Unexplained are the members in bodies that end in Id, of which nothing says to what they refer or
// why to nothing.
func Unexplained() []string { return document.Unexplained(api(), described(everyRoute())) }

// Undeclared are the types in bodies with an encoding of their own that have no
// schema.
func Undeclared() []string {
	var out []string
	for _, t := range document.Undeclared(api(), described(everyRoute())) {
		out = append(out, t.String())
	}
	return out
}

// Scan is what every request body goes through.
func Scan[B any](raw []byte) (unknown []string, err error) {
	s, err := cycle.ScanBody(raw, shape.Of(reflect.TypeFor[B]()))
	return s.Unknown, err
}

// Misspelling is what an operation makes of a body with one misspelt member.
type Misspelling struct {
	Operation, Member string
	Refused           error // where unknown members are refused
	Passed            error // where they are passed over
}

// Misspellings are those of each member that a body of an operation may have.
func Misspellings() (all []Misspelling) {
	for _, r := range everyRoute() {
		if r.Body == nil {
			continue
		}
		for name := range r.Shape.Fields {
			body := []byte(`{"` + name + `x":null}`)
			_, refused := r.Decode(bytes.Clone(body), reflect.New(r.Body).Interface(), func(_ []byte, stray []twinplatform.Detail) []twinplatform.Detail { return stray })
			_, passed := r.Decode(bytes.Clone(body), reflect.New(r.Body).Interface(), nil)
			all = append(all, Misspelling{r.ID, name, refused, passed})
		}
	}
	return all
}

// ChangingBodies are the types of the bodies with which operations change what
// is there.
func ChangingBodies() map[string]reflect.Type {
	bodies := make(map[string]reflect.Type)
	for _, r := range everyRoute() {
		if r.Body != nil && (r.Method == http.MethodPatch || r.Method == http.MethodPut) {
			bodies[r.ID] = r.Body
		}
	}
	return bodies
}

// OptionalOf returns what an Optional holds, and whether it is one.
func OptionalOf(t reflect.Type) (reflect.Type, bool) {
	s := shape.See(t)
	return s.Go, s.Optional
}

// Fields returns the properties of a body by their names.
func Fields(t reflect.Type) map[string]reflect.Type {
	fields := make(map[string]reflect.Type)
	for _, f := range shape.See(t).Members() {
		fields[f.Name] = f.Type
	}
	return fields
}

// Under is what a handler serves under a vocabulary.
func Under(h *Handler, v Vocabulary) (*Handler, error) {
	cfg := h.cfg
	cfg.Vocabulary = v
	return New(cfg)
}

// TakesBytes reports whether the body of an operation is bytes as they are.
func TakesBytes(id string) bool {
	return slices.ContainsFunc(everyRoute(), func(r *cycle.Route) bool { return r.ID == id && r.Raw })
}

// Lists reports whether an operation answers with a list.
func Lists(id string) bool {
	return slices.ContainsFunc(everyRoute(), func(r *cycle.Route) bool { return r.ID == id && r.Lists() })
}

// PaidByWork reports whether the requests for an operation are paid by the records that
// they read and write; known is false where the route does not say what they are paid by.
func PaidByWork(id string) (by, known bool) {
	r := everyRoute().Of(id)
	return r.PaidBy == cycle.ByWork, r.PaidBy != 0
}

// Computes reports whether each request for an operation is a large one.
func Computes(id string) bool { return everyRoute().Of(id).Computes }
