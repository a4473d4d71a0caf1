package console

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// chartParameters are those of the page that go to the API as they are.
var chartParameters = strings.Fields("page levels scale toggled search critical withoutLinks baselineId orderBy")

// chartQuery are the parameters of the page that the chart understands, which is the same
// for table, picture and files: so all of them show the same tasks.
func (r *request) chartQuery() url.Values {
	q := url.Values{}
	for _, name := range chartParameters {
		if v := r.Query(name); v != "" {
			q.Set(name, v)
		}
	}
	return q
}

// chartPageView is a schedule: the rows of its chart as a table, and the picture next to it.
type chartPageView struct {
	*request
	Name      string
	Changes   []actionView
	Baselines []optionView
	Undrawn   bool // the schedule is of v6.5
	Narrowed  bool // the chart shows only what matches
	Folds     bool // there is something to fold
	Undated   string
	Rows      []chartRowView
	Picture   template.HTML
	Pages     pagesView
}

func chartPage(r *request) (view, error) {
	name, err := r.named()
	if err != nil {
		return view{}, err
	}
	page := chartPageView{request: r, Name: name, Undrawn: r.undrawn, Narrowed: r.narrowed()}
	if r.undrawn {
		return r.show("chart", page)
	}
	page.Changes = slices.Concat(
		r.editLink(http.MethodPost, r.console.placeOf("/schedules/{}/tasks"), r.schedule()+"/tasks", "New task"),
		r.editLink(http.MethodDelete, r.console.placeOf("/schedules"), r.schedule(), "Delete"),
	)
	q := r.chartQuery()
	var body object
	if _, err := r.get(r.schedule()+"/gantt.json?"+q.Encode(), &body); err != nil {
		return view{}, err
	}
	for _, of := range []string{"bare", "withoutTable"} {
		q.Set(of, "true")
	}
	drawn, err := r.get(r.schedule()+"/gantt.svg?"+q.Encode(), nil)
	if err != nil {
		return view{}, err
	}
	if page.Picture, err = picture(drawn.body); err != nil {
		return view{}, err
	}
	if page.Baselines, err = r.baselineOptions(); err != nil {
		return view{}, err
	}
	rows := body.objects("gantt.rows")
	for _, o := range rows {
		page.Rows = append(page.Rows, r.chartRow(o))
	}
	page.Folds = !page.Narrowed && slices.ContainsFunc(rows, func(o object) bool { return o.is("isParent") })
	page.Undated = undatedNote(rows)
	page.Pages = r.pagesView(r.pageNumber(int(body.int("gantt.pageCount")), 1))
	return r.show("chart", page)
}

// narrowed reports whether the chart shows only what matches.
func (r *request) narrowed() bool { return r.Query("search") != "" || r.Query("critical") != "" }

// ChartFile is the address of the chart as it is shown, as a file.
func (v chartPageView) ChartFile(name string) string {
	query := []string{}
	for _, name := range chartParameters {
		query = append(query, name, v.Query(name))
	}
	return v.Link(v.schedule()+"/"+name, query...)
}

// Part says which rows a picture of the chart has where that is not all of them; empty where it is.
func (v chartPageView) Part() string {
	if v.Pages.Pages*chartRows <= pictureRows {
		return ""
	}
	from := (v.Pages.Page - 1) * chartRows / pictureRows * pictureRows
	return fmt.Sprintf("from row %d on, %d at most; the PDF has all", from+1, pictureRows)
}

// Scales are how far the chart can be zoomed.
func (v chartPageView) Scales() []optionView {
	return options(
		v.Query("scale"), "", "to fit", "day", "days", "week", "weeks", "month", "months", "quarter", "quarters",
	)
}

// Orders are those that the rows of the chart can have.
func (v chartPageView) Orders() []optionView {
	return options(v.Query("orderBy"), "", "outline", "start", "by start", "plan", "of the plan")
}

// Levels are down to which the chart can be unfolded.
func (v chartPageView) Levels() []optionView {
	return options(v.Query("levels"), "", "all", "1", "1", "2", "2", "3", "3", "4", "4")
}

// named is the name of the schedule, under which the page lies.
func (r *request) named() (string, error) {
	var body object
	if _, err := r.get(r.schedule(), &body); err != nil {
		return "", err
	}
	name := cmp.Or(body.text("schedule.name"), r.PathValue("schedule"))
	r.title, r.undrawn = name, body.text("schedule.type") == "v6.5"
	r.below("/schedules", "Schedules")
	if id := body.text("schedule.twinId"); id != "" && r.console.areas["twins"] {
		r.below("/browse"+at("twins", id), r.nameAt(at("twins", id)))
	}
	return name, nil
}

// inSchedule is named for the pages below that of the schedule.
func (r *request) inSchedule(title string) error {
	name, err := r.named()
	if err != nil {
		return err
	}
	r.below(r.schedule(), name)
	r.title = title + " · " + name
	return nil
}

// tabView is a page of a schedule, next to the others.
type tabView struct {
	Name, Link string
	Here       bool // it is this page
}

// ScheduleTabs are the pages of a schedule.
func (r *request) ScheduleTabs(here string) (all []tabView) {
	add := func(name, path string) { all = append(all, tabView{name, r.Link(path), name == here}) }
	const pages = "Chart 4D Baselines Progress Risk Quality Reschedule Import Export Operations"
	for name := range strings.FieldsSeq(pages) {
		path := r.schedule()
		if name != "Chart" {
			path += "/" + strings.ToLower(name)
		}
		add(name, path)
	}
	if !r.undrawn {
		add("Records", "/browse"+r.schedule())
	}
	return all
}

// baselineOptions are the baselines of the schedule for a choice, and none.
func (r *request) baselineOptions() ([]optionView, error) {
	return r.baselinesOr("none")
}

// baselinesOr are the baselines of the schedule for a choice, and what is where none is chosen.
func (r *request) baselinesOr(otherwise string) ([]optionView, error) {
	baselines := []string{"", otherwise}
	list, err := r.baselines()
	for _, b := range list {
		baselines = append(baselines, b.text("id"), cmp.Or(b.text("name"), b.text("id")))
	}
	return options(r.Query("baselineId"), baselines...), err
}

// maxToggled are how many tasks are folded or unfolded by hand, so that the addresses of
// a page stay short: the first ones are forgotten.
const maxToggled = 24

// toggle is the address of this page with a task folded that is not, or unfolded that is.
func (r *request) toggle(id string) string {
	var ids []string
	if v := r.Query("toggled"); v != "" {
		ids = strings.Split(v, ",")
	}
	if i := slices.Index(ids, id); i >= 0 {
		ids = slices.Delete(ids, i, i+1)
	} else {
		ids = append(ids, id)
	}
	return r.Here("toggled", strings.Join(ids[max(0, len(ids)-maxToggled):], ","))
}

// chartRowView is a task in the table of the chart. One without dates has no bar.
type chartRowView struct {
	Class, Name, Link          string
	Fold                       *foldView
	Days, Start, Finish, Float string
	Critical, Undated          bool
}

// foldView folds a task that has others below it, or unfolds it.
type foldView struct {
	ID, Link, Name string
	Folded         bool
}

// chartRow is a task in the table. Where the chart is narrowed, rows are shown because they
// match, or to place what matches; then nothing folds.
func (r *request) chartRow(o object) chartRowView {
	id, code, name := o.text("taskId"), o.text("userDefinedId"), o.text("name")
	row := chartRowView{
		Class: chartClass(o, r.narrowed()), Name: strings.TrimSpace(code + " " + cmp.Or(name, id)),
		Link:  r.Link(r.schedule() + at("tasks", id)),
		Start: dayOf(o.text("startDate")), Finish: dayOf(o.text("finishDate")),
		Critical: o.is("isCritical"), Undated: undated(o),
	}
	if o.is("isParent") && !r.narrowed() {
		row.Fold = &foldView{ID: id, Link: r.toggle(id), Name: cmp.Or(code, name, id), Folded: o.is("isFolded")}
	}
	if o.text("startDate") != "" {
		row.Days = oneDecimal(o.text("durationDays"))
		if o.at("totalFloatDays") != nil {
			row.Float = oneDecimal(o.text("totalFloatDays"))
		}
	}
	return row
}

// chartClass are the classes of a row of the chart.
func chartClass(o object, narrowed bool) string {
	class := "level-" + strconv.FormatInt(min(o.int("level"), 8), 10)
	switch {
	case o.is("isParent"):
		class += " parent"
	case o.is("isCritical"):
		class += " critical"
	case o.is("isCompleted"):
		class += " done"
	}
	if narrowed && !o.is("isMatch") {
		class += " above"
	}
	return class
}

// undated reports whether a row of the chart has no dates, and so no bar.
func undated(o object) bool { return o.text("startDate") == "" && o.text("finishDate") == "" }

// undatedNote reports why some rows of the chart have no bars; empty where all have.
func undatedNote(rows []object) string {
	n, above := 0, 0
	for _, o := range rows {
		if undated(o) {
			if n++; o.is("isParent") {
				above++
			}
		}
	}
	if n == 0 {
		return ""
	}
	text := plural(n, "task") + " on this page without dates, so without a bar."
	if above > 0 {
		text += " A WBS task has the dates of the tasks below it, as soon as one of them has dates."
	}
	return text
}

// pageNumber is the page that the query asks for, and how many there are of so many rows.
func (r *request) pageNumber(rows, each int) (page, pages int) {
	pages = max((rows+each-1)/each, 1)
	n, err := strconv.Atoi(r.Query("page"))
	if err != nil {
		n = 1
	}
	return min(max(n, 1), pages), pages
}

// pagesView leads through pages that have numbers.
type pagesView struct {
	Page, Pages   int
	Before, After string
}

// pagesView is the place of this page among others. Of a chart each is drawn with the span of
// its own rows.
func (r *request) pagesView(page, pages int) pagesView {
	v := pagesView{Page: page, Pages: pages}
	if page > 1 {
		v.Before = r.Here("page", strconv.Itoa(page-1))
	}
	if page < pages {
		v.After = r.Here("page", strconv.Itoa(page+1))
	}
	return v
}

// Rows of the page of a chart, and of a picture of it: the API draws no more at once.
const (
	chartRows   = 200
	pictureRows = 2_000
)

// chartFile is the chart as a separate file: on paper all rows, in a picture all of a plan of up to pictureRows rows,
// and of a larger one those around the page that is shown.
func chartFile(r *request) download {
	ending, q := r.URL.Path[strings.LastIndexByte(r.URL.Path, '.'):], r.chartQuery()
	page, _ := strconv.Atoi(r.Query("page"))
	q.Del("page")
	if ending != ".pdf" {
		q.Set("rows", strconv.Itoa(pictureRows))
		q.Set("page", strconv.Itoa((max(page, 1)-1)*chartRows/pictureRows+1))
	}
	return download{path: r.schedule() + "/gantt" + ending + "?" + q.Encode(), name: r.PathValue("schedule") + ending}
}

// workbookFile is the tasks as a workbook, next to the baseline that the chart shows.
func workbookFile(r *request) download {
	q := url.Values{}
	if baseline := r.Query("baselineId"); baseline != "" {
		q.Set("baselineId", baseline)
	}
	return download{path: r.schedule() + "/tasks.xlsx?" + q.Encode(), name: r.PathValue("schedule") + ".xlsx"}
}
