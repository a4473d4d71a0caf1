package gantt

import (
	"bytes"
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/pdf"
)

// PDF draws the plan on paper as SVG draws it on a screen, in the colours of light screens: on a page of A4 where
// it fits there and can be read, and else on as many of A3 as it takes, each with the head and the same time. Options.Rows
// is how many tasks a page has, and those that fit when it is zero; Options.Page chooses one page, and zero draws all.
//
// Letters are those of western Europe, which every program that shows PDF has. It returns how many others were
// replaced by question marks: SVG has them.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan, and what the writer fails with.
func PDF(w io.Writer, p *dated.Plan, o Options) (replaced int, err error) {
	first, last := o.Page, o.Page
	o.Page, o.Bare = min(first, 1), false
	paper, err := o.fitPaper(p)
	if err != nil {
		return 0, err
	}
	page, err := NewPage(p, o)
	if err != nil {
		return 0, err
	}
	if first == 0 {
		first, last = 1, page.Pages()
	} else if first > page.Pages() {
		return 0, ErrPage
	}
	var d pdf.Document
	for n := first; n <= last; n++ {
		var b bytes.Buffer
		page.turn(n)
		if err := page.SVG(&b); err != nil {
			return 0, err
		}
		if err := d.Add(b.Bytes(), paper); err != nil {
			return 0, err
		}
	}
	_, err = d.WriteTo(w)
	return d.Replaced(), err
}

// fitPaper chooses a paper, the number of rows that fit there, and the time that all pages show.
func (o *Options) fitPaper(p *dated.Plan) (pdf.Paper, error) {
	given := o.Rows
	if o.Rows == 0 {
		o.Rows = MaxRows
	}
	page, err := NewPage(p, *o)
	if err != nil {
		return pdf.Paper{}, err
	}
	c := newChart(page)
	width, height, all := c.axis.right+margin, c.height(), len(page.all)
	if w, h := pdf.A4.Room(); all <= len(c.rows) && min(w/width, h/height) >= readable {
		return pdf.A4, nil
	}
	around := height - rowHeight*float64(max(len(c.rows), 1))
	if o.Rows = given; given == 0 {
		w, h := pdf.A3.Room()
		o.Rows = min(max(int((h*max(width/w, 1)-around)/rowHeight), 1), MaxRows)
	}
	if all > o.Rows { // each page shows the time of all
		page.rows, page.first = page.all, 0
		axis := newAxis(&page.options, c.extremes(), c.tableWidth(), true)
		o.From, o.To = axis.from, axis.to
	}
	return pdf.A3, nil
}

// readable is the least scale at which text of a picture is read on paper without a lens: some 6 points.
const readable = 0.55
