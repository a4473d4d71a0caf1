package console

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

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
	changes := actionsNode(r.changes(kindOf("/schedules/{}/tasks"), path))
	title := heading(name, tag(task.text("status")), changes)
	parts := []html.Part{title, r.taskFacts(task), html.El("div", html.Class("columns"),
		html.El("section", html.El("h2", html.Text("Predecessors")), r.taskLinks(task, "successorId", "predecessorId")),
		html.El("section", html.El("h2", html.Text("Successors")), r.taskLinks(task, "predecessorId", "successorId")))}
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

// withoutData reports why a part of a page is not there, where the rest of it can be
// shown.
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
	return html.A(r.Link(r.schedule()+at("tasks", id)), html.Text(cmp.Or(name, id)))
}

// taskValue is a link to a task of the schedule, by its name where that is known.
func (r *request) taskValue(id, name string) valueView {
	return valueView{Text: cmp.Or(name, id), Link: r.Link(r.schedule() + at("tasks", id))}
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
		add("Below", r.taskLink(above, r.linkedTask(above).text("name")), above)
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
			add(d.name, r.days(t.int(d.path), t.text("calendarId")), hours(t.int(d.path)))
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

// linkCaptions are what tables of links list, by the member with the other end of a link.
var linkCaptions = map[string]string{"predecessorId": "Predecessors", "successorId": "Successors"}

// taskLinks are the links of a task on one of its sides. A lag is in days of the calendar of
// the link, or else of that of the predecessor.
func (r *request) taskLinks(task object, own, other string) html.Node {
	list, next, err := r.objects(
		r.schedule()+"/task-links?"+queryOf([]string{own, task.text("id"), "$top", strconv.Itoa(maxListed)}), "taskLinks",
	)
	if err != nil {
		return html.El("p", html.Class("muted"), html.Text("Not available: "+err.Error()))
	}
	rows := make([]html.Node, len(list))
	for i, l := range list {
		t := r.linkedTask(l.text(other))
		start, finish := taskDates(t)
		predecessor := t
		if own == "predecessorId" {
			predecessor = task
		}
		calendar := cmp.Or(l.text("calendarId"), predecessor.text("calendarId"))
		rows[i] = html.El(
			"tr", html.El("th", html.Attr("scope", "row"), r.taskLink(l.text(other), t.text("name"))),
			cell(html.Text(t.text("userDefinedId"))), cell(html.Text(start)), cell(html.Text(finish)),
			cell(html.Text(words(l.text("type")))), number(r.days(l.int("lag"), calendar)),
		)
	}
	more := html.Node{}
	if next != "" {
		more = html.El("p", html.Class("muted"), html.Textf("Only the first %d are shown.", maxListed))
	}
	heads := []string{"Task", "Code", "Start", "Finish", "Link", "#Lag"}
	return html.Group(dataTable(linkCaptions[other], heads, rows, "None."), more)
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
			number(r.days(t.int("downstreamTotalFloat"), "")),
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
					html.A(r.Link(r.schedule()+at("baselines", b.text("id"))), html.Text(b.text("name"))),
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
