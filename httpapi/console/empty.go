package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// emptyView is what a page shows in place of a list that has nothing: what that means, and
// the next step. That is the form of the operation that adds to the list, and the same as a
// command.
type emptyView struct {
	Text    string
	Actions []actionView
	Missing []string // what has to be there first
	Command string
}

// empty is what a page shows in place of the list of a place at a path of the API, with the
// query of the page. What was searched for and not found has no next step; and what nothing
// adds to, and a console that is read-only, has none either.
func (r *request) empty(p *place, path string, searched bool) *emptyView {
	v := &emptyView{Text: p.none()}
	if searched {
		v.Text = "Nothing matches."
		return v
	}
	o, ok := r.adding(p)
	if !ok || !r.Writable() {
		return v
	}
	if v.Actions = r.editLink(http.MethodPost, p, path, o.Summary); v.Actions == nil {
		v.Actions = []actionView{{r.Link(at("try", o.ID)), o.Summary}}
		return v
	}
	ids, _ := match(p.list, path)
	v.Command, v.Missing = r.filledCommand(p, &o, ids)
	return v
}

// adding is the operation that adds to a list: that of its form, or where it has
// none, because it sends a file, that of Try it.
func (r *request) adding(p *place) (operation, bool) {
	if o, ok := r.editing(http.MethodPost, p.list, p.one); ok {
		return o, true
	}
	all, err := r.console.operations()
	if err != nil {
		return operation{}, false
	}
	for _, o := range all {
		if o.Method == http.MethodPost && generic(o.Path) == p.list {
			return o, true
		}
	}
	return operation{}, false
}

// filledCommand is an operation as a command that can be sent as it is: below the records
// with some ids, which are escaped, and with the example of its body about what is there.
// Where something is missing that it needs, it is named instead.
func (r *request) filledCommand(at *place, o *operation, ids []string) (command string, missing []string) {
	values, target := url.Values{}, o.Path
	for _, p := range o.parameters {
		if p.In != "path" || len(ids) == 0 {
			continue
		}
		id, _ := url.PathUnescape(ids[0])
		values.Set("path."+p.Name, id)
		target = strings.ReplaceAll(target, "{"+p.Name+"}", ids[0])
		ids = ids[1:]
	}
	twin := ""
	for _, of := range at.Query {
		if id := r.Query(of.Name); id != "" && at.isOf(of) {
			values.Set("query."+of.Name, id)
			if strings.HasPrefix(of.Refers, "/twins/") {
				twin = id
			}
		}
	}
	looked := 0
	f := (&prefill{
		request: r, of: o, values: values, twin: twin,
		looked: &looked, known: make(map[string][]string), parents: make(map[string]bool),
	}).fill()
	if len(f.missing) > 0 {
		return "", f.missing
	}
	body := at.aboutPage(r, []byte(f.values.Get("body")))
	if missing = o.lacking(body); len(missing) > 0 {
		return "", missing
	}
	return r.command(*o, target, []header{{"Content-Type", o.media}}, body).Command, nil
}

// lacking are the members that a record cannot do without and a body does not have: what
// they name is not there yet.
func (o *operation) lacking(body []byte) (names []string) {
	var members map[string]json.RawMessage
	if o.wrapper != "" || json.Unmarshal(body, &members) != nil {
		return nil
	}
	for _, f := range o.fields {
		if f.required && members[f.name] == nil {
			names = append(names, f.name)
		}
	}
	return names
}

// aboutPage is a body on one line, with the ids that the query of the page has of what the
// list is of.
func (p *place) aboutPage(r *request, body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var members map[string]any
	if d.Decode(&members) != nil {
		return body
	}
	for name := range members {
		if id := r.Query(name); id != "" && p.parameter(name).Refers != "" {
			members[name] = id
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(members) != nil {
		return body
	}
	return bytes.TrimSpace(b.Bytes())
}
