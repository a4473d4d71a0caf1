package html

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep elements may lie in one another.
const maxDepth = 200

// Document is the bytes of a page, whose root is its html element.
//
// Errors: those of Render, and a root that is another element.
func Document(root Node) ([]byte, error) {
	if root.of == nil || root.of.name != "html" {
		return nil, errors.New("html: the root of a page is no <html>")
	}
	return render([]byte("<!DOCTYPE html>\n"), root)
}

// Render is the bytes of a node.
//
// Errors: an element or an attribute that is not known, something in an element that can
// have nothing, elements that lie too deep.
func Render(n Node) ([]byte, error) { return render(nil, n) }

func render(b []byte, n Node) ([]byte, error) {
	w := writer{out: b}
	w.node(n, 0)
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

type writer struct {
	out []byte
	err error // the first
}

func (w *writer) fail(format string, arguments ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("html: "+format, arguments...)
	}
}

func (w *writer) node(n Node, depth int) {
	switch {
	case depth > maxDepth:
		w.fail("elements lie more than %d deep", maxDepth)
	case n.of == nil:
	case n.of.kind == textKind:
		w.out = appendText(w.out, n.of.text)
	case n.of.kind == elementKind:
		w.element(n.of, depth)
	default:
		w.nodes(n.of.nodes, depth)
	}
}

func (w *writer) nodes(nodes []Node, depth int) {
	for _, n := range nodes {
		if w.err != nil {
			return
		}
		w.node(n, depth+1)
	}
}

func (w *writer) element(n *tree, depth int) {
	holds, known := elements[n.name]
	if !known {
		w.fail("there is no element <%s>", n.name)
		return
	}
	w.out = append(append(w.out, '<'), n.name...)
	for i, a := range n.attributes {
		if !overridden(n.attributes[i+1:], a.name) {
			w.attribute(a)
		}
	}
	if holds == nothing && len(n.nodes) > 0 {
		w.fail("there is something in <%s>", n.name)
		return
	}
	if holds == nothing && n.name != "script" {
		w.out = append(w.out, "/>"...)
		return
	}
	w.out = append(w.out, '>')
	if holds == lines && len(n.nodes) > 0 && strings.HasPrefix(n.nodes[0].of.text, "\n") {
		w.out = append(w.out, '\n') // readers of HTML skip the first
	}
	w.nodes(n.nodes, depth)
	w.out = append(append(append(w.out, "</"...), n.name...), '>')
}

func overridden(later []Attribute, name string) bool {
	for _, a := range later {
		if a.name == name {
			return true
		}
	}
	return false
}

func (w *writer) attribute(a Attribute) {
	value := a.value
	switch {
	case addresses[a.name]:
		value = address(value)
	case references[a.name]:
		value = reference(value)
	case !attributes[a.name] && !custom(a.name):
		w.fail("there is no attribute %q", a.name)
		return
	}
	w.out = append(append(append(w.out, ' '), a.name...), `="`...)
	w.out = append(appendText(w.out, value), '"')
}

// appendText appends text in which nothing is markup, neither between elements nor in a
// value. What XML cannot hold becomes U+FFFD.
func appendText(b []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if as := escaped(r, size); as != "" {
			b = append(append(b, s[done:i]...), as...)
			done = i + size
		}
		i += size
	}
	return append(b, s[done:]...)
}

// escaped is what is written for a character, "" where it stands for itself.
func escaped(r rune, size int) string {
	switch {
	case r == '<':
		return "&lt;"
	case r == '>':
		return "&gt;"
	case r == '&':
		return "&amp;"
	case r == '"':
		return "&#34;"
	case r == '\'':
		return "&#39;"
	case r == '\r':
		return "&#13;"
	case r == '\n', r == '\t':
		return ""
	case r < ' ', r == utf8.RuneError && size == 1, r >= 0x7f && r < 0xa0, r&0xfffe == 0xfffe:
		return "\ufffd"
	}
	return ""
}

// nowhere is the address that leads to no place, not even to its own page.
const nowhere = "about:invalid"

// address is an address if it leads to http, https or a place of the same server, else
// nowhere.
func address(s string) string {
	if strings.ContainsFunc(
		s, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f },
	) || strings.HasPrefix(s, "//") {
		return nowhere
	}
	at := strings.IndexAny(s, ":/?#")
	if at < 0 || s[at] != ':' {
		return s
	}
	if scheme := strings.ToLower(s[:at]); (scheme == "http" || scheme == "https") && strings.HasPrefix(s[at:], "://") {
		return s
	}
	return nowhere
}

// reference is a reference of a picture to its own part, else none.
func reference(s string) string {
	id, ok := strings.CutPrefix(s, "url(#")
	id, closed := strings.CutSuffix(id, ")")
	if !ok || !closed || strings.ContainsFunc(
		id, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') },
	) {
		return "none"
	}
	return s
}
