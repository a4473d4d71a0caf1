package console

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// object is a record of the API. Numbers are as they are written.
type object map[string]any

// at is what is at a path of members, such as _links.twin.href; nil where nothing does.
func (o object) at(path string) any {
	var v any = map[string]any(o)
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// text is what is at a path, as people read it.
func (o object) text(path string) string { return textOf(o.at(path)) }

// object is the object at a path; empty where there is none.
func (o object) object(path string) object {
	m, _ := o.at(path).(map[string]any)
	return m
}

// is reports whether the member at a path is true.
func (o object) is(path string) bool { v, _ := o.at(path).(bool); return v }

// int is a whole number, 0 where there is none.
func (o object) int(path string) int64 {
	n, _ := o.at(path).(json.Number)
	i, _ := strconv.ParseInt(n.String(), 10, 64)
	return i
}

// objects are those of a list.
func (o object) objects(path string) (list []object) {
	all, _ := o.at(path).([]any)
	for _, v := range all {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// textOf is a value as people read it: times as 2 Jan 2026 15:04, in UTC as the API has
// them, and what is no single value as JSON.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return momentOf(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		return v.String()
	case []any:
		return listOf(v)
	case map[string]any:
		if name, ok := v["displayName"].(string); ok {
			return name
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// listOf is a list of single values, or of what has names, with commas; any other is JSON.
func listOf(list []any) string {
	words := make([]string, len(list))
	for i, v := range list {
		o, isObject := v.(map[string]any)
		_, isList := v.([]any)
		if isList || isObject && object(o).text("displayName") == "" {
			b, err := json.Marshal(list)
			if err != nil {
				return ""
			}
			return string(b)
		}
		words[i] = textOf(v)
	}
	return strings.Join(words, ", ")
}

// momentOf is a text, or the time that it is.
func momentOf(s string) string {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[len(s)-1] != 'Z' {
		return s
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	if t.Second() != 0 {
		return t.Format("2 Jan 2006 15:04:05")
	}
	return t.Format("2 Jan 2006 15:04")
}

// indented is an answer of the API as it is, in lines. Its numbers are exact.
func indented(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// whole is an answer of the API as it is, in lines.
func whole(body []byte) html.Node {
	return html.El(
		"details", html.El("summary", html.Text("JSON, as the API answers")),
		html.El("pre", html.Attr("tabindex", "0"), html.Text(indented(body))),
	)
}

// tag is a state, whose word means the same as its colour.
func tag(state string) html.Node {
	if state == "" {
		return html.Node{}
	}
	class := "tag"
	if t := tone(state); t != "" {
		class += " " + t
	}
	return html.El("span", html.Class(class), html.Text(state))
}

// pager are links to the pages around this one; a page without any has none.
func pager(parts ...html.Part) html.Node {
	n := html.El("nav", append([]html.Part{html.Class("pager"), html.Attr("aria-label", "Pages")}, parts...)...)
	for _, p := range parts {
		if p != nil {
			return n
		}
	}
	return html.Node{}
}

// linkIf is a link, or nothing where it leads nowhere.
func linkIf(href, text string) html.Part {
	if href == "" {
		return nil
	}
	return html.A(href, html.Text(text))
}

// field is an input with its label.
func field(label, id string, input html.Node) html.Node {
	return html.El("div", html.Class("field"), html.El("label", html.Attr("for", id), html.Text(label)), input)
}

// textInput is an input for a line of text.
func textInput(id, value string, more ...html.Part) html.Node {
	return html.El(
		"input",
		append([]html.Part{html.Attr("id", id), html.Attr("name", id), html.Attr("value", value)}, more...)...,
	)
}

// choice is an input for one of several values: pairs of a value and what it is called.
func choice(id, chosen string, options ...string) html.Node {
	return html.El(
		"select", html.Attr("id", id), html.Attr("name", id),
		html.Each(pairs(options), func(o [2]string) html.Node {
			return html.El("option", html.Attr("value", o[0]), html.If(o[0] == chosen, html.Flag("selected")), html.Text(o[1]))
		}),
	)
}

// pairs are values with what they are called.
func pairs(options []string) (all [][2]string) {
	for i := 0; i+1 < len(options); i += 2 {
		all = append(all, [2]string{options[i], options[i+1]})
	}
	return all
}

// option is a value of a choice, none of which is chosen.
func option(o [2]string) html.Node {
	return html.El("option", html.Attr("value", o[0]), html.Text(o[1]))
}

// check is an input for yes or no.
func check(id, label string, checked bool) html.Node {
	return html.El(
		"label", html.Class("check"),
		html.El(
			"input", html.Attr("type", "checkbox"), html.Attr("name", id), html.Attr("value", "true"),
			html.If(checked, html.Flag("checked")),
		),
		html.Text(" "+label),
	)
}

// kept is a value that a form sends on.
func kept(name, value string) html.Part {
	if value == "" {
		return nil
	}
	return html.El("input", html.Attr("type", "hidden"), html.Attr("name", name), html.Attr("value", value))
}

// button sends a form.
func button(text string) html.Node { return html.El("button", html.Text(text)) }
