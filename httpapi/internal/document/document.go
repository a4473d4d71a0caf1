package document

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// API is what a document has besides operations.
type API struct {
	// Declare are what the domains declare of their types.
	Declare []func(*schema.Book)
	// Special are types that are described otherwise than by what they are made of. Each
	// reports whether it has null, too.
	Special map[reflect.Type]func(*Schemas) (out map[string]any, null bool)
	// Links lists, by type, the links that its records have in answers, as far as they lead
	// anywhere.
	Links map[reflect.Type][]string
	// Missing are the operations that are known of the platform and not served.
	Missing []Missing
	// RequestID is the header that every answer has.
	RequestID string
}

// Missing is an operation that is not served.
type Missing struct{ Method, Path, Summary, Area string }

// Operation is an operation in the document.
type Operation struct {
	ID, SpecID, Method, Path, Summary, Area, Permission, Origin string

	Scopes   []string // of which the token must carry one; none: no token is needed
	InPath   []string // names in braces in Path
	Query    []Parameter
	Headers  []Parameter // that say which part of a list is wanted
	Version  int         // of the media type that clients are recommended to accept
	Versions []int       // that are answered in their own shapes
	Prefers  bool        // it understands the header Prefer
	// Conditional reports that it understands If-Match and If-None-Match.
	Conditional, Preview, Deprecated bool
	Shared                           bool // the bearer of a share's key may call it

	Raw       bool         // the body is bytes as they are
	Media     string       // their media type; empty: any
	Body      reflect.Type // nil: there is none
	Omissible bool         // the body may be left out
	Needs     string       // a member of Body that this operation needs, and others do not; empty: none

	MaxTop    int  // the largest page
	MaxBatch  int  // how many records a request may be about; 0: any number
	NullLinks bool // links of lists that lead nowhere are null, and not left out

	Answers  []Answer // the successful ones
	Refusal  Failure  // of a malformed request
	Failures []Failure
}

// Parameter is a query parameter, or a header.
type Parameter struct {
	Name, Alias, Description string

	Required bool
	Number   bool         // a whole number
	Most     int          // of a number that is 1 or more; 0: any
	Type     reflect.Type // of any other value; nil: a text
}

// Answer is a successful answer.
type Answer struct {
	Status  int
	Schema  func(*Schemas) map[string]any // of a body of JSON; nil: it is none
	Media   []string                      // of a body of bytes as they are, of which it has one
	Headers []string                      // that it always has
	Perhaps []string                      // that it has where they apply
}

// Failure is an answer that reports an error.
type Failure struct {
	Status int
	Code   string
}

// Of makes the document of operations, all but its servers.
func Of(api API, operations []Operation) map[string]any { return newDescription(api).of(operations) }

// DescriptionNames lists the names that the document of operations looks for descriptions of.
func DescriptionNames(api API, operations []Operation) map[string]bool {
	names := make(map[string]bool)
	d := newDescription(api)
	d.texts = func(name string) string {
		names[name] = true
		return ""
	}
	d.of(operations)
	return names
}

// Called are the types that the document calls otherwise than Go does, and how.
func Called(api API, operations []Operation) map[reflect.Type]string {
	d := newDescription(api)
	d.of(operations)
	return d.book.Called()
}

// Undeclared are the types in bodies with an encoding of their own whose schema is
// declared nowhere.
func Undeclared(api API, operations []Operation) []reflect.Type {
	d := newDescription(api)
	d.of(operations)
	return d.undeclared
}

// Unexplained are the members in bodies that end in Id, of which nothing says to what they refer
// or why to nothing.
func Unexplained(api API, operations []Operation) []string {
	d := newDescription(api)
	d.of(operations)
	slices.Sort(d.unexplained)
	return slices.Compact(d.unexplained)
}

// description is a document in the making.
type description struct {
	*Schemas

	failing map[int]bool // the statuses of failures
}

func newDescription(api API) description { return description{newSchemas(api), make(map[int]bool)} }

func (d description) of(all []Operation) map[string]any {
	paths, areas := make(map[string]any), make(map[string]any)
	operations := make([]map[string]any, len(all))
	for i := range all { // answers first
		r := &all[i]
		operations[i] = map[string]any{"responses": d.responses(r)}
		areas[r.Area] = map[string]any{"name": r.Area, "description": d.texts("area." + r.Area)}
	}
	d.requests = true
	for i := range all {
		r := &all[i]
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
			"schemas":   d.named,
			"responses": d.failures(),
			"securitySchemes": map[string]any{
				"bearer": map[string]any{"type": "http", "scheme": "bearer", "description": "The token of the caller."},
				// A key is no user:password, and clients that apply all alternatives would send both headers.
				"share": map[string]any{
					"type": "apiKey", "in": "header", "name": "Authorization",
					"description": "The shareKey of a share of a twin, as it was given: Basic <shareKey>.",
				},
			},
		},
		"x-not-implemented": d.missing(),
	}
}

// missing are the operations that are known of the platform and not served.
func (d description) missing() []any {
	var out []any
	for _, o := range d.api.Missing {
		out = append(out, map[string]any{"method": o.Method, "path": o.Path, "summary": o.Summary, "tag": o.Area})
	}
	return out
}

// failure is the body of every failure.
func (d description) failure() map[string]any {
	text := func(name, example string) map[string]any {
		return map[string]any{"type": "string", "description": d.texts("error." + name), "examples": []string{example}}
	}
	code, message, target := text("code", "InvalidSchedulesRequest"), text("message", "The request is invalid."),
		text("target", "name")
	detail := Object("code", text("detail", problem.InvalidValue), "message", message)
	detail["properties"].(map[string]any)["target"] = target
	body := Object("code", code, "message", message)
	properties := body["properties"].(map[string]any)
	properties["target"], properties["details"] = target, ArrayOf(detail)
	return Object("error", body)
}

// failures are the answers that the failures of all operations have in common, by
// their statuses.
func (d description) failures() map[string]any {
	out := make(map[string]any)
	for status := range d.failing {
		body := map[string]any{
			"description": cmp.Or(d.texts("status."+strconv.Itoa(status)), http.StatusText(status)),
			"content":     Content(Reference("Error")),
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

func (d description) operation(r *Operation, out map[string]any) map[string]any {
	maps.Copy(out, map[string]any{
		"operationId": r.ID, "summary": r.Summary, "tags": []string{r.Area}, "x-origin": r.Origin,
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
		security := []any{map[string]any{"bearer": []string{}}}
		if r.Shared {
			security = append(security, map[string]any{"share": []string{}})
		}
		out["security"], out["x-scopes"] = security, r.Scopes
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
func (d description) body(r *Operation) map[string]any {
	if r.Raw {
		return map[string]any{"required": true, "content": raw([]string{cmp.Or(r.Media, "application/octet-stream")})}
	}
	if r.Body == nil {
		return nil
	}
	body := d.Schemas.Of(r.Body)
	d.limitBatch(body, r.MaxBatch)
	if r.Needs != "" {
		body = d.given(body, r.Body, r.Needs)
	}
	sent := Content(body)
	if example := d.examples(r.ID); example != nil {
		sent["application/json"].(map[string]any)["example"] = example
	}
	return map[string]any{"required": !r.Omissible, "content": sent}
}

// given is a body that needs a member, or each item of whose batch does.
func (d description) given(body map[string]any, t reflect.Type, member string) map[string]any {
	if properties, ok := body["properties"].(map[string]any); ok && properties["batch"] != nil {
		list := properties["batch"].(map[string]any)
		list["items"] = d.given(list["items"].(map[string]any), t, member)
		return body
	}
	needed := map[string]any{"type": "string"}
	d.refer(needed, t, t, member)
	return map[string]any{"allOf": []any{body, Object(member, needed)}}
}

// limitBatch limits the one list of a body that says what a request is about.
func (d description) limitBatch(body map[string]any, most int) {
	properties, _ := body["properties"].(map[string]any)
	if most == 0 || len(properties) != 1 {
		return
	}
	for name, p := range properties {
		list := p.(map[string]any)
		if list["items"] != nil {
			list = maps.Clone(list)
			list["type"], list["minItems"], list["maxItems"] = "array", 1, most
			properties[name] = list
			body["required"] = []string{name}
		}
	}
}

func (d description) parameters(r *Operation) []any {
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
	for _, name := range r.InPath {
		add("path", name, "Which one: the "+words(name)+".", true, text)
	}
	for _, q := range r.Query {
		// Neither of two spellings is required; that one of them is, the words say.
		about, other := q.spellings()
		p := add("query", q.Name, about, q.Required && q.Alias == "", d.parameter(r, q))
		if q.Type != nil && q.Type.Kind() == reflect.Slice {
			p["style"], p["explode"] = "form", false
		}
		if other != "" {
			add("query", other, "Another spelling of "+q.Name+". Where both are given, they have the same value.",
				false, d.parameter(r, q))
		}
	}
	if len(r.Scopes) > 0 {
		add("header", "Accept", fmt.Sprintf("Recommended: application/vnd."+Vendor+
			".v%d+json. Anything is answered with application/json."+r.otherShapes(), r.Version), false, text)
	}
	for _, h := range r.Headers {
		add("header", h.Name, h.Description, h.Required, d.parameter(r, h))
	}
	if r.Prefers {
		add("header", "Prefer", "return=representation lists whole records; return=minimal, the default, short ones.",
			false, text)
	}
	for _, a := range r.Answers {
		if a.Status == http.StatusNotModified {
			add("header", "If-None-Match", "Answer 304 when the version is still this one.", false, text)
		}
	}
	if r.Conditional {
		add("header", "If-Match", "Only when the version of the record is this one, or one of these; * is any. Where "+
			"a request names several records it is asked of each.", false, text)
		add("header", "If-None-Match",
			"Only when the version of the record is none of these; * is any, "+
				"and keeps a record that is there as it is.",
			false, text)
	}
	return out
}

// spellings are the parameter, and its other name, unless generated clients would call
// the two the same.
func (q Parameter) spellings() (about, other string) {
	if q.Alias != "" && strings.Trim(q.Alias, "$") == strings.Trim(q.Name, "$") {
		return q.Description + " The spelling " + q.Alias + " is understood too.", ""
	}
	return q.Description, q.Alias
}

// parameter describes the value of a query parameter.
func (d description) parameter(r *Operation, q Parameter) map[string]any {
	switch {
	case q.Number && q.Name == "$top":
		return map[string]any{"type": "integer", "minimum": 1, "maximum": r.MaxTop}
	case q.Most > 0:
		return map[string]any{"type": "integer", "minimum": 1, "maximum": q.Most}
	case q.Number:
		return map[string]any{"type": "integer", "minimum": 0}
	case q.Type != nil:
		return d.Schemas.Of(q.Type)
	}
	return map[string]any{"type": "string"}
}

// words splits a name into its words: taskLinkId into "task link id".
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

func (d description) responses(r *Operation) map[string]any {
	out := make(map[string]any)
	d.nullLinks = r.NullLinks
	for _, a := range r.Answers {
		body := map[string]any{"description": http.StatusText(a.Status)}
		if a.Schema != nil {
			body["content"] = Content(a.Schema(d.Schemas))
		}
		if len(a.Media) > 0 {
			body["content"] = raw(a.Media)
		}
		if headers := d.headers(a); len(headers) > 0 {
			body["headers"] = headers
		}
		out[strconv.Itoa(a.Status)] = body
	}
	for _, e := range r.Failures {
		if r.Refusal.Code != "" && e.Status == r.Refusal.Status {
			continue // says more of itself below
		}
		d.failing[e.Status] = true
		out[strconv.Itoa(e.Status)] = map[string]any{"$ref": "#/components/responses/" + failureName(e.Status)}
	}
	if r.Refusal.Code != "" {
		out[strconv.Itoa(r.Refusal.Status)] = map[string]any{
			"description": "The request cannot be taken: " + r.Refusal.Code +
				". The details say why.", "content": Content(Reference("Error")),
		}
	}
	return out
}

// textExamples are the beginnings of bodies of text, by their media types. Bodies of any other are binary.
var textExamples = map[string]string{
	"image/svg+xml":   `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 480"></svg>`,
	"text/csv":        "code,name,start,finish\r\nA1010,Survey,2026-03-02T08:00:00Z,2026-03-03T16:00:00Z\r\n",
	"text/plain":      "gantt\n    dateFormat YYYY-MM-DDTHH:mm\n    Survey :a1, 2026-03-02T08:00, 2026-03-03T16:00\n",
	"application/xml": `<Project xmlns="http://schemas.microsoft.com/project"></Project>`,
}

// raw is a body of bytes as they are.
func raw(media []string) map[string]any {
	content := make(map[string]any, len(media))
	for _, name := range media {
		if text, ok := textExamples[name]; ok {
			content[name] = map[string]any{"schema": map[string]any{"type": "string"}, "example": text}
		} else {
			content[name] = map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
		}
	}
	return content
}

// headers describes the headers of an answer.
func (d description) headers(a Answer) map[string]any {
	out := make(map[string]any, len(a.Headers)+len(a.Perhaps))
	for _, name := range slices.Concat(a.Headers, a.Perhaps) {
		out[name] = map[string]any{"description": d.texts("header." + name), "schema": map[string]any{"type": "string"}}
	}
	for _, name := range a.Headers {
		out[name].(map[string]any)["required"] = true
	}
	return out
}

// codes are the codes of the errors that an operation is documented to answer with,
// by status.
func (o *Operation) codes() map[string][]string {
	out := make(map[string][]string)
	for _, e := range o.Failures {
		status := strconv.Itoa(e.Status)
		out[status] = append(out[status], e.Code)
	}
	return out
}

// otherShapes are the shapes of versions but the recommended one.
func (o *Operation) otherShapes() string {
	if len(o.Versions) == 0 {
		return ""
	}
	return " The version selects the shape of the answer."
}
