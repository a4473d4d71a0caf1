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

// namesake is the name of the record that a name refers to: that of a path which ends in
// it, or in which it ends.
func (f *prefill) namesake(name string) (of *operation, is bool) {
	better := 0
	for i := range f.all {
		o := &f.all[i]
		last := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
		if o.Method != http.MethodGet || !strings.HasPrefix(last, "{") ||
			area(o.Path) == "schedules" && area(f.of.Path) != "schedules" {
			continue
		}
		known := strings.Trim(last, "{}")
		a, b := strings.ToLower(known), strings.ToLower(name)
		switch {
		case isEnd(name):
			b = "taskid"
		case b == "groupid" && f.of.Path == groupMembersPath:
			b = "twingroupid"
		case strings.HasSuffix(b, "projectid"), b == "scopeid":
			b = "twinid"
		}
		if !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a) || b == "id" {
			continue
		}
		score := min(len(a), len(b))*1000 + shared(o.Path, f.of.Path)
		if a == b {
			score += 100_000
		}
		if f.list(above(o.Path)) != nil {
			score += 50_000
		}
		if score > better {
			of, better = o, score
		}
	}
	return of, of != nil
}

// listOf is the path of the list of what a name is about.
func (f *prefill) listOf(name string) string {
	o, ok := f.namesake(name)
	if !ok {
		return ""
	}
	return above(o.Path)
}

// isEnd reports whether a name is that of an end of a link.
func isEnd(name string) bool { return name == "predecessorId" || name == "successorId" }

// above is a path without its last segment.
func above(path string) string { return path[:strings.LastIndexByte(path, '/')] }

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

// ids are those of what a name is about: of twins, that of the operation is the first.
func (f *prefill) ids(name string) []string {
	path := f.listOf(name)
	ids := f.listed(path)
	if i := slices.Index(ids, f.twin); i > 0 && path == twinsPath {
		ids = slices.Insert(slices.Delete(slices.Clone(ids), i, i+1), 0, f.twin)
	}
	return ids
}

// twinsPath is where the twins are, groupMembersPath where the groups are that are members of one.
const (
	twinsPath        = "/twins"
	groupMembersPath = "/access-control/twins/{twinId}/members/groups"
)

// list is the operation that lists what is at a path, nil where none does.
func (f *prefill) list(path string) *operation {
	i := slices.IndexFunc(f.all, func(o operation) bool { return o.Method == http.MethodGet && o.Path == path })
	if i < 0 {
		return nil
	}
	return &f.all[i]
}

// listed are the ids of what is listed at a path: in the first twin or model that has any,
// where it is listed by these. That twin is the operation's from then on.
func (f *prefill) listed(path string) []string {
	for twin, ids := range f.lists(path) {
		if len(ids) > 0 {
			f.twin = cmp.Or(f.twin, twin)
			return ids
		}
	}
	return nil
}

// lists yields the ids of what is listed at a path, with the twin that they are listed by.
func (f *prefill) lists(path string) iter.Seq2[string, []string] {
	return func(yield func(twin string, ids []string) bool) {
		list := f.list(path)
		if list == nil {
			return
		}
		address, ok := f.address(list)
		if !ok {
			return
		}
		for _, query := range f.queries(list) {
			if !yield(cmp.Or(query.Get("twinId"), query.Get("projectId")), f.at(address, query)) {
				return
			}
		}
	}
}

// queries are those with which a list is read, one after the other: of each twin or model, where it is of one. To be
// changed, drafts are the first: what is in use may be closed.
func (f *prefill) queries(list *operation) (all []url.Values) {
	within := list.within()
	if within == "" {
		return []url.Values{nil}
	}
	ids := f.ids(within)
	if list.takes("status") && f.of.Method == http.MethodPatch && list.Path == f.collection() {
		for _, id := range ids {
			all = append(all, url.Values{within: {id}, "status": {"Draft"}})
		}
	}
	for _, id := range ids {
		all = append(all, url.Values{within: {id}})
	}
	return all
}

// address is the path of a list with ids in it, unless one is missing.
func (f *prefill) address(list *operation) (path string, ok bool) {
	path = list.Path
	for _, p := range list.parameters {
		if p.In == "path" {
			id := f.path(p.Name)
			if id == "" {
				return "", false
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(id))
		}
	}
	return path, true
}

// within is the parameter that names what a list is of, empty where it is of all.
func (o *operation) within() string {
	for _, name := range []string{"modelId", "twinId", "projectId"} {
		if o.takes(name) {
			return name
		}
	}
	return ""
}

// takes reports whether the operation has a parameter of that name in its query.
func (o *operation) takes(name string) bool {
	return slices.ContainsFunc(o.parameters, func(p parameter) bool { return p.In == "query" && p.Name == name })
}

// at are the ids of the list at an address.
func (f *prefill) at(path string, query url.Values) []string {
	address := path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	if ids, ok := f.known[address]; ok || *f.looked == maxLooked {
		return ids
	}
	*f.looked++
	f.known[address] = nil
	var answer map[string]json.RawMessage
	if _, err := f.get(address, &answer); err == nil {
		f.known[address] = f.idsIn(answer)
	}
	return f.known[address]
}

// idsIn are the ids of the records of a list, but of those that no one may change.
func (f *prefill) idsIn(answer map[string]json.RawMessage) (ids []string) {
	for _, raw := range answer {
		var records []map[string]any
		var inner map[string]json.RawMessage
		switch {
		case json.Unmarshal(raw, &records) == nil:
			for _, r := range records {
				if parent, ok := r["parentId"].(string); ok {
					f.parents[parent] = true
				}
				if id := idOf(r); id != "" && r["type"] != "System" {
					ids = append(ids, id)
				}
			}
		case json.Unmarshal(raw, &inner) == nil && len(ids) == 0:
			ids = f.idsIn(inner)
		}
	}
	return ids
}

// idOf is how a record is called in paths.
func idOf(record map[string]any) string {
	for _, name := range []string{"id", "name", "extensionName"} {
		if id, ok := record[name].(string); ok {
			return id
		}
	}
	return ""
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
		return f.items(d, name)
	}
	text, ok := token.(string)
	switch {
	case ok && name == "member": // a group lets in who is known where it is
		return f.there("memberId", text), nil
	case ok && strings.HasSuffix(strings.ToLower(name), "id"):
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
		v, err := f.value(d, strings.TrimSuffix(name, "s"))
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
	key, ids := f.fit(name)
	switch {
	case key == "":
		return example // of what nothing is listed
	case key == twinsPath && len(ids) > 0 && name != "parentId":
		return ids[0] // all in one
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

// collection is the path of the list in which the operation makes or changes something: the
// nearest above it.
func (f *prefill) collection() string {
	path := f.of.Path
	for path != "" && (strings.HasSuffix(path, "}") || f.list(path) == nil) {
		path = above(path)
	}
	return path
}

// fit are the ids that a member may have, of the list at key, which is empty without one.
func (f *prefill) fit(name string) (key string, ids []string) {
	if name == "id" || name == "parentId" {
		key = f.collection()
		ids = slices.Clone(f.listed(key))
		if name == "parentId" {
			slices.Reverse(ids)
		}
		return key, ids
	}
	key, ids = f.listOf(name), slices.Clone(f.ids(name))
	if name == "groupId" && f.of.Path == groupMembersPath { // which a group comes into once
		in := f.listed(groupMembersPath)
		ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(in, id) })
	}
	if isEnd(name) { // a link leads to nothing that its other end may be in
		ids = slices.DeleteFunc(ids, func(id string) bool { return f.parents[id] })
	}
	return key, ids
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
	if own := f.collection(); f.of.Method == http.MethodPost && f.list(own) != nil {
		f.first = len(f.listed(own)) == 0
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
