package html

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Picture is an SVG picture, such as package gantt draws, as nodes of the page: what it
// may hold is what other nodes may, so nothing passes through it that is no picture.
// Comments are left out.
//
// Errors: what is no well-formed XML, and a root that is not svg. Elements and attributes
// that are not known fail where the page is written.
func Picture(svg []byte) (Node, error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	root := &tree{}
	open := []*tree{root}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Node{}, fmt.Errorf("html: a picture: %w", err)
		}
		at := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(open) > maxDepth {
				return Node{}, fmt.Errorf("html: elements of a picture lie more than %d deep", maxDepth)
			}
			element := &tree{kind: elementKind, name: t.Name.Local, attributes: attributesOf(t.Attr)}
			at.nodes = append(at.nodes, Node{element})
			open = append(open, element)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 1 {
				at.nodes = append(at.nodes, Text(string(t)))
			}
		}
	}
	if len(root.nodes) != 1 || root.nodes[0].of.name != "svg" {
		return Node{}, errors.New("html: the root of a picture is not svg")
	}
	return root.nodes[0], nil
}

func attributesOf(list []xml.Attr) []Attribute {
	out := make([]Attribute, len(list))
	for i, a := range list {
		out[i] = Attribute{strings.TrimPrefix(a.Name.Space+":"+a.Name.Local, ":"), a.Value}
	}
	return out
}
