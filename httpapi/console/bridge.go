package console

import "github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"

func valueNode(v valueView) html.Node {
	n := html.Text(v.Text)
	switch {
	case v.Tag:
		n = tag(v.Text)
	case v.Link != "":
		n = html.A(v.Link, n)
	case v.Code:
		n = html.El("code", n)
	}
	if v.Note != "" {
		n = html.Group(n, html.Text(" "), html.El("small", html.Class("muted"), html.Text(v.Note)))
	}
	return n
}

func factsNode(all []factView) html.Node {
	return facts(html.Each(all, func(f factView) html.Node { return fact(f.Name, valueNode(f.Value)) }))
}

func actionsNode(all []actionView) html.Node {
	return html.Each(all, func(a actionView) html.Node { return html.A(a.Link, html.Class("button"), html.Text(a.Text)) })
}

func (r *request) scheduleTabs(here string) html.Node {
	return html.El("nav", html.Attr("aria-label", "Schedule"),
		html.El("ul", html.Class("tabs"), html.Each(r.ScheduleTabs(here), func(t tabView) html.Node {
			return html.El(
				"li",
				html.A(t.Link, html.If(t.Here, html.Attr("aria-current", "page")), html.Text(t.Name)),
			)
		})))
}

// input is a field of a search with what was searched for.
func (r *request) input(name, label, hint string) html.Node {
	return html.El("div", html.Class("field"), html.El("label", html.Attr("for", name), html.Text(label)),
		html.El(
			"input", html.Attr("id", name), html.Attr("name", name), html.Attr("type", "search"),
			html.Attr("placeholder", hint), html.Attr("value", r.Query(name)),
		))
}
