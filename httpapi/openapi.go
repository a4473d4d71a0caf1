package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
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
		replies: []reply{{status: http.StatusOK, schema: func(*schemas) map[string]any {
			return map[string]any{"type": "object"}
		}}},
	}
}

// describeIn makes the document from the rows in the words of a dialect, all but its
// beginning.
func describeIn(d *vocabulary.Dialect, all rows) []byte {
	described := newDescription().of(all)
	if d != nil {
		d.Say(described, RequestIDHeader)
	}
	b, err := wire.Marshal(described)
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

// description is a document in the making.
type description struct {
	*schemas

	failing map[int]bool // the statuses of failures
}

func newDescription() description { return description{newSchemas(), make(map[int]bool)} }

func (d description) of(all rows) map[string]any {
	paths, areas := make(map[string]any), make(map[string]any)
	operations := make([]map[string]any, len(all))
	for i, r := range all { // answers first
		operations[i] = map[string]any{"responses": d.responses(r)}
		areas[r.Area] = map[string]any{"name": r.Area, "description": d.texts("area." + r.Area)}
	}
	d.requests = true
	for i, r := range all {
		methods, ok := paths[r.Path].(map[string]any)
		if !ok {
			methods = make(map[string]any)
			paths[r.Path] = methods
		}
		methods[strings.ToLower(r.Method)] = d.operation(r, operations[i])
	}
	d.named["Error"] = d.failure()
	tags := make([]any, 0, len(areas))
	for _, name := range slices.Sorted(maps.Keys(areas)) {
		tags = append(tags, areas[name])
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "Twin platform", "version": "v1", "description": d.texts("info"),
			"contact": map[string]any{"name": "twinplatform", "url": "https://github.com/seed-933f9a09/twinplatform"},
			"license": map[string]any{"name": "MIT", "url": "https://opensource.org/license/mit"},
		},
		"tags":  tags,
		"paths": paths,
		"components": map[string]any{
			"schemas":         d.named,
			"responses":       d.failures(),
			"securitySchemes": map[string]any{"bearer": map[string]any{"type": "http", "scheme": "bearer", "description": "The token of the caller."}},
		},
		"x-not-implemented": missing(),
	}
}

// missing are the operations that are known of the platform and not served.
func missing() []any {
	var out []any
	for _, o := range NotImplemented() {
		out = append(out, map[string]any{"method": o.Method, "path": o.Path, "summary": o.Summary, "tag": o.Area})
	}
	return out
}

// failure is the body of every failure.
func (d description) failure() map[string]any {
	text := func(name, example string) map[string]any {
		return map[string]any{"type": "string", "description": d.texts("error." + name), "examples": []string{example}}
	}
	code, message, target := text("code", "InvalidSchedulesRequest"), text("message", "The request is invalid."), text("target", "name")
	detail := document.Object("code", text("detail", problem.InvalidValue), "message", message)
	detail["properties"].(map[string]any)["target"] = target
	body := document.Object("code", code, "message", message)
	properties := body["properties"].(map[string]any)
	properties["target"], properties["details"] = target, document.ArrayOf(detail)
	return document.Object("error", body)
}

// failures are the answers that the failures of all operations have in common, by
// their statuses.
func (d description) failures() map[string]any {
	out := make(map[string]any)
	for status := range d.failing {
		body := map[string]any{
			"description": cmp.Or(d.texts("status."+strconv.Itoa(status)), http.StatusText(status)),
			"content":     document.Content(document.Reference("Error")),
		}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			body["headers"] = map[string]any{"Retry-After": map[string]any{
				"description": "The whole seconds to wait.", "schema": map[string]any{"type": "integer", "minimum": 1},
			}}
		}
		out[failureName(status)] = body
	}
	return out
}

func failureName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

func (d description) operation(r *row, out map[string]any) map[string]any {
	maps.Copy(out, map[string]any{
		"operationId": r.ID, "summary": r.Summary, "tags": []string{r.Area}, "x-origin": string(r.Origin),
		"security": []any{}, "description": r.Summary + ".", "x-errors": r.codes(),
	})
	if p := d.parameters(r); len(p) > 0 {
		out["parameters"] = p
	}
	if body := d.body(r); body != nil {
		out["requestBody"] = body
	}
	if len(r.Scopes) > 0 {
		// Tokens carry scopes, of which one is enough; only OAuth 2 has a place
		// for that.
		out["security"], out["x-scopes"] = []any{map[string]any{"bearer": []string{}}}, r.Scopes
	}
	if r.Permission != "" {
		out["description"] = r.Summary + ". Permission: " + r.Permission + "."
	}
	for name, set := range map[string]bool{"deprecated": r.Deprecated, "x-preview": r.Preview} {
		if set {
			out[name] = true
		}
	}
	if r.SpecID != "" {
		out["x-operation"] = r.SpecID
	}
	return out
}

// body is what the request carries.
func (d description) body(r *row) map[string]any {
	if r.raw {
		return map[string]any{"required": true, "content": map[string]any{"application/octet-stream": map[string]any{}}}
	}
	if r.in == nil {
		return nil
	}
	body := d.schemas.of(r.in)
	d.limitBatch(body, r.maxBatch)
	if r.given != "" {
		body = given(body, r.given)
	}
	sent := document.Content(body)
	if example := d.examples(r.ID); example != nil {
		sent[jsonType].(map[string]any)["example"] = example
	}
	return map[string]any{"required": !r.omissible, "content": sent}
}

// given is a body that needs a member, or each item of whose batch does.
func given(body map[string]any, member string) map[string]any {
	if properties, ok := body["properties"].(map[string]any); ok && properties["batch"] != nil {
		list := properties["batch"].(map[string]any)
		list["items"] = given(list["items"].(map[string]any), member)
		return body
	}
	return map[string]any{"allOf": []any{body, document.Object(member, map[string]any{"type": "string"})}}
}

// limitBatch limits the one list of a body that says what a request is about.
func (d description) limitBatch(body map[string]any, most int) {
	properties, _ := body["properties"].(map[string]any)
	if most == 0 || len(properties) != 1 {
		return
	}
	for name, p := range properties {
		list := p.(map[string]any)
		if items, ok := list["items"]; ok {
			properties[name] = map[string]any{"type": "array", "items": items, "minItems": 1, "maxItems": most}
			body["required"] = []string{name}
		}
	}
}

func (d description) parameters(r *row) []any {
	var out []any
	add := func(in, name, description string, required bool, schema map[string]any) map[string]any {
		p := map[string]any{"in": in, "name": name, "schema": schema}
		if description != "" {
			p["description"] = description
		}
		if required {
			p["required"] = true
		}
		out = append(out, p)
		return p
	}
	text := map[string]any{"type": "string"}
	for _, name := range pathNames(r.Path) {
		add("path", name, "Which one: the "+words(name)+".", true, text)
	}
	for _, q := range r.Query {
		// Neither of two spellings is required; that one of them is, the words say.
		about, other := q.spellings()
		p := add("query", q.Name, about, q.Required && q.alias == "", d.parameter(r, q))
		if q.is != nil && q.is.Kind() == reflect.Slice {
			p["style"], p["explode"] = "form", false
		}
		if other != "" {
			add("query", other, "Another spelling of "+q.Name+". Where both are given, they have the same value.", false, d.parameter(r, q))
		}
	}
	if len(r.Scopes) > 0 {
		add("header", "Accept", fmt.Sprintf("Recommended: application/vnd."+document.Vendor+".v%d+json. Anything is answered with application/json."+r.otherShapes(), r.Version), false, text)
	}
	for _, h := range r.Headers {
		add("header", h.Name, h.Description, false, d.parameter(r, h))
	}
	if r.Prefers {
		add("header", "Prefer", "return=representation lists whole records; return=minimal, the default, short ones.", false, text)
	}
	for _, a := range r.replies {
		if a.status == http.StatusNotModified {
			add("header", "If-None-Match", "Answer 304 when the version is still this one.", false, text)
		}
	}
	if r.Conditional {
		add("header", ifMatch, "Only when the version of the record is this one, or one of these; * is any. Where a request names several records it is asked of each.", false, text)
		add("header", ifNoneMatch, "Only when the version of the record is none of these; * is any, and keeps a record that is there as it is.", false, text)
	}
	return out
}

// spellings are what is said of a parameter, and its other name, unless generated
// clients would call the two the same.
func (q Parameter) spellings() (about, other string) {
	if q.alias != "" && strings.Trim(q.alias, "$") == strings.Trim(q.Name, "$") {
		return q.Description + " The spelling " + q.alias + " is understood too.", ""
	}
	return q.Description, q.alias
}

// parameter describes the value of a query parameter.
func (d description) parameter(r *row, q Parameter) map[string]any {
	switch {
	case q.Number && q.Name == "$top":
		return map[string]any{"type": "integer", "minimum": 1, "maximum": r.maxTop}
	case q.most > 0:
		return map[string]any{"type": "integer", "minimum": 1, "maximum": q.most}
	case q.Number:
		return map[string]any{"type": "integer", "minimum": 0}
	case q.is != nil:
		return d.schemas.of(q.is)
	}
	return map[string]any{"type": "string"}
}

// words are those of a name: task link id of taskLinkId.
func words(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (d description) responses(r *row) map[string]any {
	out := make(map[string]any)
	d.nullLinks = r.nullLinks
	for _, a := range r.replies {
		body := map[string]any{"description": http.StatusText(a.status)}
		if a.schema != nil {
			body["content"] = document.Content(a.schema(d.schemas))
		}
		if headers := d.headers(a); len(headers) > 0 {
			body["headers"] = headers
		}
		out[strconv.Itoa(a.status)] = body
	}
	for _, e := range r.errorsOf() {
		if r.bad.Code != "" && e.Status == httperror.Status(r.bad.Kind) {
			continue // says more of itself below
		}
		d.failing[e.Status] = true
		out[strconv.Itoa(e.Status)] = map[string]any{"$ref": "#/components/responses/" + failureName(e.Status)}
	}
	if r.bad.Code != "" {
		out[strconv.Itoa(httperror.Status(r.bad.Kind))] = map[string]any{
			"description": "The request cannot be taken: " + r.bad.Code + ". The details say why.", "content": document.Content(document.Reference("Error")),
		}
	}
	return out
}

// headers are those of an answer.
func (d description) headers(a reply) map[string]any {
	out := make(map[string]any, len(a.headers)+len(a.perhaps))
	for _, name := range slices.Concat(a.headers, a.perhaps) {
		out[name] = map[string]any{"description": d.texts("header." + name), "schema": map[string]any{"type": "string"}}
	}
	for _, name := range a.headers {
		out[name].(map[string]any)["required"] = true
	}
	return out
}

// codes are the codes of the errors that an operation is documented to answer with,
// by status.
func (r *row) codes() map[string][]string {
	out := make(map[string][]string)
	for _, e := range r.errorsOf() {
		status := strconv.Itoa(e.Status)
		out[status] = append(out[status], e.Code)
	}
	return out
}
