package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// OpenAPI returns an OpenAPI 3.1 document of every operation that the package
// can serve, made from the route table. server is the base URL that it names.
// A [Handler] serves the document of what it serves itself, at
// GET /openapi.json.
func OpenAPI(server string) []byte {
	return atServer(describeIn(nil, everyRow()), server)
}

// documentArea serves the document to everybody.
func documentArea(h *Handler) area {
	return area{
		name:   "platform",
		served: true,
		bad:    twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidRequest", Message: "The request is invalid."},
		rows:   func() rows { return rows{documentRow(h)} },
	}
}

func documentRow(h *Handler) *row {
	return &row{
		cost:      byRequest,
		Operation: Operation{ID: "openapi", Method: http.MethodGet, Path: "/openapi.json", Origin: Chosen, Summary: "Get the OpenAPI document"},
		serve: func(_ context.Context, x *exchange) error {
			return x.send(http.StatusOK, atServer(h.document(), string(x.base(nil))))
		},
		replies: []reply{{status: http.StatusOK, schema: func(*document.Schemas) map[string]any {
			return map[string]any{"type": "object"}
		}}},
	}
}

// describeIn makes the document from the rows in the words of a dialect, all but its
// beginning.
func describeIn(d *vocabulary.Dialect, all rows) []byte {
	text := document.Of(api(), described(all))
	if d != nil {
		d.Say(text, RequestIDHeader)
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

// described are the rows as the document knows them.
func described(all rows) []document.Operation {
	out := make([]document.Operation, len(all))
	for i, r := range all {
		o := document.Operation{
			ID: r.ID, SpecID: r.SpecID, Method: r.Method, Path: r.Path, Summary: r.Summary, Area: r.Area, Permission: r.Permission, Origin: string(r.Origin),
			Scopes: r.Scopes, InPath: r.names, Version: r.Version, Versions: r.shapes, Prefers: r.Prefers, Conditional: r.Conditional,
			Preview: r.Preview, Deprecated: r.Deprecated, Raw: r.raw, Body: r.in, Omissible: r.omissible, Needs: r.given,
			MaxTop: r.maxTop, MaxBatch: r.maxBatch, NullLinks: r.nullLinks,
		}
		if r.bad.Code != "" {
			o.Refusal = document.Failure{Status: httperror.Status(r.bad.Kind), Code: r.bad.Code}
		}
		for _, e := range r.errorsOf() {
			o.Failures = append(o.Failures, document.Failure{Status: e.Status, Code: e.Code})
		}
		for _, a := range r.replies {
			o.Answers = append(o.Answers, document.Answer{Status: a.status, Schema: a.schema, Headers: a.headers, Perhaps: a.perhaps})
		}
		o.Query, o.Headers = describedParameters(r.Query), describedParameters(r.Headers)
		out[i] = o
	}
	return out
}

func describedParameters(all []Parameter) []document.Parameter {
	var out []document.Parameter
	for _, p := range all {
		out = append(out, document.Parameter{
			Name: p.Name, Alias: p.alias, Description: p.Description, Required: p.Required, Number: p.Number, Most: p.most, Type: p.is,
		})
	}
	return out
}

// api is what the document says beside operations.
func api() document.API {
	out := document.API{
		RequestID: RequestIDHeader,
		Declare: []func(*schema.Book){
			schedules.Schemas, forms.Schemas, twins.Schemas, webhooks.Schemas, realitydata.Schemas, transform.Schemas, ownSchemas,
		},
		Special: map[reflect.Type]func(*document.Schemas) (map[string]any, bool){
			reflect.TypeFor[forms.ShareType](): func(s *document.Schemas) (map[string]any, bool) {
				return s.Enumeration(reflect.TypeFor[forms.ShareType]()), true
			},
		},
		Links: map[reflect.Type][]string{
			reflect.TypeFor[forms.Form]():    {"formDefinition", "twin", "file", "folder", "model", "modelChangeset"},
			reflect.TypeFor[forms.Comment](): {"author"},
		},
	}
	for _, o := range NotImplemented() {
		out.Missing = append(out.Missing, document.Missing{Method: o.Method, Path: o.Path, Summary: o.Summary, Area: o.Area})
	}
	return out
}

// ownSchemas describes the types of this package, and of the shared ones.
func ownSchemas(b *schema.Book) {
	b.Like(reflect.TypeFor[newWebhook](), reflect.TypeFor[webhooks.NewWebhook]())
	b.Like(reflect.TypeFor[webhookPatch](), reflect.TypeFor[webhooks.WebhookPatch]())
	b.Has(reflect.TypeFor[newMembers](), schema.Need("members", schema.List(1, twins.MaxAssignments, schema.Value{})))
	b.Has(reflect.TypeFor[moveBody](), schema.Need("twinId", schema.Value{MinLength: 1}))
	b.Has(reflect.TypeFor[viewImageBody](), schema.Need("image", schema.Value{MinLength: 1}))
	b.Has(reflect.TypeFor[securityBody](), schema.Member{Name: "security", Required: true})
	schema.Enum(b, []twinplatform.OperationStatus{
		twinplatform.OperationNotStarted, twinplatform.OperationRunning, twinplatform.OperationSucceeded, twinplatform.OperationFailed,
	})
	b.Has(reflect.TypeFor[twinplatform.Operation](), schema.May("percentComplete", schema.Range(0, 100)))
	b.Has(reflect.TypeFor[listedOperation](), schema.May("percentComplete", schema.Range(0, 100)))
}
