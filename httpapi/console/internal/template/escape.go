package template

import (
	"fmt"
	"io"
	"strings"
	"text/template/parse"
)

// context is where in HTML a place of a template is.
type context int

const (
	inText    context = iota
	inTag             // behind its name
	inValue           // of an attribute
	inAddress         // at the beginning of an attribute that is one
	inPath            // of an address
	inQuery           // of an address
)

// escapes are what writes a value in a context. A tag has none: what stands in it is chosen by {{if}}.
var escapes = map[context]func(w io.Writer, text string) error{
	inText:    writeEscaped,
	inValue:   writeEscaped,
	inAddress: writeAddress,
	inPath:    writePath,
	inQuery:   writeQuery,
}

// addresses are the attributes whose values lead somewhere.
var addresses = map[string]bool{"action": true, "formaction": true, "href": true, "src": true}

// template chooses the escapes of a template that begins in a context, and returns that in which it ends.
func (s *Set) template(name string, begin context) (end context, err error) {
	tree := s.trees[name]
	if tree == nil {
		return 0, fmt.Errorf("template: there is no template %q", name)
	}
	if known, ok := s.begins[name]; ok {
		if known != begin {
			return 0, fmt.Errorf("template: template %q is called in text and in an attribute", name)
		}
		return begin, nil
	}
	s.begins[name] = begin
	end, err = (&escaper{set: s, tree: tree}).list(tree.Root, begin)
	if err == nil && end != begin {
		err = fmt.Errorf("template: template %q does not end where it began", name)
	}
	return end, err
}

type escaper struct {
	set    *Set
	tree   *parse.Tree
	script bool // the tag begins one
}

func (e *escaper) refuse(at parse.Node, why string) error {
	place, text := e.tree.ErrorContext(at)
	return fmt.Errorf("template: %s: %s: %s", place, text, why)
}

func (e *escaper) list(l *parse.ListNode, c context) (_ context, err error) {
	if l == nil {
		return c, nil
	}
	for _, n := range l.Nodes {
		if c, err = e.node(n, c); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (e *escaper) node(n parse.Node, c context) (context, error) {
	switch n := n.(type) {
	case *parse.TextNode:
		return e.text(n, c)
	case *parse.ActionNode:
		return e.action(n, c)
	case *parse.IfNode:
		return e.branch(n, &n.BranchNode, c)
	case *parse.WithNode:
		return e.branch(n, &n.BranchNode, c)
	case *parse.RangeNode:
		return e.branch(n, &n.BranchNode, c)
	case *parse.TemplateNode:
		return e.set.template(n.Name, c)
	}
	return c, e.refuse(n, "templates of pages do not have this")
}

// action chooses how a value is written. Behind what begins an address is its path.
func (e *escaper) action(n *parse.ActionNode, c context) (context, error) {
	if len(n.Pipe.Decl) > 0 {
		return c, nil // it writes nothing
	}
	if escapes[c] == nil {
		return c, e.refuse(n, "a value stands in a tag: write it between double quotes behind the name of an attribute")
	}
	e.set.places[n] = c
	if c == inAddress {
		c = inPath
	}
	return c, nil
}

// branch has the same context behind each of its ends.
func (e *escaper) branch(n parse.Node, b *parse.BranchNode, c context) (context, error) {
	one, err := e.list(b.List, c)
	if err != nil {
		return c, err
	}
	other, err := e.list(b.ElseList, c)
	if err != nil {
		return c, err
	}
	if one != other && (min(one, other) < inAddress || max(one, other) == inQuery) {
		return c, e.refuse(n, "its branches end in different places of the page")
	}
	return max(one, other), nil
}

// text follows the HTML of a template from one context to another.
func (e *escaper) text(n *parse.TextNode, c context) (_ context, err error) {
	for s := string(n.Text); s != "" && err == nil; {
		switch c {
		case inText:
			s, c, err = e.plain(n, s)
		case inTag:
			s, c, err = e.tag(n, s)
		default:
			s, c = value(s, c)
		}
	}
	return c, err
}

// plain follows text to the first tag.
func (e *escaper) plain(n parse.Node, s string) (rest string, c context, err error) {
	_, rest, found := strings.Cut(s, "<")
	switch {
	case !found:
		return "", inText, nil
	case strings.HasPrefix(rest, "!--") || strings.HasPrefix(rest, "style"):
		return "", c, e.refuse(n, "templates of pages have no comments and no styles in HTML")
	}
	e.script = strings.HasPrefix(rest, "script")
	return rest, inTag, nil
}

// tag follows a tag to its end, or to the value of an attribute.
func (e *escaper) tag(n parse.Node, s string) (rest string, c context, err error) {
	at := strings.IndexAny(s, `>"'`)
	if at < 0 {
		return "", inTag, nil
	}
	before, mark, rest := s[:at], s[at], s[at+1:]
	if mark == '>' {
		if e.script && !strings.HasPrefix(rest, "</script>") {
			err = e.refuse(n, "a script is a file")
		}
		return rest, inText, err
	}
	name, isName := strings.CutSuffix(before[strings.LastIndexAny(before, " \t\n")+1:], "=")
	switch {
	case mark == '\'' || !isName:
		err = e.refuse(n, "an attribute has its value between double quotes")
	case strings.HasPrefix(name, "on") || name == "style" || name == "srcset":
		err = e.refuse(n, "the attribute "+name+" has a language of its own")
	case addresses[name]:
		return rest, inAddress, nil
	}
	return rest, inValue, err
}

// value follows the value of an attribute to its end, or to the end of the text.
func value(s string, c context) (rest string, _ context) {
	text, rest, closed := strings.Cut(s, `"`)
	switch {
	case closed:
		return rest, inTag
	case c == inValue:
	case strings.ContainsAny(text, "?#"):
		c = inQuery
	case c == inAddress:
		c = inPath
	}
	return rest, c
}

// replacements are what is written for characters that mean something in HTML.
var replacements = strings.NewReplacer("\x00", "\uFFFD", "\"", "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;",
	"<", "&lt;", ">", "&gt;")

func writeEscaped(w io.Writer, text string) error {
	_, err := replacements.WriteString(w, text)
	return err
}

// writeAddress writes the beginning of an address: one with a scheme that could run a script leads nowhere.
func writeAddress(w io.Writer, text string) error {
	if scheme, _, ok := strings.Cut(text, ":"); ok && !strings.Contains(scheme, "/") {
		switch strings.ToLower(scheme) {
		case "http", "https", "mailto":
		default:
			text = "#ZgotmplZ"
		}
	}
	return writePath(w, text)
}

// writePath writes a part of an address, whose marks stay what they are.
func writePath(w io.Writer, text string) error {
	return writeEscaped(w, percented(text, "!#$&*+,/:;=?@[]%"))
}

// writeQuery writes a value of a query.
func writeQuery(w io.Writer, text string) error { return writeEscaped(w, percented(text, "")) }

// percented is text with percent signs for the bytes that an address does not have, but for those that are kept.
func percented(text, kept string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		case c == '%' && kept != "" && !(i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2])):
			b.WriteString("%25")
		case strings.IndexByte(kept, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
