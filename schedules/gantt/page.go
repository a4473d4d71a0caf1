package gantt

import (
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Page is a page of a plan, for those who want more than one thing of it: its rows and its
// picture, say, or how many pages there are.
type Page struct {
	options Options
	plan    *dated.Plan // with tasks for projects
	tasks   int         // of the plan without them
	all     []row       // of all pages
	rows    []row       // of the page
	first   int         // row of the page
}

// NewPage finds the rows of a page of the plan.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan.
func NewPage(p *dated.Plan, o Options) (*Page, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	page := &Page{options: o, plan: withProjects(p), tasks: len(p.Tasks)}
	page.all = outline(page.plan, &o)
	if o.Page > page.Pages() {
		return nil, ErrPage
	}
	page.turn(o.Page)
	return page, nil
}

// turn turns to a page that is there.
func (p *Page) turn(number int) {
	p.first = (number - 1) * p.options.Rows
	p.rows = p.all[p.first:min(p.first+p.options.Rows, len(p.all))]
}

// Pages is how many pages the plan has: one at least.
func (p *Page) Pages() int { return max((len(p.all)+p.options.Rows-1)/p.options.Rows, 1) }

// Rows lists the rows of the page from top to bottom.
func (p *Page) Rows() []Row {
	rows := make([]Row, len(p.rows))
	for i, r := range p.rows {
		rows[i] = Row{
			Task: r.task, Project: p.plan.Tasks[r.task].Project, Level: r.level, Parent: r.below,
			Folded: r.folded, Found: r.found,
		}
		if r.task >= p.tasks {
			rows[i].Task = dated.None
		}
	}
	return rows
}

// SVG draws the page.
//
// Errors: what the writer fails with.
func (p *Page) SVG(w io.Writer) error {
	_, err := w.Write(newChart(p).draw())
	return err
}
