package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
)

// drafter guesses the names that a deployment uses. It keeps the guesses that a vocabulary can
// have, and reports what it saw and could not match.
type drafter struct {
	words     object // a vocabulary as JSON
	spec      *specification
	unmatched map[string]bool
}

// specification is the OpenAPI document of the platform.
type specification struct {
	named      object
	operations []*described
}

// described is an operation in it.
type described struct {
	httpapi.Operation

	answers  map[string]object   // schemas by status
	sent     object              // that of the request
	headings map[string][]string // headers of answers, by status
}

func newSpecification() (*specification, error) {
	var doc object
	if err := json.Unmarshal(httpapi.OpenAPI("/"), &doc); err != nil {
		return nil, err
	}
	s := &specification{named: inside(doc, "components", "schemas")}
	paths := inside(doc, "paths")
	for _, o := range httpapi.Operations() {
		d := &described{Operation: o, answers: make(map[string]object), headings: make(map[string][]string)}
		at := inside(paths, o.Path, strings.ToLower(o.Method))
		d.sent = inside(at, "requestBody", "content", "application/json", "schema")
		for status := range inside(at, "responses") {
			answer := inside(at, "responses", status)
			d.answers[status] = inside(answer, "content", "application/json", "schema")
			d.headings[status] = slices.Sorted(maps.Keys(inside(answer, "headers")))
		}
		s.operations = append(s.operations, d)
	}
	return s, nil
}

// sentTo are the members of the body of a request for an operation.
func (s *specification) sentTo(operation string) map[string]object {
	for _, o := range s.operations {
		if o.ID == operation {
			return s.fields(o.sent)
		}
	}
	return nil
}

// background reports whether the answer shows that the deployment runs in the background
// what it could do at once: it answered 202 where the operation documents 200, 201 or 204
// too.
func (s *specification) background(x *exchanged) bool {
	i := slices.IndexFunc(s.operations, func(o *described) bool { return o.ID == x.operation.ID })
	if i < 0 || x.status != http.StatusAccepted {
		return false
	}
	_, created := s.operations[i].answers["201"]
	_, done := s.operations[i].answers["200"]
	_, none := s.operations[i].answers["204"]
	return created || done || none
}

func inside(of object, names ...string) object {
	for _, name := range names {
		of, _ = of[name].(object)
	}
	return of
}

// fields are the members that a schema has.
func (s *specification) fields(schema object) map[string]object {
	out := make(map[string]object)
	s.gather(schema, out, 0)
	return out
}

func (s *specification) gather(schema object, out map[string]object, depth int) {
	if depth > 8 {
		return
	}
	if ref, ok := schema["$ref"].(string); ok {
		s.gather(inside(s.named, ref[strings.LastIndexByte(ref, '/')+1:]), out, depth+1)
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		variants, _ := schema[word].([]any)
		for _, v := range variants {
			if of, ok := v.(object); ok {
				s.gather(of, out, depth+1)
			}
		}
	}
	for name, v := range inside(schema, "properties") {
		if of, ok := v.(object); ok {
			out[name] = of
		}
	}
	if items := inside(schema, "items"); items != nil {
		s.gather(items, out, depth+1)
	}
}

// draft adds to a vocabulary what the traffic shows.
func draft(known httpapi.Vocabulary, base string, all []*exchange) (v httpapi.Vocabulary, unmatched []string,
	err error,
) {
	spec, err := newSpecification()
	if err != nil {
		return known, nil, err
	}
	d := &drafter{words: make(object), spec: spec, unmatched: make(map[string]bool)}
	raw, err := json.Marshal(known)
	if err != nil {
		return known, nil, err
	}
	if err := json.Unmarshal(raw, &d.words); err != nil {
		return known, nil, err
	}
	d.vendor(all)
	for range 3 { // what one exchange shows helps with others
		if v, err = d.vocabulary(); err != nil {
			return known, nil, err
		}
		interpreter, err := v.Overhear(base)
		if err != nil {
			return known, nil, err
		}
		clear(d.unmatched)
		for _, x := range all {
			if err := d.learn(x, base, interpreter); err != nil {
				return known, nil, err
			}
		}
	}
	if v, err = d.vocabulary(); err != nil {
		return known, nil, err
	}
	return v, slices.Sorted(maps.Keys(d.unmatched)), nil
}

func (d *drafter) vocabulary() (httpapi.Vocabulary, error) {
	raw, err := json.Marshal(d.words)
	if err != nil {
		return httpapi.Vocabulary{}, err
	}
	return httpapi.ParseVocabulary(bytes.NewReader(raw))
}

// guess notes a name where the vocabulary can have it, and reports whether it has it now.
func (d *drafter) guess(table, name, as string) bool {
	t, _ := d.words[table].(object)
	if t == nil {
		t = make(object)
	}
	if t[name] != nil || name == as {
		return t[name] == as
	}
	t[name] = as
	d.words[table] = t
	v, err := d.vocabulary()
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		delete(t, name)
		if len(t) == 0 {
			delete(d.words, table)
		}
	}
	return err == nil
}

var vendor = regexp.MustCompile(`application/vnd\.([a-z0-9.-]+)\.v[0-9]+\+json`)

func (d *drafter) vendor(all []*exchange) {
	for _, x := range all {
		if m := vendor.FindStringSubmatch(x.header.Get("Accept")); m != nil && m[1] != "vendor.twin-platform" &&
			d.words["vendor"] == nil {
			d.words["vendor"] = m[1]
		}
	}
}

// learn guesses what an exchange shows.
func (d *drafter) learn(x *exchange, base string, interpreter *httpapi.Interpreter) error {
	one, err := translated(x, base, interpreter)
	if err != nil {
		return err
	}
	if !one.known {
		if x.status < 400 {
			d.path(x)
		}
		return nil
	}
	for _, o := range d.spec.operations {
		if o.ID != one.operation.ID {
			continue
		}
		status := fmt.Sprint(x.status)
		d.headers(o, status, one)
		d.code(o, one)
		d.members(o.answers[status], one.answer, 0)
		d.members(o.sent, one.sent, 0)
	}
	return nil
}

// path guesses which operation a path is for, by the shape of the path and the members of the answer.
func (d *drafter) path(x *exchange) {
	at, _, _ := strings.Cut(x.target, "?")
	segments := strings.Split(strings.Trim(at, "/"), "/")
	answer, _ := parsed(x.answer.Bytes())
	var best *described
	most, second := 0, 0
	for _, o := range d.spec.operations {
		pattern := strings.Split(strings.Trim(o.Path, "/"), "/")
		if o.Method != x.method || len(pattern) != len(segments) ||
			o.answers[fmt.Sprint(x.status)] == nil && len(o.headings[fmt.Sprint(x.status)]) == 0 {
			continue
		}
		switch score := d.fits(o, pattern, segments, fmt.Sprint(x.status), answer); {
		case score > most:
			best, second, most = o, most, score
		case score > second:
			second = score
		}
	}
	if best == nil || most == second {
		d.unmatched["path "+x.method+" "+at] = true
		return
	}
	for i, name := range strings.Split(strings.Trim(best.Path, "/"), "/") {
		if !strings.HasPrefix(name, "{") && name != segments[i] {
			d.guess("segments", name, segments[i])
		}
	}
	if most > 0 {
		d.resourceNames(best, segments)
	}
}

// resourceNames guesses the parts of names from the segments of a path.
func (d *drafter) resourceNames(o *described, segments []string) {
	for i, name := range strings.Split(strings.Trim(o.Path, "/"), "/") {
		if strings.ContainsAny(name+segments[i], "{-") || name == segments[i] {
			continue
		}
		d.guess("parts", name, segments[i])
		if one, as := strings.TrimSuffix(name, "s"), strings.TrimSuffix(segments[i], "s"); one != name &&
			as != segments[i] {
			d.guess("parts", one, as)
		}
	}
}

// fits is how well an operation fits a path and an answer; 0 where it cannot.
func (d *drafter) fits(o *described, pattern, segments []string, status string, answer any) int {
	score := 0
	for i, name := range pattern {
		known, _ := inside(d.words, "segments")[name].(string)
		switch {
		case strings.HasPrefix(name, "{"):
			if d.spec.literal(segments[i]) {
				return 0
			}
		case name == segments[i] && known == "", known == segments[i]:
			score += 4
		case known != "" || d.spec.literal(segments[i]) || player.Generated(segments[i]):
			return 0
		}
	}
	return score + 2*d.alike(o.answers[status], answer, 0)
}

// literal reports whether a segment is one of the specification's.
func (s *specification) literal(segment string) bool {
	return slices.ContainsFunc(s.operations,
		func(o *described) bool { return slices.Contains(strings.Split(o.Path, "/"), segment) })
}

// alike counts the members of an answer that a schema has.
func (d *drafter) alike(schema object, v any, depth int) (n int) {
	if depth > 3 {
		return 0
	}
	switch v := v.(type) {
	case object:
		fields := d.spec.fields(schema)
		for name, inside := range v {
			if of, ok := fields[name]; ok {
				n += 1 + d.alike(of, inside, depth+1)
			} else if of := only1(fields, v, inside); of != nil {
				n += d.alike(of, inside, depth+1)
			}
		}
	case []any:
		if len(v) > 0 {
			return d.alike(schema, v[0], depth+1)
		}
	}
	return n
}

// only1 is the schema of the one member that an object lacks, where it has the type of a value.
func only1(fields map[string]object, of object, v any) (found object) {
	for name, schema := range fields {
		if _, ok := of[name]; ok || typeOfSchema(schema) != player.TypeOf(v) && typeOfSchema(schema) != "" {
			continue
		}
		if found != nil {
			return nil
		}
		found = schema
	}
	return found
}

func typeOfSchema(schema object) string {
	switch t := schema["type"]; t {
	case "object", "boolean":
		return t.(string)
	case "array":
		return "list"
	case "string":
		return "text"
	case "integer", "number":
		return "number"
	}
	if schema["$ref"] != nil {
		return "object"
	}
	return ""
}

// members guesses the names of members that are in a body and not in its schema.
func (d *drafter) members(schema object, v any, depth int) {
	if depth > 6 || schema == nil {
		return
	}
	switch v := v.(type) {
	case object:
		fields := d.spec.fields(schema)
		if len(fields) == 0 {
			return // its members are the users'
		}
		for name, inside := range v {
			if of, ok := fields[name]; ok {
				d.members(of, inside, depth+1)
				continue
			}
			if known := d.member(fields, v, name, inside); known != "" {
				d.members(fields[known], inside, depth+1)
			} else {
				d.unmatched["member "+name] = true
			}
		}
	case []any:
		for _, inside := range v {
			d.members(schema, inside, depth+1)
		}
	}
}

// member guesses what the specification calls a member: the one that is missing in the same
// object, of the same type, whose name is made of the same words or that is the only candidate.
func (d *drafter) member(fields map[string]object, of object, name string, v any) string {
	var candidates []string
	for known, schema := range fields {
		_, there := of[known]
		if t := typeOfSchema(schema); there || v != nil && t != "" && t != player.TypeOf(v) {
			continue
		}
		candidates = append(candidates, known)
	}
	slices.Sort(candidates)
	for _, known := range candidates {
		if lastWord(known) == lastWord(name) && len(candidates) <= 3 || len(candidates) == 1 {
			if d.guess("members", known, name) {
				return known
			}
		}
	}
	return ""
}

// lastWord is the last word of a name in camel case.
func lastWord(name string) string {
	at := strings.LastIndexFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	return strings.ToLower(name[max(at, 0):])
}

// common headers of HTTP and of the servers around a deployment, which no vocabulary names.
var ordinary = regexp.MustCompile(`(?i)^(age|allow|cache-.*|connection|content-.*|cross-.*|access-.*|date|etag|expires|keep-alive|last-modified|link|location|pragma|retry-after|server|set-cookie|strict-.*|traceparent|trailer|transfer-encoding|vary|via|warning|www-authenticate|x-powered-by|x-frame-.*|x-content-.*|x-max-return|referrer-.*|permissions-.*|alt-svc|cf-.*)$`)

// headers guesses the names of headers: those that are there and unknown, and those that should be
// there.
func (d *drafter) headers(o *described, status string, x *exchanged) {
	var strange, missing []string
	for name := range x.answered {
		if !ordinary.MatchString(name) &&
			!slices.ContainsFunc(ours, func(h string) bool { return http.CanonicalHeaderKey(h) == name }) {
			strange = append(strange, name)
		}
	}
	for _, name := range append([]string{"X-Request-Id"}, o.headings[status]...) {
		if x.answered.Get(name) == "" && slices.Contains(ours, name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(strange)
	for _, name := range strange {
		var fits []string
		for _, known := range missing {
			if tail(known) == tail(name) || len(strange) == 1 && len(missing) == 1 {
				fits = append(fits, known)
			}
		}
		if len(fits) != 1 || !d.guess("headers", fits[0], name) {
			d.unmatched["header "+name] = true
		}
	}
}

// ours are the headers that a vocabulary names.
var ours = []string{"X-Request-Id", "Continuation-Token", "Delta-Token", "Operation-Id", "Operation-Location"}

func tail(header string) string {
	return strings.ToLower(header[strings.LastIndexByte(header, '-')+1:])
}

// code guesses the code of an error: that of the one that the operation has with its status.
func (d *drafter) code(o *described, x *exchanged) {
	body, _ := x.answer.(object)
	code, _ := inside(body, "error")["code"].(string)
	if x.status < 400 || code == "" {
		return
	}
	var all []string
	for _, e := range o.Errors {
		if e.Code == code {
			return
		}
		if e.Status == x.status && !slices.Contains(all, e.Code) {
			all = append(all, e.Code)
		}
	}
	if len(all) != 1 || !d.guess("codes", all[0], code) {
		d.unmatched["code "+code] = true
	}
}
