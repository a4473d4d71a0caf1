// Package pdf puts pictures on paper: it takes the SVG that packages gantt and plot draw, and writes the same lines
// and texts as a PDF, a page for each picture, without a font or a program of anyone else.
//
// Text is in Helvetica, which every reader of PDF has, with the letters of western Europe (WinAnsi). Any other
// letter but a few signs is a question mark; [Document.Replaced] counts these.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"unicode/utf16"
)

// Paper is a size in points, 72 of which are an inch.
type Paper struct{ Width, Height float64 }

// Papers, which lie on their long side.
var (
	A3 = Paper{1190.55, 841.89}
	A4 = Paper{841.89, 595.28}
)

// margin is how far pictures stay from the edges: a centimetre, within which printers print.
const margin = 28.35

// Room is the size of what a picture may take.
func (p Paper) Room() (width, height float64) { return p.Width - 2*margin, p.Height - 2*margin }

// Document is pages while they are made. The zero value has none.
type Document struct {
	title    string
	pages    []page
	replaced int
}

type page struct {
	paper   Paper
	content []byte // compressed
}

// Replaced is how many letters of the pages so far are question marks.
func (d *Document) Replaced() int { return d.replaced }

// Add puts a picture on a page: as large as it fits, where its pixels are no larger than points.
// The first one gives the document its title.
//
// It fails for SVG that packages gantt and plot do not draw.
func (d *Document) Add(svg []byte, paper Paper) error {
	c, err := read(svg)
	if err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	width, height := paper.Room()
	scale := min(width/c.width, height/c.height, 1)
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	// The origin of SVG is at the top, and that of PDF at the bottom.
	fmt.Fprintf(z, "%s 0 0 -%s %s %s cm\n", exact(scale), exact(scale), number(margin), number(paper.Height-margin))
	_, _ = z.Write(c.out) // into memory
	if err := z.Close(); err != nil {
		return err
	}
	if len(d.pages) == 0 {
		d.title = c.title
	}
	d.pages, d.replaced = append(d.pages, page{paper, b.Bytes()}), d.replaced+c.replaced
	return nil
}

// Objects that every document has, by their numbers.
const (
	catalog = iota + 1
	tree
	regular
	bold
	symbol
	information
	firstPage // with its content behind it, and so on
)

const winAnsiEncoding = "/Encoding/WinAnsiEncoding"

// WriteTo writes the document.
func (d *Document) WriteTo(w io.Writer) (int64, error) {
	b := bytes.NewBufferString("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n") // which tells programs that it is binary
	var places []int
	object := func(text string) {
		places = append(places, b.Len())
		fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", len(places), text)
	}
	object(fmt.Sprintf("<</Type/Catalog/Pages %d 0 R>>", tree))
	var kids bytes.Buffer
	for i := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+2*i)
	}
	object(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(d.pages), kids.Bytes()))
	for _, font := range []string{"Helvetica" + winAnsiEncoding, "Helvetica-Bold" + winAnsiEncoding, "Symbol"} {
		object("<</Type/Font/Subtype/Type1/BaseFont/" + font + ">>")
	}
	object("<</Title<FEFF" + hexadecimal(d.title) + ">>>")
	for i, p := range d.pages {
		object(fmt.Sprintf("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R"+
			"/Resources<</Font<</F1 %d 0 R/F2 %d 0 R/F3 %d 0 R>>>>>>", tree, number(p.paper.Width),
			number(p.paper.Height), firstPage+2*i+1, regular, bold, symbol))
		object(fmt.Sprintf("<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream", len(p.content), p.content))
	}
	table := b.Len()
	fmt.Fprintf(b, "xref\n0 %d\n0000000000 65535 f \n", len(places)+1)
	for _, at := range places {
		fmt.Fprintf(b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(b, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(places)+1, catalog,
		information, table)
	return b.WriteTo(w)
}

func hexadecimal(s string) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String()
}

// number is a number with two decimals, which is a hundredth of a point.
func number(v float64) string { return fmt.Sprintf("%g", math.Round(v*100)/100) }

// exact is a number with what a factor needs.
func exact(v float64) string { return fmt.Sprintf("%.6f", v) }
