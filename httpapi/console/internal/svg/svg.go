// Package svg judges whether a picture may be written into a page as it is.
package svg

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep elements may lie in one another.
const maxDepth = 200

// Check reports why a picture may not be part of a page. Only what is known to draw may be
// in one: elements and attributes of the lists below, and references within the picture.
// Scripts, styles, event handlers and addresses are not among them, nor are comments and
// sections, which readers of HTML and of XML see differently. White space around the picture
// does not count.
//
// Errors: what is not well-formed, has another root than svg, or holds anything else.
func Check(picture []byte) error {
	if err := check(strings.TrimSpace(string(picture))); err != nil {
		return fmt.Errorf("svg: a picture may not be in a page: %w", err)
	}
	return nil
}

func check(s string) error {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return errors.New("it has characters that XML cannot hold")
	}
	var open elements
	for first := true; first || s != ""; first = false {
		text, rest, isTag := strings.Cut(s, "<")
		tag, rest, closed := strings.Cut(rest, ">")
		switch {
		case len(open) == 0 && (!first || text != "" || !isTag):
			return errors.New("it is not one element")
		case !closed:
			return errors.New("it ends within an element")
		case !plainText(text):
			return errors.New("it has text that is not plain")
		}
		if err := open.read(tag); err != nil {
			return err
		}
		s = rest
	}
	if len(open) > 0 {
		return fmt.Errorf("<%s> is not closed", open.last())
	}
	return nil
}

// elements are the names of those that are open, the outermost first.
type elements []string

func (open elements) last() string {
	if len(open) == 0 {
		return ""
	}
	return open[len(open)-1]
}

// read reads the tag of an element, without its brackets.
func (open *elements) read(tag string) error {
	if name, ends := strings.CutPrefix(tag, "/"); ends {
		if name != open.last() || name == "" {
			return fmt.Errorf("</%s> ends <%s>", name, open.last())
		}
		*open = (*open)[:len(*open)-1]
		return nil
	}
	tag, empty := strings.CutSuffix(tag, "/")
	name, rest, _ := strings.Cut(tag, " ")
	_, found := known[name]
	switch {
	case !found, (len(*open) == 0) != (name == "svg"):
		return fmt.Errorf("it may not have <%.40s> here", name)
	case known[open.last()]:
		return fmt.Errorf("it may not have <%s> in <%s>", name, open.last())
	case len(*open) >= maxDepth:
		return fmt.Errorf("its elements lie more than %d deep", maxDepth)
	}
	if !empty {
		*open = append(*open, name)
	}
	return checkAttributes(rest)
}

// unprintable reports whether a character may not be in XML, or readers treat it as another.
func unprintable(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r&0xfffe == 0xfffe
}

// entity are the references to characters that may be in a picture.
var entity = regexp.MustCompile(`&(?:amp|lt|gt|quot|apos|#34|#39|#x9|#xA|#xD);`)

// plainText reports whether text has only characters and references to them.
func plainText(s string) bool {
	if strings.Contains(s, "]]>") {
		return false
	}
	return !strings.Contains(s, "&") || !strings.Contains(entity.ReplaceAllString(s, ""), "&")
}

// known are the elements of pictures. Within those that are true is only text, since
// readers of HTML take nothing in them for a part of the picture.
var known = map[string]bool{
	"svg": false, "g": false, "defs": false, "marker": false, "clipPath": false, "path": false, "rect": false,
	"line": false, "circle": false, "ellipse": false, "polyline": false, "polygon": false, "text": false,
	"tspan": false, "title": true, "desc": true,
}

// attributes are those with values that need no check. There are also those of
// data- and aria-.
var attributes = strings.Fields(`class d x y x1 y1 x2 y2 cx cy r rx ry dx dy points transform width height
	id role lang tabindex text-anchor viewBox xmlns preserveAspectRatio
	refX refY markerWidth markerHeight markerUnits orient`)

// references are attributes whose value names a part of the same picture.
var references = strings.Fields("clip-path marker-start marker-mid marker-end")

var (
	custom    = regexp.MustCompile(`^(?:data|aria)-[a-z][a-z-]*$`)
	reference = regexp.MustCompile(`^url\(#[a-z0-9-]+\)$`)
)

// checkAttributes checks attributes with their values in quotation marks.
func checkAttributes(s string) error {
	for s = strings.TrimLeft(s, " \n\t"); s != ""; s = strings.TrimLeft(s, " \n\t") {
		name, rest, hasValue := strings.Cut(s, `="`)
		value, rest, closed := strings.Cut(rest, `"`)
		isReference := slices.Contains(references, name)
		switch {
		case !hasValue || !closed || rest != "" && rest[0] != ' ' && rest[0] != '\n':
			return fmt.Errorf("it has an attribute that cannot be read: %.40q", s)
		case isReference && !reference.MatchString(value):
			return fmt.Errorf("its attribute %s leads elsewhere", name)
		case !isReference && !slices.Contains(attributes, name) && !custom.MatchString(name):
			return fmt.Errorf("it may not have the attribute %.40q", name)
		case strings.Contains(value, "<") || !plainText(value):
			return fmt.Errorf("its attribute %s has markup", name)
		}
		s = rest
	}
	return nil
}
