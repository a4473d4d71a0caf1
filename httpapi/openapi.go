package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// OpenAPI returns an OpenAPI 3.1 document of every operation that the package
// can serve, made from the route table. server is the base URL that it names.
// A [Handler] serves the document of what it serves itself, at
// GET /openapi.json.
func OpenAPI(server string) []byte {
	var all rows
	for _, a := range (Config{}).areas() {
		all = append(all, a.table()...)
	}
	return atServer(describe(append(all, documentRow(nil))), server)
}

// documentRow serves the document to everybody.
func documentRow(h *Handler) *row {
	return &row{
		Operation: Operation{
			ID: "openapi", Method: http.MethodGet, Path: "/openapi.json", Area: "platform", Addition: true,
			Summary: "Get the OpenAPI document",
		},
		bad: twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidRequest", Message: "The request is invalid."},
		serve: func(_ context.Context, x *exchange) error {
			return x.send(http.StatusOK, atServer(h.document(), string(x.base(nil))))
		},
		replies: []reply{{status: http.StatusOK, schema: func(*schemas) map[string]any {
			return map[string]any{"type": "object"}
		}}},
	}
}

// atServer puts the address of the server in front of what describe made.
func atServer(document []byte, server string) []byte {
	b := append(make([]byte, 0, len(document)+len(server)+64), `{"servers":[{"url":`...)
	b = append(wire.AppendString(b, server), "}],"...)
	return append(b, document...)
}

// describe makes the document from the rows, all but its beginning.
func describe(all rows) []byte {
	s := &schemas{named: make(map[string]any)}
	paths := make(map[string]any)
	for _, r := range all {
		methods, ok := paths[r.Path].(map[string]any)
		if !ok {
			methods = make(map[string]any)
			paths[r.Path] = methods
		}
		methods[strings.ToLower(r.Method)] = r.describe(s)
	}
	text := map[string]any{"type": "string"}
	detail := map[string]any{"type": "object", "required": []string{"code", "message"}, "properties": map[string]any{"code": text, "message": text, "target": text}}
	problem := map[string]any{"type": "object", "required": []string{"code", "message"}, "properties": map[string]any{
		"code": text, "message": text, "target": text, "details": arrayOf(detail),
	}}
	s.named["Error"] = object("error", problem)
	document, err := wire.Marshal(map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "Twin platform", "version": "v1"},
		"paths":   paths,
		"components": map[string]any{
			"schemas":         s.named,
			"securitySchemes": map[string]any{"bearer": map[string]any{"type": "http", "scheme": "bearer"}},
		},
	})
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return document[1:]
}

func (r *row) describe(s *schemas) map[string]any {
	out := map[string]any{
		"operationId": r.ID, "summary": r.Summary, "tags": []string{r.Area},
		"responses": r.responses(s),
	}
	if p := r.parameters(); len(p) > 0 {
		out["parameters"] = p
	}
	if r.in != nil {
		out["requestBody"] = map[string]any{"required": !r.omissible, "content": content(s.of(r.in))}
	}
	if r.raw {
		out["requestBody"] = map[string]any{"required": true, "content": map[string]any{"application/octet-stream": map[string]any{}}}
	}
	if len(r.Scopes) > 0 {
		var either []any
		for _, scope := range r.Scopes {
			either = append(either, map[string]any{"bearer": []string{scope}})
		}
		out["security"] = either
	}
	if r.Permission != "" {
		out["description"] = "Permission: " + r.Permission + "."
	}
	for name, set := range map[string]bool{"deprecated": r.Deprecated, "x-preview": r.Preview, "x-addition": r.Addition} {
		if set {
			out[name] = true
		}
	}
	return out
}

func (r *row) parameters() []any {
	var out []any
	add := func(in, name, kind, description string, required bool) {
		p := map[string]any{"in": in, "name": name, "schema": map[string]any{"type": kind}}
		if description != "" {
			p["description"] = description
		}
		if required {
			p["required"] = true
		}
		out = append(out, p)
	}
	for _, name := range pathNames(r.Path) {
		add("path", name, "string", "", true)
	}
	for _, q := range r.Query {
		kind := "string"
		if q.Number {
			kind = "integer"
		}
		// Neither of two spellings is required; that one of them is, the words say.
		add("query", q.Name, kind, q.Description, q.Required && q.alias == "")
		if q.alias != "" {
			add("query", q.alias, kind, "Another spelling of "+q.Name+"; only one of the two is given.", false)
		}
	}
	if len(r.Scopes) > 0 {
		add("header", "Accept", "string", fmt.Sprintf("Recommended: application/vnd.vendor.twin-platform.v%d+json. Anything is answered with application/json.", r.Version), false)
	}
	if r.Prefers {
		add("header", "Prefer", "string", "return=representation lists whole records; return=minimal, the default, short ones.", false)
	}
	for _, a := range r.replies {
		if a.status == http.StatusNotModified {
			add("header", "If-None-Match", "string", "Answer 304 when the version is still this one.", false)
		}
	}
	if r.Method == http.MethodPatch {
		add("header", "If-Match", "string", "Change the record only when its version is this one.", false)
	}
	return out
}

func (r *row) responses(s *schemas) map[string]any {
	out := make(map[string]any)
	for _, a := range r.replies {
		body := map[string]any{"description": http.StatusText(a.status)}
		if a.schema != nil {
			body["content"] = content(a.schema(s))
		}
		if len(a.headers) > 0 {
			headers := make(map[string]any, len(a.headers))
			for _, name := range a.headers {
				headers[name] = map[string]any{"schema": map[string]any{"type": "string"}}
			}
			body["headers"] = headers
		}
		out[strconv.Itoa(a.status)] = body
	}
	for _, code := range r.failures() {
		body := map[string]any{
			"description": http.StatusText(code),
			"content":     content(map[string]any{"$ref": "#/components/schemas/Error"}),
		}
		if code == http.StatusTooManyRequests {
			body["headers"] = map[string]any{"Retry-After": map[string]any{"schema": map[string]any{"type": "integer"}}}
		}
		out[strconv.Itoa(code)] = body
	}
	return out
}

// failures are the statuses with which an operation can fail.
func (r *row) failures() []int {
	out := []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}
	if r.bad.Code != "" {
		out = append(out, httperror.Status(r.bad.Kind))
	}
	if len(r.Scopes) > 0 {
		out = append(out, http.StatusUnauthorized, http.StatusNotFound)
		if r.forbids {
			out = append(out, http.StatusForbidden)
		}
		// An id in the path may be that of several things which the caller sees.
		if r.Method != http.MethodGet || strings.Contains(r.Path, "{") {
			out = append(out, http.StatusConflict)
		}
	}
	if r.in != nil {
		out = append(out, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	slices.Sort(out)
	return out
}

func content(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}
