package console

import (
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

var tryPages = table{
	{pattern: "GET /try", title: "Try it", page: tryList},
	{pattern: "GET /try/{operation}", page: tryOne},
	{pattern: "POST /try/{operation}", run: trySend, maxBody: 4 << 20},
}

// maxShown is how much of an answer is shown, in bytes.
const maxShown = 256 << 10

// tryListView is the list of operations that match a search, of how many there are.
type tryListView struct {
	*request

	All   int
	Areas []areaView
}

// areaView are the operations of an area; Open shows them at once.
type areaView struct {
	Name       string
	Operations []operation
	Open       bool
}

// ID is that of its element.
func (a areaView) ID() string { return "area-" + strings.ReplaceAll(a.Name, " ", "-") }

// tryList are the operations of the API, by area, those that match a search.
func tryList(r *request) (view, error) {
	all, err := r.console.operations()
	if err != nil {
		return view{}, err
	}
	find, areas := strings.ToLower(r.Query("find")), make(map[string][]operation)
	for _, o := range all {
		if strings.Contains(strings.ToLower(o.ID+" "+o.SpecID+" "+o.Method+" "+o.Path+" "+o.Summary), find) {
			areas[o.Area] = append(areas[o.Area], o)
		}
	}
	page := tryListView{request: r, All: len(all)}
	for _, name := range slices.Sorted(maps.Keys(areas)) {
		page.Areas = append(page.Areas, areaView{name, areas[name], find != "" || len(areas) == 1})
	}
	return r.show("try", page)
}

// tryable is the operation that the path of the page names.
func (r *request) tryable() (operation, error) {
	all, err := r.console.operations()
	if err != nil {
		return operation{}, err
	}
	for _, o := range all {
		if o.Is(r.PathValue("operation")) {
			return o, nil
		}
	}
	return operation{}, &problem{
		http.StatusNotFound, "Operation not found", "The API of this server has no operation of this name.",
	}
}

// tryView is the form of an operation, and what came of it.
type tryView struct {
	*request

	Operation operation
	Groups    []parameterGroup
	Body      string   // as JSON
	Missing   []string // what the form is not filled with, since nothing is there
	Lacks     string   // the parameter of the path without which nothing is sent
	Answer    *answerView
}

// parameterGroup are the fields of the parameters of one kind.
type parameterGroup struct {
	Legend string
	Fields []parameterView
}

// parameterView is a parameter with its value.
type parameterView struct {
	parameter
	Value string
}

// ID is that of its field.
func (p parameterView) ID() string {
	return "p-" + strings.NewReplacer("$", "", ".", "-").Replace(p.Field())
}

// answerView is what the API answered, and the same as a command. Note is in place of a body
// that is not shown, or not all.
type answerView struct {
	Status     httpStatus
	Took       string
	Note, Body string
	Headers    []journal.Header
	Curl       curlView
}

// tryView is the form of an operation with its values.
func (r *request) tryView(o operation, values url.Values) tryView {
	r.below("/try", "Try it")
	r.title = o.Summary
	v := tryView{request: r, Operation: o, Body: o.example}
	if values.Has("body") {
		v.Body = values.Get("body")
	}
	for _, group := range []struct{ in, legend string }{{"path", "Path"}, {"query", "Query"}, {"header", "Headers"}} {
		var fields []parameterView
		for _, p := range o.parameters {
			if p.In == group.in {
				fields = append(fields, parameterView{p, values.Get(p.Field())})
			}
		}
		if len(fields) > 0 {
			v.Groups = append(v.Groups, parameterGroup{group.legend, fields})
		}
	}
	return v
}

// Upload reports whether the body is a file, not JSON.
func (v tryView) Upload() bool {
	return v.Operation.media != "" && v.Operation.media != "application/json"
}

// Media is the type of the body; empty where the operation has none.
func (o operation) Media() string { return o.media }

// Reading reports whether an operation can be asked for by a form that changes nothing.
func (o operation) Reading() bool { return o.Method == http.MethodGet }

// Permission is what the operation asks of its caller.
func (o operation) Permission() string { return cmp.Or(o.Operation.Permission, "none") }

// Rows is how many lines of the body are shown.
func (v tryView) Rows() int { return min(24, 3+strings.Count(v.Body, "\n")) }

// Button is the class of what sends the form.
func (v tryView) Button() string {
	if v.Operation.Method == http.MethodDelete {
		return "danger"
	}
	return "primary"
}

// tryOne is the form of an operation, filled with the example of the document, and the
// answer of one that reads: its form sends a GET, and its parameters are in the address.
func tryOne(r *request) (view, error) {
	o, err := r.tryable()
	if err != nil {
		return view{}, err
	}
	if o.Reading() && r.Query("send") != "" {
		return r.tried(o, r.URL.Query(), nil)
	}
	values, missing := r.filled(o, r.URL.Query())
	page := r.tryView(o, values)
	page.Missing = missing
	return r.show("try-operation", page)
}

// filled are the values of a form with what is there, where the address has none: of the
// first record in its path under which nothing is missing. The names of what is still
// missing are shown.
func (r *request) filled(o operation, values url.Values) (filled url.Values, missing []string) {
	looked, known, parents := 0, make(map[string][]string), make(map[string]bool)
	var best *prefill
	form := func(values url.Values, twin string) *prefill {
		return &prefill{
			request: r, of: &o, values: maps.Clone(values), twin: twin,
			looked: &looked, known: known, parents: parents,
		}
	}
	i := slices.IndexFunc(o.parameters, func(p parameter) bool { return p.In == "path" })
	if i < 0 {
		best = form(values, "").fill()
		return best.values, best.missing
	}
	first := o.parameters[i]
	given := values.Get(first.Field())
	if given == "" {
		best = form(values, "").fill()
	}
	f := form(values, "")
	for twin, ids := range f.lists(f.ofPath(first.Name)) {
		for _, id := range ids {
			switch {
			case best != nil && best.lack() == 0:
				return best.values, best.missing
			case given == "" || given == id:
				values.Set(first.Field(), id)
				if f := form(values, twin).fill(); best == nil || f.lack() < best.lack() {
					best = f
				}
			}
		}
	}
	if best == nil {
		best = form(values, "").fill()
	}
	return best.values, best.missing
}

// trySend sends an operation that changes something, as the viewer. The answer is shown as
// it came, a refusal too: that is what one tries it for.
func trySend(r *request) (view, error) {
	o, err := r.tryable()
	if err != nil {
		return view{}, err
	}
	if o.Reading() {
		return view{}, &problem{
			http.StatusMethodNotAllowed, "This page cannot receive that request",
			"This operation reads, so its form sends a GET.",
		}
	}
	values := r.PostForm
	var body []byte
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		if err := r.ParseMultipartForm(4 << 20); err != nil {
			return view{}, unreadable(err)
		}
		defer func() { _ = r.MultipartForm.RemoveAll() }()
		values, body = r.MultipartForm.Value, []byte{}
		if len(r.MultipartForm.File["file"]) > 0 {
			if body, err = readFile(r.MultipartForm.File["file"][0]); err != nil {
				return view{}, unreadable(err)
			}
		}
	} else if text := values.Get("body"); o.media != "" && strings.TrimSpace(text) != "" {
		body = []byte(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	return r.tried(o, values, body)
}

// Field is the name of a parameter in a form.
func (p parameter) Field() string { return p.In + "." + p.Name }

// tried sends an operation with what a form was filled with.
func (r *request) tried(o operation, values url.Values, body []byte) (view, error) {
	page := r.tryView(o, values)
	path, query := o.Path, url.Values{}
	var headers []header
	for _, p := range o.parameters {
		v := strings.TrimSpace(values.Get(p.Field()))
		switch p.In {
		case "path":
			if v == "" || v == "." || v == ".." {
				page.Lacks = p.Name
				return r.show("try-operation", page)
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(v))
		case "query":
			if v != "" {
				query.Set(p.Name, v)
			}
		case "header":
			headers = append(headers, header{p.Name, strings.Map(printable, v)})
		}
	}
	if body != nil && o.media != "" {
		headers = append(headers, header{"Content-Type", o.media})
	}
	target := path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	api := http.Handler(r.console.api)
	if j := r.console.cfg.Journal; j != nil {
		api = j.Handler(api)
	}
	began := time.Now()
	a, err := r.sendTo(api, o.Method, target, body, headers...)
	if err != nil {
		return view{}, err
	}
	page.Answer = answerViewOf(a, time.Since(began))
	page.Answer.Curl = r.command(o, target, headers, body)
	return r.show("try-operation", page)
}

// printable drops control characters.
func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return -1
	}
	return c
}

// answerViewOf is an answer of the API as it is shown, without its command.
func answerViewOf(a *answer, d time.Duration) *answerView {
	v := &answerView{Status: httpStatus(a.status), Took: took(d)}
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		v.Headers = append(v.Headers, journal.Header{Name: name, Value: strings.Join(a.header[name], ", ")})
	}
	kind := a.header.Get("Content-Type")
	switch text := strings.HasPrefix(kind, "text/") || strings.Contains(kind, "json") ||
		strings.Contains(kind, "svg"); {
	case len(a.body) == 0:
		v.Note = "No body."
	case !text || !utf8.Valid(a.body):
		v.Note = fmt.Sprintf("%d bytes of %s.", len(a.body), cmp.Or(kind, "unknown type"))
	case len(a.body) > maxShown:
		v.Note = fmt.Sprintf("The first part of %d bytes.", len(a.body))
		v.Body = strings.ToValidUTF8(string(a.body[:maxShown]), "")
	default:
		v.Body = indented(a.body)
	}
	return v
}

// command is what was sent as a command.
func (r *request) command(o operation, target string, sent []header, body []byte) curlView {
	command := curl{method: o.Method, address: r.apiRoot(r.Host) + target}
	for _, h := range sent {
		if h.value != "" {
			command.headers = append(command.headers, journal.Header{Name: h.name, Value: h.value})
		}
	}
	if utf8.Valid(body) && len(body) < maxShown && o.media == "application/json" {
		command.body = string(body)
	}
	return command.view()
}
