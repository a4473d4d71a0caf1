package console

import (
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

var tryPages = table{
	{pattern: "GET /try", title: "Try it", page: tryList},
	{pattern: "GET /try/{operation}", page: tryOne},
	{pattern: "POST /try/{operation}", run: trySend, maxBody: 4 << 20},
}

// maxShown is how much of an answer is shown, in bytes.
const maxShown = 256 << 10

// tryList are the operations of the API, by area, those that match a search.
func tryList(r *request) (html.Node, error) {
	all, err := r.console.operations()
	if err != nil {
		return html.Node{}, err
	}
	find, areas := strings.ToLower(r.Query("find")), make(map[string][]operation)
	var order []string
	shown := 0
	for _, o := range all {
		if find != "" && !strings.Contains(strings.ToLower(o.ID+" "+o.SpecID+" "+o.Method+" "+o.Path+" "+o.Summary), find) {
			continue
		}
		if areas[o.Area] == nil {
			order = append(order, o.Area)
		}
		areas[o.Area] = append(areas[o.Area], o)
		shown++
	}
	sort.Strings(order)
	sections := html.Each(order, func(area string) html.Node {
		return html.El("details", html.If(find != "" || len(order) == 1, html.Flag("open")),
			html.Attr("id", "area-"+strings.ReplaceAll(area, " ", "-")),
			html.El("summary", html.El("strong", html.Text(area)), html.Textf(" (%d)", len(areas[area]))),
			html.El("ul", html.Class("verbs"), html.Each(areas[area], func(o operation) html.Node {
				return html.El("li", html.El("span", html.Class("verb"), html.Text(o.Method)),
					html.El(
						"span", html.A(r.Link(at("try", o.ID)), html.Text(o.Summary)), html.El("br"),
						html.El("small", html.Class("id"), html.Text(o.Path)),
					))
			})))
	})
	none := html.Node{}
	if shown == 0 {
		none = html.El("p", html.Class("empty"), html.Text("No operation matches."))
	}
	return html.Group(
		heading("Try it"),
		html.P(
			"Every operation of the API, with a form that sends it as you. The forms are made from the same table as the API.",
		),
		r.search(
			r.input("find", fmt.Sprintf("Find among %d operations", len(all)), "tasks, POST, S11 …"),
			html.El("button", html.Text("Find")),
		),
		none, sections,
	), nil
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

// reading reports whether an operation can be asked for by a form that changes nothing.
func (o *operation) reading() bool { return o.Method == http.MethodGet }

// tryOne is the form of an operation, filled with the example of the document, and the
// answer of one that reads: its form sends a GET, and its parameters are in the address.
func tryOne(r *request) (html.Node, error) {
	o, err := r.tryable()
	if err != nil {
		return html.Node{}, err
	}
	if o.reading() && r.Query("send") != "" {
		return r.tried(o, r.URL.Query(), nil)
	}
	values, missing := r.filled(o, r.URL.Query())
	note := html.Node{}
	if len(missing) > 0 {
		note = html.El("p", html.Class("muted"), html.Text("There is nothing yet for: "+strings.Join(missing, ", ")+"."))
	}
	return r.tryPage(o, values, note), nil
}

// filled are the values of a form with what is there, where the address has none: of the
// first record in its path under which nothing is missing. The names of what is still
// missing are shown.
func (r *request) filled(o operation, values url.Values) (filled url.Values, missing []string) {
	all, err := r.console.operations()
	if err != nil {
		return values, nil
	}
	looked, known, parents := 0, make(map[string][]string), make(map[string]bool)
	var best *prefill
	form := func(values url.Values, twin string) *prefill {
		return &prefill{
			request: r, all: all, of: &o, values: maps.Clone(values), twin: twin,
			looked: &looked, known: known, parents: parents,
		}
	}
	i := slices.IndexFunc(o.parameters, func(p parameter) bool { return p.In == "path" })
	if i < 0 {
		best = form(values, "").fill()
		return best.values, best.missing
	}
	first := o.parameters[i]
	given := values.Get(first.field())
	if given == "" {
		best = form(values, "").fill()
	}
	f := form(values, "")
	for twin, ids := range f.lists(f.listOf(first.Name)) {
		for _, id := range ids {
			switch {
			case best != nil && best.lack() == 0:
				return best.values, best.missing
			case given == "" || given == id:
				values.Set(first.field(), id)
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
func trySend(r *request) (html.Node, error) {
	o, err := r.tryable()
	if err != nil {
		return html.Node{}, err
	}
	if o.reading() {
		return html.Node{}, &problem{
			http.StatusMethodNotAllowed, "This page cannot receive that request",
			"This operation reads, so its form sends a GET.",
		}
	}
	values := r.PostForm
	var body []byte
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		if err := r.ParseMultipartForm(4 << 20); err != nil {
			return html.Node{}, unreadable(err)
		}
		defer func() { _ = r.MultipartForm.RemoveAll() }()
		values, body = r.MultipartForm.Value, []byte{}
		if len(r.MultipartForm.File["file"]) > 0 {
			if body, err = readFile(r.MultipartForm.File["file"][0]); err != nil {
				return html.Node{}, unreadable(err)
			}
		}
	} else if text := values.Get("body"); o.media != "" && strings.TrimSpace(text) != "" {
		body = []byte(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	return r.tried(o, values, body)
}

// field is the name of a parameter in a form.
func (p *parameter) field() string { return p.In + "." + p.Name }

// tried sends an operation with what a form was filled with.
func (r *request) tried(o operation, values url.Values, body []byte) (html.Node, error) {
	path, query := o.Path, url.Values{}
	var headers []header
	for _, p := range o.parameters {
		v := strings.TrimSpace(values.Get(p.field()))
		switch p.In {
		case "path":
			if v == "" || v == "." || v == ".." {
				return r.tryPage(
					o, values,
					html.El("p", html.Class("refused"), html.Attr("role", "alert"), html.Text("Which "+p.Name+"?")),
				), nil
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
		return html.Node{}, err
	}
	return r.tryPage(o, values, r.answered(o, a, time.Since(began), target, headers, body)), nil
}

// printable drops control characters.
func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return -1
	}
	return c
}

// answered is what the API answered, and the same as a command.
func (r *request) answered(
	o operation, a *answer, d time.Duration, target string, sent []header, body []byte,
) html.Node {
	var headers []journal.Header
	for _, name := range sortedNames(a.header) {
		headers = append(headers, journal.Header{Name: name, Value: strings.Join(a.header[name], ", ")})
	}
	kind := a.header.Get("Content-Type")
	var shown html.Node
	switch text := strings.HasPrefix(kind, "text/") || strings.Contains(kind, "json") || strings.Contains(kind, "svg"); {
	case len(a.body) == 0:
		shown = html.El("p", html.Class("muted"), html.Text("No body."))
	case !text || !utf8.Valid(a.body):
		shown = html.El("p", html.Class("muted"), html.Textf("%d bytes of %s.", len(a.body), cmp.Or(kind, "unknown type")))
	case len(a.body) > maxShown:
		shown = html.Group(
			html.El("p", html.Class("muted"), html.Textf("The first part of %d bytes.", len(a.body))),
			html.El(
				"pre", html.Class("wrap"), html.Attr("tabindex", "0"),
				html.Text(strings.ToValidUTF8(string(a.body[:maxShown]), "")),
			),
		)
	default:
		shown = bodyOf(string(a.body))
	}
	command := curl{method: o.Method, address: r.apiRoot(r.Host) + target}
	for _, h := range sent {
		if h.value != "" {
			command.headers = append(command.headers, journal.Header{Name: h.name, Value: h.value})
		}
	}
	if utf8.Valid(body) && len(body) < maxShown && o.media == "application/json" {
		command.body = string(body)
	}
	return html.El("section", html.Attr("aria-labelledby", "answer"), html.Attr("id", "result"),
		html.El(
			"h2", html.Attr("id", "answer"), html.Text("Answer "), statusTag(a.status),
			html.Text(" "+http.StatusText(a.status)), html.El("small", html.Text(" in "+took(d))),
		),
		shown,
		html.El("details", html.El("summary", html.Text("Headers")), headerList(headers)),
		curlOf(command),
	)
}

func sortedNames(h http.Header) []string {
	out := make([]string, 0, len(h))
	for name := range h {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// tryPage is the form of an operation, and what came of it.
func (r *request) tryPage(o operation, values url.Values, result html.Node) html.Node {
	r.below("/try", "Try it")
	r.title = o.Summary
	return html.Group(
		heading(o.Summary),
		html.El("p", html.El("code", html.Text(o.Method+" "+o.Path)),
			html.If(o.Preview, html.El("span", html.Class("tag warn"), html.Text("technical preview"))),
			html.If(o.Deprecated, html.El("span", html.Class("tag warn"), html.Text("deprecated")))),
		facts(fact("Operation", html.El("code", html.Text(o.ID)), html.If(o.SpecID != "", html.Text(" "+o.SpecID))),
			fact("Permission", html.Text(cmp.Or(o.Permission, "none")))),
		r.tryForm(o, values), result,
	)
}

// tryForm has a field for each parameter of an operation and one for its body.
func (r *request) tryForm(o operation, values url.Values) html.Node {
	var parts []html.Part
	for _, group := range []struct{ in, legend string }{{"path", "Path"}, {"query", "Query"}, {"header", "Headers"}} {
		fields := html.Node{}
		for _, p := range o.parameters {
			if p.In == group.in {
				fields = html.Group(fields, p.input(values.Get(p.field())))
			}
		}
		if rendered, err := html.Render(fields); err == nil && len(rendered) > 0 {
			parts = append(parts, html.El("fieldset", html.Class("fields"), html.El("legend", html.Text(group.legend)), fields))
		}
	}
	switch o.media {
	case "":
	case "application/json":
		text := o.example
		if values.Has("body") {
			text = values.Get("body")
		}
		parts = append(parts,
			html.El("div", html.Class("field"), html.El("label", html.Attr("for", "body"), html.Text("Body, as JSON")),
				html.El(
					"textarea", html.Attr("id", "body"), html.Attr("name", "body"),
					html.Attr("rows", fmt.Sprint(min(24, 3+strings.Count(text, "\n")))), html.Attr("spellcheck", "false"),
					html.Text(text),
				)))
	default:
		parts = append(parts, html.Attr("enctype", "multipart/form-data"),
			html.El("div", html.Class("field"), html.El("label", html.Attr("for", "file"), html.Text("Body, of "+o.media)),
				html.El("input", html.Attr("id", "file"), html.Attr("name", "file"), html.Attr("type", "file"))))
	}
	if o.reading() {
		parts = append(parts, hidden("send", "1"), html.El("p", html.El("button", html.Class("primary"), html.Text("Send"))))
		return html.El("form", append([]html.Part{html.Attr("method", "get"), html.Attr("action", "?")}, parts...)...)
	}
	if !r.Writable() {
		return html.El("p", html.Class("empty"), html.Text("This console is read-only, and this operation makes changes."))
	}
	kind := "primary"
	if o.Method == http.MethodDelete {
		kind = "danger"
	}
	parts = append(parts, html.El("p", html.El("button", html.Class(kind), html.Text("Send "+o.Method))))
	return r.form(at("try", o.ID), parts...)
}

// input is a field of the kind that the schema of a parameter asks for.
func (p *parameter) input(value string) html.Node {
	id := "p-" + strings.NewReplacer("$", "", ".", "-").Replace(p.field())
	return html.El("div", html.Class("field"),
		html.El(
			"label", html.Attr("for", id), html.El("code", html.Text(p.Name)),
			html.If(p.Required, html.Text(" (required)")),
		),
		html.El(
			"input", html.Attr("id", id), html.Attr("name", p.field()), html.Attr("value", value),
			html.Attr("spellcheck", "false"), html.Attr("autocomplete", "off"),
			html.Attr("aria-describedby", id+"-note"), html.If(p.Required, html.Flag("required")),
		),
		html.El("small", html.Attr("id", id+"-note"), html.Text(p.Description)))
}
