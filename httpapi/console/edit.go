package console

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Records of every kind are made, changed and deleted by one page for each operation: its
// form is made from the schema of the body, as that of Try it. A change is sent with the
// ETag of the record that the form was made from, and with the members that differ from it.
var editPages = table{
	{pattern: "GET /edit/{operation}", page: editPage},
	{pattern: "POST /edit/{operation}", run: editSend},
}

// verbs are what operations do, by their methods: of the button, and of the notices after it and before it ends.
var verbs = map[string]struct{ button, done, going string }{
	http.MethodPost:   {"Create", "It was created.", "It is being created."},
	http.MethodPatch:  {"Save", "The changes were saved.", "Saved. The plan is being updated."},
	http.MethodDelete: {"Delete", "It was deleted.", "It is being deleted."},
}

// edit is an operation on a record, at a path of the API.
type edit struct {
	operation

	in      known  // the ids in its path
	path    string // of the operation
	record  string // the path of the record; empty for one that is made
	of      *place // of the record; nil where it has no list
	id      string // of the record within a body that names it
	current object // the record as it is
	etag    string
	next    string            // the page where it leads
	given   map[string]string // what the list that led here is of, where the record does not name it

	units   *editUnits             // by what people type
	tabled  bool                   // a table says which fields people edit
	choices map[string][][2]string // records that members may name, by the members

	entries []entry           // of the fields
	sent    map[string]bool   // the members that the form has
	was     map[string]string // the texts of the record that the form was made from
}

// editing finds the operation with a method on a list, or on one of its records: by their
// paths, or where several are written at once, by the path of the batch.
func (r *request) editing(method, list, one string) (operation, bool) {
	all, err := r.console.operations()
	if err != nil {
		return operation{}, false
	}
	wanted := []string{one}
	switch method {
	case http.MethodPost:
		wanted = []string{list, list + "/batch"}
	case http.MethodPatch:
		wanted = []string{one, list}
	}
	for _, pattern := range wanted {
		for _, o := range all {
			formed := method == http.MethodDelete || len(o.fields) > 0
			if o.Method == method && pattern != "" && generic(o.Path) == pattern && formed {
				return o, true
			}
		}
	}
	return operation{}, false
}

// editLink leads to the form of an operation with a method on what is at a place; nothing where
// there is none, and in a console that is read-only.
func (r *request) editLink(method string, p *place, path, text string) []actionView {
	ids, isOne := match(p.one, path)
	if !isOne {
		ids, _ = match(p.list, path)
	}
	o, ok := r.editing(method, p.list, p.one)
	if !ok || !r.Writable() {
		return nil
	}
	q := []string{}
	for _, of := range o.parameters {
		if of.In == "path" && len(q)/2 < len(ids) {
			id, _ := url.PathUnescape(ids[len(q)/2])
			q = append(q, of.Field(), id)
		}
	}
	if isOne && len(q)/2 < len(ids) {
		q = append(q, "id", lastOf(path))
	}
	// A list that is only one of something leads to the form with that.
	for _, of := range p.Query {
		if p.isOf(of) && (method == http.MethodPost || of.Required) {
			q = append(q, "m."+of.Name, r.Query(of.Name))
		}
	}
	return []actionView{{r.Link(at("edit", o.ID), q...), text}}
}

// editOf is the operation of the page with what it is about.
func (r *request) editOf(values url.Values) (*edit, error) {
	o, err := r.tryable()
	if err != nil {
		return nil, err
	}
	if _, ok := verbs[o.Method]; !ok || o.media != "application/json" && o.Method != http.MethodDelete {
		return nil, &problem{
			http.StatusNotFound, "There is no form for this",
			"Send the operation by its form in Try it.",
		}
	}
	e := &edit{operation: o, path: o.Path, in: known{}, id: values.Get("id"), next: values.Get("next")}
	for _, p := range o.parameters {
		if p.In != "path" {
			continue
		}
		v := values.Get(p.Field())
		if v == "" || v == "." || v == ".." {
			return nil, &problem{http.StatusBadRequest, "The address names no record", "It has no " + p.Name + "."}
		}
		e.in[p.Name] = url.PathEscape(v)
		e.path = strings.ReplaceAll(e.path, "{"+p.Name+"}", url.PathEscape(v))
	}
	pattern := strings.TrimSuffix(generic(o.Path), "/batch")
	e.of, e.given = r.console.placeOf(pattern), make(map[string]string)
	if e.of != nil {
		for _, of := range e.of.Query {
			if v := values.Get("m." + of.Name); v != "" && e.of.isOf(of) {
				e.given[of.Name] = v
			}
		}
	}
	switch {
	case o.Method == http.MethodPost:
	case e.of != nil && e.of.list == pattern:
		e.record = e.path + "/" + url.PathEscape(e.id)
		e.in = e.in.with(e.of.One, e.id)
	default:
		e.record = e.path
	}
	e.forPeople(r)
	return e, nil
}

// title is what the page does, and to what.
func (e *edit) title() string {
	switch e.Method {
	case http.MethodPost:
		return e.Summary
	case http.MethodDelete:
		return "Delete " + e.name()
	}
	return "Change " + e.name()
}

// name is what people call the record.
func (e *edit) name() (name string) {
	if e.of != nil {
		name = e.current.text(e.of.Label)
	}
	return cmp.Or(name, nameOf(e.current))
}

// look reads the record as it is. At a path of the API it is the only member that is an
// object.
func (e *edit) look(r *request) error {
	if e.record == "" {
		return nil
	}
	var body object
	a, err := r.get(e.record, nil)
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(a.header.Get("Content-Type"), "application/json"):
		err = decode(a.body, &body)
	case e.of != nil: // the content of a file, which its list describes
		body, err = r.listed(e.in.fill(e.of.List), e.of, lastOf(e.record))
	}
	if err != nil {
		return err
	}
	e.current, e.etag = body, a.header.Get("ETag")
	if e.of != nil && e.of.Record != "" && body.object(e.of.Record) != nil {
		e.current = body.object(e.of.Record)
	}
	r.below(r.consolePath(e.record), e.name())
	e.units.calendar = e.byCalendar(e.current.text)
	return nil
}

// listed is the record with an id as its list has it.
func (r *request) listed(list string, of *place, id string) (object, error) {
	for o, err := range records[object](r, list, of.Records) {
		if err != nil || o.text(of.ID) == id {
			return o, err
		}
	}
	return object{"id": id}, nil
}

// editPage is the form of an operation, filled with the record as it is.
func editPage(r *request) (view, error) {
	e, err := r.editOf(r.URL.Query())
	if err != nil {
		return view{}, err
	}
	if err := e.look(r); err != nil {
		return view{}, err
	}
	e.longLists(r)
	given := typedIn(r.URL.Query())
	e.was = make(map[string]string)
	for i := range e.fields {
		f := &e.fields[i]
		one := f.read(f.name, given.at(f.name), ask{})
		if !one.filled() {
			one = f.of(f.name, e.current[f.name])
		}
		if e.record == "" && f.initial != "" && !one.filled() {
			one.text = f.initial
		}
		e.entries = append(e.entries, one)
		e.was[f.name] = f.shown(e.current[f.name])
	}
	return e.show(r, nil)
}

// editSend sends the operation. What is refused is the form again, with the reasons at its
// fields; what is done leads on. A button of a field leads to the form again, without sending.
func editSend(r *request) (view, error) {
	e, err := r.editOf(r.PostForm)
	if err != nil {
		return view{}, err
	}
	if err := e.look(r); err != nil {
		return view{}, err
	}
	e.etag = r.PostForm.Get("etag")
	e.longLists(r)
	given := typedIn(r.PostForm)
	asked, again := given.asking(r.PostForm)
	e.was, e.sent = make(map[string]string), make(map[string]bool)
	for i := range e.fields {
		f := &e.fields[i]
		e.entries = append(e.entries, f.read(f.name, given.at(f.name), asked))
		e.sent[f.name] = given.at(f.name) != nil
		e.was[f.name] = r.PostForm.Get("was." + f.name)
	}
	if again {
		return e.show(r, nil)
	}
	body, local := e.body()
	if local != nil {
		return e.show(r, local)
	}
	var headers []header
	if slices.ContainsFunc(e.parameters, func(p parameter) bool { return p.Name == "If-Match" }) {
		headers = append(headers, header{"If-Match", e.etag})
	}
	a, err := r.call(e.Method, e.path, body, headers...)
	if refused, ok := asRefusal(err); ok && refused.Status != http.StatusUnauthorized {
		return e.show(r, refused)
	}
	if err != nil {
		return view{}, err
	}
	if record, ok := e.changed(body); ok && e.Method == http.MethodPatch {
		c := planChange{target: e.path, record: e.record, list: e.wrapper, id: e.id, of: e.of.Record, is: record}
		c.page, c.called = r.consolePath(e.record), "change of "+e.name()
		r.canUndo(c, e.current, a)
	}
	notice := verbs[e.Method].done
	if a.status == http.StatusAccepted {
		notice = verbs[e.Method].going
	}
	page, query := e.onward(r)
	query = append(query, "notice", r.console.notices.sign(r.who.principal.ID, notice))
	return view{}, redirected(r.Link(page, query...))
}

// changed are the members of the record that a body changes.
func (e *edit) changed(body any) (record map[string]any, ok bool) {
	all, _ := body.(map[string]any)
	if e.wrapper != "" {
		list, _ := all[e.wrapper].([]any)
		if len(list) != 1 {
			return nil, false
		}
		all, _ = list[0].(map[string]any)
	}
	record = maps.Clone(all)
	if e.wrapper != "" {
		delete(record, "id")
	}
	return record, len(record) > 0 && e.of != nil && e.of.Record != ""
}

// onward is the page after the operation, with its query: that which the form names, the
// record, or the list that it is in.
func (e *edit) onward(r *request) (page string, query []string) {
	switch {
	case e.next != "":
		return pageOnly(e.next), nil
	case e.Method == http.MethodPatch:
		return r.consolePath(e.record), nil
	case e.of == nil || e.of.List == "":
		return "/", nil
	case r.console.own[e.of.one] && !r.console.own[e.of.list]: // it is on the page above
		list := e.in.fill(e.of.List)
		return r.consolePath(list[:strings.LastIndexByte(list, '/')]), nil
	}
	if of, isOf := e.of.asksFor(nil); isOf {
		query = []string{of.Name, cmp.Or(e.current.text(of.Name), e.given[of.Name])}
	}
	return r.consolePath(e.in.fill(e.of.List)), query
}

// body is what the form sends: of a new record what is filled in, of another what differs.
// What is no JSON where it has to be is refused here.
func (e *edit) body() (any, *refusal) {
	if e.Method == http.MethodDelete {
		return nil, nil
	}
	was, now := e.byCalendar(e.current.text), e.byCalendar(e.becomes)
	record, refused := make(map[string]any), &refusal{Status: http.StatusBadRequest}
	for i := range e.entries {
		one := &e.entries[i]
		if !e.sent[one.name] {
			continue
		}
		// A field that no one touched stays, even where its text cannot be read back.
		if e.record != "" && one.plain && normal(one.text) == normal(e.was[one.name]) {
			continue
		}
		e.units.calendar = now
		v, bad := one.value()
		e.units.calendar = was
		old, known := one.editField.value(e.was[one.name])
		switch refused.Details = append(refused.Details, bad...); {
		case e.record == "" && v != nil:
			record[one.name] = v
		case e.record != "" && (!known || canonical(v) != canonical(old)):
			one.emptied(v, plainOf(old))
			record[one.name] = v
		}
	}
	if len(refused.Details) > 0 {
		refused.Code, refused.Message = "InvalidValue", "The form is not complete."
		return nil, refused
	}
	if e.wrapper == "" {
		return record, nil
	}
	if e.record != "" {
		record["id"] = e.id
	}
	return map[string]any{e.wrapper: []any{record}}, nil
}
