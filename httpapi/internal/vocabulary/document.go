package vocabulary

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
)

// Rename puts the OpenAPI document of the operations into the words of the dialect.
// requestID is the header that its introduction names.
func (d *Dialect) Rename(described map[string]any, requestID string) {
	t := namedDocument{
		Dialect: d, named: document.At(described, "components", "schemas"),
		renamed: make(map[string]any),
	}
	t.rename(described, requestID)
}

// namedDocument is a document on its way into the words of a dialect.
type namedDocument struct {
	*Dialect

	named   map[string]any // schemas in the specification's words
	renamed map[string]any // schemas in the dialect's
	// answers reports that the schema is of answers, which leave members out.
	answers bool
}

func (t *namedDocument) rename(described map[string]any, requestID string) {
	paths := make(map[string]any)
	for i := range t.operations {
		o, w := &t.operations[i], t.Wordings[i]
		method, path := strings.ToLower(o.Method), w.pattern(o.Path)
		if paths[path] == nil {
			paths[path] = make(map[string]any)
		}
		paths[path].(map[string]any)[method] = t.operation(document.At(described, "paths", o.Path, method), w)
	}
	t.renamed["Error"] = t.named["Error"]
	described["paths"] = paths
	described["components"].(map[string]any)["schemas"] = t.renamed
	info := described["info"].(map[string]any)
	info["description"] = strings.ReplaceAll(info["description"].(string), requestID,
		cmp.Or(t.Headers[requestID], requestID))
	missing, _ := described["x-not-implemented"].([]any)
	for _, o := range missing {
		o := o.(map[string]any)
		o["path"] = t.Of(o["tag"].(string)).pattern(o["path"].(string))
	}
}

// pattern is a path with what is in braces as clients know it, too.
func (l Lexicon) pattern(path string) string {
	segments := strings.Split(l.Path(path), "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{" + l.Member(strings.Trim(s, "{}")) + "}"
		}
	}
	return strings.Join(segments, "/")
}

func (t *namedDocument) operation(o map[string]any, w *Wording) map[string]any {
	out := maps.Clone(o)
	if text, ok := o["description"].(string); ok {
		out["description"] = w.permissionsIn(text)
	}
	parameters, _ := o["parameters"].([]any)
	renamed := make([]any, len(parameters))
	for i, p := range parameters {
		renamed[i] = t.parameter(p.(map[string]any), w)
	}
	if len(renamed) > 0 {
		out["parameters"] = renamed
	}
	codes := make(map[string][]string)
	for status, all := range o["x-errors"].(map[string][]string) {
		for _, code := range all {
			codes[status] = append(codes[status], w.Code(code))
		}
	}
	out["x-errors"] = codes
	if body, ok := o["requestBody"].(map[string]any); ok {
		out["requestBody"] = t.content(body, w)
	}
	t.answers = true
	defer func() { t.answers = false }()
	responses := make(map[string]any)
	for status, answer := range document.At(o, "responses") {
		responses[status] = t.content(answer.(map[string]any), w)
	}
	out["responses"] = responses
	return out
}

func (t *namedDocument) parameter(p map[string]any, w *Wording) map[string]any {
	out := maps.Clone(p)
	name := p["name"].(string)
	switch p["in"] {
	case "path":
		out["name"] = w.names[name]
	case "query":
		out["name"] = w.Parameter(name)
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
func (t *namedDocument) media(text string) string {
	if t.Vendor == "" {
		return text
	}
	return strings.ReplaceAll(text, document.Vendor, t.Vendor)
}

// content is a body with its headers.
func (t *namedDocument) content(body map[string]any, w *Wording) map[string]any {
	out := maps.Clone(body)
	if text, ok := body["description"].(string); ok {
		out["description"] = w.prose(text)
	}
	if schema := document.SchemaIn(body); schema != nil {
		key := ""
		if w.own() {
			key = "." + strings.ReplaceAll(w.area, " ", "")
		}
		if t.answers && slices.ContainsFunc(w.Lexicon,
			func(n Names) bool { return len(n.Omit) > 0 || n.hasSeconds() }) {
			key += ".answer"
		}
		out["content"] = document.Content(t.schema(schema, w, key))
	}
	if headers := document.At(body, "headers"); headers != nil {
		renamed := make(map[string]any)
		for name, about := range headers {
			if as, ok := t.Headers[name]; ok {
				name = http.CanonicalHeaderKey(as)
			}
			renamed[name] = about
		}
		out["headers"] = renamed
	}
	return out
}

// own reports whether bodies of the operation's area are named otherwise than those of
// others.
func (w *Wording) own() bool {
	return slices.ContainsFunc(w.Lexicon[:len(w.Lexicon)-1], func(n Names) bool {
		return len(n.Members)+len(n.Parts)+len(n.Values)+len(n.Events)+len(n.Permissions)+len(n.Omit) > 0 ||
			n.hasSeconds()
	})
}

// schema is a schema in the words of an operation. It refers to others by name and key; the
// key names an area that has words of its own.
func (t *namedDocument) schema(s map[string]any, w *Wording, key string) map[string]any {
	if ref, ok := s["$ref"].(string); ok {
		return t.reference(ref[strings.LastIndexByte(ref, '/')+1:], w, key)
	}
	out := maps.Clone(s)
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		if variants, ok := s[word].([]any); ok {
			renamed := make([]any, len(variants))
			for i, v := range variants {
				renamed[i] = t.schema(v.(map[string]any), w, key)
			}
			out[word] = renamed
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
	if to, ok := s["x-refers-to"].(string); ok {
		out["x-refers-to"] = t.collection(to, w)
	}
	if word, ok := s["default"].(string); ok {
		out["default"] = w.Word(word)
	}
	t.members(s, out, w, key)
	return out
}

// collection is what paths call a collection, those of the area of a wording before all others.
func (t *namedDocument) collection(name string, w *Wording) (as string) {
	for i := range t.operations {
		if own := t.operations[i].Area == w.area; path.Base(t.operations[i].Path) == name && (own || as == "") {
			as = path.Base(t.Wordings[i].Path(t.operations[i].Path))
			if own {
				return as
			}
		}
	}
	return cmp.Or(as, name)
}

func (t *namedDocument) reference(name string, w *Wording, key string) map[string]any {
	if name == "Error" {
		return document.Reference(name)
	}
	if _, ok := t.renamed[name+key]; !ok {
		t.renamed[name+key] = nil // met, so that it may hold itself
		t.renamed[name+key] = t.schema(document.At(t.named, name), w, key)
	}
	return document.Reference(name + key)
}

func (w *Wording) enumeration(words any) []any {
	var out []any
	switch words := words.(type) {
	case []string:
		for _, word := range words {
			out = append(out, w.Word(word))
		}
	case []any:
		for _, word := range words {
			if text, ok := word.(string); ok {
				word = w.Word(text)
			}
			out = append(out, word)
		}
	}
	return out
}

// members fills in what the members of a schema are called.
func (t *namedDocument) members(s, out map[string]any, w *Wording, key string) {
	if properties := document.At(s, "properties"); properties != nil {
		renamed := make(map[string]any, len(properties))
		for name, p := range properties {
			if t.answers && w.omits(name) {
				continue
			}
			renamed[w.Member(name)] = t.schema(p.(map[string]any), w, key)
			t.seconds(renamed, name, w)
			if name == "_links" {
				t.links(renamed[w.Member(name)].(map[string]any))
			}
		}
		out["properties"] = renamed
	}
	if required, ok := s["required"].([]string); ok {
		renamed := make([]string, 0, len(required))
		for _, name := range required {
			switch as := w.also(name); {
			case t.answers && w.omits(name), !t.answers && len(w.Seconds(name)) > 0:
				// Requests have one of its names.
			case t.answers && as != "":
				renamed = append(renamed, w.Member(name), as)
			default:
				renamed = append(renamed, w.Member(name))
			}
		}
		out["required"] = renamed
	}
}

// seconds adds the second names of a member to what a schema says.
func (t *namedDocument) seconds(renamed map[string]any, name string, w *Wording) {
	names := w.Seconds(name)
	if t.answers {
		names = slices.DeleteFunc(names, func(as string) bool { return as != w.also(name) })
	}
	for _, as := range names {
		second := maps.Clone(renamed[w.Member(name)].(map[string]any))
		if second["$ref"] == nil {
			second["description"] = "Another name of " + w.Member(name) + "."
		}
		renamed[as] = second
	}
}

// links reports of links in the dialect's words whether they may be missing or null.
func (t *namedDocument) links(links map[string]any) {
	required, _ := links["required"].([]string)
	kept := required[:0:0]
	for _, name := range required {
		kind := document.At(links, "properties", name)
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
		for name, p := range document.At(links, "properties") {
			if link := maps.Clone(p.(map[string]any)); link["type"] == "object" {
				links["properties"].(map[string]any)[name] = document.Nullable(link)
			}
		}
	}
}

var permissionLike = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+`)

// permissionsIn is a text with the permissions of the deployment.
func (w *Wording) permissionsIn(text string) string {
	return permissionLike.ReplaceAllStringFunc(text, func(name string) string {
		as, _ := w.whole(permissionsOf, name)
		return as
	})
}

var identifier = regexp.MustCompile(`\$?[A-Za-z][A-Za-z0-9]*`)

// prose is a text in which names are called otherwise that no words of the language
// are: those with a dollar or a capital inside.
func (w *Wording) prose(text string) string {
	return identifier.ReplaceAllStringFunc(text, func(name string) string {
		switch {
		case name[0] == '$':
			return w.Parameter(name)
		case strings.IndexFunc(name[1:], unicode.IsUpper) < 0:
			return name
		}
		if as := w.Code(name); as != name {
			return as
		}
		return w.Member(name)
	})
}
