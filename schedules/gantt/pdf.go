package gantt

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/pdf"
)

// MaxPaper is how many pages a PDF has at most.
const MaxPaper = 1_000

// ErrPaper is what a plan fails with that would take more pages.
var ErrPaper = fmt.Errorf("gantt: a PDF has at most %d pages: choose one, more rows or fewer levels", MaxPaper)

// Paper is what a PDF has come to.
type Paper struct {
	Pages    int
	Replaced int // letters that are question marks
}

// PDF draws the plan on paper as SVG draws it on a screen, in the colours of light screens: on a page of A4 where
// it fits there and can be read, and else on as many of A3 as it takes, each with the head and the same time. Options.Rows
// is how many tasks a page has, and those that fit when it is zero; Options.Page chooses one page, and zero draws all.
//
// Letters are those of western Europe, which every program that shows PDF has; others are question marks, and counted.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan, ErrPaper, and what the writer fails with.
func PDF(w io.Writer, p *dated.Plan, o Options) (done Paper, err error) {
	first, last := o.Page, o.Page
	o.Page, o.Bare = min(first, 1), false
	paper, err := o.fitPaper(p)
	if err != nil {
		return done, err
	}
	page, err := NewPage(p, o)
	if err != nil {
		return done, err
	}
	if first == 0 {
		first, last = 1, page.Pages()
	} else if first > page.Pages() {
		return done, ErrPage
	}
	if done.Pages = last - first + 1; done.Pages > MaxPaper {
		return Paper{}, ErrPaper
	}
	var d pdf.Document
	for n := first; n <= last; n++ {
		var b bytes.Buffer
		page.turn(n)
		if err := page.SVG(&b); err != nil {
			return Paper{}, err
		}
		if err := d.Add(b.Bytes(), paper); err != nil {
			return Paper{}, err
		}
	}
	done.Replaced = d.Replaced()
	_, err = d.WriteTo(w)
	return done, err
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
