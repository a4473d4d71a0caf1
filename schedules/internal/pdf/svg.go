package pdf

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// canvas is a picture while it is read and its operators are written.
type canvas struct {
	out           []byte
	width, height float64
	title         string
	replaced      int

	rules   rules
	looks   []look            // of what is open, the innermost last
	clips   map[string]string // paths
	arrows  map[string]arrow
	defined string // the id of what is being defined
	text    *text  // that is open
	said    bytes.Buffer
}

// arrow is the end of a line.
type arrow struct{ class, path string }

// arrowTip is the place in an arrow that is at the end of its line.
var arrowTip = point{6.5, 3.5}

// text is a line of text while it is read.
type text struct {
	look look
	at   point
	clip string
}

var errNotOurs = errors.New("the picture is none that is drawn here")

// read draws a picture.
func read(svg []byte) (*canvas, error) {
	c := &canvas{clips: make(map[string]string), arrows: make(map[string]arrow)}
	in := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := in.Token()
		switch t := token.(type) {
		case xml.StartElement:
			err = c.begin(t.Name.Local, attributes(t.Attr))
		case xml.EndElement:
			err = c.end(t.Name.Local)
		case xml.CharData:
			c.said.Write(t)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if c.width <= 0 || c.height <= 0 {
		return nil, errNotOurs
	}
	return c, nil
}

func attributes(all []xml.Attr) map[string]string {
	m := make(map[string]string, len(all))
	for _, a := range all {
		m[a.Name.Local] = a.Value
	}
	return m
}

// begin is the beginning of an element.
func (c *canvas) begin(name string, a map[string]string) error {
	c.said.Reset()
	switch name {
	case "svg":
		c.width, c.height = float(a["width"]), float(a["height"])
		c.looks = []look{plain}
	case "title", "desc", "style", "defs":
	case "marker", "clipPath":
		c.defined = a["id"]
	case "g":
		l := c.rules.of(c.looks[len(c.looks)-1], name, a)
		c.looks = append(c.looks, l)
		x, y, err := moved(a["transform"])
		if err != nil {
			return err
		}
		c.put("q 1 0 0 1 ", number(x), " ", number(y), " cm\n")
	case "text":
		l := c.rules.of(c.looks[len(c.looks)-1], name, a)
		c.text = &text{l, point{float(a["x"]), float(a["y"])}, reference(a["clip-path"])}
	case "path":
		return c.path(a)
	default:
		return fmt.Errorf("%w: <%s>", errNotOurs, name)
	}
	return nil
}

// end is the end of an element.
func (c *canvas) end(name string) error {
	switch name {
	case "title":
		if len(c.looks) == 1 && c.title == "" {
			c.title = c.said.String()
		}
	case "style":
		c.rules = parse(c.said.String())
	case "marker", "clipPath":
		c.defined = ""
	case "g":
		c.looks = c.looks[:len(c.looks)-1]
		c.put("Q\n")
	case "text":
		return c.write(c.text, c.said.String())
	}
	return nil
}

func (c *canvas) put(parts ...string) {
	for _, p := range parts {
		c.out = append(c.out, p...)
	}
}

// path draws a path, or keeps one that is defined.
func (c *canvas) path(a map[string]string) error {
	if c.defined != "" {
		c.clips[c.defined], c.arrows[c.defined] = a["d"], arrow{a["class"], a["d"]}
		return nil
	}
	l := c.rules.of(c.looks[len(c.looks)-1], "path", a)
	p, err := parsePath(a["d"])
	if err != nil {
		return err
	}
	paint := l.paint()
	if paint == "n" || p.text == "" {
		return nil
	}
	done, err := c.clip(reference(a["clip-path"]))
	if err != nil {
		return err
	}
	c.put("q ", l.operators(), p.text, paint, " Q\n", done)
	if l.arrow == "" || p.last == p.before {
		return nil
	}
	return c.arrow(c.arrows[l.arrow], &p)
}

// clip begins what is drawn within a path alone, and returns what ends that.
func (c *canvas) clip(id string) (done string, err error) {
	if id == "" {
		return "", nil
	}
	p, err := parsePath(c.clips[id])
	c.put("q ", p.text, "W n\n")
	return "Q\n", err
}

// arrow draws the end of a line, in its direction.
func (c *canvas) arrow(of arrow, line *path) error {
	p, err := parsePath(of.path)
	if err != nil {
		return err
	}
	dx, dy := line.last.x-line.before.x, line.last.y-line.before.y
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	l := c.rules.of(plain, "path", map[string]string{"class": of.class})
	x, y := line.last.x-arrowTip.x*dx+arrowTip.y*dy, line.last.y-arrowTip.x*dy-arrowTip.y*dx
	c.put("q ", number(dx), " ", number(dy), " ", number(-dy), " ", number(dx), " ", number(x), " ", number(y), " cm ",
		l.operators(), p.text, l.paint(), " Q\n")
	return nil
}

// write writes a line of text.
func (c *canvas) write(t *text, s string) error {
	runs, replaced := encoded(s)
	if c.replaced += replaced; len(runs) == 0 {
		return nil
	}
	l, x, width := &t.look, t.at.x, 0.0
	for _, r := range runs {
		_, widths := l.font(&r)
		width += widths.of(r.letters) * l.size
	}
	switch l.anchor {
	case "end":
		x -= width
	case "middle":
		x -= width / 2
	}
	mode := "0"
	if l.stroke != none {
		mode = "2" // also around the letters
	}
	done, err := c.clip(t.clip)
	if err != nil {
		return err
	}
	c.put("q ", l.operators(), "BT ", mode, " Tr 1 0 0 -1 ", number(x), " ", number(t.at.y), " Tm")
	for _, r := range runs {
		name, _ := l.font(&r)
		c.put(" /", name, " ", number(l.size), " Tf (", escaper.Replace(string(r.letters)), ") Tj")
	}
	c.put(" ET Q\n", done)
	return nil
}

// font is the font of letters, with their widths.
func (l *look) font(r *run) (name string, of *widths) {
	switch {
	case r.symbols:
		return "F3", &symbolWidths
	case l.bold:
		return "F2", &boldWidths
	}
	return "F1", &regularWidths
}

var escaper = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`)

// reference is the id in url(#id).
func reference(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, "url(#"), ")")
}

// moved is how far translate(x y) moves.
func moved(s string) (x, y float64, err error) {
	if s == "" {
		return 0, 0, nil
	}
	if _, err = fmt.Sscanf(s, "translate(%g %g)", &x, &y); err != nil {
		return 0, 0, fmt.Errorf("%w: transform %q", errNotOurs, s)
	}
	return x, y, nil
}

// float is a number of an attribute, 0 where there is none.
func float(s string) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	return v
}
