package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
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
	n := &noun{path: "/things", many: "things", one: "thing", id: "id"}
	boxed := &noun{path: "/boxes/{id}/things", many: "box.things"}
	write := func(ctx context.Context, x *exchange, b ThingBody) (twinplatform.Result[Thing], error) {
		b.IfMatch = twinplatform.IfMatchHeader(x.preconditions()...)
		return things.Write(ctx, b)
	}
	strict := writes(n.operation("strict", "POST", n.each()+"/strict", "Strict"), accepted(many("things")), write).named("T8")
	strict.strict = true
	strict.noBody = &twinplatform.Error{Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing."}
	strict.Scopes = []string{twinplatform.ScopeWebhooksModify, twinplatform.ScopePlatform}
	return serving(cfg, []area{{
		name: "things", served: true,
		scopes: []string{twinplatform.ScopePlatform}, read: "things_read", modify: "things_modify",
		bad:        twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidThingsRequest", Message: "The request is invalid."},
		operations: "/things/{id}/operations/{operationId}",
		rows: func() rows {
			return rows{
				list(n, paging{}, func(ctx context.Context, q ThingQuery) (twinplatform.Page[Thing], error) {
					return things.List(ctx, q.ListOptions, q.Name)
				}, text("name", "", func(q *ThingQuery) *string { return &q.Name })).named("T1"),
				listIn(boxed, paging{continuation: "continuationToken", noDelta: true, noETag: true}, func(ctx context.Context, id string, q ThingQuery) (twinplatform.Page[Thing], error) {
					return things.List(ctx, q.ListOptions, id)
				}).named("T2"),
				get(n, things.Get).named("T3"),
				writes(n.creates(), created("thing"), write).named("T4"),
				writes(n.updates(), changed("thing"), write).named("T5"),
				writes(n.createsMany(), batched("batch", many("things")), write).named("T6"),
				writes(n.operation("assign", "POST", n.each()+"/values", "Assign"), assigned("value"), write).named("T7"),
				strict,
				writes(n.deletesMany(), accepted(many("things")), func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[Thing], error) {
					return things.Delete(ctx, x.ids("thingIds"))
				}).named("T9"),
				discard(n, func(ctx context.Context, id string, _ ...twinplatform.Precondition) error {
					_, err := things.Delete(ctx, []string{id})
					return err
				}).named("T10"),
			}
		},
	}})
}

// DescriptionNames are the names that the document looks for descriptions of.
func DescriptionNames() map[string]bool {
	return document.Asks(api(), described(everyRow()))
}

// Undeclared are the types in bodies with an encoding of their own that have no
// schema.
func Undeclared() []string {
	var out []string
	for _, t := range document.Undeclared(api(), described(everyRow())) {
		out = append(out, t.String())
	}
	return out
}

// Scan is what every request body goes through.
func Scan[B any](raw []byte) (unknown []string, err error) {
	s, err := scanBody(raw, shape.Of(reflect.TypeFor[B]()))
	return s.unknown, err
}

// Misspelling is what an operation makes of a body with one misspelt member.
type Misspelling struct {
	Operation, Member string
	Refused           error // where unknown members are refused
	Passed            error // where they are passed over
}

// Misspellings are those of each member that a body of an operation may have.
func Misspellings() (all []Misspelling) {
	for _, r := range everyRow() {
		if r.in == nil {
			continue
		}
		for name := range r.shape.Fields {
			body := []byte(`{"` + name + `x":null}`)
			_, refused := r.decode(bytes.Clone(body), reflect.New(r.in).Interface(), func(_ []byte, stray []twinplatform.Detail) []twinplatform.Detail { return stray })
			_, passed := r.decode(bytes.Clone(body), reflect.New(r.in).Interface(), nil)
			all = append(all, Misspelling{r.ID, name, refused, passed})
		}
	}
	return all
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
	for _, r := range everyRow() {
		if r.in != nil && (r.Method == http.MethodPatch || r.Method == http.MethodPut) {
			bodies[r.ID] = r.in
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
	return slices.ContainsFunc(everyRow(), func(r *row) bool { return r.ID == id && r.raw })
}

// Lists reports whether an operation answers with a list.
func Lists(id string) bool {
	return slices.ContainsFunc(everyRow(), func(r *row) bool { return r.ID == id && r.lists() })
}

// PaidByWork reports whether the requests for an operation are paid by the records that
// they read and write; known is false where the row does not say what they are paid by.
func PaidByWork(id string) (by, known bool) {
	r := everyRow().of(id)
	return r.cost == byWork, r.cost != 0
}

// Computes reports whether each request for an operation is a large one.
func Computes(id string) bool { return everyRow().of(id).computes }
