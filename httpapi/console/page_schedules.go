package console

import (
	"cmp"
	"net/url"
	"strconv"

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
			if table, err = unlessHidden(err); err != nil {
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
	).withNotice("The schedule was created. Import a plan into it."), nil
}

// schedule is the path of the schedule of a page, in the API and in the console.
func (r *request) schedule() string { return at("schedules", r.PathValue("schedule")) }
