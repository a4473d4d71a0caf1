package console

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

// parseDay reads a date without a time.
func parseDay(s string) (time.Time, error) { return time.Parse(time.DateOnly, s) }

// baselinesView are the baselines of a schedule.
type baselinesView struct {
	*request
	Baselines []object
	More      string
}

func baselinesPage(r *request) (view, error) {
	if err := r.inSchedule("Baselines"); err != nil {
		return view{}, err
	}
	list, next, err := r.objects(r.schedule()+"/baselines?"+queryOf([]string{
		"$top", "50", "$continuationToken", r.Query("$continuationToken"),
	}), "baselines")
	if err != nil {
		return view{}, err
	}
	return r.show("baselines", baselinesView{r, list, r.nextPage(next, "$continuationToken", "$continuationToken")})
}

// nextPage is the address of this page with a parameter of the address of the API's next
// page; empty where there is none.
func (r *request) nextPage(next, parameter, here string) string {
	u, err := url.Parse(next)
	if err != nil || u.RawQuery == "" {
		return ""
	}
	return r.Here(here, u.Query().Get(parameter))
}

// takeBaseline makes a baseline of the plan as it is.
func takeBaseline(r *request) (target, error) {
	if _, err := r.create(r.schedule()+"/baselines", map[string]string{"name": r.PostForm.Get("name")}); err != nil {
		return target{}, err
	}
	return to(r.schedule() + "/baselines").withNotice("The baseline was taken."), nil
}

// comparisonPageView is how a schedule differs from a baseline.
type comparisonPageView struct {
	*request
	Comparison object
	Baseline   string // its name
	Path       string // of the baseline, in the API and in the console
	Later      valueView
	Causes     []causeView // of the move of the finish
	Tasks      []taskChangeView
	Links      []linkChangeView
	More       string
	JSON       string
}

// taskChangeView is a task that differs from the baseline. Variances are in days of the
// schedule; one that is null is empty.
type taskChangeView struct {
	Task                                         object
	Name                                         valueView
	StartLater, FinishLater, LongerBy, MoreFloat valueView
}

// linkChangeView is a link that differs from the baseline.
type linkChangeView struct {
	Link         object
	From, To     string
	LagThen, Lag valueView
}

func comparisonPage(r *request) (view, error) {
	if err := r.inSchedule("Comparison"); err != nil {
		return view{}, err
	}
	r.below(r.schedule()+"/baselines", "Baselines")
	path := r.schedule() + at("baselines", r.PathValue("baseline"))
	var body, baseline object
	if _, err := r.get(path, &baseline); err != nil {
		return view{}, err
	}
	a, err := r.get(path+"/comparison?"+queryOf([]string{"$top", "100", "$skip", r.Query("skip")}), &body)
	if err != nil {
		return view{}, err
	}
	c := body.object("comparison")
	page := comparisonPageView{
		request: r, Comparison: c, Baseline: cmp.Or(baseline.text("baseline.name"), r.PathValue("baseline")),
		Path: path, Later: r.variance(c, "finishVariance"), JSON: indented(a.body),
		More: r.nextPage(body.text("_links.next.href"), "$skip", "skip"),
	}
	if page.Causes, err = r.finishMove(path); err != nil {
		return view{}, err
	}
	for _, t := range c.objects("tasks") {
		row := taskChangeView{
			Task: t, Name: valueView{Text: cmp.Or(t.text("name"), t.text("taskId"))},
			StartLater: r.variance(t, "startVariance"), FinishLater: r.variance(t, "finishVariance"),
			LongerBy: r.variance(t, "durationVariance"), MoreFloat: r.variance(t, "totalFloatVariance"),
		}
		if t.text("change") != "Removed" {
			row.Name = r.taskValue(t.text("taskId"), t.text("name"))
		}
		page.Tasks = append(page.Tasks, row)
	}
	for _, l := range c.objects("taskLinks") {
		page.Links = append(page.Links, linkChangeView{
			Link: l, From: r.taskName(l.text("predecessorId")), To: r.taskName(l.text("successorId")),
			LagThen: r.variance(l, "baselineLag"), Lag: r.variance(l, "lag"),
		})
	}
	return r.show("comparison", page)
}

// causeView is a part of why the finish has moved: a task or a link on the driving path.
type causeView struct {
	On        valueView
	Change    string
	DaysLater string
}

// finishMove reports why the finish has moved; none where it has not.
func (r *request) finishMove(baseline string) ([]causeView, error) {
	var body object
	if _, err := r.get(baseline+"/finish-move", &body); err != nil {
		return nil, err
	}
	c := body.object("finishMove")
	if c.int("move") == 0 {
		return nil, nil
	}
	remainder, _ := strconv.ParseFloat(c.text("remainderDays"), 64)
	return r.causes(c.objects("causes"), remainder, "RemovedTask"), nil
}

// variance is working time in days of the schedule, empty where it is null.
func (r *request) variance(o object, path string) valueView {
	if o.at(path) == nil {
		return valueView{}
	}
	return r.days(o.int(path), "")
}

// comparisonFile is the comparison as CSV, as the API makes it.
func comparisonFile(r *request) download {
	return download{
		path: r.schedule() + at("baselines", r.PathValue("baseline")) + "/comparison.csv",
		name: r.PathValue("schedule") + "-comparison.csv",
	}
}

// qualityPageView judges a plan by the points of DCMA, and lists what violates one.
type qualityPageView struct {
	*request
	Undrawn   bool // the schedule is of v6.5
	Baselines []optionView
	Points    []pointView
	Against   *violationsView // of the point that the page's query names
	JSON      string
}

// pointView is one of the fourteen points. Link leads to what violates it; empty where
// nothing does.
type pointView struct {
	Result                 object
	Name, Value, Threshold string
	Link                   string
}

func qualityPage(r *request) (view, error) {
	if err := r.inSchedule("Quality"); err != nil {
		return view{}, err
	}
	page := qualityPageView{request: r, Undrawn: r.undrawn}
	if r.undrawn {
		return r.show("quality", page)
	}
	var err error
	if page.Baselines, err = r.baselinesOr("the current one"); err != nil {
		return view{}, err
	}
	a, err := r.create(r.schedule()+"/quality/dcma/analyze", map[string]string{"baselineId": r.Query("baselineId")})
	if err != nil {
		return view{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return view{}, err
	}
	page.JSON = indented(a.body)
	for _, q := range body.objects("qualityResults") {
		page.Points = append(page.Points, r.qualityPoint(q))
	}
	if point := r.Query("point"); point != "" {
		if page.Against, err = r.violations(point); err != nil {
			return view{}, err
		}
	}
	return r.show("quality", page)
}

// qualityPoint is a result with its value next to its threshold.
func (r *request) qualityPoint(q object) pointView {
	sign, unit := "≥ ", ""
	if q.is("isAtMost") {
		sign = "≤ "
	}
	if q.text("unit") == "Percent" {
		unit = " %"
	}
	v := pointView{
		Result: q, Name: words(q.text("point")),
		Value: oneDecimal(q.text("value")) + unit, Threshold: sign + q.text("threshold") + unit,
	}
	if q.int("violationCount") > 0 {
		v.Link = r.Here("point", q.text("point"), "skip", "") + "#violations"
	}
	return v
}

// violationsView are the tasks and links that do not pass a point.
type violationsView struct {
	Point, Title string
	Tasks        []violationView
	More         string
}

// violationView is a task or a link, and what is against it.
type violationView struct {
	Of   valueView
	What string
}

func (r *request) violations(point string) (*violationsView, error) {
	list, next, err := r.objects(
		r.schedule()+"/quality/dcma/violations?"+queryOf([]string{
			"points", point, "baselineId", r.Query("baselineId"), "$top", "100", "$skip", r.Query("skip"),
		}),
		"qualityViolations",
	)
	if err != nil {
		return nil, err
	}
	against := violationsView{Point: point, Title: strings.ToLower(words(point))}
	for _, v := range list {
		of := valueView{Text: v.text("name")}
		if id := v.text("taskId"); id != "" {
			of = r.taskValue(id, v.text("name"))
		}
		against.Tasks = append(against.Tasks, violationView{of, v.text("detail")})
	}
	if more := r.nextPage(next, "$skip", "skip"); more != "" {
		against.More = more + "#violations"
	}
	return &against, nil
}

var progressPages = table{
	{pattern: "GET /schedules/{schedule}/progress", area: "schedules", page: progressPage},
	{pattern: "GET /schedules/{schedule}/risk", area: "schedules", page: riskPage},
}

// progressViews are what the page of progress shows: their paths in the API, and names.
var progressViews = []string{
	"progress-curve", "S-curve", "resource-histogram", "Use of resources", "progress-line", "Progress line",
}

// progressPageView is how far a schedule is, as a picture that is chosen.
type progressPageView struct {
	*request
	Undrawn   bool // the schedule is of v6.5
	Views     []optionView
	Measures  []optionView
	Steps     []optionView
	Baselines []optionView
	Picture   template.HTML
	Loading   *loadingView // of resources
}

func progressPage(r *request) (view, error) {
	if err := r.inSchedule("Progress"); err != nil {
		return view{}, err
	}
	page := progressPageView{request: r, Undrawn: r.undrawn}
	if r.undrawn {
		return r.show("progress", page)
	}
	chosen := r.Query("view")
	if i := slices.Index(progressViews, chosen); i < 0 || i%2 != 0 {
		chosen = progressViews[0]
	}
	page.Views = options(chosen, progressViews...)
	page.Measures = options(
		r.Query("measure"), "", "tasks", "Duration", "working time", "Units", "units of resources",
	)
	page.Steps = options(
		r.Query("step"), "", "to fit", "Day", "days", "Week", "weeks", "Month", "months", "Year", "years",
	)
	var err error
	if page.Picture, err = r.plot("/"+chosen+".svg", r.asked("measure", "step", "baselineId")); err != nil {
		return view{}, err
	}
	if page.Baselines, err = r.baselineOptions(); err != nil {
		return view{}, err
	}
	if chosen == "resource-histogram" {
		if page.Loading, err = r.loading(); err != nil {
			return view{}, err
		}
	}
	return r.show("progress", page)
}

// loadingView is when more of which resource is used than there is.
type loadingView struct {
	Unlimited string // what is said of resources without maximum units
	Over      []overView
	Only      int // how many of them are shown; 0 means all
}

// overView is one time in which too much of a resource is used.
type overView struct {
	Resource, From, To, Limit, AtOnce, Over string
	Tasks                                   []valueView
	More                                    bool // tasks that are not named
}

// maxUnlimited is how many resources without maximum units are named.
const maxUnlimited = 20

// loading is when too much of the resources of the schedule is used.
func (r *request) loading() (*loadingView, error) {
	var body object
	if _, err := r.get(r.schedule()+"/resource-histogram.json?withoutPeriods=true", &body); err != nil {
		return nil, err
	}
	var v loadingView
	var unlimited []string
	for _, u := range body.objects("resourceHistogram.resources") {
		name := cmp.Or(u.text("name"), u.text("resourceId"))
		if u.is("isRenewable") && u.at("limit") == nil {
			unlimited = append(unlimited, name)
		}
		for _, x := range u.objects("overallocations") {
			if len(v.Over) == maxListed {
				v.Only = maxListed
				break
			}
			row := overView{
				Resource: name, From: r.clockAt(x, "from"), To: r.clockAt(x, "to"), Limit: oneDecimal(u.text("limit")),
				AtOnce: oneDecimal(x.text("atOnce")), Over: oneDecimal(x.text("over")), More: x.is("hasMoreTasks"),
			}
			for _, t := range x.objects("tasks") {
				row.Tasks = append(row.Tasks, r.taskValue(t.text("taskId"), t.text("name")))
			}
			v.Over = append(v.Over, row)
		}
	}
	v.Unlimited = unlimitedNote(unlimited)
	return &v, nil
}

// unlimitedNote says of which resources it is not known whether too much of them is used; empty where there are none.
func unlimitedNote(names []string) string {
	what := "This resource has no maximum units: "
	switch len(names) {
	case 0:
		return ""
	case 1:
	default:
		what = "These resources have no maximum units: "
	}
	more := ""
	if len(names) > maxUnlimited {
		more = fmt.Sprintf(" and %d more", len(names)-maxUnlimited)
		names = names[:maxUnlimited]
	}
	return what + strings.Join(names, ", ") + more + ". Give it a quantity to see when too much of it is used."
}

// riskPageView is when a schedule may end. Nothing is simulated before it is asked for.
type riskPageView struct {
	*request
	Undrawn       bool // the schedule is of v6.5
	Distributions []optionView
	Ran           bool
	Picture       template.HTML
	Tasks         []criticalityView // that have not ended
}

// criticalityView is a task with how often it was on the longest path.
type criticalityView struct {
	Task  valueView
	Code  string
	Share string
}

// riskNumbers are the parameters of a simulation that are numbers.
var riskNumbers = []string{"runs", "seed", "optimisticPercent", "pessimisticPercent"}

func riskPage(r *request) (view, error) {
	if err := r.inSchedule("Risk"); err != nil {
		return view{}, err
	}
	page := riskPageView{request: r, Undrawn: r.undrawn}
	if r.undrawn {
		return r.show("risk", page)
	}
	page.Distributions = options(r.Query("distribution"), "", "triangular", "Pert", "PERT")
	if page.Ran = r.Query("run") != ""; !page.Ran {
		return r.show("risk", page)
	}
	asked := map[string]any{"distribution": r.Query("distribution"), "top": maxListed}
	for _, name := range riskNumbers {
		if n, err := strconv.Atoi(r.Query(name)); err == nil {
			asked[name] = n
		}
	}
	var err error
	page.Picture, err = r.plot("/risk.svg", r.asked(append(slices.Clone(riskNumbers), "distribution")...))
	if err != nil {
		return view{}, err
	}
	a, err := r.create(r.schedule()+"/risk/analyze", asked)
	if err != nil {
		return view{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return view{}, err
	}
	page.Tasks = r.criticality(body)
	return r.show("risk", page)
}

// criticality are the most critical tasks of a risk analysis.
func (r *request) criticality(body object) (all []criticalityView) {
	for _, t := range body.objects("riskAnalysis.tasks") {
		share, err := strconv.ParseFloat(t.text("criticality"), 64)
		if err != nil || share == 0 {
			continue
		}
		all = append(all, criticalityView{
			Task: r.taskValue(t.text("taskId"), t.text("name")), Code: t.text("userDefinedId"),
			Share: fmt.Sprintf("%.1f %%", 100*share),
		})
	}
	return all
}

// asked are those parameters of the page that are given.
func (r *request) asked(names ...string) url.Values {
	q := url.Values{}
	for _, name := range names {
		if v := r.Query(name); v != "" {
			q.Set(name, v)
		}
	}
	return q
}

// plot is a picture of the schedule, in the colours of the page.
func (r *request) plot(path string, q url.Values) (template.HTML, error) {
	q.Set("bare", "true")
	drawn, err := r.get(r.schedule()+path+"?"+q.Encode(), nil)
	if err != nil {
		return "", err
	}
	return picture(drawn.body)
}

// drivingView is the chain of tasks that put a task where it is.
type drivingView struct {
	Missing   string
	Longer    bool         // these are its last tasks
	Baselines []optionView // that it can be compared with
	Against   string       // the baseline that it is compared with; empty for none
	Tasks     []drivingTaskView

	own object // what is known of the task itself
}

// drivingTaskView is a task of a chain: when it is or was done, how much later than in the baseline, and why not earlier.
type drivingTaskView struct {
	Name                      valueView
	Code, Start, Finish, Held string
	Begun, Done               bool // the start, the finish is when it was
	StartLater, FinishLater   valueView
	Waits                     string // the links that it waits by
	Float                     valueView
}

// withoutBaseline is the value of the choice of no baseline.
const withoutBaseline = "none"

// fill reads the chain of a task, and compares it with the newest baseline unless another one is chosen.
func (v *drivingView) fill(r *request, id string) error {
	list, err := r.baselines()
	if err != nil {
		return err
	}
	chosen := r.Query("baselineId")
	pairs := []string{withoutBaseline, "none"}
	for _, b := range list {
		chosen = cmp.Or(chosen, b.text("id"))
		pairs = append(pairs, b.text("id"), cmp.Or(b.text("name"), b.text("id")))
		if b.text("id") == chosen {
			v.Against = cmp.Or(b.text("name"), chosen)
		}
	}
	if len(list) > 0 {
		v.Baselines = options(chosen, pairs...)
	}
	if chosen == withoutBaseline {
		chosen = ""
	}
	var body object
	path := r.schedule() + at("tasks", id) + "/driving-path?" + queryOf([]string{"baselineId", chosen})
	if _, err := r.get(path, &body); err != nil {
		return err
	}
	v.chain(r, id, body.objects("tasks"), r.waits(body))
	return nil
}

// waits are by which links each task of a chain waits, by its id. A lag is in days of the calendar of the predecessor.
func (r *request) waits(body object) map[string]string {
	waits, calendars := make(map[string]string), make(map[string]string)
	for _, t := range body.objects("tasks") {
		calendars[t.text("taskId")] = t.text("calendarId")
	}
	for _, l := range body.objects("links") {
		text := spaced(l.text("type"))
		if lag := l.int("lag"); lag != 0 {
			text += ", " + later(float64(lag)/float64(r.workday(calendars[l.text("predecessorId")]))) + " lag"
		}
		if was := waits[l.text("successorId")]; was != "" {
			text = was + "; " + text
		}
		waits[l.text("successorId")] = text
	}
	return waits
}

// chain are the last tasks of a chain.
func (v *drivingView) chain(r *request, id string, list []object, waits map[string]string) {
	v.Longer = len(list) > maxListed
	for _, t := range list[max(len(list)-maxListed, 0):] {
		if t.text("taskId") == id {
			v.own = t
		}
		one := drivingTaskView{
			Name: r.taskValue(t.text("taskId"), t.text("name")), Code: t.text("userDefinedId"),
			Held: r.constraintText(t), Waits: waits[t.text("taskId")],
			Begun: t.at("actualStart") != nil, Done: t.at("actualFinish") != nil,
			StartLater: r.variance(t, "startVariance"), FinishLater: r.variance(t, "finishVariance"),
			Float: r.variance(t, "downstreamTotalFloat"),
		}
		finish := "plannedFinish"
		if one.Begun { // to which what remains leads
			finish = "earlyFinish"
		}
		one.Start = cmp.Or(r.clockAt(t, "actualStart"), r.clockAt(t, "plannedStart"), r.clockAt(t, "earlyStart"))
		one.Finish = cmp.Or(r.clockAt(t, "actualFinish"), r.clockAt(t, finish), r.clockAt(t, "earlyFinish"))
		v.Tasks = append(v.Tasks, one)
	}
}

// unheld says of a task that is planned to start later than anything holds it that a rescheduling moves it; empty for any
// other one.
func (r *request) unheld(task, found object) string {
	early, planned := found.moment("earlyStart"), task.moment("plannedStart")
	if task.text("constraintType") == "StartAlap" || task.text("status") != "Planned" || task.is("isWbs") ||
		early.IsZero() || !planned.After(early) {
		return ""
	}
	return "Nothing holds its planned start, " + r.clockAt(task, "plannedStart") +
		": rescheduling the plan moves it to " + r.clockAt(found, "earlyStart") +
		". To hold it there, give it a constraint to start then."
}
