// Package plot draws curves and bars over time as SVG, light and dark. It has no script, no
// style attribute and nothing that is loaded: everything has a class, and one <style>
// element of constant text has the colours.
package plot

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Figure is a picture while it is drawn.
type Figure struct {
	out           []byte
	width, height float64
}

// New begins a picture of a size in pixels with a heading and a line below it. A bare one
// has no <style> element, for pages that link to Style.
func New(title, about string, width, height float64, bare bool) *Figure {
	f := &Figure{width: width, height: height}
	f.Put(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" `,
		`aria-labelledby="plot-title plot-desc" width="`, width, `" height="`, height, `" viewBox="0 0 `, width, " ", height,
		`"><title id="plot-title">`)
	f.out = append(f.out, escaped(title)...)
	f.Put(`</title><desc id="plot-desc">`)
	f.out = append(f.out, escaped(about)...)
	f.Put("</desc>\n")
	if !bare {
		f.Put("<style>", style, "</style>\n")
	}
	f.Put(`<path class="bg" d="M0 0h`, width, "v", height, "H0z\"/>\n")
	f.Text("t", Margin, 24, Fit(title, (width-2*Margin)/1.5))
	f.Text("m", Margin, 42, Fit(about, width-2*Margin))
	return f
}

// Margin is how far everything is from the edges, HeadHeight how high the heading is.
const (
	Margin     = 16.0
	HeadHeight = 56.0
)

// Bytes is the whole picture.
func (f *Figure) Bytes() []byte {
	f.Put("</svg>\n")
	return f.out
}

// Put appends texts as they are, and numbers.
func (f *Figure) Put(parts ...any) {
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			f.out = append(f.out, v...)
		case float64:
			f.out = strconv.AppendFloat(f.out, math.Round(v*10)/10, 'f', -1, 64)
		}
	}
}

// label writes text of a class that stands out from what it is on: behind it is the same in the colour
// of the ground, and broader.
func (f *Figure) label(class, anchor string, x, y float64, s string) {
	f.Text("o"+anchor, x, y, s)
	f.Text(class+anchor, x, y, s)
}

// Text writes text of a class at a place.
func (f *Figure) Text(class string, x, y float64, s string) {
	f.Put(`<text class="`, class, `" x="`, x, `" y="`, y, `">`)
	f.out = append(f.out, escaped(s)...)
	f.Put("</text>\n")
}

// Bar fills a rectangle with a tooltip.
func (f *Figure) Bar(class string, x0, y0, x1, y1 float64, meaning string) {
	f.Put(`<path class="`, class, `" d="M`, x0, " ", y0, "H", x1, "V", y1, "H", x0, `z">`)
	if meaning != "" {
		f.Put("<title>")
		f.out = append(f.out, escaped(meaning)...)
		f.Put("</title>")
	}
	f.Put("</path>\n")
}

// Line joins points.
func (f *Figure) Line(class string, points []Point) {
	if len(points) == 0 {
		return
	}
	f.Put(`<path class="`, class, `" d="`)
	for i, p := range points {
		f.Put(map[bool]string{true: "M", false: "L"}[i == 0], p.X, " ", p.Y)
	}
	f.Put("\"/>\n")
}

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Key is an entry of a legend: a line or a field of a class, and what it means.
type Key struct{ Class, Meaning string }

// Legend writes entries in a row from a place on.
func (f *Figure) Legend(x, y float64, keys []Key) {
	for _, k := range keys {
		if strings.HasPrefix(k.Class, "l") {
			f.Line(k.Class, []Point{{x, y - 4}, {x + 22, y - 4}})
		} else {
			f.Bar(k.Class, x+5, y-9, x+17, y+1, "")
		}
		f.Text("m", x+28, y, k.Meaning)
		x += 28 + Width(k.Meaning) + 20
	}
}

// maxText is how many bytes of a text are shown at all.
const maxText = 1_000

// escaped is text in XML, on one line and without characters that would turn the text
// around it.
func escaped(s string) []byte {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // into memory
	return b.Bytes()
}

// Width is about how many pixels text takes.
func Width(s string) float64 { return 6.2 * float64(utf8.RuneCountInString(s)) }

// Fit is text in so many pixels.
func Fit(s string, room float64) string {
	n := int(room / 6.2)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:max(min(n-1, len(runes)), 0)]) + "…"
}
