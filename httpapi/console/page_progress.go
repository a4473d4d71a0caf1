package console

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

var progressPages = table{
	{pattern: "GET /schedules/{schedule}/progress", area: "schedules", page: progressPage},
	{pattern: "GET /schedules/{schedule}/risk", area: "schedules", page: riskPage},
}

// progressViews are what the page of progress shows: their paths in the API, and names.
var progressViews = []string{
	"progress-curve", "S-curve", "resource-histogram", "Use of resources", "progress-line", "Progress line",
}

// progressPage is how far a schedule is, as a picture that is chosen.
func progressPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Progress"); err != nil {
		return html.Node{}, err
	}
	if r.undrawn {
		return html.Group(heading("Progress"), r.scheduleTabs("Progress"), html.P("Only v10 schedules are drawn.")), nil
	}
	view := r.Query("view")
	if i := slices.Index(progressViews, view); i < 0 || i%2 != 0 {
		view = progressViews[0]
	}
	q := r.asked("measure", "step", "baselineId")
	picture, err := r.plot("/"+view+".svg", q)
	if err != nil {
		return html.Node{}, err
	}
	baselines, err := r.baselineChoice()
	if err != nil {
		return html.Node{}, err
	}
	controls := r.search(
		field("Show", "view", choice("view", view, progressViews...)),
		field("By", "measure", choice(
			"measure", r.Query("measure"), "", "tasks", "Duration", "working time", "Units", "units of resources",
		)),
		field("Step", "step", choice(
			"step", r.Query("step"), "", "to fit", "Day", "days", "Week", "weeks", "Month", "months", "Year", "years",
		)),
		field("Baseline", "baselineId", choice("baselineId", r.Query("baselineId"), baselines...)),
		button("Show"),
	)
	return html.Group(heading("Progress"), r.scheduleTabs("Progress"), controls, picture), nil
}

// riskPage is when a schedule may end.
func riskPage(r *request) (html.Node, error) {
	if err := r.inSchedule("Risk"); err != nil {
		return html.Node{}, err
	}
	if r.undrawn {
		return html.Group(heading("Risk"), r.scheduleTabs("Risk"), html.P("Only v10 schedules are simulated.")), nil
	}
	names := []string{"runs", "seed", "optimisticPercent", "pessimisticPercent"}
	q := r.asked(append(slices.Clone(names), "distribution")...)
	options := map[string]any{"distribution": r.Query("distribution")}
	for _, name := range names {
		if n, err := strconv.Atoi(r.Query(name)); err == nil {
			options[name] = n
		}
	}
	picture, err := r.plot("/risk.svg", q)
	if err != nil {
		return html.Node{}, err
	}
	a, err := r.create(r.schedule()+"/risk/analyze", options)
	if err != nil {
		return html.Node{}, err
	}
	var body object
	if err := decode(a.body, &body); err != nil {
		return html.Node{}, err
	}
	digits := func(name, about, usual string) html.Node {
		return field(about, name, textInput(
			name, r.Query(name), html.Attr("inputmode", "numeric"), html.Attr("placeholder", usual),
		))
	}
	controls := r.search(
		digits("runs", "Runs", "1000"), digits("optimisticPercent", "Shortest, %", "90"),
		digits("pessimisticPercent", "Longest, %", "125"),
		field("Distribution", "distribution", choice(
			"distribution", r.Query("distribution"), "", "triangular", "Pert", "PERT",
		)),
		digits("seed", "Seed", "0"), button("Simulate"),
	)
	return html.Group(heading("Risk"), r.scheduleTabs("Risk"),
		html.P("When the schedule may end if its durations are uncertain."),
		controls, picture, r.criticality(body), whole(a.body)), nil
}

// criticality are the most critical tasks of a risk analysis.
func (r *request) criticality(body object) html.Node {
	list := body.objects("riskAnalysis.tasks")
	rows := []html.Node{}
	for _, t := range list[:min(len(list), maxListed)] {
		share, err := strconv.ParseFloat(t.text("criticality"), 64)
		if err != nil || share == 0 {
			continue
		}
		name := html.A(r.Link(r.schedule()+at("tasks", t.text("taskId"))), html.Text(t.text("name")))
		rows = append(rows, html.El("tr", html.El("th", html.Attr("scope", "row"), name),
			cell(html.Text(t.text("userDefinedId"))), number(html.Textf("%.1f %%", 100*share))))
	}
	return dataTable(
		"How often tasks were on the longest path", []string{"Task", "Id", "#Runs"}, rows, "No task is on a longest path.",
	)
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
func (r *request) plot(path string, q url.Values) (html.Node, error) {
	q.Set("bare", "true")
	drawn, err := r.get(r.schedule()+path+"?"+q.Encode(), nil)
	if err != nil {
		return html.Node{}, err
	}
	picture, err := html.Picture(drawn.body)
	if err != nil {
		return html.Node{}, err
	}
	return html.El(
		"div", html.Class("plotted"), html.Attr("role", "region"), html.Attr("tabindex", "0"),
		html.Attr("aria-label", "Picture"), picture,
	), nil
}
