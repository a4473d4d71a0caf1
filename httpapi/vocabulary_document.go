package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// describeIn makes the document from the rows in the words of a dialect, all but its
// beginning.
func describeIn(d *dialect, all rows) []byte {
	document := newDescription().of(all)
	if d != nil {
		t := saidDocument{dialect: d, named: at(document, "components", "schemas"), said: make(map[string]any)}
		t.say(document, all)
	}
	b, err := wire.Marshal(document)
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return b[1:]
}

// saidDocument is a document on its way into the words of a dialect.
type saidDocument struct {
	*dialect

	named map[string]any // schemas in the specification's words
	said  map[string]any // schemas in the dialect's
}

// say puts a document of these rows into the words of the dialect.
func (t *saidDocument) say(document map[string]any, all rows) {
	paths := make(map[string]any)
	for _, r := range all {
		o := at(document, "paths", r.Path, strings.ToLower(r.Method))
		path := r.wording.pattern(r.Path)
		if paths[path] == nil {
			paths[path] = make(map[string]any)
		}
		paths[path].(map[string]any)[strings.ToLower(r.Method)] = t.operation(o, r)
	}
	t.said["Error"] = t.named["Error"]
	document["paths"] = paths
	document["components"].(map[string]any)["schemas"] = t.said
	info := document["info"].(map[string]any)
	info["description"] = strings.ReplaceAll(info["description"].(string), RequestIDHeader, cmp.Or(t.Headers[RequestIDHeader], RequestIDHeader))
	missing, _ := document["x-not-implemented"].([]any)
	for _, o := range missing {
		o := o.(map[string]any)
		o["path"] = t.of(o["tag"].(string)).pattern(o["path"].(string))
	}
}

// pattern is a path with what stands in braces as clients know it, too.
func (l lexicon) pattern(path string) string {
	segments := strings.Split(l.path(path), "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{" + l.member(strings.Trim(s, "{}")) + "}"
		}
	}
	return strings.Join(segments, "/")
}

func (t *saidDocument) operation(o map[string]any, r *row) map[string]any {
	out, w := maps.Clone(o), r.wording
	parameters, _ := o["parameters"].([]any)
	said := make([]any, len(parameters))
	for i, p := range parameters {
		said[i] = t.parameter(p.(map[string]any), w)
	}
	if len(said) > 0 {
		out["parameters"] = said
	}
	codes := make(map[string][]string)
	for status, all := range r.codes() {
		for _, code := range all {
			codes[status] = append(codes[status], w.code(code))
		}
	}
	out["x-errors"] = codes
	if body, ok := o["requestBody"].(map[string]any); ok {
		out["requestBody"] = t.content(body, r)
	}
	responses := make(map[string]any)
	for status, answer := range at(o, "responses") {
		responses[status] = t.content(answer.(map[string]any), r)
	}
	out["responses"] = responses
	return out
}

func (t *saidDocument) parameter(p map[string]any, w *wording) map[string]any {
	out := maps.Clone(p)
	name := p["name"].(string)
	switch p["in"] {
	case "path":
		out["name"] = w.names[name]
	case "query":
		out["name"] = w.parameter(name)
	case "header":
		out["name"] = cmp.Or(w.headers[name], name)
	}
	out["schema"] = t.schema(p["schema"].(map[string]any), w, "")
	if text, ok := p["description"].(string); ok {
		out["description"] = t.media(w.prose(text))
	}
	return out
}

// media is a text with the vendor of media types.
func (t *saidDocument) media(text string) string {
	if t.Vendor == "" {
		return text
	}
	return strings.ReplaceAll(text, vendor, t.Vendor)
}

// vendor is that of the media types of the specification.
const vendor = "vendor.twin-platform"

// content is a body with its headers.
func (t *saidDocument) content(body map[string]any, r *row) map[string]any {
	out := maps.Clone(body)
	if text, ok := body["description"].(string); ok {
		out["description"] = r.wording.prose(text)
	}
	if schema := schemaIn(body); schema != nil {
		key := ""
		if r.wording.own() {
			key = "." + strings.ReplaceAll(r.Area, " ", "")
		}
		out["content"] = content(t.schema(schema, r.wording, key))
	}
	if headers := at(body, "headers"); headers != nil {
		said := make(map[string]any)
		for name, about := range headers {
			if as, ok := t.Headers[name]; ok {
				name = http.CanonicalHeaderKey(as)
			}
			said[name] = about
		}
		out["headers"] = said
	}
	return out
}

// own reports whether bodies of the row's area are named otherwise than those of
// others.
func (w *wording) own() bool {
	return len(w.lexicon) > 1 && len(w.lexicon[0].Members)+len(w.lexicon[0].Parts)+len(w.lexicon[0].Values)+len(w.lexicon[0].Events) > 0
}

// schema is a schema in the words of a row. Those that it refers to are called by
// their names and a key, which is that of an area with names of its own.
func (t *saidDocument) schema(s map[string]any, w *wording, key string) map[string]any {
	if ref, ok := s["$ref"].(string); ok {
		return t.reference(ref[strings.LastIndexByte(ref, '/')+1:], w, key)
	}
	out := maps.Clone(s)
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		if variants, ok := s[word].([]any); ok {
			said := make([]any, len(variants))
			for i, v := range variants {
				said[i] = t.schema(v.(map[string]any), w, key)
			}
			out[word] = said
		}
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if inner, ok := s[word].(map[string]any); ok {
			out[word] = t.schema(inner, w, key)
		}
	}
	if text, ok := s["description"].(string); ok {
		out["description"] = w.prose(text)
	}
	if s["enum"] != nil {
		out["enum"] = w.enumeration(s["enum"])
	}
	if word, ok := s["default"].(string); ok {
		out["default"] = w.word(word)
	}
	t.members(s, out, w, key)
	return out
}

func (t *saidDocument) reference(name string, w *wording, key string) map[string]any {
	if name == "Error" {
		return reference(name)
	}
	if _, ok := t.said[name+key]; !ok {
		t.said[name+key] = nil // met, so that it may hold itself
		t.said[name+key] = t.schema(at(t.named, name), w, key)
	}
	return reference(name + key)
}

func (w *wording) enumeration(words any) []any {
	var out []any
	switch words := words.(type) {
	case []string:
		for _, word := range words {
			out = append(out, w.word(word))
		}
	case []any:
		for _, word := range words {
			if text, ok := word.(string); ok {
				word = w.word(text)
			}
			out = append(out, word)
		}
	}
	return out
}

// members fills in what the members of a schema are called.
func (t *saidDocument) members(s, out map[string]any, w *wording, key string) {
	if properties := at(s, "properties"); properties != nil {
		said := make(map[string]any, len(properties))
		for name, p := range properties {
			said[w.member(name)] = t.schema(p.(map[string]any), w, key)
			if name == "_links" {
				t.links(said[w.member(name)].(map[string]any))
			}
		}
		out["properties"] = said
	}
	if required, ok := s["required"].([]string); ok {
		said := make([]string, len(required))
		for i, name := range required {
			said[i] = w.member(name)
		}
		out["required"] = said
	}
}

// links says of links in the dialect's words whether they may be missing or null.
func (t *saidDocument) links(links map[string]any) {
	required, _ := links["required"].([]string)
	kept := required[:0:0]
	for _, name := range required {
		kind := at(links, "properties", name)
		null, _ := kind["type"].([]string)
		if t.NullLinks == OmitNullLinks && len(null) > 1 {
			continue
		}
		kept = append(kept, name)
	}
	if required != nil {
		links["required"] = kept
	}
	if t.NullLinks == WriteNullLinks {
		for name, p := range at(links, "properties") {
			if link := maps.Clone(p.(map[string]any)); link["type"] == "object" {
				links["properties"].(map[string]any)[name] = nullable(link)
			}
		}
	}
}

var identifier = regexp.MustCompile(`\$?[A-Za-z][A-Za-z0-9]*`)

// prose is a text in which names are called otherwise that no words of the language
// are: those with a dollar or a capital inside.
func (w *wording) prose(text string) string {
	return identifier.ReplaceAllStringFunc(text, func(name string) string {
		switch {
		case name[0] == '$':
			return w.parameter(name)
		case strings.IndexFunc(name[1:], unicode.IsUpper) < 0:
			return name
		}
		if as := w.code(name); as != name {
			return as
		}
		return w.member(name)
	})
}
