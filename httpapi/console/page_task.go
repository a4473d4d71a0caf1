package console

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxListed is how many rows the tables of a task have.
const maxListed = 200

// taskPageView is all that there is to know of a task.
type taskPageView struct {
	*request
	Name, Status             string
	Changes                  []actionView
	Move                     *moveBox
	Facts                    []taskFactView
	Predecessors, Successors taskLinksView
	Driving                  drivingView
	Unheld                   string // why a rescheduling moves it to an earlier time
	Values                   valuesView
	Resources                resourcesView
	History                  historyView
	Zone                     string
	JSON                     string
}

// taskFactView is a fact of a task, which may be a percentage.
type taskFactView struct {
	factView

	Percent string
}

func taskPage(r *request) (view, error) {
	id := r.PathValue("task")
	path := r.schedule() + at("tasks", id)
	var body object
	a, err := r.get(path, &body)
	if err != nil {
		return view{}, err
	}
	task := body.object("task")
	name := cmp.Or(task.text("name"), id)
	if err := r.inSchedule(name); err != nil {
		return view{}, err
	}
	page := taskPageView{
		request: r, Name: name, Status: task.text("status"), JSON: indented(a.body),
		Zone:         r.zone().String(),
		Changes:      r.changes(r.console.placeOf("/schedules/{}/tasks"), path),
		Move:         r.moveBox(task),
		Facts:        r.taskFacts(task),
		Predecessors: r.taskLinks(task, "successorId", "predecessorId"),
		Successors:   r.taskLinks(task, "predecessorId", "successorId"),
	}
	for _, section := range []struct {
		fill    func() error
		missing *string
	}{
		{func() error { return page.Driving.fill(r, id) }, &page.Driving.Missing},
		{func() error { return page.Values.fill(r, path) }, &page.Values.Missing},
		{func() error { return page.Resources.fill(r, path) }, &page.Resources.Missing},
		{func() error { return page.History.fill(r, id) }, &page.History.Missing},
	} {
		if err := section.fill(); err != nil {
			if *section.missing, err = withoutData(err); err != nil {
				return view{}, err
			}
		}
	}
	page.Unheld = r.unheld(task, page.Driving.own)
	return r.show("task", page)
}

// withoutData is why a part of a page is not there, where the rest of it can be shown.
func withoutData(err error) (string, error) {
	if refusedWith(
		err, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusConflict,
		http.StatusBadRequest,
	) {
		return "Not available: " + err.Error(), nil
	}
	return "", err
}

// taskValue is a link to a task of the schedule, by its name where that is known.
func (r *request) taskValue(id, name string) valueView {
	return valueView{Text: cmp.Or(name, id), Link: r.Link(r.schedule() + at("tasks", id))}
}

// taskFacts are the members of a task that say something: zero values and words for nothing
// are left out.
func (r *request) taskFacts(t object) (all []taskFactView) {
	add := func(name string, value valueView, text string) {
		if text != "" && text != "0" && text != "Unknown" && text != "NoConstraint" {
			all = append(all, taskFactView{factView: factView{name, value}})
		}
	}
	plain := func(name, path string) { add(name, valueView{Text: t.text(path)}, t.text(path)) }
	timed := func(name, path string) { add(name, valueView{Text: r.clockAt(t, path)}, t.text(path)) }
	plain("Id", "id")
	plain("Code", "userDefinedId")
	plain("Type", "type")
	if above := t.text("parentId"); above != "" {
		add("Part of", r.taskValue(above, r.linkedTask(above).text("name")), above)
	}
	timed("Planned start", "plannedStart")
	timed("Planned finish", "plannedFinish")
	if t.is("isWbs") {
		below := r.datesBelow(t.text("id"))
		add("First start below it", valueView{Text: r.clockAt(below, "start")}, below.text("start"))
		add("Last finish below it", valueView{Text: r.clockAt(below, "finish")}, below.text("finish"))
	}
	timed("Actual start", "actualStart")
	timed("Actual finish", "actualFinish")
	timed("Estimated finish", "estimatedFinish")
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
		all = append(all, taskFactView{factView{"Complete", valueView{Text: percent + " %"}}, percent})
	}
	plain("Constraint", "constraintType")
	timed("No earlier than", "constraintEarlyDate")
	timed("No later than", "constraintLateDate")
	plain("Calendar", "calendarId")
	plain("Comment", "comment")
	return all
}

// datesBelow are the dates of what is below a WBS task; nothing where they are not known.
func (r *request) datesBelow(id string) object {
	list, _, err := r.objects(r.schedule()+"/wbs-dates?"+queryOf([]string{"taskId", id}), "wbsDates")
	if err != nil || len(list) == 0 {
		return nil
	}
	return list[0]
}

// taskLinksView are the links of a task on one of its sides.
type taskLinksView struct {
	New     *linkForm // nil where the console changes nothing
	Missing string
	Caption string
	Links   []taskLinkView
	Only    int // how many of them are shown; 0 means all
}

// taskLinkView is a link by the task at its other end.
type taskLinkView struct {
	Task                      valueView
	Code, Start, Finish, Type string
	Lag                       valueView
	Edit                      []actionView
}

// linkCaptions are what tables of links list, by the member with the other end of a link.
var linkCaptions = map[string]string{"predecessorId": "Predecessors", "successorId": "Successors"}

// taskLinks are the links of a task on one of its sides. A lag is in days of the calendar of
// the link, or else of that of the predecessor.
func (r *request) taskLinks(task object, own, other string) taskLinksView {
	list, next, err := r.objects(
		r.schedule()+"/task-links?"+queryOf([]string{own, task.text("id"), "$top", strconv.Itoa(maxListed)}),
		"taskLinks",
	)
	if err != nil {
		return taskLinksView{Missing: "Not available: " + err.Error()}
	}
	all := taskLinksView{Caption: linkCaptions[other], New: r.linkForm(strings.TrimSuffix(other, "Id"))}
	place := r.console.placeOf("/schedules/{}/task-links")
	if next != "" {
		all.Only = maxListed
	}
	for _, l := range list {
		t := r.linkedTask(l.text(other))
		predecessor := t
		if own == "predecessorId" {
			predecessor = task
		}
		link := taskLinkView{
			Task: r.taskValue(l.text(other), t.text("name")), Code: t.text("userDefinedId"),
			Type: words(l.text("type")),
			Lag:  r.days(l.int("lag"), cmp.Or(l.text("calendarId"), predecessor.text("calendarId"))),
		}
		link.Start, link.Finish = r.taskDates(t)
		link.Edit = r.editLink(http.MethodPatch, place, r.schedule()+at("task-links", l.text("id")), "Edit")
		all.Links = append(all.Links, link)
	}
	return all
}

// valuesView are the values of user fields.
type valuesView struct {
	Missing string
	Facts   []factView
	Only    int // how many of them are shown; 0 means all
}

func (v *valuesView) fill(r *request, path string) error {
	list, next, err := r.objects(path+"/user-field-values?$top="+strconv.Itoa(maxListed), "userFieldValues")
	if err != nil || len(list) == 0 {
		return err
	}
	if next != "" {
		v.Only = maxListed
	}
	names := make(map[string]string)
	for f, err := range records[object](r, r.schedule()+"/user-fields", "userFields") {
		if err != nil {
			return err
		}
		names[f.text("id")] = f.text("name")
	}
	for _, o := range list {
		id := o.text("userFieldId")
		v.Facts = append(v.Facts, factView{cmp.Or(names[id], id), valueView{Text: o.text("value")}})
	}
	return nil
}

// resourcesView are the resources that work on a task.
type resourcesView struct {
	Missing     string
	Assignments []assignmentView
	Only        int // how many of them are shown; 0 means all
}

// maxAssigned is how many resources a task is shown with, each of which is looked up.
const maxAssigned = 50

// assignmentView is a resource with how much of it works.
type assignmentView struct {
	Name, Type string
	Assignment object
}

func (v *resourcesView) fill(r *request, path string) error {
	list, next, err := r.objects(path+"/resource-assignments?$top="+strconv.Itoa(maxAssigned), "resourceAssignments")
	if err != nil {
		return err
	}
	if next != "" {
		v.Only = maxAssigned
	}
	for _, a := range list {
		id := a.text("resourceId")
		var body object
		if _, err := r.get(r.schedule()+at("resources", id), &body); err != nil && !refusedWith(
			err, http.StatusNotFound, http.StatusForbidden,
		) {
			return err
		}
		v.Assignments = append(v.Assignments, assignmentView{
			cmp.Or(body.text("resource.name"), id), body.text("resource.type"), a,
		})
	}
	return nil
}

// historyView is where baselines had a task.
type historyView struct {
	Missing   string
	Baselines []pastView // newest first
	Only      int        // how many of them are shown; 0 means all
}

// pastView is a baseline with the dates that a task had there, and how much later it is now.
type pastView struct {
	Baseline                object
	Change, Start, Finish   string
	StartLater, FinishLater valueView
}

// maxPast is how many baselines a task is compared with.
const maxPast = 5

func (v *historyView) fill(r *request, id string) error {
	baselines, err := r.baselines()
	if err != nil {
		return err
	}
	if len(baselines) > maxPast {
		v.Only, baselines = maxPast, baselines[:maxPast]
	}
	var all []pastView
	for _, b := range baselines {
		var body object
		path := r.schedule() + at("baselines", b.text("id")) + "/comparison?" + queryOf([]string{"taskId", id})
		if _, err := r.get(path, &body); err != nil {
			return err
		}
		past := pastView{Baseline: b}
		for _, t := range body.objects("comparison.tasks") {
			past.Change = strings.ToLower(t.text("change"))
			past.Start, past.Finish = r.clockAt(t, "baselineStart"), r.clockAt(t, "baselineFinish")
			past.StartLater, past.FinishLater = r.variance(t, "startVariance"), r.variance(t, "finishVariance")
		}
		all = append(all, past)
	}
	v.Baselines = all
	return nil
}

// baselines are all of the schedule, newest first.
func (r *request) baselines() (all []object, err error) {
	for b, err := range records[object](r, r.schedule()+"/baselines?$top=100", "baselines") {
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	slices.SortStableFunc(all, func(a, b object) int { return b.moment("createdOn").Compare(a.moment("createdOn")) })
	return all, nil
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

// linkForm is the form for a link of a task with another one, which is found by its name or its code.
type linkForm struct {
	Action, Side        string // Side is what the other task is: predecessor or successor
	Other, Lag          string // as they were typed
	WrongTask, WrongLag string
	Types               []optionView
	Found               []optionView // where several tasks are meant
}

// linkTypes are those of links, with what planners call them.
var linkTypes = []string{
	"FinishToStart", "Finish to start", "StartToStart", "Start to start", "FinishToFinish", "Finish to finish",
	"StartToFinish", "Start to finish",
}

// linkForm is the form on one side of the task of the page; nil where the console changes nothing.
func (r *request) linkForm(side string) *linkForm {
	if !r.Writable() {
		return nil
	}
	return &linkForm{
		Action: r.Link(r.schedule() + at("tasks", r.PathValue("task"), "links")), Side: side, Lag: "0",
		Types: options("FinishToStart", linkTypes...),
	}
}

// linkPageView is the form where it is not complete.
type linkPageView struct {
	*request
	Name    string
	Form    *linkForm
	Refused *refusal
}

// linkable is the page of the form on a side of a task, a predecessor or else a successor, before it is filled in.
func (r *request) linkable(side string) (task object, page linkPageView, err error) {
	task = r.linkedTask(r.PathValue("task"))
	if task == nil || !r.Writable() {
		return nil, page, errNowhere
	}
	if side != "predecessor" {
		side = "successor"
	}
	page = linkPageView{request: r, Name: cmp.Or(task.text("name"), r.PathValue("task")), Form: r.linkForm(side)}
	if err := r.inSchedule("Add a " + side); err != nil {
		return nil, page, err
	}
	r.below(r.schedule()+at("tasks", r.PathValue("task")), page.Name)
	return task, page, nil
}

// linkPage is the form with the task at the other end that the address names, to which a link was drawn.
func linkPage(r *request) (view, error) {
	_, page, err := r.linkable(r.Query("side"))
	if err != nil {
		return view{}, err
	}
	f := page.Form
	f.Types = options(cmp.Or(r.Query("type"), "FinishToStart"), linkTypes...)
	switch id := r.Query("task"); {
	case id == "":
	case id == r.PathValue("task"):
		f.WrongTask = "A task has no link with itself. Type the name or the code of another one."
	case r.linkedTask(id) == nil:
		f.WrongTask = "This task is not in the plan any more. Type the name or the code of another one."
	default:
		other := r.linkedTask(id)
		f.Other = cmp.Or(other.text("userDefinedId"), other.text("name"), id)
		f.Found = []optionView{{Value: id, Text: taskLabel(other)}}
	}
	return r.show("link", page)
}

// taskLabel is a task by its code and its name.
func taskLabel(o object) string {
	return strings.TrimSpace(o.text("userDefinedId") + " " + cmp.Or(o.text("name"), o.text("id"), o.text("taskId")))
}

// linkTask links the task of the page, or asks which other one is meant.
func linkTask(r *request) (view, error) {
	task, page, err := r.linkable(r.PostForm.Get("side"))
	if err != nil {
		return view{}, err
	}
	side, path := page.Form.Side, r.schedule()+at("tasks", r.PathValue("task"))
	f := page.Form
	f.Other, f.Lag = strings.TrimSpace(r.PostForm.Get("other")), strings.TrimSpace(r.PostForm.Get("lag"))
	f.Types = options(r.PostForm.Get("type"), linkTypes...)
	other, err := r.findTask(f, r.PostForm.Get("task"))
	if err != nil {
		return view{}, err
	}
	predecessor, successor := task, other
	if side == "predecessor" {
		predecessor, successor = other, task
	}
	lag, ok := r.seconds(f.Lag, predecessor.text("calendarId"))
	if !ok {
		f.WrongLag = "Type days as a number, such as 2, 0.5 or -1."
	}
	if f.WrongTask != "" || f.WrongLag != "" {
		return r.show("link", page)
	}
	link := map[string]any{
		"predecessorId": predecessor.text("id"), "successorId": successor.text("id"),
		"type": r.PostForm.Get("type"), "lag": lag,
	}
	_, err = r.create(r.schedule()+"/task-links/batch", map[string]any{"batch": []any{link}})
	if refused, ok := asRefusal(err); ok && refused.Status < 500 && refused.Status != 401 {
		page.Refused = refused
		return r.show("link", page)
	}
	if err != nil {
		return view{}, err
	}
	notice := predecessor.text("name") + " → " + successor.text("name") +
		" is linked. Reschedule the plan to move what follows."
	return view{}, redirected(r.leads(to(path).withNotice(notice)))
}

// mostFound is among how many tasks of that name one is chosen, and mostSearched how many rows are looked at for them.
const (
	mostFound    = 50
	mostSearched = 2000
)

// foundTasks are tasks that have a text in their name, their code or their id: the first of them, and of these those
// of which it is the whole name or the whole code.
type foundTasks struct {
	all, exact []object
	more       bool // that were not looked at
}

// tasksWith are the tasks with a text, without the one with an id.
func (r *request) tasksWith(text, without string) (found foundTasks, err error) {
	var drawn object
	query := queryOf([]string{"rows", strconv.Itoa(mostSearched), "search", text})
	if _, err := r.get(r.schedule()+"/gantt.json?"+query, &drawn); err != nil {
		return found, err
	}
	found.more = drawn.int("gantt.pageCount") > 1
	for _, o := range drawn.objects("gantt.rows") {
		if !o.is("isMatch") || o.text("taskId") == without {
			continue
		}
		found.all = append(found.all, o)
		if calledSo(o, text) {
			found.exact = append(found.exact, o)
		}
	}
	return found, nil
}

// calledSo reports whether a text is the whole name or the whole code of a task, or its id.
func calledSo(o object, text string) bool {
	return slices.ContainsFunc([]string{"name", "userDefinedId", "id"}, func(member string) bool {
		return strings.EqualFold(o.text(member), text)
	})
}

// findTask is the task whose name or code was typed, or one that was chosen by its id. Where that is not one task, the
// form says so, and offers those that have the text in their names.
func (r *request) findTask(f *linkForm, chosen string) (object, error) {
	if f.Other == "" {
		f.WrongTask = "Type the name or the code of a task."
		return nil, nil
	}
	if chosen != "" && chosen != r.PathValue("task") { // one of several that are called so
		if one := r.linkedTask(chosen); one != nil && calledSo(one, f.Other) {
			return one, nil
		}
	}
	found, err := r.tasksWith(f.Other, r.PathValue("task"))
	if err != nil {
		return nil, err
	}
	if len(found.exact) == 1 && !found.more {
		return r.linkedTask(found.exact[0].text("taskId")), nil
	}
	offered := found.all
	if len(found.exact) > 0 {
		offered = found.exact
	}
	for _, o := range offered[:min(len(offered), mostFound)] {
		if o.text("taskId") == chosen {
			return r.linkedTask(chosen), nil
		}
		f.Found = append(f.Found, optionView{Value: o.text("taskId"), Text: taskLabel(o)})
	}
	switch {
	case len(offered) == 0:
		f.WrongTask = "No other task has this in its name or code."
	case len(offered) == 1:
		f.WrongTask = "Only this task was found with this in its name or code. Choose it if it is the one."
	default:
		f.WrongTask = "Several tasks have this in their names. Choose one of them."
	}
	return nil, nil
}

// seconds are days of working time by a calendar of the schedule, as people type them, in seconds.
func (r *request) seconds(days, calendar string) (seconds int64, ok bool) {
	if days == "" {
		return 0, true
	}
	d, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(strings.TrimSuffix(days, "d")), ",", ".", 1), 64)
	if err != nil || math.IsNaN(d) || math.Abs(d) > 1e5 {
		return 0, false
	}
	return int64(math.Round(d * float64(r.workday(calendar)))), true
}
