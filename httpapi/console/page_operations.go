package console

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// operationPages need the schedules area, the only one whose operations the API lists.
var operationPages = table{
	{pattern: "GET /operations", title: "Operations", area: "schedules", page: operationsOfAll},
	{pattern: "GET /operations/events", area: "schedules", stream: operationEvents},
	{pattern: "POST /operations/hold", area: "schedules", act: holdOperations},
	{pattern: "GET /schedules/{schedule}/operations", area: "schedules", page: operationsOfSchedule},
	{pattern: "GET /schedules/{schedule}/operations/{operation}", area: "schedules", page: operationPage},
	{pattern: "POST /schedules/{schedule}/operations/{operation}/end", area: "schedules", act: endOperation},
}

// pageOfOperations is how many operations of one schedule are on a page.
const pageOfOperations = 50

// plural is a number with its unit, such as 2 tasks.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// operationsOfSchedule are those of one schedule.
func operationsOfSchedule(r *request) (html.Node, error) {
	if err := r.inSchedule("Operations"); err != nil {
		return html.Node{}, err
	}
	found, next, err := r.operations(r.schedule(), pageOfOperations, r.Query("$continuationToken"))
	if err != nil {
		return html.Node{}, err
	}
	older := ""
	if token := tokenOf(next); token != "" {
		older = r.Here("$continuationToken", token)
	}
	return html.Group(
		r.operationsHeading("Operations"), r.scheduleTabs("Operations"),
		r.operationFilter(),
		r.operationTable(
			found,
			"There are no operations, or none that match. Ended operations are removed after the retention time.",
		),
		pager(linkIf(older, "Older")),
		r.holdForms(r.schedule()+"/operations"),
	), nil
}

// operations are the latest of a schedule, those that the page's query wants.
func (r *request) operations(schedule string, top int, token string) ([]object, string, error) {
	target := schedule + "/operations?" + queryOf([]string{
		"$top", strconv.Itoa(top), "status", r.Query("status"), "operationId", r.Query("id"), "$continuationToken",
		token,
	})
	return r.objects(target, "operations")
}

// operationsHeading has what the list is read again by.
func (r *request) operationsHeading(title string) html.Node {
	return heading(
		title,
		html.El(
			"div", html.Class("row"), html.El("span", html.Attr("data-live-controls", "list")),
			html.A(r.Here(), html.Class("button"), html.Text("Reload")),
		),
	)
}

// operationFilter is the form that narrows the list. It sends a GET, so that a filtered
// page can be kept as a link.
func (r *request) operationFilter() html.Node {
	return r.search(
		field(
			"Status", "status",
			choice(
				"status", r.Query("status"), "", "all", "NotStarted,Running", "in progress", "Succeeded", "succeeded",
				"Failed", "failed",
			),
		),
		field(
			"Id", "id",
			html.El(
				"input", html.Attr("type", "search"), html.Attr("id", "id"), html.Attr("name", "id"),
				html.Attr("value", r.Query("id")),
			),
		),
		button("Show"))
}

// operationTable is a list of operations that is read again every few seconds, except for
// pages of older ones.
func (r *request) operationTable(all []object, none string) html.Node {
	held := r.held()
	rows := make([]html.Node, len(all))
	for i, o := range all {
		rows[i] = r.operationRow(o, held)
	}
	heads := []string{"Started (UTC)", "Operation", "Status", "Progress", "Of"}
	if len(held) > 0 && r.Writable() {
		heads = append(heads, "Held")
	}
	live := html.Part(html.Attr("data-live", "3"))
	if r.Query("$continuationToken") != "" {
		live = nil
	}
	return html.El(
		"section", html.Attr("id", "list"), html.Attr("aria-label", "Operations"), live,
		dataTable("Operations, newest first", heads, rows, none),
	)
}

// operationRow is an operation of the schedule in a table. held are the ids of those that
// wait at the test controls, which alone can be released or failed.
func (r *request) operationRow(o object, held []string) html.Node {
	id, status, schedule := o.text("id"), o.text("status"), r.schedule()
	failure := html.Node{}
	if code := o.text("failureCode"); code != "" {
		failure = html.Group(
			html.El("br"),
			html.El(
				"small", html.El("code", html.Text(code)),
				html.Text(" "+shortened(o.text("failureDescription"), 200)),
			),
			html.El("br"), html.El("small", html.Text(adviceOn(code))),
		)
	}
	waits := slices.Contains(held, id)
	cells := []html.Part{html.El("td", html.Class("nowrap tabular"), moment(o.text("createdAt")))}
	cells = append(cells,
		html.El(
			"th", html.Attr("scope", "row"),
			html.A(r.Link(schedule+at("operations", id)), html.Attr("id", "operation-"+id), html.Text(o.text("kind"))),
		),
		cell(
			tag(status),
			html.If(waits, html.Group(html.Text(" "), html.El("span", html.Class("tag warn"), html.Text("held")))),
			failure,
		),
		html.El("td", html.Class("nowrap"), progress(o.text("percentComplete"))),
		html.El("td", html.Class("id"), html.Text(subjects(o))))
	if len(held) > 0 && r.Writable() {
		release := html.Node{}
		if waits {
			release = r.form(
				schedule+at("operations", id)+"/end",
				html.El("button", html.Attr("id", "release-"+id), html.Text("Release")),
			)
		}
		cells = append(cells, cell(release))
	}
	return html.El("tr", cells...)
}

// moment is a time of the API, for people and for programs.
func moment(s string) html.Node {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return html.Text(s)
	}
	return html.El("time", html.Attr("datetime", s), html.Text(t.UTC().Format("2 Jan 2006 15:04:05")))
}

// progress is a bar with its value as text behind it, for those who do not see the bar.
func progress(percent string) html.Node {
	return html.Group(
		html.El("progress", html.Attr("max", "100"), html.Attr("value", percent), html.Attr("aria-label", "Progress")),
		html.Text(" "+percent+" %"),
	)
}

// mostSubjects is how many ids of what an operation is about are in a row.
const mostSubjects = 3

// subjects are the ids of what an operation is about.
func subjects(o object) string {
	all, _ := o.at("subjectIds").([]any)
	names := make([]string, 0, mostSubjects)
	for _, id := range all[:min(len(all), mostSubjects)] {
		if id, ok := id.(string); ok {
			names = append(names, shortened(id, 60))
		}
	}
	text := strings.Join(names, ", ")
	if more := len(all) - mostSubjects; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// operationPage is one operation; a script refreshes it until it has ended.
func operationPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Operation"); err != nil {
		return html.Node{}, err
	}
	r.below(r.schedule()+"/operations", "Operations")
	node, err := r.operation(r.PathValue("operation"))
	return html.Group(
		heading("Operation", html.El("span", html.Attr("data-live-controls", "operation"))),
		r.scheduleTabs("Operations"), node,
	), err
}

// operation is how far an operation is, and why it failed.
func (r *request) operation(id string) (html.Node, error) {
	var body object
	a, err := r.get(r.schedule()+at("operations", id), &body)
	if err != nil {
		return html.Node{}, err
	}
	// What distinguishes it from others is in the list, unless it was forgotten just now.
	listed, _, err := r.objects(r.schedule()+"/operations?"+queryOf([]string{"operationId", id}), "operations")
	if err != nil {
		return html.Node{}, err
	}
	listed = append(listed, object{})
	status := body.text("operation.status")
	parts := []html.Part{html.Attr("id", "operation"), html.Attr("aria-label", "Operation")}
	done := status == "Succeeded" || status == "Failed"
	if !done {
		parts = append(parts, html.Attr("data-live", "2"))
	}
	failure := html.Node{}
	if why := body.text("operation.failureDescription"); why != "" {
		failure = html.El(
			"div", html.Class("refused"), html.Attr("role", "alert"),
			html.El("p", html.El("strong", html.Text(listed[0].text("failureCode"))), html.Text(" "+why)),
			html.P(adviceOn(listed[0].text("failureCode"))),
		)
	}
	kind := listed[0].text("kind")
	return html.Group(html.El("section", append(parts, failure,
		facts(fact("Id", html.El("code", html.Text(id))), html.If(kind != "", fact("Kind", html.El("code", html.Text(kind)))),
			html.If(kind != "", fact("Of", html.Text(subjects(listed[0])))),
			fact("Status", tag(status), html.Text(" "+words(other(body.text("operation.subStatus"), status)))),
			fact("Progress", progress(body.text("operation.percentComplete"))),
			fact("Started (UTC)", moment(body.text("operation.createdAt"))),
			fact("Changed (UTC)", moment(body.text("operation.updatedAt")))),
		html.El(
			"p", html.A(r.Link(r.schedule()), html.Text("See the schedule")),
			html.If(!done, html.Group(html.Text(" · "), html.A(r.Here(), html.Text("Reload")))),
		),
		whole(a.body))...), r.endForms(id)), nil
}

// held are the ids of the operations that test controls keep.
func (r *request) held() (ids []string) {
	if r.console.cfg.Holds == nil {
		return nil
	}
	for _, op := range r.console.cfg.Holds.Held() {
		ids = append(ids, op.ID)
	}
	return ids
}

// endForms let an operation that is held come to its end.
func (r *request) endForms(id string) html.Node {
	if !r.Writable() || !slices.Contains(r.held(), id) {
		return html.Node{}
	}
	options := []string{}
	for _, code := range r.console.cfg.Holds.Codes() {
		options = append(options, code, code)
	}
	end := r.schedule() + at("operations", id) + "/end"
	return html.El("section", html.Attr("aria-labelledby", "held"),
		html.El("h2", html.Attr("id", "held"), html.Text("Held by the test controls")),
		html.P("It is not carried out until it is released."),
		r.form(end, button("Release")),
		r.form(end, html.Class("row"), field("Error", "code", choice("code", "TaskNotFound", options...)), button("Fail")))
}

// endOperation releases an operation that is held, or fails it.
func endOperation(r *request) (target, error) {
	holds, id := r.console.cfg.Holds, r.PathValue("operation")
	page := r.schedule() + at("operations", id)
	if holds == nil {
		return target{}, errNoControls
	}
	if _, err := r.get(page, nil); err != nil {
		return target{}, err // the viewer that may not see it may not end it
	}
	code := r.PostForm.Get("code")
	if err := holds.End(r.Context(), id, code); err != nil {
		return target{}, &problem{http.StatusConflict, "The operation was not ended", err.Error() + "."}
	}
	if code != "" {
		return to(page).withNotice("The operation failed with " + code + "."), nil
	}
	return to(page).withNotice("The operation was released."), nil
}

// errNoControls is the answer where the program has handed the console no test controls.
var errNoControls = &problem{http.StatusNotFound, "Operations cannot be held", "This server has no test controls."}

// holdForms hold the operations of a kind that are to come, and release them.
func (r *request) holdForms(next string) html.Node {
	holds := r.console.cfg.Holds
	if holds == nil || !r.Writable() {
		return html.Node{}
	}
	holding := holds.Holding()
	options := []string{}
	for _, kind := range holds.Kinds() {
		if !slices.Contains(holding, kind) {
			options = append(options, kind, kind)
		}
	}
	releases := html.Each(holding, func(kind string) html.Node {
		return r.form(
			"/operations/hold", kept("next", next), kept("kind", kind),
			html.El("button", html.Text("Release all of "+kind)),
		)
	})
	return html.El("section", html.Attr("aria-labelledby", "holds"),
		html.El("h2", html.Attr("id", "holds"), html.Text("Test controls")),
		html.P("Hold all operations of a kind, of every schedule and caller. They are accepted, and shown as in progress."),
		r.form(
			"/operations/hold", html.Class("row"), kept("next", next), kept("hold", "on"),
			field("Kind", "kind", choice("kind", "tasks.create", options...)), button("Hold"),
		),
		html.El("div", html.Class("actions"), releases))
}

// holdOperations begins or ends to hold the operations of a kind, of all schedules: the
// controls know kinds, and no schedules.
func holdOperations(r *request) (target, error) {
	holds := r.console.cfg.Holds
	if holds == nil {
		return target{}, errNoControls
	}
	kind, hold := r.PostForm.Get("kind"), r.PostForm.Get("hold") == "on"
	if err := holds.Keep(kind, hold); err != nil {
		return target{}, &problem{http.StatusConflict, "Nothing was changed", err.Error() + "."}
	}
	next := to(pageOnly(cmp.Or(r.PostForm.Get("next"), "/operations")))
	if hold {
		return next.withNotice("Operations of the kind " + kind + " are now held."), nil
	}
	return next.withNotice("Operations of the kind " + kind + " are released, and so are those that waited."), nil
}
