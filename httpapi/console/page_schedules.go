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

var schedulePages = table{
	{pattern: "GET /schedules", title: "Schedules", area: "schedules", page: scheduleList},
	{pattern: "POST /schedules", area: "schedules", act: createSchedule},
	{pattern: "GET /schedules/{schedule}", area: "schedules", page: chartPage},
	{pattern: "GET /schedules/{schedule}/gantt.svg", area: "schedules", file: chartFile},
	{pattern: "GET /schedules/{schedule}/gantt.mmd", area: "schedules", file: chartFile},
	{pattern: "GET /schedules/{schedule}/tasks/{task}", area: "schedules", page: taskPage},
	{pattern: "GET /schedules/{schedule}/baselines", area: "schedules", page: baselinesPage},
	{pattern: "POST /schedules/{schedule}/baselines", area: "schedules", act: takeBaseline},
	{pattern: "GET /schedules/{schedule}/baselines/{baseline}", area: "schedules", page: comparisonPage},
	{pattern: "GET /schedules/{schedule}/baselines/{baseline}/comparison.csv", area: "schedules", file: comparisonFile},
	{pattern: "GET /schedules/{schedule}/quality", area: "schedules", page: qualityPage},
	{pattern: "GET /schedules/{schedule}/reschedule", area: "schedules", page: reschedulePage},
	{pattern: "POST /schedules/{schedule}/reschedule", area: "schedules", act: reschedule},
	{pattern: "GET /schedules/{schedule}/import", area: "schedules", page: importPage},
	{pattern: "POST /schedules/{schedule}/import", area: "schedules", act: importFile, maxBody: maxUpload},
	{pattern: "GET /schedules/{schedule}/export", area: "schedules", page: exportPage},
	{pattern: "POST /schedules/{schedule}/export", area: "schedules", act: exportPlan},
	{pattern: "GET /schedules/{schedule}/export/{synchronizer}/file", area: "schedules", file: exportedFile},
}

// maxTwins are of how many twins a page lists the schedules.
const maxTwins = 20

// scheduleList are the schedules of one twin, or of all on a page of twins.
func scheduleList(r *request) (html.Node, error) {
	if id := r.query("twinId"); id != "" {
		r.below("/browse/twins", "Twins")
		r.below("/browse"+at("twins", id), r.nameAt(at("twins", id)))
		table, err := r.schedulesOf(id)
		if err != nil {
			return html.Node{}, err
		}
		return html.Group(heading("Schedules"), table, r.newSchedule(id)), nil
	}
	q := url.Values{"$top": {strconv.Itoa(maxTwins)}}
	for _, name := range []string{"$search", "$skip"} {
		if v := r.query(name); v != "" {
			q.Set(name, v)
		}
	}
	twins, next, err := r.objects("/twins?"+q.Encode(), "twins")
	if err != nil {
		return html.Node{}, err
	}
	parts := []html.Part{
		heading("Schedules"),
		r.search(
			field(
				"Search for twins", "search",
				html.El(
					"input", html.Attr("type", "search"), html.Attr("id", "search"), html.Attr("name", "$search"),
					html.Attr("value", r.query("$search")),
				),
			),
			button("Search"),
		),
	}
	for _, twin := range twins {
		id := twin.text("id")
		table, err := r.schedulesOf(id)
		if err != nil {
			if table, err = withoutSight(err); err != nil {
				return html.Node{}, err
			}
		}
		parts = append(
			parts,
			html.El("h2", html.A(r.link("/schedules", "twinId", id), html.Text(cmp.Or(twin.text("displayName"), id)))),
			table,
		)
	}
	if len(twins) == 0 {
		parts = append(
			parts,
			html.El("p", html.Class("empty"), html.Text("No twins are visible to you, so there are no schedules.")),
		)
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.here("$skip", u.Query().Get("$skip"))
	}
	return html.Group(append(parts, pager(linkIf(more, "More twins")))...), nil
}

// schedulesOf is the table of the schedules of a twin.
func (r *request) schedulesOf(twin string) (html.Node, error) {
	target := "/schedules?" + url.Values{"twinId": {twin}, "$top": {"100"}}.Encode()
	if token := r.query("$continuationToken"); token != "" && r.query("twinId") != "" {
		target += "&" + queryOf([]string{"$continuationToken", token})
	}
	list, next, err := r.objects(target, "schedules")
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, o := range list {
		name := html.A(r.link(at("schedules", o.text("id"))), html.Text(cmp.Or(o.text("name"), o.text("id"))))
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), name), cell(html.Class("id"), html.Text(o.text("id"))),
			cell(html.Text(o.text("type"))),
		)
	}
	more := ""
	if u, err := url.Parse(next); err == nil && next != "" {
		more = r.link("/schedules", "twinId", twin, "$continuationToken", u.Query().Get("$continuationToken"))
	}
	return html.Group(
		dataTable("Schedules of "+twin, []string{"Name", "Id", "Type"}, rows, "It has no schedules."),
		pager(linkIf(more, "Next page")),
	), nil
}

// newSchedule is the form that makes a schedule in a twin; it is left out where the console
// is read-only.
func (r *request) newSchedule(twin string) html.Node {
	return r.form(
		"/schedules", html.Class("row"), kept("twinId", twin),
		field("New schedule", "name", textInput("name", "", html.Flag("required"), html.Attr("maxlength", "200"))),
		button("Create"),
	)
}

// createSchedule leads to the import of the new schedule, which is empty.
func createSchedule(r *request) (target, error) {
	var body object
	a, err := r.create("/schedules", map[string]string{"twinId": r.PostForm.Get("twinId"), "name": r.PostForm.Get("name")})
	if err != nil {
		return target{}, err
	}
	if err := decode(a.body, &body); err != nil {
		return target{}, err
	}
	return to(
		at("schedules", body.text("schedule.id"), "import"),
	).told("The schedule was created. Import a plan into it."), nil
}

// schedule is the path of the schedule of a page, in the API and in the console.
func (r *request) schedule() string { return at("schedules", r.PathValue("schedule")) }

// chartParameters are those of the page that go to the API as they are.
var chartParameters = []string{"page", "levels", "scale", "toggled", "search", "critical", "withoutLinks", "baselineId", "orderBy"}

// chartQuery are the parameters of the page that the chart understands, which is the same
// for table, picture and files: so all of them show the same tasks.
func (r *request) chartQuery() url.Values {
	q := url.Values{}
	for _, name := range chartParameters {
		if v := r.query(name); v != "" {
			q.Set(name, v)
		}
	}
	return q
}

// chartPage is a schedule: the rows of its chart as a table, and the picture beside it.
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
	pages := body.int("gantt.pageCount")
	main := []html.Part{heading(name, r.chartFiles()), r.scheduleTabs("Chart"), controls}
	if len(rows) == 0 {
		return html.Group(append(main, r.emptyChart())...), nil
	}
	return html.Group(append(main,
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
		r.chartPager(pages))...), nil
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

// emptyChart says why there is nothing to draw: nothing matches, or there are no tasks,
// with the way out of either.
func (r *request) emptyChart() html.Node {
	if r.query("search") != "" || r.query("critical") != "" {
		return html.El(
			"p", html.Class("empty"), html.Text("No task matches. "),
			html.A(r.here("search", "", "critical", "", "page", ""), html.Text("Show all tasks")),
		)
	}
	text := html.Text("There are no tasks yet.")
	if !r.writable() {
		return html.El("p", html.Class("empty"), text)
	}
	return html.El(
		"p", html.Class("empty"), text, html.Text(" "),
		html.A(r.link(r.schedule()+"/import"), html.Text("Import a planner file")),
	)
}

// chartFiles are links to the chart as it is shown, as files.
func (r *request) chartFiles() html.Node {
	query := []string{}
	for _, name := range chartParameters {
		query = append(query, name, r.query(name))
	}
	return html.El(
		"span", html.Class("small"), html.Text("Download: "),
		html.A(r.link(r.schedule()+"/gantt.svg", query...), html.Text("SVG")), html.Text(" · "),
		html.A(r.link(r.schedule()+"/gantt.mmd", query...), html.Text("Mermaid")),
	)
}

// scheduleTabs are the pages of a schedule.
func (r *request) scheduleTabs(here string) html.Node {
	tabs := []struct{ name, path string }{
		{"Chart", ""},
		{"Baselines", "/baselines"},
		{"Progress", "/progress"},
		{"Risk", "/risk"},
		{"Quality", "/quality"},
		{"Reschedule", "/reschedule"},
		{"Import", "/import"},
		{"Export", "/export"},
		{"Operations", "/operations"},
	}
	return html.El("nav", html.Attr("aria-label", "Schedule"),
		html.El("ul", html.Class("tabs"), html.Each(tabs, func(t struct{ name, path string }) html.Node {
			return html.El(
				"li",
				html.A(r.link(r.schedule()+t.path), html.If(t.name == here, html.Attr("aria-current", "page")), html.Text(t.name)),
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
				html.Attr("maxlength", "200"), html.Attr("value", r.query("search")),
				html.Attr("placeholder", "Name, code or id"),
			),
		),
		field(
			"Zoom", "scale",
			choice(
				"scale", r.query("scale"), "", "to fit", "day", "days", "week", "weeks", "month", "months", "quarter",
				"quarters",
			),
		),
		field("Order", "orderBy", choice("orderBy", r.query("orderBy"), "", "outline", "start", "by start", "plan", "of the plan")),
		field("Levels", "levels", choice("levels", r.query("levels"), "", "all", "1", "1", "2", "2", "3", "3", "4", "4")),
		field("Baseline", "baselineId", choice("baselineId", r.query("baselineId"), baselines...)),
		check("critical", "Critical only", r.query("critical") == "true"),
		check("withoutLinks", "Without links", r.query("withoutLinks") == "true"),
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
	) || r.query("search") != "" || r.query("critical") != "" {
		return nil
	}
	return html.El("p", html.Class("small"),
		html.A(r.here("levels", "1", "toggled", "", "page", ""), html.Text("Fold all")), html.Text(" · "),
		html.A(r.here("levels", "", "toggled", "", "page", ""), html.Text("Unfold all")))
}

// maxToggled are how many tasks are folded or unfolded by hand, so that the addresses of
// a page stay short: the first ones are forgotten.
const maxToggled = 24

// toggle is the address of this page with a task folded that is not, or unfolded that is.
func (r *request) toggle(id string) string {
	var ids []string
	if v := r.query("toggled"); v != "" {
		ids = strings.Split(v, ",")
	}
	if i := slices.Index(ids, id); i >= 0 {
		ids = slices.Delete(ids, i, i+1)
	} else {
		ids = append(ids, id)
	}
	return r.here("toggled", strings.Join(ids[max(0, len(ids)-maxToggled):], ","))
}

// chartTable are the rows of the chart as a table, in the order of the picture beside it.
func (r *request) chartTable(rows []object) html.Node {
	searched := r.query("search") != "" || r.query("critical") != ""
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
		sign, says := "▾", "Fold "
		if o.is("isFolded") {
			sign, says = "▸", "Unfold "
		}
		fold = html.A(
			r.toggle(id), html.Class("fold"), html.Attr("aria-label", says+label),
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
			html.A(r.link(r.schedule()+at("tasks", id)), html.Attr("title", full), html.Text(full)),
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

// undatedNote says why some rows of the chart have no bars.
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

// chartPager leads through pages of the chart, each of which is drawn with the time of its
// own rows.
func (r *request) chartPager(pages int64) html.Node {
	if pages < 2 {
		return html.Node{}
	}
	page, err := strconv.ParseInt(r.query("page"), 10, 32)
	if err != nil || page < 1 {
		page = 1
	}
	before, after := "", ""
	if page > 1 {
		before = r.here("page", strconv.FormatInt(page-1, 10))
	}
	if page < pages {
		after = r.here("page", strconv.FormatInt(page+1, 10))
	}
	return pager(
		linkIf(before, "Previous page"), html.El("span", html.Textf("Page %d of %d", page, pages)),
		linkIf(after, "Next page"),
	)
}

// chartFile is the chart as a file of its own.
func chartFile(r *request) (*answer, error) {
	ending := r.URL.Path[strings.LastIndexByte(r.URL.Path, '.'):]
	a, err := r.get(r.schedule()+"/gantt"+ending+"?"+r.chartQuery().Encode(), nil)
	if err == nil {
		a.name = r.PathValue("schedule") + ending
	}
	return a, err
}

// maxListed is how many rows the tables of a task have.
const maxListed = 200

// taskPage is all that there is to know of a task.
func taskPage(r *request) (html.Node, error) {
	id := r.PathValue("task")
	path := r.schedule() + at("tasks", id)
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return html.Node{}, err
	}
	m, _ := body["task"].(map[string]any)
	task := object(m)
	name := cmp.Or(task.text("name"), id)
	if err := r.inSchedule(name); err != nil {
		return html.Node{}, err
	}
	parts := []html.Part{heading(name, tag(task.text("status"))), r.taskFacts(task), html.El("div", html.Class("columns"),
		html.El("section", html.El("h2", html.Text("Predecessors")), r.taskLinks(id, "successorId", "predecessorId")),
		html.El("section", html.El("h2", html.Text("Successors")), r.taskLinks(id, "predecessorId", "successorId")))}
	for _, section := range []struct {
		title string
		make  func(*request, string, string) (html.Node, error)
	}{{"Driving path", drivingPath}, {"Values", valuesOf}, {"Resources", resourcesOf}, {"History", historyOf}} {
		node, err := section.make(r, path, id)
		if err != nil {
			if node, err = withoutData(err); err != nil {
				return html.Node{}, err
			}
		}
		parts = append(parts, html.El("section", html.El("h2", html.Text(section.title)), node))
	}
	return html.Group(append(parts, whole(a.body))...), nil
}

// withoutData says why a part of a page is not there, where the rest of it can be shown.
func withoutData(err error) (html.Node, error) {
	if refusedWith(
		err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusConflict,
		http.StatusBadRequest,
	) {
		return html.El("p", html.Class("muted"), html.Text("Not available: "+err.Error())), nil
	}
	return html.Node{}, err
}

// taskLink leads to a task of the schedule, by its name where that is known.
func (r *request) taskLink(id, name string) html.Node {
	return html.A(r.link(r.schedule()+at("tasks", id)), html.Text(cmp.Or(name, id)))
}

// taskFacts are the members of a task that say something: zero values and words for nothing
// are left out.
func (r *request) taskFacts(t object) html.Node {
	parts := []html.Part{}
	add := func(name string, value html.Node, text string) {
		if text != "" && text != "0" && text != "Unknown" && text != "NoConstraint" {
			parts = append(parts, fact(name, value))
		}
	}
	plain := func(name, path string) { add(name, html.Text(t.text(path)), t.text(path)) }
	plain("Id", "id")
	plain("Code", "userDefinedId")
	plain("Type", "type")
	if above := t.text("parentId"); above != "" {
		add("Below", r.taskLink(above, above), above)
	}
	plain("Planned start", "plannedStart")
	plain("Planned finish", "plannedFinish")
	plain("Actual start", "actualStart")
	plain("Actual finish", "actualFinish")
	plain("Estimated finish", "estimatedFinish")
	for _, d := range []struct{ name, path string }{
		{"Planned duration", "plannedDuration"},
		{"Actual duration", "actualDuration"},
		{"Remaining duration", "remainingDuration"},
	} {
		if t.at(d.path) != nil {
			s := hours(t.int(d.path))
			add(d.name, html.Text(s), s)
		}
	}
	if percent := t.text("percentComplete"); percent != "0" && percent != "" {
		parts = append(
			parts,
			fact(
				"Complete",
				html.El("progress", html.Attr("max", "100"), html.Attr("value", percent), html.Attr("aria-label", "Complete")),
				html.Text(" "+percent+" %"),
			),
		)
	}
	plain("Constraint", "constraintType")
	plain("No earlier than", "constraintEarlyDate")
	plain("No later than", "constraintLateDate")
	plain("Calendar", "calendarId")
	plain("Comment", "comment")
	return facts(parts...)
}

// taskLinks are the links of a task on one of its sides.
func (r *request) taskLinks(id, own, other string) html.Node {
	list, next, err := r.objects(
		r.schedule()+"/task-links?"+url.Values{own: {id}, "$top": {strconv.Itoa(maxListed)}}.Encode(), "taskLinks",
	)
	if err != nil {
		return html.El("p", html.Class("muted"), html.Text("Not available: "+err.Error()))
	}
	rows := make([]html.Node, len(list))
	for i, l := range list {
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), r.taskLink(l.text(other), "")),
			cell(html.Text(words(l.text("type")))), number(html.Text(hours(l.int("lag")))),
		)
	}
	more := html.Node{}
	if next != "" {
		more = html.El("p", html.Class("muted"), html.Textf("Only the first %d are shown.", maxListed))
	}
	return html.Group(dataTable("Links: "+other, []string{"Task", "Link", "#Lag"}, rows, "Nothing."), more)
}

// drivingPath is the chain of tasks that put this one where it is.
func drivingPath(r *request, path, _ string) (html.Node, error) {
	var body object
	if _, err := r.get(path+"/driving-path", &body); err != nil {
		return html.Node{}, err
	}
	list := body.objects("tasks")
	more := ""
	if len(list) > maxListed {
		more = "The chain is longer; these are its last tasks."
		list = list[len(list)-maxListed:]
	}
	rows := make([]html.Node, len(list))
	for i, t := range list {
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), r.taskLink(t.text("taskId"), t.text("name"))),
			cell(html.Text(t.text("earlyStart"))), cell(html.Text(t.text("earlyFinish"))),
			number(html.Text(hours(t.int("downstreamTotalFloat")))),
		)
	}
	return html.Group(
		html.If(more != "", html.El("p", html.Class("muted"), html.Text(more))),
		dataTable(
			"Driving path", []string{"Task", "Early start", "Early finish", "#Total float"}, rows,
			"No task drives it.",
		),
	), nil
}

// valuesOf are the values of user fields.
func valuesOf(r *request, path, _ string) (html.Node, error) {
	list, _, err := r.objects(path+"/user-field-values?$top="+strconv.Itoa(maxListed), "userFieldValues")
	if err != nil || len(list) == 0 {
		return html.El("p", html.Class("muted"), html.Text("It has no values of user fields.")), err
	}
	fields, _, err := r.objects(r.schedule()+"/user-fields?$top=1000", "userFields")
	if err != nil {
		return html.Node{}, err
	}
	names := make(map[string]string)
	for _, f := range fields {
		names[f.text("id")] = f.text("name")
	}
	var parts []html.Part
	for _, v := range list {
		parts = append(parts, fact(cmp.Or(names[v.text("userFieldId")], v.text("userFieldId")), html.Text(v.text("value"))))
	}
	return facts(parts...), nil
}

// resourcesOf are the resources that work on a task.
func resourcesOf(r *request, path, _ string) (html.Node, error) {
	list, _, err := r.objects(path+"/resource-assignments?$top=50", "resourceAssignments")
	if err != nil {
		return html.Node{}, err
	}
	rows := make([]html.Node, len(list))
	for i, a := range list {
		id := a.text("resourceId")
		var body object
		if _, err := r.get(r.schedule()+at("resources", id), &body); err != nil && !refusedWith(
			err, http.StatusNotFound, http.StatusForbidden,
		) {
			return html.Node{}, err
		}
		rows[i] = html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text(cmp.Or(body.text("resource.name"), id))),
			cell(html.Text(body.text("resource.type"))),
			number(html.Text(a.text("plannedUtilization.resourceUnits"))),
			number(html.Text(a.text("actualUtilization.resourceUnits"))),
			number(html.Text(a.text("remainingUtilization.resourceUnits"))))
	}
	return dataTable(
		"Resources", []string{"Resource", "Type", "#Planned units", "#Actual units", "#Remaining units"}, rows,
		"No resources are assigned.",
	), nil
}

// historyOf is where baselines had a task.
func historyOf(r *request, _, id string) (html.Node, error) {
	baselines, _, err := r.objects(r.schedule()+"/baselines?$top=5", "baselines")
	if err != nil {
		return html.Node{}, err
	}
	var rows []html.Node
	for _, b := range baselines {
		var body object
		if _, err := r.get(r.schedule()+at("baselines", b.text("id"))+"/comparison", &body); err != nil {
			return html.Node{}, err
		}
		was, start, finish := "unchanged", "", ""
		for _, t := range body.objects("comparison.tasks") {
			if t.text("taskId") == id {
				was, start, finish = strings.ToLower(t.text("change")), t.text("baselineStart"), t.text("baselineFinish")
			}
		}
		rows = append(
			rows,
			html.El(
				"tr",
				html.El(
					"th", html.Attr("scope", "row"),
					html.A(r.link(r.schedule()+at("baselines", b.text("id"))), html.Text(b.text("name"))),
				),
				cell(html.Text(b.text("createdOn"))), cell(html.Text(was)), cell(html.Text(start)),
				cell(html.Text(finish)),
			),
		)
	}
	return dataTable(
		"In baselines", []string{"Baseline", "Taken", "Change since", "Baseline start", "Baseline finish"}, rows,
		"There are no baselines, so no earlier dates are known.",
	), nil
}

// hours are seconds of working time in hours.
func hours(seconds int64) string {
	if seconds == 0 {
		return "0"
	}
	return oneDecimal(strconv.FormatFloat(float64(seconds)/3600, 'f', 2, 64)) + " h"
}

// oneDecimal is a number with one decimal at most.
func oneDecimal(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// dayOf is a date such as the chart has: 2 Jan 26.
func dayOf(s string) string {
	if t, err := parseDay(s); err == nil {
		return t.Format("2 Jan 06")
	}
	return s
}
