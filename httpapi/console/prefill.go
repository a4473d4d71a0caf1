package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// prefill finds what is there, as the viewer, to fill the form of an operation with: ids
// for its path, and for the members of its example that refer to records.
type prefill struct {
	*request

	of      *operation
	values  url.Values          // of the form
	twin    string              // that which holds what the operation is about
	known   map[string][]string // the ids of a list, by its address
	parents map[string]bool     // the ids of what has something below it
	said    map[string]string   // what is there, by what the example names
	own     map[string]bool     // the ids that the example gives itself
	missing []string            // what is needed and not there
	first   bool                // what is made would be the first in its list
	looked  *int
}

// maxLooked is how many lists are read to fill one form.
const maxLooked = 100

// ofPath is the place of the records that a name in the path of the operation has the id of: that
// of the path up to there, or else that whose own path has the name.
func (f *prefill) ofPath(name string) *place {
	before, _, _ := strings.Cut(f.of.Path, "{"+name+"}")
	if p := f.console.among(before + "{" + name + "}"); p != nil && p.List != "" {
		return p
	}
	return f.console.among(httpapi.Place{Area: f.of.Area, List: f.of.Path}.Referred(name, ""))
}

// isEnd reports whether a name is that of an end of a link.
func isEnd(name string) bool { return name == "predecessorId" || name == "successorId" }

// ids are those of a place: of twins, that of the operation is the first.
func (f *prefill) ids(p *place) []string {
	for twin, ids := range f.lists(p) {
		if len(ids) == 0 {
			continue
		}
		f.twin = cmp.Or(f.twin, twin) // it is the operation's from then on
		if i := slices.Index(ids, f.twin); i > 0 && p.list == "/twins" {
			ids = slices.Insert(slices.Delete(slices.Clone(ids), i, i+1), 0, f.twin)
		}
		return ids
	}
	return nil
}

// lists yields the ids of a place in each record that its list may be of, with the twin if it is
// one.
func (f *prefill) lists(p *place) iter.Seq2[string, []string] {
	return func(yield func(twin string, ids []string) bool) {
		if p == nil {
			return
		}
		in := known{}
		for _, name := range namesIn(p.List) {
			in[name] = url.PathEscape(f.path(name))
		}
		path := in.fill(p.List)
		if path == "" {
			return
		}
		of, isOf := p.asksFor(nil)
		if !isOf {
			yield("", f.at(p, path, nil))
			return
		}
		for _, query := range f.queries(p, of) {
			twin := ""
			if strings.HasPrefix(of.Refers, "/twins/") {
				twin = query.Get(of.Name)
			}
			if !yield(twin, f.at(p, path, query)) {
				return
			}
		}
	}
}

// queries are those with which a list of what belongs to another record is read, one after the
// other. To be changed, drafts are the first: what is in use may be closed.
func (f *prefill) queries(p *place, of httpapi.PlaceMember) (all []url.Values) {
	ids := f.ids(f.console.among(of.Refers))
	if p.parameter("status").All != "" && f.of.Method == http.MethodPatch && p == f.collection() {
		for _, id := range ids {
			all = append(all, url.Values{of.Name: {id}, "status": {"Draft"}})
		}
	}
	for _, id := range ids {
		all = append(all, url.Values{of.Name: {id}})
	}
	return all
}

// at are the ids of the list at an address, but of records that no one may change.
func (f *prefill) at(p *place, path string, query url.Values) []string {
	address := path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	if ids, ok := f.known[address]; ok || *f.looked == maxLooked {
		return ids
	}
	*f.looked++
	f.known[address] = nil
	list, _, err := f.objects(address, p.Records)
	if err != nil {
		return nil
	}
	for _, o := range list {
		if parent := o.text("parentId"); parent != "" {
			f.parents[parent] = true
		}
		if id, _ := o.at(p.ID).(string); id != "" && o.text("type") != "System" {
			f.known[address] = append(f.known[address], id)
		}
	}
	return f.known[address]
}

// path is the value of a parameter: as the form has it, or the first that is there.
func (f *prefill) path(name string) string {
	for _, in := range []string{"path.", "query."} {
		if v := f.values.Get(in + name); v != "" {
			return v
		}
	}
	ids := f.ids(f.ofPath(name))
	switch {
	case len(ids) == 0:
		return ""
	case strings.HasSuffix(f.of.Path, "/{"+name+"}"):
		return ids[len(ids)-1] // the latest is the one that is least bound
	}
	return ids[0]
}

// body is the example of a body about what is there.
func (f *prefill) body(example string) string {
	d := json.NewDecoder(strings.NewReader(example))
	d.UseNumber()
	v, err := f.value(d, "")
	if err != nil {
		return example
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(v) != nil {
		return example
	}
	return b.String()
}

// value reads a value of the example, its members in their order.
func (f *prefill) value(d *json.Decoder, name string) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return f.object(d)
	case json.Delim('['):
		return f.items(d, name)
	}
	if text, ok := token.(string); ok && name != "" {
		return f.there(name, text), nil
	}
	return token, nil
}

// object reads the members of an object, behind its brace.
func (f *prefill) object(d *json.Decoder) (any, error) {
	out := sample{}
	for d.More() {
		member, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := f.value(d, member.(string))
		if err != nil {
			return nil, err
		}
		if v != (absent{}) {
			out = append(out, sampleMember{member.(string), v})
		}
	}
	_, err := d.Token()
	return out, err
}

// items reads the items of a list, behind its bracket: of several as many as there is
// something for.
func (f *prefill) items(d *json.Decoder, name string) (any, error) {
	out, empty := []any{}, !d.More()
	for d.More() {
		missing := len(f.missing)
		v, err := f.value(d, name)
		switch {
		case err != nil:
			return nil, err
		case len(f.missing) > missing && len(out) > 0:
			f.missing = f.missing[:missing]
		case v != (absent{}):
			out = append(out, v)
		}
	}
	_, err := d.Token()
	switch {
	case empty || len(out) > 0:
	case f.of.requires(name):
		f.missing = append(f.missing, name)
	default:
		return absent{}, err
	}
	return out, err
}

// absent is in place of what is not there and can be left out.
type absent struct{}

// there is what is there in place of what the example names: another one for each.
func (f *prefill) there(name, example string) any {
	many := !strings.HasSuffix(f.of.Path, "}") && f.of.Method == http.MethodPatch
	to := f.referred(name)
	switch {
	case name != "id" && f.own[example]:
		return example
	case name == "id" && to == nil && !many:
		if f.of.Method != http.MethodPost || f.of.requires(name) || strings.Contains(f.of.example, `"batch"`) {
			return example
		}
		return absent{}
	case name == "id" && to == nil:
		to = f.collection()
	}
	if to == nil {
		return example
	}
	ids := f.fit(name, to)
	if to.list == "/twins" && len(ids) > 0 && name != "parentId" {
		return ids[0] // all in one
	}
	if as, ok := f.said[to.one+" "+example]; ok {
		return as
	}
	used := 0
	for said := range f.said {
		if strings.HasPrefix(said, to.one+" ") {
			used++
		}
	}
	switch {
	case used < len(ids):
		as := ids[used]
		f.said[to.one+" "+example] = as
		return as
	case !f.of.requires(name):
		return absent{}
	}
	f.missing = append(f.missing, name)
	return example
}

// referred is the place of the records that a member of the body names; nil for none.
func (f *prefill) referred(name string) *place {
	if name == "id" && f.of.refers[name] == "" {
		return nil
	}
	return f.console.among(f.refers(f.of, name, f.of.refers[name]))
}

// collection is the place of the list in which the operation makes or changes something: the
// nearest above it.
func (f *prefill) collection() *place {
	for path := generic(f.of.Path); path != ""; path = path[:strings.LastIndexByte(path, '/')] {
		if p := f.console.placeOf(path); p != nil && p.list == path {
			return p
		}
	}
	return nil
}

// fit are the ids of a place that a member may have.
func (f *prefill) fit(name string, of *place) []string {
	ids := slices.Clone(f.ids(of))
	switch {
	case name == "parentId":
		slices.Reverse(ids)
	case name == "groupId" && f.collection() != nil && f.collection().Name == of.Name: // which a group comes into once
		in := f.ids(f.collection())
		ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(in, id) })
	case isEnd(name): // a link leads to nothing that its other end may be in
		ids = slices.DeleteFunc(ids, func(id string) bool { return f.parents[id] })
	}
	return ids
}

// requires reports whether a member of that name is required anywhere in the body.
func (o *operation) requires(name string) bool { return slices.Contains(o.required, name) }

// again is the example, or for values of records one that is there: of another no one can say
// which fields it may be of. A job has inputs that are there.
func (f *prefill) again() string {
	if f.of.Method == http.MethodPost && strings.HasPrefix(f.of.Path, "/reality-") &&
		strings.HasSuffix(f.of.Path, "/jobs") {
		return f.job()
	}
	own, many := strings.CutSuffix(f.of.Path, "/batch")
	if !strings.HasSuffix(own, "/user-field-values") {
		return f.of.example
	}
	var answer struct {
		UserFieldValues []map[string]any `json:"userFieldValues"`
	}
	own = strings.ReplaceAll(own, "{scheduleId}", url.PathEscape(f.path("scheduleId")))
	if _, err := f.get(own, &answer); err != nil || len(answer.UserFieldValues) == 0 {
		f.missing = append(f.missing, "userFieldId")
		return f.of.example
	}
	one := answer.UserFieldValues[0]
	field, _ := one["userFieldId"].(string)
	kind, err := f.fieldType(field)
	if err != nil {
		return f.of.example
	}
	text, _ := one["value"].(string)
	switch kind {
	case "Float", "Integer":
		one[strings.Replace(strings.ToLower(kind), "integer", "int", 1)+"Value"] = json.Number(text)
	case "Boolean":
		one["boolValue"] = text == "true"
	case "String":
		one["stringValue"] = text
	default:
		one["dateValue"] = text
	}
	delete(one, "deleted")
	delete(one, "value")
	var body any = one
	if many {
		body = map[string]any{"batch": []any{one}}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return f.of.example
	}
	for _, v := range one {
		if id, ok := v.(string); ok {
			f.own[id] = true
		}
	}
	return string(b)
}

// job is the example of a job with reality data that are there, of their twin and as the type
// that they are of.
func (f *prefill) job() string {
	var example map[string]any
	from := f.console.placeOf("/reality-management/reality-data")
	if json.Unmarshal([]byte(f.of.example), &example) != nil {
		return f.of.example
	}
	for twin, ids := range f.lists(from) {
		if len(ids) == 0 {
			continue
		}
		var answer struct {
			RealityData struct{ Type string } `json:"realityData"`
		}
		if _, err := f.get(known{}.with(from.One, ids[0]).fill(from.One), &answer); err != nil {
			continue
		}
		example["twinId"], example["inputs"] = twin, []any{map[string]string{"id": ids[0]}}
		if example["outputs"] != nil {
			example["outputs"] = []string{answer.RealityData.Type}
		}
		b, err := json.Marshal(example)
		if err != nil {
			return f.of.example
		}
		f.own[twin] = true
		return string(b)
	}
	f.missing = append(f.missing, "inputs")
	return f.of.example
}

// fieldType is the type of the values of a user field.
func (f *prefill) fieldType(id string) (string, error) {
	var answer struct{ UserField struct{ Type string } }
	_, err := f.get(at("schedules", f.path("scheduleId"), "user-fields", id), &answer)
	return answer.UserField.Type, unlessNone(err)
}

// givenID finds the ids that an example gives to what it makes.
var givenID = regexp.MustCompile(`"id":\s*"([^"]*)"`)

// fill fills the form, as far as the values leave it open, and reports what is missing.
func (f *prefill) fill() *prefill {
	f.said, f.own = make(map[string]string), make(map[string]bool)
	if own := f.collection(); f.of.Method == http.MethodPost && own != nil {
		f.first = len(f.ids(own)) == 0
	}
	for _, p := range f.of.parameters {
		if p.In == "path" && f.values.Get(p.Field()) == "" {
			id := f.path(p.Name)
			f.values.Set(p.Field(), id)
			if id == "" {
				f.missing = append(f.missing, p.Name)
			}
		}
	}
	for _, id := range givenID.FindAllStringSubmatch(f.of.example, -1) {
		f.own[id[1]] = true
	}
	if f.of.media == "application/json" && !f.values.Has("body") && f.of.example != "" {
		f.values.Set("body", f.body(f.again()))
	}
	return f
}

// lack is how much a form that was filled lacks. Where nothing of a kind
// is, it may be that nothing can be, as 3D entities in most schedules.
func (f *prefill) lack() int {
	n := 2 * len(f.missing)
	if f.first {
		n++
	}
	return n
}
