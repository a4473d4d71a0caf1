package console

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// document is a page around its main part.
func (r *request) document(main html.Node) html.Node {
	return html.El("html", html.Attr("lang", "en"),
		html.El("head",
			html.El("meta", html.Attr("charset", "utf-8")),
			html.El("meta", html.Attr("name", "viewport"), html.Attr("content", "width=device-width, initial-scale=1")),
			html.El("meta", html.Attr("name", "color-scheme"), html.Attr("content", "light dark")),
			html.El("title", html.Text(cmp.Or(r.title, "Console")+" · twin platform")),
			html.El("link", html.Attr("rel", "icon"), html.Attr("href", r.assetLink(".svg"))),
			html.El("link", html.Attr("rel", "stylesheet"), html.Attr("href", r.assetLink(".css"))),
			html.El("script", html.Attr("src", r.assetLink(".js")), html.Flag("defer")),
		),
		html.El("body",
			html.A("#main", html.Class("skip"), html.Text("Skip to the content")),
			r.banner(),
			r.navigation(),
			html.El("main", html.Attr("id", "main"), html.Attr("tabindex", "-1"), r.notice(), r.path(), main),
		),
	)
}

// banner reports who is signed in and whether the console is read-only. Before sign-in it
// is the name alone, so that it shows nothing of the server.
func (r *request) banner() html.Node {
	brand := html.A(
		r.link("/"), html.Class("brand"), html.El("span", html.Class("mark"), html.Attr("aria-hidden", "true")),
		html.Text("twin platform"),
	)
	if !r.who.known() {
		return html.El("header", html.Class("top"), brand)
	}
	p := r.who.principal
	return html.El("header", html.Class("top"), brand,
		html.If(!r.writable(), html.El("span", html.Class("tag"), html.Text("read only"))),
		html.El(
			"span", html.Class("who"), html.El("span", html.Class("muted"), html.Text("Signed in as ")),
			html.El("strong", html.Text(cmp.Or(p.DisplayName, p.ID))),
			html.If(p.Kind != "", html.El("span", html.Class("muted"), html.Text(" "+string(p.Kind)))),
		),
		html.If(len(r.console.cfg.Demo) > 1, html.A(r.link("/sign-in"), html.Text("Switch"))),
		r.post("/sign-out", html.El("button", html.Class("quiet"), html.Text("Sign out"))),
	)
}

// navigation leads to the sections whose areas are served, and marks that of the page by
// aria-current.
func (r *request) navigation() html.Node {
	if !r.who.known() {
		return html.Node{}
	}
	here := strings.TrimPrefix(r.URL.Path, r.console.cfg.Path)
	return html.El("nav", html.Attr("aria-label", "Console"), html.Class("sections"),
		html.El("ul", html.Each(sections, func(s section) html.Node {
			if s.area != "" && !r.console.areas[s.area] {
				return html.Node{}
			}
			current := html.Attribute{}
			if here == s.path {
				current = html.Attr("aria-current", "page")
			} else if s.path != "/" && strings.HasPrefix(here, s.path+"/") {
				current = html.Attr("aria-current", "true")
			}
			return html.El("li", html.A(r.link(s.path), current, html.Text(s.name)))
		})))
}

// notice is the message about the last action.
func (r *request) notice() html.Node {
	if signed := r.query("notice"); signed != "" && r.who.known() && r.Method != http.MethodPost {
		if text := r.console.notices.text(r.who.principal.ID, signed); text != "" {
			return html.El("p", html.Class("notice"), html.Attr("role", "status"), html.Text(text))
		}
	}
	return html.Node{}
}

// path is the way from the section to the page.
func (r *request) path() html.Node {
	if len(r.trail) == 0 {
		return html.Node{}
	}
	return html.El("nav", html.Attr("aria-label", "Path"), html.Class("trail"),
		html.El("ol", html.Each(r.trail, func(s step) html.Node {
			return html.El("li", html.A(r.link(s.path), html.Text(s.name)))
		})))
}

// heading is the title of a page, with the actions next to it.
func heading(title string, actions ...html.Part) html.Node {
	return html.El("div", append([]html.Part{html.Class("heading"), html.El("h1", html.Text(title))}, actions...)...)
}

// dataTable is a table with its caption and the heads of its columns, in a frame that
// scrolls. A head that begins with # is that of numbers. Where there are no rows it says
// what that means.
func dataTable(caption string, heads []string, rows []html.Node, none string) html.Node {
	nodes := make([]html.Node, len(heads))
	for i, h := range heads {
		text, number := strings.CutPrefix(h, "#")
		nodes[i] = html.El("th", html.Attr("scope", "col"), html.If(number, html.Class("number")), html.Text(text))
	}
	return tableOf(caption, nodes, rows, none)
}

// tableOf is dataTable with heads that are more than texts.
func tableOf(caption string, heads, rows []html.Node, none string) html.Node {
	if len(rows) == 0 {
		return html.El("p", html.Class("empty"), html.Text(none))
	}
	return html.El("div", html.Class("frame"), html.Attr("role", "region"), html.Attr("tabindex", "0"),
		html.Attr("aria-label", caption),
		html.El("table",
			html.El("caption", html.Class("hidden"), html.Text(caption)),
			html.El("thead", html.El("tr", html.Each(heads, func(n html.Node) html.Node { return n }))),
			html.El("tbody", html.Each(rows, func(n html.Node) html.Node { return n })),
		))
}

// cell and number are cells of a table.
func cell(parts ...html.Part) html.Node { return html.El("td", parts...) }

// number is a cell that is aligned as numbers are.
func number(parts ...html.Part) html.Node {
	return html.El("td", append([]html.Part{html.Class("number")}, parts...)...)
}

// fact is a row of a list of facts: a name and its value.
func fact(name string, value ...html.Part) html.Node {
	return html.Group(html.El("dt", html.Text(name)), html.El("dd", value...))
}

// facts are names with their values, as a description list.
func facts(all ...html.Part) html.Node {
	return html.El("dl", append([]html.Part{html.Class("facts")}, all...)...)
}
