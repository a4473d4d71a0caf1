package console

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// frame is what is around the main part of a page.
type frame struct {
	*request
	Main template.HTML
}

// Title is that of the page; empty for the first.
func (r *request) Title() string { return r.title }

// Viewer is who is signed in. Before sign-in it is nil, so that the page shows nothing of
// the server.
func (f frame) Viewer() *twinplatform.Principal {
	if !f.who.known() {
		return nil
	}
	return &f.who.principal
}

// Switches reports whether the viewer may act as others without their tokens.
func (f frame) Switches() bool { return len(f.console.cfg.Demo) > 1 }

// sectionView is an entry of the navigation; Current is the value of aria-current.
type sectionView struct{ Path, Name, Current string }

// Sections are those whose areas are served. That of the page is marked.
func (f frame) Sections() (all []sectionView) {
	if !f.who.known() {
		return nil
	}
	here := strings.TrimPrefix(f.URL.Path, f.console.cfg.Path)
	for _, s := range sections {
		if s.area != "" && !f.console.areas[s.area] {
			continue
		}
		current := ""
		if here == s.path {
			current = "page"
		} else if s.path != "/" && strings.HasPrefix(here, s.path+"/") {
			current = "true"
		}
		all = append(all, sectionView{s.path, s.name, current})
	}
	return all
}

// Notice is the message about the last action.
func (f frame) Notice() string {
	if signed := f.Query("notice"); signed != "" && f.who.known() && f.Method != http.MethodPost {
		return f.console.notices.text(f.who.principal.ID, signed)
	}
	return ""
}

// Trail is the way from the section to the page.
func (f frame) Trail() []step { return f.trail }

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
