package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
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

// chartPage is a schedule: the rows of its chart as a table, and the picture next to it.
func chartPage(r *request) (html.Node, error) {
	name, err := r.named()
	if err != nil {
		return html.Node{}, err
	}
	if r.undrawn {
		return html.Group(heading(name), r.scheduleTabs("Chart"), html.P("Only v10 schedules are drawn.")), nil
	}
	q := r.chartQuery()
	var body object
	if _, err := r.get(r.schedule()+"/gantt.json?"+q.Encode(), &body); err != nil {
		return html.Node{}, err
	}
	for _, of := range []string{"bare", "withoutTable"} {
		q.Set(of, "true")
	}
	drawn, err := r.get(r.schedule()+"/gantt.svg?"+q.Encode(), nil)
	if err != nil {
		return html.Node{}, err
	}
	picture, err := html.Picture(drawn.body)
	if err != nil {
		return html.Node{}, err
	}
	controls, err := r.chartControls()
	if err != nil {
		return html.Node{}, err
	}
	rows := body.objects("gantt.rows")
	page, pages := r.pageNumber(int(body.int("gantt.pageCount")), 1)
	main := []html.Part{heading(name, r.planActions()), r.scheduleTabs("Chart"), controls}
	if len(rows) == 0 {
		return html.Group(append(main, chartSection(r.emptyChart()))...), nil
	}
	return html.Group(append(main, chartSection(
		r.folding(rows), undatedNote(rows),
		html.El("div", html.Class("plan"),
			html.El(
				"div", html.Class("rows"), html.Attr("role", "region"), html.Attr("tabindex", "0"),
				html.Attr("aria-label", "Tasks"), r.chartTable(rows),
			),
			html.El(
				"div", html.Class("picture"), html.Attr("role", "region"), html.Attr("tabindex", "0"),
				html.Attr("aria-label", "Gantt chart"), picture,
			)),
		chartKeys(), r.numberedPager(page, pages)))...), nil
}

// chartSection is what a script replaces to zoom and fold in place.
func chartSection(parts ...html.Part) html.Node {
	return html.El("section", append([]html.Part{html.Attr("id", "chart"), html.Attr("aria-label", "Chart")}, parts...)...)
}

// chartKeys are the keys that the script of the chart knows.
func chartKeys() html.Node {
	key := func(names, does string) html.Node {
		keys := html.Each(strings.Fields(names), func(k string) html.Node { return html.El("kbd", html.Text(k)) })
		return html.Group(keys, html.Text(" "+does+"  "))
	}
	return html.El(
		"details", html.Class("small keys"), html.El("summary", html.Text("Keys and mouse")),
		html.El("p",
			key("↑ ↓", "next row"), key("← →", "fold, unfold"), key("Space", "show the task"),
			key("Enter", "open its page"), key("+ -", "zoom"), key("Esc", "close"),
			html.Text("A click on a bar shows its task with its links, and dragging moves the chart. They need JavaScript."),
		),
	)
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

// emptyChart reports why there is nothing to draw: nothing matches, or there are no
// tasks, with the way out of either.
func (r *request) emptyChart() html.Node {
	if r.Query("search") != "" || r.Query("critical") != "" {
		return html.El(
			"p", html.Class("empty"), html.Text("No task matches. "),
			html.A(r.Here("search", "", "critical", "", "page", ""), html.Text("Show all tasks")),
		)
	}
	text := html.Text("There are no tasks yet.")
	if !r.Writable() {
		return html.El("p", html.Class("empty"), text)
	}
	return html.El(
		"p", html.Class("empty"), text, html.Text(" "),
		html.A(r.Link(r.schedule()+"/import"), html.Text("Import a planner file")),
	)
}

// chartFiles are links to the chart as it is shown, as files.
func (r *request) chartFiles() html.Node {
	query := []string{}
	for _, name := range chartParameters {
		query = append(query, name, r.Query(name))
	}
	return html.El(
		"span", html.Class("small"), html.Text("Download: "),
		html.A(r.Link(r.schedule()+"/gantt.svg", query...), html.Text("SVG")), html.Text(" · "),
		html.A(r.Link(r.schedule()+"/gantt.mmd", query...), html.Text("Mermaid")),
	)
}

// planActions lead to the chart as files, and to the forms that make a task in the schedule
// and delete it.
func (r *request) planActions() html.Node {
	return html.El(
		"div", html.Class("row"), r.chartFiles(),
		actionsNode(r.editLink(http.MethodPost, kindOf("/schedules/{}/tasks"), r.schedule()+"/tasks", "New task")),
		actionsNode(r.editLink(http.MethodDelete, kindOf("/schedules"), r.schedule(), "Delete")),
	)
}

// scheduleTabs are the pages of a schedule.
func (r *request) scheduleTabs(here string) html.Node {
	type tab struct{ name, path string }
	var tabs []tab
	for name := range strings.FieldsSeq("Chart Baselines Progress Risk Quality Reschedule Import Export Operations") {
		path := r.schedule()
		if name != "Chart" {
			path += "/" + strings.ToLower(name)
		}
		tabs = append(tabs, tab{name, path})
	}
	if !r.undrawn {
		for _, part := range []string{"tasks", "task-links", "calendars", "resources"} {
			path := "/browse" + r.schedule() + "/" + part
			tabs = append(tabs, tab{kindOf("/schedules/{}/" + part).title, path})
		}
	}
	return html.El("nav", html.Attr("aria-label", "Schedule"),
		html.El("ul", html.Class("tabs"), html.Each(tabs, func(t tab) html.Node {
			return html.El(
				"li",
				html.A(r.Link(t.path), html.If(t.name == here, html.Attr("aria-current", "page")), html.Text(t.name)),
			)
		})))
}

// chartControls is the form above the chart. It sends a GET, so that a view of the plan is
// an address that can be kept and sent.
func (r *request) chartControls() (html.Node, error) {
	baselines, err := r.baselineChoice()
	if err != nil {
		return html.Node{}, err
	}
	return r.search(
		field(
			"Search", "search",
			html.El(
				"input", html.Attr("type", "search"), html.Attr("id", "search"), html.Attr("name", "search"),
				html.Attr("maxlength", "200"), html.Attr("value", r.Query("search")),
				html.Attr("placeholder", "Name, code or id"),
			),
		),
		field(
			"Zoom", "scale",
			choice(
				"scale", r.Query("scale"), "", "to fit", "day", "days", "week", "weeks", "month", "months", "quarter",
				"quarters",
			),
		),
		field("Order", "orderBy", choice(
			"orderBy", r.Query("orderBy"), "", "outline", "start", "by start", "plan", "of the plan",
		)),
		field("Levels", "levels", choice("levels", r.Query("levels"), "", "all", "1", "1", "2", "2", "3", "3", "4", "4")),
		field("Baseline", "baselineId", choice("baselineId", r.Query("baselineId"), baselines...)),
		check("critical", "Critical only", r.Query("critical") == "true"),
		check("withoutLinks", "Without links", r.Query("withoutLinks") == "true"),
		button("Show"),
	), nil
}

// baselineChoice are the baselines of the schedule for a choice, and none.
func (r *request) baselineChoice() ([]string, error) {
	baselines := []string{"", "none"}
	list, _, err := r.objects(r.schedule()+"/baselines?$top=100", "baselines")
	for _, b := range list {
		baselines = append(baselines, b.text("id"), cmp.Or(b.text("name"), b.text("id")))
	}
	return baselines, err
}

// folding folds and unfolds all, where there is something to fold.
func (r *request) folding(rows []object) html.Part {
	if !slices.ContainsFunc(
		rows, func(o object) bool { return o.is("isParent") },
	) || r.Query("search") != "" || r.Query("critical") != "" {
		return nil
	}
	return html.El("p", html.Class("small folding"),
		html.A(r.Here("levels", "1", "toggled", "", "page", ""), html.Text("Fold all")), html.Text(" · "),
		html.A(r.Here("levels", "", "toggled", "", "page", ""), html.Text("Unfold all")))
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

// chartTable are the rows of the chart as a table, in the order of the picture next to it.
func (r *request) chartTable(rows []object) html.Node {
	searched := r.Query("search") != "" || r.Query("critical") != ""
	return html.El("table",
		html.El("caption", html.Class("hidden"), html.Text("Tasks, in the order of the chart")),
		html.El("thead", html.El("tr",
			html.Each([]string{"Task", "#Days", "#Start", "#Finish", "#Float"}, func(h string) html.Node {
				text, number := strings.CutPrefix(h, "#")
				return html.El("th", html.Attr("scope", "col"), html.If(number, html.Class("number")), html.Text(text))
			}))),
		html.El("tbody", html.Each(rows, func(o object) html.Node { return r.chartRow(o, searched) })))
}

// chartRow is a task in the table. searched says that rows are shown because they match, or
// to place what matches; then nothing folds.
func (r *request) chartRow(o object, searched bool) html.Node {
	id, name := o.text("taskId"), o.text("name")
	label := cmp.Or(o.text("userDefinedId"), name, id)
	var fold html.Part
	if o.is("isParent") && !searched {
		sign, action := "▾", "Fold "
		if o.is("isFolded") {
			sign, action = "▸", "Unfold "
		}
		fold = html.A(
			r.toggle(id), html.Class("fold"), html.Attr("aria-label", action+label),
			html.Attr("aria-expanded", strconv.FormatBool(!o.is("isFolded"))), html.Attr("id", "fold-"+id),
			html.Text(sign),
		)
	}
	days, float := "", ""
	if o.text("startDate") != "" {
		days = oneDecimal(o.text("durationDays"))
		if o.at("totalFloatDays") != nil {
			float = oneDecimal(o.text("totalFloatDays"))
		}
	}
	class := "level-" + strconv.FormatInt(min(o.int("level"), 8), 10)
	switch {
	case o.is("isParent"):
		class += " parent"
	case o.is("isCritical"):
		class += " critical"
	case o.is("isCompleted"):
		class += " done"
	}
	if searched && !o.is("isMatch") {
		class += " above"
	}
	full := strings.TrimSpace(o.text("userDefinedId") + " " + cmp.Or(name, id))
	return html.El("tr", html.Class(class),
		html.El(
			"th", html.Attr("scope", "row"), fold,
			html.A(r.Link(r.schedule()+at("tasks", id)), html.Class("to"), html.Attr("title", full), html.Text(full)),
			html.If(o.is("isCritical"), html.El("span", html.Class("hidden"), html.Text(" critical"))),
		),
		number(html.Text(days)), chartDates(o), number(html.Text(float)))
}

// chartDates are the cells with the dates of a task, or one that says that it has none.
func chartDates(o object) html.Node {
	if undated(o) {
		return html.El("td", html.Class("number muted"), html.Attr("colspan", "2"), html.Text("no dates"))
	}
	return html.Group(number(html.Text(dayOf(o.text("startDate")))), number(html.Text(dayOf(o.text("finishDate")))))
}

// undated reports whether a row of the chart has no dates, and so no bar.
func undated(o object) bool { return o.text("startDate") == "" && o.text("finishDate") == "" }

// undatedNote reports why some rows of the chart have no bars.
func undatedNote(rows []object) html.Node {
	n, above := 0, 0
	for _, o := range rows {
		if undated(o) {
			if n++; o.is("isParent") {
				above++
			}
		}
	}
	if n == 0 {
		return html.Node{}
	}
	text := plural(n, "task") + " on this page without dates, so without a bar."
	if above > 0 {
		text += " The dates of a WBS task do not follow from the tasks below it."
	}
	return html.El("p", html.Class("muted"), html.Text(text))
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

// numberedPager leads through pages that have numbers. Of a chart each is drawn with the span
// of its own rows.
func (r *request) numberedPager(page, pages int) html.Node {
	if pages < 2 {
		return html.Node{}
	}
	before, after := "", ""
	if page > 1 {
		before = r.Here("page", strconv.Itoa(page-1))
	}
	if page < pages {
		after = r.Here("page", strconv.Itoa(page+1))
	}
	return pager(
		linkIf(before, "Previous page"), html.El("span", html.Textf("Page %d of %d", page, pages)),
		linkIf(after, "Next page"),
	)
}

// chartFile is the chart as a separate file.
func chartFile(r *request) (*answer, error) {
	ending := r.URL.Path[strings.LastIndexByte(r.URL.Path, '.'):]
	a, err := r.get(r.schedule()+"/gantt"+ending+"?"+r.chartQuery().Encode(), nil)
	if err == nil {
		a.name = r.PathValue("schedule") + ending
	}
	return a, err
}
