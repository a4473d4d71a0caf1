package console

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// Bounds of the page with the operations of all areas: of how many schedules they are, how
// many of each schedule or kind, and how many are shown.
const (
	schedulesWithOperations = 100
	latestOperations        = 20
	shownOperations         = 200
)

// work is something that takes long, of any area.
type work struct {
	id, kind, created string
	state             string // of workStates
	status, percent   string // as the area calls it
	of, link          string // what it is about, and the address of its page or of that of which it is
	code, reason      string // of a failure
	held              bool
	end               string // the path of the form that ends it, where it is held
	again             string // the address of a form to try it again
}

// workStates are the states of work in the order of the page.
var workStates = []struct{ name, title string }{
	{"running", "In progress"}, {"held", "Held"}, {"failed", "Failed"}, {"done", "Succeeded"},
}

// statesOf are the states by what areas call them, in lower case.
var statesOf = map[string]string{
	"notstarted": "running", "running": "running", "queued": "running", "inprogress": "running", "active": "running",
	"started": "running", "unsubmitted": "running", "succeeded": "done", "completed": "done", "success": "done",
	"finished": "done", "failed": "failed", "cancelled": "failed", "aborted": "failed",
}

func stateOf(status string) string { return cmp.Or(statesOf[strings.ToLower(status)], "running") }

// operationsOfAll are the latest operations of all schedules that the viewer sees, and the
// jobs and exports of the other areas: newest first.
func operationsOfAll(r *request) (html.Node, error) {
	all, left, err := r.work()
	if err != nil {
		return html.Node{}, err
	}
	counts := make(map[string]int)
	for i := range all {
		counts[all[i].state]++
	}
	shown := all
	if state := r.Query("state"); state != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(w work) bool { return w.state != state })
	}
	more := max(len(shown)-shownOperations, 0)
	shown = shown[:len(shown)-more]
	rows := make([]html.Node, len(shown))
	for i := range shown {
		rows[i] = r.workRow(&shown[i])
	}
	note := "Schedules: the latest " + strconv.Itoa(latestOperations) + " of each. The page of a schedule has the others."
	if left {
		note += " Only the first " + strconv.Itoa(schedulesWithOperations) + " schedules are included."
	}
	if more > 0 {
		note += " " + plural(more, "older operation") + " are left out."
	}
	return html.Group(
		r.operationsHeading("Operations"),
		html.El(
			"section", html.Attr("id", "list"), html.Attr("aria-label", "Operations"), html.Attr("data-live", "3"),
			html.Attr("data-live-events", r.Link("/operations/events")),
			r.stateTabs(counts, len(all)),
			dataTable(
				"Operations, newest first", []string{"Started (UTC)", "Operation", "Status", "Progress", "Of"}, rows,
				"There are no operations, or none in this state.",
			),
		),
		html.El("p", html.Class("muted"), html.Text(note)),
		r.holdForms("/operations"),
	), nil
}

// stateTabs narrow the list to a state, and say how many there are of each.
func (r *request) stateTabs(counts map[string]int, all int) html.Node {
	tab := func(name, title string, n int) html.Node {
		return html.El("li", html.A(
			r.Here("state", name), html.Attr("id", "state-"+cmp.Or(name, "all")),
			html.If(r.Query("state") == name, html.Attr("aria-current", "true")), html.Textf("%s (%d)", title, n),
		))
	}
	tabs := []html.Part{html.Class("tabs"), html.Attr("aria-label", "States"), tab("", "All", all)}
	for _, s := range workStates {
		tabs = append(tabs, tab(s.name, s.title, counts[s.name]))
	}
	return html.El("ul", tabs...)
}

// work is all of it, newest first, and whether schedules are left out.
func (r *request) work() (all []work, left bool, err error) {
	plans, left, err := r.plansWithWork()
	if err != nil {
		return nil, false, err
	}
	held := r.held()
	for i := range plans {
		if all, err = r.workOfSchedule(all, &plans[i], held); err != nil {
			return nil, false, err
		}
	}
	if all, err = r.workElsewhere(all); err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(all, func(a, b work) int {
		return cmp.Or(cmp.Compare(b.created, a.created), cmp.Compare(b.id, a.id))
	})
	return all, left, nil
}

// plansWithWork are the schedules whose operations are listed, and whether more are left out.
func (r *request) plansWithWork() (plans []planRow, left bool, err error) {
	twins, left, err := r.twinsOf("")
	if err != nil {
		return nil, false, err
	}
	for _, t := range twins {
		of, more, err := r.schedulesOf(t, false)
		if err != nil {
			return nil, false, err
		}
		plans, left = append(plans, of...), left || more
		if len(plans) > schedulesWithOperations {
			return plans[:schedulesWithOperations], true, nil
		}
	}
	return plans, left, nil
}

// workElsewhere adds the latest exports and jobs of the areas other than schedules.
func (r *request) workElsewhere(all []work) ([]work, error) {
	for _, s := range workSources {
		if !r.console.areas[s.area] {
			continue
		}
		list, _, err := r.objects(s.list+"?$top="+strconv.Itoa(latestOperations), s.member)
		if err != nil {
			if !refusedWith(
				err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusBadRequest,
			) {
				return nil, err
			}
			continue
		}
		for _, o := range list {
			all = append(all, s.work(o))
		}
	}
	return all, nil
}

// workOfSchedule adds the latest operations of a schedule. One that has gone has none.
func (r *request) workOfSchedule(all []work, p *planRow, held []string) ([]work, error) {
	path := at("schedules", p.id)
	found, _, err := r.objects(path+"/operations?$top="+strconv.Itoa(latestOperations), "operations")
	if err != nil && !refusedWith(err, http.StatusForbidden, http.StatusNotFound) {
		return nil, err
	}
	for _, o := range found {
		created, _ := o.at("createdAt").(string)
		w := work{
			id: o.text("id"), kind: o.text("kind"), created: created, state: stateOf(o.text("status")), status: o.text("status"),
			percent: o.text("percentComplete"), of: p.name, link: path + at("operations", o.text("id")),
			code: o.text("failureCode"), reason: o.text("failureDescription"),
			again: r.Link(at("try", o.text("kind")), "path.scheduleId", p.id),
		}
		if slices.Contains(held, w.id) {
			w.state, w.held, w.end = "held", true, w.link+"/end"
		}
		all = append(all, w)
	}
	return all, nil
}

// workSource is a list of what takes long in an area other than schedules.
type workSource struct{ area, list, member, kind, state, again string }

var workSources = []workSource{
	{"twins", "/twins/exports", "exports", "Export of twins", "status", "exports.create"},
	{"reality data", "/reality-conversion/jobs", "jobs", "Conversion of reality data", "state", "conversionJobs.create"},
	{"detectors", "/reality-analysis/jobs", "jobs", "Analysis of reality data", "state", "analysisJobs.create"},
}

func (s *workSource) work(o object) work {
	created, _ := o.at("createdDateTime").(string)
	w := work{
		id: o.text("id"), kind: s.kind, created: created, status: o.text(s.state), state: stateOf(o.text(s.state)),
		of:     o.text("name"),
		reason: cmp.Or(o.text("failureDescription"), o.text("errorMessage")), again: "try/" + s.again,
	}
	if w.state == "done" {
		w.percent = "100"
	}
	return w
}

// workRow is one of them in the table.
func (r *request) workRow(w *work) html.Node {
	name := html.Text(w.kind)
	if w.link != "" {
		name = html.A(r.Link(w.link), html.Attr("id", "operation-"+w.id), html.Text(w.kind))
	}
	state := []html.Part{tag(w.status)}
	if w.held {
		state = append(state, html.Text(" "), html.El("span", html.Class("tag warn"), html.Text("held")), r.form(
			w.end, html.El("button", html.Attr("id", "release-"+w.id), html.Text("Release")),
		))
	}
	if w.state == "failed" {
		state = append(state, r.failureOf(w))
	}
	bar := html.Node{}
	if w.percent != "" {
		bar = progress(w.percent)
	}
	return html.El(
		"tr", html.El("td", html.Class("nowrap tabular"), moment(w.created)), html.El("th", html.Attr("scope", "row"), name),
		cell(state...), html.El("td", html.Class("nowrap"), bar), cell(html.Text(cmp.Or(w.of, w.id))),
	)
}

// failureOf is why an operation failed, and what to do about it.
func (r *request) failureOf(w *work) html.Node {
	code := html.Node{}
	if w.code != "" {
		code = html.Group(html.El("code", html.Text(w.code)), html.Text(" "))
	}
	again := html.Node{}
	if w.again != "" && r.Writable() {
		again = html.Group(html.Text(" "), html.A(w.again, html.Text("Open its form")))
	}
	return html.Group(
		html.El("br"), html.El("small", code, html.Text(shortened(w.reason, 200))),
		html.El("br"), html.El("small", html.Text(adviceOn(w.code)), again),
	)
}

// advice is what to do about failures, by the end of their codes.
var advice = []struct{ end, text string }{
	{"AlreadyExists", "Send it with another id, or change the record that has this one."},
	{"NotFound", "What it names was deleted, or never existed: look up the id, and send it again."},
	{"NotInitialized", "Import a plan or create a task first, and send it again."},
	{"Conflict", "Something changed meanwhile: read the record again, and send the change with its new ETag."},
	{"PreconditionFailed", "Something changed meanwhile: read the record again, and send the change with its new ETag."},
	{"StorageFull", "Delete what is not needed any more, or ask for more room, and send it again."},
	{"LimitExceeded", "Send it in smaller parts."},
	{"Cycle", "Remove one of the links of the cycle, and send it again."},
	{"InternalServerError", "Send it again. If it fails again, the log of the server has the cause."},
}

// adviceOn is what to do about a failure.
func adviceOn(code string) string {
	for _, a := range advice {
		if strings.HasSuffix(code, a.end) {
			return a.text
		}
	}
	return "Change the request as the reason says, and send it again."
}
