package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// A trial is a body that is at a limit of the document, or beyond it.
type trial struct {
	member string // that it is about
	what   string
	body   any
	beyond bool
}

// TestEveryLimitOfTheDocumentHolds sends, for each operation with a body and each
// limit of a member, a value at the limit, which is taken, and one beyond it, which
// is refused with the documented error and its name.
func TestEveryLimitOfTheDocumentHolds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	for folder, world := range worlds {
		for id, s := range scenariosIn(t, folder) {
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				tryLimits(t, c, s, id, world)
			})
		}
	}
}

// accepted is a request of a conversation that an operation takes.
type accepted struct {
	before  []step
	request string // without its body
	body    map[string]any
}

// acceptedBy is the first request with a body that an operation takes.
func (s *scenario) acceptedBy(h *httpapi.Handler, id string) (a accepted, ok bool) {
	for i, st := range s.steps {
		_, method, target := requestLine(st.request)
		o, _ := h.OperationOf(request(method, target))
		head, body, _ := strings.Cut(st.request, "\n\n")
		if o.ID == id && strings.HasPrefix(st.answer, "2") && stdjson.Unmarshal([]byte(body), &a.body) == nil && a.body != nil {
			a.before, a.request = s.steps[:i], head
			return a, true
		}
	}
	return a, false
}

// tries are requests with other bodies, behind what goes before in a conversation.
type tries struct {
	conversation
	h *httpapi.Handler
}

func (a accepted) begin(t *testing.T, h *httpapi.Handler) *tries {
	t.Helper()
	talk := &tries{h: h}
	for _, st := range a.before {
		talk.shown(t, talk.send(t, h, st.request))
	}
	return talk
}

func (x *tries) try(t *testing.T, a accepted, body any) *httptest.ResponseRecorder {
	t.Helper()
	return x.send(t, x.h, a.request+"\n\n"+inJSON(t, body))
}

func tryLimits(t *testing.T, c *contract, s *scenario, id string, world func(testing.TB) *httpapi.Handler) {
	h := world(t)
	operations := h.Operations()
	o := operations[slices.IndexFunc(operations, func(o httpapi.Operation) bool { return o.ID == id })]
	method := strings.ToLower(o.Method)
	content := c.at("paths", o.Path, method, "requestBody", "content", "application/json")
	a, ok := s.acceptedBy(h, id)
	if content == nil {
		return
	}
	if !ok {
		t.Fatal("no request with a body is taken")
	}
	schema := c.at("paths", o.Path, method, "requestBody", "content", "application/json", "schema")
	if all, ok := schema["allOf"].([]any); ok {
		schema = c.joined(all)
	}
	l := limits{c: c}
	l.object(schema, "", a.body, func(v any) any { return v })
	if len(l.trials) == 0 {
		t.Error("the document has no schema of its body")
	}
	if wrong := c.wrong(schema, id, a.body); wrong != nil {
		t.Errorf("a body that is taken is not as the document says: %v", wrong)
	}
	// A refused request changes nothing: one world will do for all of those.
	refusing := a.begin(t, h)
	for _, tr := range l.trials {
		if !tr.beyond {
			talk := a.begin(t, world(t))
			if w := talk.try(t, a, tr.body); refusedFor(t, w, tr.member) && !bound.Match(w.Body.Bytes()) {
				t.Errorf("%s of %s is refused: %d %.300s", tr.what, tr.member, w.Code, w.Body)
			}
			continue
		}
		w := refusing.try(t, a, tr.body)
		if !refusedFor(t, w, tr.member) {
			t.Errorf("%s of %s: %d %.300s", tr.what, tr.member, w.Code, w.Body)
		}
		about, _ := c.at("paths", o.Path, method, "responses", strconv.Itoa(w.Code))["description"].(string)
		if code := failureOf(t, w).Code; !strings.Contains(about, code) {
			t.Errorf("%s of %s is refused as %s; the document says of %d: %s", tr.what, tr.member, code, w.Code, about)
		}
	}
}

// bound are the words with which a value within its limits is refused, since it
// names nothing that is there or does not go with another member.
var bound = regexp.MustCompile(`has no |is not available|set by the platform|for the class|Only Material|one source|is Started|south of|not the latest changeset|no other order|never changes|at least one time block|needs working time|Exactly one of ` +
	`|is assigned to a|There is no permission |has a group with the id|(class|subclass) of the repository is|of another twin|does not convert formats|The job is not active` +
	`|'whatIf' is for a dry run|property 'pattern' is missing` +
	`|property '(boundingBox\.\w+|scopeId|modelId)' is missing`)

type failed struct {
	Code, Target string
	Details      []struct{ Code, Message, Target string }
}

func failureOf(t *testing.T, w *httptest.ResponseRecorder) failed {
	t.Helper()
	var body struct{ Error failed }
	if w.Code/100 != 4 {
		return body.Error
	}
	if err := stdjson.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return body.Error
}

// refusedFor reports whether a request is refused for a member, which the details
// name.
func refusedFor(t *testing.T, w *httptest.ResponseRecorder, member string) bool {
	t.Helper()
	e := failureOf(t, w)
	name := member[strings.LastIndexByte(member, '.')+1:]
	for _, d := range append(e.Details, struct{ Code, Message, Target string }{Target: e.Target}) {
		last := strings.TrimRight(d.Target[strings.LastIndexByte(d.Target, '.')+1:], "[]0123456789")
		if last == name || strings.Contains("."+member+".", "."+last+".") && last != "" {
			return true
		}
	}
	return false
}

// limits collects the trials of a body.
type limits struct {
	c      *contract
	trials []trial
}

func (l *limits) add(member, what string, body any, beyond bool) {
	l.trials = append(l.trials, trial{member, what, body, beyond})
}

// object tries the members of an object. whole is the body around it.
func (l *limits) object(schema map[string]any, at string, v map[string]any, whole func(any) any) {
	properties, _ := schema["properties"].(map[string]any)
	required := asList(schema["required"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p, null := l.plain(properties[name].(map[string]any))
		member := strings.TrimPrefix(at+"."+name, ".")
		with := func(value any) any {
			out := maps.Clone(v)
			out[name] = value
			return whole(out)
		}
		if slices.Contains(required, any(name)) {
			without := maps.Clone(v)
			delete(without, name)
			l.add(member, "lack", whole(without), true)
		}
		l.add(member, "null", with(nil), !null)
		l.value(p, member, v[name], with)
	}
}

// plain is a schema without null, and whether it has null.
func (l *limits) plain(schema map[string]any) (_ map[string]any, null bool) {
	if either, ok := schema["oneOf"].([]any); ok {
		return l.c.resolve(either[0].(map[string]any)), true
	}
	schema = l.c.resolve(schema)
	return schema, slices.Contains(asList(schema["type"]), any("null"))
}

// ofEveryKind are values of each kind that JSON has.
var ofEveryKind = []any{true, 0.5, 1, "text", []any{}, []any{nil}, map[string]any{}}

func (l *limits) value(p map[string]any, member string, now any, with func(any) any) {
	for _, v := range ofEveryKind {
		if !slices.ContainsFunc(asList(p["type"]), func(kind any) bool { return isA(kind.(string), normal(v)) }) && p["type"] != nil {
			l.add(member, fmt.Sprintf("the value %s", mustJSON(v)), with(v), true)
		}
	}
	for _, word := range asList(p["enum"]) {
		if word != nil {
			l.add(member, fmt.Sprint("the word ", word), with(word), false)
		}
	}
	if p["enum"] != nil {
		l.add(member, "another word", with("no such word"), true)
	}
	if low, ok := p["minimum"].(float64); ok {
		l.add(member, "the least", with(low), false)
		l.add(member, "less than the least", with(low-1), true)
	}
	if high, ok := p["maximum"].(float64); ok {
		l.add(member, "the most", with(high), false)
		l.add(member, "more than the most", with(high+1), true)
	}
	l.text(p, member, with)
	l.list(p, member, now, with)
	if p["properties"] != nil {
		inner, ok := now.(map[string]any)
		if !ok {
			inner = l.least(p).(map[string]any)
		}
		l.object(p, member, inner, with)
	}
}

func (l *limits) text(p map[string]any, member string, with func(any) any) {
	if high, ok := p["maxLength"].(float64); ok {
		l.add(member, "the longest", with(long(p, int(high))), false)
		l.add(member, "longer than the longest", with(long(p, int(high)+1)), true)
	}
	if low, ok := p["minLength"].(float64); ok {
		l.add(member, "shorter than the shortest", with(strings.Repeat("x", int(low)-1)), true)
	}
	if pattern, ok := p["pattern"].(string); ok {
		matches := regexp.MustCompile(pattern).MatchString
		for _, v := range []string{"  ", "a/b", "#12345g"} {
			if !matches(v) {
				l.add(member, fmt.Sprintf("%q", v), with(v), true)
			}
		}
	}
	if format, ok := p["format"].(string); ok && p["type"] != nil && isString(p) && format != "uri" {
		l.add(member, "no "+format, with("not of this form"), true)
	}
}

// normal is a value as it is once it was read.
func normal(v any) any {
	if n, ok := v.(int); ok {
		return float64(n)
	}
	return v
}

func mustJSON(v any) []byte {
	b, err := stdjson.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func isString(p map[string]any) bool { return slices.Contains(asList(p["type"]), any("string")) }

// long is a text of so many characters in the format that a member has.
func long(p map[string]any, n int) string {
	start := ""
	if pattern, ok := p["pattern"].(string); ok && strings.Contains(pattern, "@") {
		start = "x@"
	}
	if p["format"] == "uri" {
		start = "https://example.com/"
	}
	if start != "" {
		return start + strings.Repeat("x", n-len(start))
	}
	if example, ok := p["examples"].([]any); ok && n == len(example[0].(string)) {
		return example[0].(string)
	}
	return strings.Repeat("x", n)
}

func (l *limits) list(p map[string]any, member string, now any, with func(any) any) {
	items, ok := p["items"].(map[string]any)
	if !ok {
		return
	}
	if all, ok := items["allOf"].([]any); ok {
		items = l.c.joined(all)
	}
	item := func(i int) any {
		if list, ok := now.([]any); ok && len(list) > 0 {
			if one, ok := list[0].(map[string]any); ok {
				out := maps.Clone(one)
				delete(out, "id")
				return out
			}
		}
		v := l.least(l.c.resolve(items))
		if text, ok := v.(string); ok && l.c.resolve(items)["enum"] == nil && l.c.resolve(items)["format"] == nil {
			v = fmt.Sprintf("%s%d", text, i)
		}
		return v
	}
	listOf := func(n int) []any {
		out := make([]any, n)
		for i := range out {
			out[i] = item(i)
		}
		return out
	}
	if high, ok := p["maxItems"].(float64); ok {
		l.add(member, "the most items", with(listOf(int(high))), false)
		l.add(member, "more than the most items", with(listOf(int(high)+1)), true)
	}
	if low, ok := p["minItems"].(float64); ok {
		l.add(member, "less than the least items", with(listOf(int(low)-1)), true)
	}
	one := func(v any) any { return with([]any{v}) }
	if _, null := l.plain(items); !null {
		l.add(member, "null in the list", one(nil), true)
	}
	if l.c.resolve(items)["properties"] != nil {
		l.object(l.c.resolve(items), member, asObject(now, l.least(l.c.resolve(items))), one)
	} else {
		l.value(l.c.resolve(items), member, nil, one)
	}
}

// asObject is the first item of a list, or another object.
func asObject(list, other any) map[string]any {
	if items, ok := list.([]any); ok && len(items) > 0 {
		return items[0].(map[string]any)
	}
	return other.(map[string]any)
}

// least is a value with no more than a schema asks for.
func (l *limits) least(p map[string]any) any {
	p, _ = l.plain(p)
	switch kinds := asList(p["type"]); {
	case p["enum"] != nil:
		return asList(p["enum"])[0]
	case p["properties"] != nil:
		out := make(map[string]any)
		for _, name := range asList(p["required"]) {
			out[name.(string)] = l.least(p["properties"].(map[string]any)[name.(string)].(map[string]any))
		}
		return out
	case slices.Contains(kinds, any("array")):
		items := []any{}
		if p["minItems"] != nil {
			items = append(items, l.least(p["items"].(map[string]any)))
		}
		return items
	case slices.Contains(kinds, any("number")), slices.Contains(kinds, any("integer")):
		return 1
	case slices.Contains(kinds, any("boolean")):
		return true
	case p["format"] == "date-time":
		return "2026-01-31T09:00:00Z"
	case p["format"] == "uuid":
		return "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01"
	}
	return "x"
}
