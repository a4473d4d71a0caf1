package console

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

var schedulePages = table{
	{pattern: "GET /schedules", title: "Schedules", area: "schedules", page: scheduleList},
	{pattern: "POST /schedules", area: "schedules", act: createSchedule},
	{pattern: "GET /schedules/{schedule}", area: "schedules", page: chartPage},
	{pattern: "GET /schedules/{schedule}/tasks.xlsx", area: "schedules", file: workbookFile},
	{pattern: "GET /schedules/{schedule}/gantt.pdf", area: "schedules", file: chartFile},
	{pattern: "GET /schedules/{schedule}/gantt.svg", area: "schedules", file: chartFile},
	{pattern: "GET /schedules/{schedule}/gantt.mmd", area: "schedules", file: chartFile},
	{pattern: "GET /schedules/{schedule}/tasks/{task}", area: "schedules", page: taskPage},
	{pattern: "GET /schedules/{schedule}/tasks/{task}/move", area: "schedules", page: movePage},
	{pattern: "POST /schedules/{schedule}/tasks/{task}/move", area: "schedules", run: moveTask},
	{pattern: "GET /schedules/{schedule}/tasks/{task}/links", area: "schedules", page: linkPage},
	{pattern: "POST /schedules/{schedule}/tasks/{task}/links", area: "schedules", run: linkTask},
	{pattern: "GET /schedules/{schedule}/baselines", area: "schedules", page: baselinesPage},
	{pattern: "POST /schedules/{schedule}/baselines", area: "schedules", act: takeBaseline},
	{pattern: "GET /schedules/{schedule}/baselines/{baseline}", area: "schedules", page: comparisonPage},
	{pattern: "GET /schedules/{schedule}/baselines/{baseline}/comparison.csv", area: "schedules", file: comparisonFile},
	{pattern: "GET /schedules/{schedule}/quality", area: "schedules", page: qualityPage},
	{pattern: "GET /schedules/{schedule}/reschedule", area: "schedules", page: reschedulePage},
	{pattern: "POST /schedules/{schedule}/reschedule", area: "schedules", run: reschedule},
	{pattern: "GET /schedules/{schedule}/import", area: "schedules", page: importPage},
	{pattern: "POST /schedules/{schedule}/import", area: "schedules", act: importFile, maxBody: maxUpload},
	{pattern: "POST /schedules/{schedule}/import/start", area: "schedules", run: startImport},
	{pattern: "GET /schedules/{schedule}/import/{synchronizer}", area: "schedules", page: importedPage},
	{pattern: "GET /schedules/{schedule}/export", area: "schedules", page: exportPage},
	{pattern: "POST /schedules/{schedule}/export", area: "schedules", act: exportPlan},
	{pattern: "GET /schedules/{schedule}/export/{synchronizer}/file", area: "schedules", file: exportedFile},
}

// Bounds of the table of schedules: of how many twins they are, how many there are, and how
// many of them are on a page.
const (
	maxTwins         = 200
	maxSchedules     = 500
	pageOfSchedules  = 50
	schedulesOfATwin = 100
)

// planRow is a schedule in the table of them.
type planRow struct {
	id, name, kind string
	twin, twinName string
	summary        object // of its tasks; empty where the API draws none
	changed        string // when its latest operation did
}

// schedulesView is the table of schedules.
type schedulesView struct {
	*request
	Twins []optionView // to choose one of
	Left  string       // what is not included
	Heads []planHeadView
	Plans []planView
	None  string // why there are no plans
	Pages pagesView
	New   *newScheduleView
}

// scheduleList are the schedules of one twin, or of all that the viewer sees: one table.
// Twins without any are left out.
func scheduleList(r *request) (view, error) {
	twin := r.Query("twinId")
	if twin != "" && r.console.areas["twins"] {
		r.below("/schedules", "Schedules")
		r.below("/browse"+at("twins", twin), r.nameAt(at("twins", twin)))
	}
	twins, left, err := r.twinsOf(twin)
	if err != nil {
		return view{}, err
	}
	var all []planRow
	for _, t := range twins {
		found, more, err := r.schedulesOf(t, twin != "")
		if err != nil {
			return view{}, err
		}
		left = left || more || len(all)+len(found) > maxSchedules
		all = append(all, found[:min(len(found), maxSchedules-len(all))]...)
	}
	list := schedulesView{
		request: r, Twins: r.twinOptions(twins), New: r.newSchedule(twins), Heads: r.planHeads(),
		None: noPlans(twins, len(all)),
	}
	if left {
		list.Left = fmt.Sprintf(
			"Only the first %d schedules, of the first %d twins, are included. Choose a twin to see all of its "+
				"schedules.",
			maxSchedules, maxTwins,
		)
	}
	list.Plans, list.Pages = r.planPage(r.foundPlans(all))
	return r.show("schedules", list)
}

// planPage are those schedules that the page shows, in the order that its query names.
func (r *request) planPage(plans []planRow) ([]planView, pagesView) {
	page, pages := r.pageNumber(len(plans), pageOfSchedules)
	order := planOrders[r.planOrder()]
	if order.measured {
		r.measure(plans)
	}
	slices.SortStableFunc(plans, func(a, b planRow) int {
		if r.Query("down") != "" {
			a, b = b, a
		}
		return order.compare(a, b)
	})
	plans = plans[min((page-1)*pageOfSchedules, len(plans)):min(page*pageOfSchedules, len(plans))]
	if !order.measured {
		r.measure(plans)
	}
	views := make([]planView, len(plans))
	for i, p := range plans {
		views[i] = p.view()
	}
	return views, r.pagesView(page, pages)
}

// twinsOf are the twins whose schedules are shown: the one that is chosen, or all.
func (r *request) twinsOf(chosen string) (list []object, left bool, err error) {
	for o, err := range records[object](r, "/twins?"+queryOf([]string{"$top", "100"}), "twins") {
		switch {
		case err != nil:
			return nil, false, err
		case len(list) == maxTwins:
			left = true
		default:
			list = append(list, o)
			continue
		}
		break
	}
	if chosen == "" {
		return list, left, nil
	}
	return []object{r.twinWith(chosen, list)}, false, nil
}

// twinWith is the twin with an id, whether it is among some or not. Of one that may not be seen
// the id alone is known.
func (r *request) twinWith(id string, among []object) object {
	if i := slices.IndexFunc(among, func(o object) bool { return o.text("id") == id }); i >= 0 {
		return among[i]
	}
	if found := r.look(at("twins", id), "twin"); found != nil {
		return found
	}
	return object{"id": id}
}

// schedulesOf are the schedules of a twin. One that may not be seen has none, unless it was
// asked for by its id.
func (r *request) schedulesOf(twin object, asked bool) (list []planRow, more bool, err error) {
	id := twin.text("id")
	target := "/schedules?" + queryOf([]string{"twinId", id, "$top", strconv.Itoa(schedulesOfATwin)})
	for o, err := range records[object](r, target, "schedules") {
		switch {
		case err != nil && !asked && refusedWith(err, http.StatusForbidden, http.StatusNotFound):
			return list, false, nil
		case err != nil:
			return nil, false, err
		case len(list) == maxSchedules:
			return list, true, nil
		}
		list = append(list, planRow{
			id: o.text("id"), name: cmp.Or(o.text("name"), o.text("id")), kind: o.text("type"),
			twin: id, twinName: cmp.Or(twin.text("displayName"), id),
		})
	}
	return list, false, nil
}

// foundPlans are those whose name, id or twin has the text that is searched for.
func (r *request) foundPlans(all []planRow) []planRow {
	find := strings.ToLower(r.Query("find"))
	return slices.DeleteFunc(all, func(p planRow) bool {
		return !strings.Contains(strings.ToLower(p.name+"\x00"+p.id+"\x00"+p.twinName), find)
	})
}

// measure looks up what the tasks of schedules come to, and when they have changed. What is
// not to be had stays empty.
func (r *request) measure(plans []planRow) {
	for i := range plans {
		p, path := &plans[i], at("schedules", plans[i].id)
		var drawn object
		if p.kind != "v6.5" {
			if _, err := r.get(path+"/gantt.json?rows=1", &drawn); err == nil {
				p.summary = drawn.object("gantt.summary")
			}
		}
		if latest, _, err := r.objects(path+"/operations?$top=1", "operations"); err == nil && len(latest) > 0 {
			p.changed, _ = latest[0].at("updatedAt").(string)
		}
	}
}

// planOrder is an order of the table.
type planOrder struct {
	head     string
	compare  func(a, b planRow) int
	measured bool // it needs what measure looks up
}

func byText(of func(planRow) string) func(a, b planRow) int {
	return func(a, b planRow) int { return cmp.Compare(strings.ToLower(of(a)), strings.ToLower(of(b))) }
}

func byCount(of string) func(a, b planRow) int {
	return func(a, b planRow) int { return cmp.Compare(a.summary.int(of), b.summary.int(of)) }
}

// planColumns are the columns in their order, by which the table can be sorted.
var planColumns = []string{"name", "twin", "tasks", "critical", "start", "finish", "changed"}

var planOrders = map[string]planOrder{
	"name":     {"Schedule", byText(func(p planRow) string { return p.name }), false},
	"twin":     {"Twin", byText(func(p planRow) string { return p.twinName }), false},
	"tasks":    {"#Tasks", byCount("taskCount"), true},
	"critical": {"#Critical", byCount("criticalCount"), true},
	"start":    {"#Start", byText(func(p planRow) string { return p.summary.text("startDate") }), true},
	"finish":   {"#Finish", byText(func(p planRow) string { return p.summary.text("finishDate") }), true},
	"changed":  {"Changed (UTC)", byText(func(p planRow) string { return p.changed }), true},
}

// planOrder is the order that the page's query names.
func (r *request) planOrder() string {
	if sort := r.Query("sort"); planOrders[sort].compare != nil {
		return sort
	}
	return "name"
}

// planHeadView is the head of a column. It sorts by it, and turns the order of the one that
// the table is sorted by, whose Sorted is the value of aria-sort.
type planHeadView struct {
	Column, Text, Link string
	Number             bool
	Sorted             string
}

// planHeads are the heads of the table.
func (r *request) planHeads() []planHeadView {
	now, down := r.planOrder(), r.Query("down") != ""
	heads := make([]planHeadView, len(planColumns))
	for i, name := range planColumns {
		text, number := strings.CutPrefix(planOrders[name].head, "#")
		next, sorted := "", ""
		if name == now {
			if next, sorted = "1", "ascending"; down {
				next, sorted = "", "descending"
			}
		}
		heads[i] = planHeadView{name, text, r.Here("sort", name, "down", next, "page", ""), number, sorted}
	}
	return heads
}

// planView is a schedule in the table, as its page shows it. Critical is empty where no task
// is.
type planView struct {
	ID, Name, Kind, Twin, TwinName string
	Tasks, Critical, Start, Finish string
	Changed, ChangedText           string
}

func (p planRow) view() planView {
	v := planView{
		ID: p.id, Name: p.name, Kind: p.kind, Twin: p.twin, TwinName: p.twinName,
		Tasks: p.summary.text("taskCount"), Critical: p.summary.text("criticalCount"),
		Start: dayOf(p.summary.text("startDate")), Finish: dayOf(p.summary.text("finishDate")),
		Changed: p.changed, ChangedText: p.changed,
	}
	if v.Critical == "0" {
		v.Critical = ""
	}
	if t, err := time.Parse(time.RFC3339Nano, p.changed); err == nil {
		v.ChangedText = t.UTC().Format("2 Jan 2006 15:04:05")
	}
	return v
}

// twinOptions are the twins whose schedules can be chosen.
func (r *request) twinOptions(twins []object) []optionView {
	return options(r.Query("twinId"), append([]string{"", "all"}, twinPairs(twins)...)...)
}

// twinPairs are twins with their names, in pairs, by name.
func twinPairs(twins []object) (pairs []string) {
	byName := func(a, b object) int {
		return cmp.Compare(strings.ToLower(a.text("displayName")), strings.ToLower(b.text("displayName")))
	}
	for _, t := range slices.SortedStableFunc(slices.Values(twins), byName) {
		pairs = append(pairs, t.text("id"), cmp.Or(t.text("displayName"), t.text("id")))
	}
	return pairs
}

// noPlans is why the table is empty.
func noPlans(twins []object, all int) string {
	switch {
	case len(twins) == 0:
		return "No twins are visible to you, so there are no schedules."
	case all > 0:
		return "No schedule matches."
	}
	return "There are no schedules yet. Create one, and import a plan into it."
}

// newScheduleView is the form that makes a schedule: in the twin of the page, or in one of
// Twins.
type newScheduleView struct {
	Twin  string
	Twins []optionView
}

// newSchedule is left out where there are no twins, or the console is read-only.
func (r *request) newSchedule(twins []object) *newScheduleView {
	if len(twins) == 0 || !r.Writable() {
		return nil
	}
	return &newScheduleView{r.Query("twinId"), options("", twinPairs(twins)...)}
}

// createSchedule leads to the import of the new schedule, which is empty.
func createSchedule(r *request) (target, error) {
	var body object
	a, err := r.create("/schedules",
		map[string]string{"twinId": r.PostForm.Get("twinId"), "name": r.PostForm.Get("name")})
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

// PlanLink is the address of a page below that of the schedule.
func (r *request) PlanLink(path string, query ...string) string {
	return r.Link(r.schedule()+path, query...)
}
