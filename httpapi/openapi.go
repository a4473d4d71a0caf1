package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// OpenAPI returns an OpenAPI 3.1 document of every operation that the package
// can serve, made from the route table. server is the base URL that it names.
// A [Handler] serves the document of what it serves itself, at
// GET /openapi.json.
func OpenAPI(server string) []byte {
	return atServer(describeIn(nil, everyRoute()), server)
}

// documentArea serves the document to everybody.
func documentArea(h *Handler) cycle.Area {
	return cycle.Area{
		Name:   "platform",
		Served: true,
		Bad: twinplatform.Error{
			Kind: twinplatform.Invalid, Code: "InvalidRequest",
			Message: "The request is invalid.",
		},
		Routes: func() cycle.Routes { return cycle.Routes{documentRoute(h)} },
	}
}

func documentRoute(h *Handler) *cycle.Route {
	return &cycle.Route{
		PaidBy: cycle.ByRequest,
		Operation: Operation{
			ID: "openapi", Method: http.MethodGet, Path: "/openapi.json", Origin: Chosen,
			Summary: "Get the OpenAPI document",
		},
		Serve: func(_ context.Context, x *cycle.Exchange) error {
			return x.Send(http.StatusOK, atServer(h.describe(), string(x.Base(nil))))
		},
		Replies: []cycle.Reply{{Status: http.StatusOK, Schema: func(*document.Schemas) map[string]any {
			return map[string]any{"type": "object"}
		}}},
	}
}

// describe is the document of what the handler serves, all but its beginning.
func (h *Handler) describe() []byte {
	h.described.Do(func() { h.document = describeIn(h.dialect, h.routes()) })
	return h.document
}

// describeIn makes the document from the routes in the words of a dialect, all but its
// beginning.
func describeIn(d *vocabulary.Dialect, all cycle.Routes) []byte {
	text := document.Of(api(), described(all))
	if d != nil {
		d.Rename(text, RequestIDHeader)
	}
	b, err := wire.Marshal(text)
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return b[1:]
}

// atServer puts the address of the server in front of what describe made.
func atServer(document []byte, server string) []byte {
	b := append(make([]byte, 0, len(document)+len(server)+64), `{"servers":[{"url":`...)
	b = append(wire.AppendString(b, server), "}],"...)
	return append(b, document...)
}

// described are the routes as the document knows them.
func described(all cycle.Routes) []document.Operation {
	out := make([]document.Operation, len(all))
	for i, r := range all {
		o := document.Operation{
			ID: r.ID, SpecID: r.SpecID, Method: r.Method, Path: r.Path, Summary: r.Summary, Area: r.Area,
			Permission: r.Permission, Origin: string(r.Origin),
			Scopes: r.Scopes, InPath: r.PathNames, Version: r.Version, Versions: r.Versions, Prefers: r.Prefers,
			Conditional: r.Conditional,
			Preview:     r.Preview, Shared: r.Shared, Deprecated: r.Deprecated, Raw: r.Raw, Media: r.Media,
			Body: r.Body, Omissible: r.BodyOptional, Needs: r.Needed,
			MaxTop: r.MaxTop, MaxBatch: r.MaxBatch, NullLinks: r.NullLinks,
		}
		if r.Bad.Code != "" {
			o.Refusal = document.Failure{Status: httperror.Status(r.Bad.Kind), Code: r.Bad.Code}
		}
		for _, e := range route.Errors(r) {
			o.Failures = append(o.Failures, document.Failure{Status: e.Status, Code: e.Code})
		}
		for _, a := range r.Replies {
			o.Answers = append(o.Answers, document.Answer{
				Status: a.Status, Schema: a.Schema, Media: a.Media,
				Headers: a.Headers, Perhaps: a.Perhaps,
			})
		}
		o.Query, o.Headers = describedParameters(r.Query), describedParameters(r.Headers)
		out[i] = o
	}
	return out
}

func describedParameters(all []Parameter) []document.Parameter {
	var out []document.Parameter
	for _, p := range all {
		traits := cycle.TraitsOf(&p)
		out = append(out, document.Parameter{
			Name: p.Name, Alias: traits.Alias, Description: p.Description, Required: p.Required, Number: p.Number,
			Most: traits.Most, Type: traits.Type,
		})
	}
	return out
}

// api is what the document has besides operations.
func api() document.API {
	out := document.API{
		RequestID: RequestIDHeader,
		Declare: []func(*schema.Book){
			schedules.Schemas, exchange.Schemas, forms.Schemas, twins.Schemas, webhooks.Schemas, realitydata.Schemas,
			transform.Schemas, ownSchemas,
		},
		Special: map[reflect.Type]func(*document.Schemas) (map[string]any, bool){
			reflect.TypeFor[forms.ShareType](): func(s *document.Schemas) (map[string]any, bool) {
				return s.Enumeration(reflect.TypeFor[forms.ShareType]()), true
			},
			reflect.TypeFor[models.ViewData](): func(*document.Schemas) (map[string]any, bool) {
				return map[string]any{"type": "object", "additionalProperties": map[string]any{}}, false
			},
			reflect.TypeFor[cycle.Link](): func(*document.Schemas) (map[string]any, bool) {
				return document.Object("href", map[string]any{"type": "string"}), false
			},
		},
		Links: map[reflect.Type][]string{
			reflect.TypeFor[forms.Form]():    {"formDefinition", "twin", "file", "folder", "model", "modelChangeset"},
			reflect.TypeFor[forms.Comment](): {"author"},
		},
	}
	for _, o := range NotImplemented() {
		out.Missing = append(out.Missing,
			document.Missing{Method: o.Method, Path: o.Path, Summary: o.Summary, Area: o.Area})
	}
	return out
}

// SecretMembers are the names of the members of bodies that hold a secret, sorted.
func SecretMembers() []string {
	var b schema.Book
	for _, declare := range api().Declare {
		declare(&b)
	}
	return b.Secrets()
}

// ownSchemas describes the types of the areas, and the shared ones.
func ownSchemas(b *schema.Book) {
	schema.Enum(b, []twinplatform.OperationStatus{
		twinplatform.OperationNotStarted, twinplatform.OperationRunning, twinplatform.OperationSucceeded,
		twinplatform.OperationFailed,
	})
	b.Has(reflect.TypeFor[twinplatform.Operation](), schema.May("percentComplete", schema.Range(0, 100)))
	for _, a := range (Config{}).areas() {
		if a.Schemas != nil {
			a.Schemas(b)
		}
	}
}
