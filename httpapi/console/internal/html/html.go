// Package html builds pages from typed parts:
//
//	page := html.El("p", html.Attr("class", "note"), html.Text(anything))
//	b, err := html.Document(html.El("html", html.Attr("lang", "en")))
//
// Texts and values of attributes are data: whatever they hold, the tree of the page is the
// one that was built. There is no way to pass markup through. Only elements and attributes
// that are known here are written, none of which runs or loads what is in the page itself,
// and addresses lead to http, https or places of the same server, else nowhere. What is
// written is HTML and well-formed XML alike.
package html

import (
	"fmt"
	"strconv"
)

// Node is an element, a text, or several of them. The zero value is nothing. It is no
// larger than a pointer, since pages hand thousands of them around.
type Node struct{ of *tree }

// tree is what a node stands for.
type tree struct {
	kind       kind
	name       string // of an element
	text       string
	attributes []Attribute
	nodes      []Node
}

type kind uint8

const (
	groupKind kind = iota
	elementKind
	textKind
)

// Attribute is one of an element. The zero value is nothing.
type Attribute struct{ name, value string }

// Part is what elements are made of: a Node or an Attribute. Nil is nothing.
type Part interface{ addTo(t *tree) }

func (n Node) addTo(to *tree) {
	switch {
	case n.of == nil:
	case n.of.kind != groupKind:
		to.nodes = append(to.nodes, n)
	default:
		to.nodes = append(to.nodes, n.of.nodes...)
	}
}

func (a Attribute) addTo(to *tree) {
	if a.name != "" {
		to.attributes = append(to.attributes, a)
	}
}

// What makes nodes is kept out of line: pages call it a thousand times.

// El is an element with its attributes and what is in it, in their order. Of attributes
// of one name the last counts.
func El(name string, parts ...Part) Node { return build(elementKind, name, parts) }

// Group is several nodes without an element around them. Attributes among them have
// no effect.
func Group(parts ...Part) Node {
	n := build(groupKind, "", parts)
	n.of.attributes = nil
	return n
}

func build(k kind, name string, parts []Part) Node {
	t := &tree{kind: k, name: name}
	for _, p := range parts {
		if p != nil {
			p.addTo(t)
		}
	}
	return Node{t}
}

// Each is what is made of each of a list.
func Each[T any](list []T, make func(T) Node) Node {
	t := &tree{}
	for _, v := range list {
		make(v).addTo(t)
	}
	return Node{t}
}

// If is the part, or nothing.
func If(is bool, p Part) Part {
	if !is {
		return nil
	}
	return p
}

// Text is text as it is read.
func Text(s string) Node { return Node{&tree{kind: textKind, text: s}} }

// Textf is text from a format of package fmt.
func Textf(format string, arguments ...any) Node { return Text(fmt.Sprintf(format, arguments...)) }

// Int is a number as text.
func Int[I ~int | ~int64](i I) Node { return Text(strconv.FormatInt(int64(i), 10)) }

// Attr is an attribute with its value.
func Attr(name, value string) Attribute { return Attribute{name, value} }

// Flag is an attribute whose presence counts, such as disabled.
func Flag(name string) Attribute { return Attribute{name, ""} }

// Class gives an element its classes.
func Class(names string) Attribute { return Attribute{"class", names} }

// A is a link.
func A(href string, parts ...Part) Node {
	return El("a", append([]Part{Attr("href", href)}, parts...)...)
}

// P is a paragraph of text.
func P(s string) Node { return El("p", Text(s)) }
