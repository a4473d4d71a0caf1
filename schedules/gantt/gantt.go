// Package gantt draws plans as Gantt charts: in SVG for people, and as Mermaid text for
// documents. It needs no store, no script and no network, and draws the same plan in the
// same bytes.
//
//	err := gantt.SVG(w, plan, gantt.Options{})
//
// A picture is the tree of tasks with their columns, and next to it what is done, what
// remains, what is critical, float, baselines, milestones, hammocks, links of all types,
// the data date and the days off. It is dark where the reader's screen is, and light on
// paper. Text is selectable.
//
// # Content security
//
// There is no script in a picture, no style attribute and nothing that is loaded.
// Everything has a class, and one <style> element of constant text, to which the hash in
// [Policy] belongs, has the colours: a picture that is served with that header is shown as it
// is meant. Where a picture becomes part of an HTML page, [Options.Bare] leaves the
// element out and the page links to a file with the text of [Style].
package gantt

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Limits of a picture.
const (
	DefaultRows  = 200    // of a page
	MaxRows      = 2_000  // of a page
	DefaultWidth = 900    // of time, in pixels, where it is to fit
	maxLinks     = 5_000  // of a page; what is beyond is counted in its head
	minWidth     = 300    // pixels of time
	maxWidth     = 30_000 // pixels of time
)

// Options say how to draw a plan.
type Options struct {
	// Title is the heading; the name of the plan when empty.
	Title string
	// Page is which page to draw, from 1 on; zero is the first.
	Page int
	// Rows is how many tasks a page has: DefaultRows when zero, MaxRows at most.
	Rows int
	// Scale is how much room time takes.
	Scale Scale
	// Width is how many pixels time takes when it is to Fit: DefaultWidth when zero,
	// between 300 and 30,000.
	Width int
	// From and To are the first and the last time that is drawn. Zero is what the rows
	// of the page need.
	From, To worktime.Time
	// Levels is how deep the tree is drawn; zero is all of it.
	Levels int
	// Toggled are the places of tasks that are folded although Levels shows what is
	// below them, or unfolded although it does not.
	Toggled []int
	// Search draws only tasks whose name, code or id has this text, whatever the case of
	// its letters, with those that they are below. Nothing is folded then.
	Search string
	// Critical draws only what is critical, with what it is below. Nothing is folded
	// then.
	Critical bool
	// Order sorts the tasks below each parent, and those at the top.
	Order Order
	// Today is drawn as a line where it is within the picture; zero is no such line.
	Today worktime.Time
	// WithoutLinks leaves the links out.
	WithoutLinks bool
	// WithoutTable leaves the columns out, for pages that have a table of [Rows] next to
	// the picture: its rows are [RowHeight] pixels high, below a head of [HeadHeight].
	WithoutTable bool
	// Bare leaves out the <style> element, for pages that link to Style. For the scripts of such pages the
	// root then has the pixels of a day as data-day. The groups of rows have their numbers on the page, from 0
	// on, as data-row, both ends of their bars as data-bar and, where the task has not begun and is neither a
	// summary nor a hammock, its start as data-start, such as 2026-03-02T08:00. Lines of links have the numbers of
	// the rows that they join as data-from and data-to.
	Bare bool
}

// Order sorts the tasks that lie below one parent, or at the top.
type Order uint8

// The orders.
const (
	// ByOutline keeps the order of the plan, in which planners read it, below each parent,
	// and at the top where one of the tasks is a parent. It sorts a list without parents,
	// or one whose tasks no one put into an order, as ByStart does.
	ByOutline Order = iota
	// ByStart begins with what starts first, which keeps links short.
	ByStart
	// ByPlan keeps the order of the plan everywhere.
	ByPlan
)

// orders are the names of the orders.
var orders = [...]string{ByOutline: "outline", ByStart: "start", ByPlan: "plan"}

// ParseOrder is the order of a name: outline, start or plan.
//
// Errors: ErrOrder.
func ParseOrder(name string) (Order, error) {
	if i := slices.Index(orders[:], name); i >= 0 {
		return Order(i), nil
	}
	return ByOutline, fmt.Errorf("%w: %q", ErrOrder, name)
}

// String is the name of the order.
func (o Order) String() string {
	if int(o) < len(orders) {
		return orders[o]
	}
	return "unknown"
}

// Scale is how much room time takes.
type Scale uint8

// The scales. Fit takes the room that there is on a screen; the others are named by the
// smallest unit that the head shows.
const (
	Fit Scale = iota
	Day
	Week
	Month
	Quarter
)

// scales are the pixels of a day, and the names of the scales.
var scales = [...]struct {
	pixels float64
	name   string
}{Fit: {0, "fit"}, Day: {20, "day"}, Week: {8, "week"}, Month: {2, "month"}, Quarter: {0.5, "quarter"}}

// ParseScale is the scale of a name: fit, day, week, month or quarter.
//
// Errors: ErrScale.
func ParseScale(name string) (Scale, error) {
	for s := range scales {
		if scales[s].name == name {
			return Scale(s), nil
		}
	}
	return Fit, fmt.Errorf("%w: %q", ErrScale, name)
}

// String is the name of the scale.
func (s Scale) String() string {
	if int(s) < len(scales) {
		return scales[s].name
	}
	return "unknown"
}

var (
	// ErrScale is what a scale fails with that is none.
	ErrScale = errors.New("gantt: a scale is fit, day, week, month or quarter")
	// ErrOrder is what an order fails with that is none.
	ErrOrder = errors.New("gantt: an order is outline, start or plan")
	// ErrPage is what options fail with that ask for a page that is not there, or for
	// too many rows.
	ErrPage = fmt.Errorf("gantt: there is no such page, or it would have more than %d rows", MaxRows)
	// ErrSpan is what options fail with whose time ends before it begins, or has less
	// or more pixels than it may.
	ErrSpan = errors.New("gantt: time ends behind its beginning, or has less than 300 pixels or more than 30,000")
)

// check fails for options that make no sense.
func (o *Options) check() error {
	switch {
	case o.Page < 0 || o.Rows < 0 || o.Rows > MaxRows || o.Levels < 0:
		return ErrPage
	case int(o.Scale) >= len(scales):
		return ErrScale
	case int(o.Order) >= len(orders):
		return ErrOrder
	case o.From != 0 && o.To != 0 && o.To <= o.From, o.Width != 0 && (o.Width < minWidth || o.Width > maxWidth):
		return ErrSpan
	}
	if o.Page == 0 {
		o.Page = 1
	}
	if o.Rows == 0 {
		o.Rows = DefaultRows
	}
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	return nil
}

// Sizes of a picture, in pixels.
const (
	RowHeight  = 24
	HeadHeight = 78
)

// Pages is how many pages the plan has: one at least.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan.
func Pages(p *dated.Plan, o Options) (int, error) {
	o.Page = min(o.Page, 1)
	page, err := NewPage(p, o)
	if err != nil {
		return 0, err
	}
	return page.Pages(), nil
}

// SVG draws a page of the plan.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan, and what the writer fails with.
func SVG(w io.Writer, p *dated.Plan, o Options) error {
	page, err := NewPage(p, o)
	if err != nil {
		return err
	}
	return page.SVG(w)
}
