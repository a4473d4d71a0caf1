package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// prefill finds what is there, as the viewer, to fill the form of an operation with: ids
// for its path, and for what its example names.
//
// A name that ends as that of a part of a path is about what is listed there: statusSetId is
// one of /resource-status-sets.
type prefill struct {
	*request

	all     []operation
	of      *operation
	values  url.Values          // of the form
	known   map[string][]string // the ids of a list, by its address
	said    map[string]string   // what is there, by what the example names
	own     map[string]bool     // the ids that the example gives itself
	missing []string            // what is needed and not there
	looked  *int
}

// maxLooked is how many lists are read to fill one form.
const maxLooked = 100

// namesake is the name of the thing that a name is about: that of a path which ends in it,
// or in which it ends.
func (f *prefill) namesake(name string) (of *operation, is bool) {
	better := 0
	for i := range f.all {
		o := &f.all[i]
		last := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
		if o.Method != http.MethodGet || !strings.HasPrefix(last, "{") || area(o.Path) == "schedules" && area(f.of.Path) != "schedules" {
			continue
		}
		known := strings.Trim(last, "{}")
		a, b := strings.ToLower(known), strings.ToLower(name)
		switch {
		case b == "predecessorid" || b == "successorid":
			b = "taskid"
		case strings.HasSuffix(b, "projectid"):
			b = "twinid"
		}
		if !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a) || b == "id" {
			continue
		}
		score := min(len(a), len(b))*1000 + shared(o.Path, f.of.Path)
		if a == b {
			score += 100_000
		}
		if score > better {
			of, better = o, score
		}
	}
	return of, of != nil
}

// area is the first segment of a path.
func area(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

// shared is how much of their beginnings two paths have in common.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// ids are those of what a name is about.
func (f *prefill) ids(name string) []string {
	o, ok := f.namesake(name)
	if !ok {
		return nil
	}
	return f.listed(o.Path[:strings.LastIndexByte(o.Path, '/')])
}

// listed are the ids of what is listed at a path.
func (f *prefill) listed(path string) []string {
	i := slices.IndexFunc(f.all, func(o operation) bool { return o.Method == http.MethodGet && o.Path == path })
	if i < 0 {
		return nil
	}
	within := ""
	for _, p := range f.all[i].parameters {
		switch {
		case p.In == "path":
			id := f.path(p.Name)
			if id == "" {
				return nil
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(id))
		case p.In == "query" && (p.Name == "twinId" || p.Name == "modelId" || p.Name == "projectId" && within == ""):
			within = p.Name
		}
	}
	if within == "" {
		return f.at(path)
	}
	for _, id := range f.ids(within) {
		if found := f.at(path + "?" + url.Values{within: {id}}.Encode()); len(found) > 0 {
			return found
		}
	}
	return nil
}

// at are the ids of the list at an address.
func (f *prefill) at(address string) []string {
	if ids, ok := f.known[address]; ok || *f.looked == maxLooked {
		return ids
	}
	*f.looked++
	f.known[address] = nil
	var answer map[string]json.RawMessage
	if _, err := f.get(address, &answer); err == nil {
		f.known[address] = idsIn(answer)
	}
	return f.known[address]
}

// idsIn are the ids of the records of a list.
func idsIn(answer map[string]json.RawMessage) (ids []string) {
	for _, raw := range answer {
		var records []map[string]any
		var inner map[string]json.RawMessage
		switch {
		case json.Unmarshal(raw, &records) == nil:
			for _, r := range records {
				for _, name := range []string{"id", "name", "extensionName"} {
					if id, ok := r[name].(string); ok {
						ids = append(ids, id)
						break
					}
				}
			}
		case json.Unmarshal(raw, &inner) == nil && len(ids) == 0:
			ids = idsIn(inner)
		}
	}
	return ids
}

// path is the value of a parameter: as the form has it, or the first that is there.
func (f *prefill) path(name string) string {
	for _, in := range []string{"path.", "query."} {
		if v := f.values.Get(in + name); v != "" {
			return v
		}
	}
	ids := f.ids(name)
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
		return f.list(d, strings.TrimSuffix(name, "s"))
	}
	if text, ok := token.(string); ok && strings.HasSuffix(strings.ToLower(name), "id") {
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

// list reads the items of a list, behind its bracket.
func (f *prefill) list(d *json.Decoder, name string) (any, error) {
	out := []any{}
	for d.More() {
		v, err := f.value(d, name)
		if err != nil {
			return nil, err
		}
		if v != (absent{}) {
			out = append(out, v)
		}
	}
	_, err := d.Token()
	return out, err
}

// absent is in the place of what is not there and can be left out.
type absent struct{}

// there is what is there in the place of what the example names: another one for each.
func (f *prefill) there(name, example string) any {
	if name == "formId" { // of a form that is to be made, it is that of its definition
		name = "formDefinitionId"
	}
	many := !strings.HasSuffix(f.of.Path, "}") && f.of.Method == http.MethodPatch
	switch {
	case name != "id" && f.own[example]:
		return example
	case name == "id" && !many:
		if f.of.Method != http.MethodPost || f.of.requires(name) || strings.Contains(f.of.example, `"batch"`) {
			return example
		}
		return absent{}
	}
	var key string
	var ids []string
	switch o, ok := f.namesake(name); {
	case name == "id" || name == "parentId":
		own := f.of.Path
		if last := strings.LastIndexByte(own, '/'); strings.HasSuffix(own, "}") || strings.HasSuffix(own, "/batch") {
			own = own[:last]
		}
		key, ids = own, slices.Clone(f.listed(own))
		if name == "parentId" {
			slices.Reverse(ids)
		}
	case ok:
		key, ids = o.Path, f.ids(name)
	default:
		return example // of what nothing is listed
	}
	if as, ok := f.said[key+" "+example]; ok {
		return as
	}
	used := 0
	for said := range f.said {
		if strings.HasPrefix(said, key+" ") {
			used++
		}
	}
	switch {
	case used < len(ids):
		as := ids[used]
		f.said[key+" "+example] = as
		return as
	case !f.of.requires(name):
		return absent{}
	}
	f.missing = append(f.missing, name)
	return example
}

// requires reports whether a member of that name is required anywhere in the body.
func (o *operation) requires(name string) bool { return slices.Contains(o.required, name) }

// again is the example, or for values of records one that is there: of another nobody can say
// which fields it may be of.
func (f *prefill) again() string {
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
	kind, err := f.fieldType(one["userFieldId"])
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

// fieldType is the type of the values of a user field.
func (f *prefill) fieldType(id any) (string, error) {
	var answer struct {
		UserFields []struct{ ID, Type string } `json:"userFields"`
	}
	_, err := f.get("/schedules/"+url.PathEscape(f.path("scheduleId"))+"/user-fields", &answer)
	for _, field := range answer.UserFields {
		if field.ID == id {
			return field.Type, err
		}
	}
	return "", err
}

// givenID finds the ids that an example gives to what it makes.
var givenID = regexp.MustCompile(`"id":\s*"([^"]*)"`)

// fill fills the form, as far as the values leave it open, and reports what is missing.
func (f *prefill) fill() {
	f.known, f.said, f.own = make(map[string][]string), make(map[string]string), make(map[string]bool)
	for _, p := range f.of.parameters {
		if p.In == "path" && f.values.Get(p.field()) == "" {
			id := f.path(p.Name)
			f.values.Set(p.field(), id)
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
}
