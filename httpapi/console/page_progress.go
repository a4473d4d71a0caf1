package console

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/template"
)

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
	return r.show("progress", page)
}

// riskPageView is when a schedule may end.
type riskPageView struct {
	*request
	Undrawn       bool // the schedule is of v6.5
	Distributions []optionView
	Picture       template.HTML
	Tasks         []criticalityView
	JSON          string
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
	asked := map[string]any{"distribution": r.Query("distribution")}
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
	page.JSON, page.Tasks = indented(a.body), r.criticality(body)
	return r.show("risk", page)
}

// criticality are the most critical tasks of a risk analysis.
func (r *request) criticality(body object) (all []criticalityView) {
	list := body.objects("riskAnalysis.tasks")
	for _, t := range list[:min(len(list), maxListed)] {
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
