package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

var overviewPages = table{
	{pattern: "GET /", title: "Overview", page: overview},
}

// Bounds of the overview: how many twins are on a page, and how far what they hold is
// counted.
const (
	pageOfTwins = 20
	mostCounted = 1000
)

// overview is the first page, which one opens when something is wrong: what cannot be
// read of the twins is noted within it, so that the health of the areas is shown all the
// same.
func overview(r *request) (html.Node, error) {
	twins, err := r.twinsHere()
	if err != nil {
		return html.Node{}, err
	}
	return html.Group(heading("Overview"), r.lastHour(), twins, r.storage(), r.health()), nil
}

// overviewTwin is what the overview shows of a twin.
type overviewTwin struct {
	ID, DisplayName, Class, SubClass string
	TwinAccountID                    *string
}

// twinsHere are twins by account, with what each holds, as far as the caller may see.
func (r *request) twinsHere() (html.Node, error) {
	if !r.console.areas["twins"] {
		return html.Node{}, nil
	}
	target := "/twins?$top=" + strconv.Itoa(pageOfTwins)
	if token := r.Query("page"); token != "" {
		target += "&" + queryOf([]string{"$continuationToken", token})
	}
	var page []overviewTwin
	next, err := r.list(target, "twins", &page)
	if err != nil {
		if _, refused := asRefusal(err); refused { // whatever it is, the rest of the page shows more
			return html.Group(html.El("h2", html.Text("Contents")), r.noteOf(err)), nil
		}
		return html.Node{}, err
	}
	names := make(map[string]string)
	for _, t := range page {
		names[t.ID] = t.DisplayName
	}
	var rows []html.Node
	held := r.heldByTwins()
	heads := []string{"Twin", "Account", "Kind"}
	for _, h := range held {
		heads = append(heads, "#"+h.heading)
	}
	for _, t := range page {
		account := ""
		if t.TwinAccountID != nil {
			account = cmp.Or(names[*t.TwinAccountID], *t.TwinAccountID)
		}
		cells := []html.Part{
			html.El(
				"th", html.Attr("scope", "row"),
				html.A(r.Link(at("browse", "twins", t.ID)), html.Text(cmp.Or(t.DisplayName, t.ID))),
			),
			cell(html.Text(account)), cell(html.Text(strings.TrimSpace(t.Class + " " + other(t.SubClass, t.Class)))),
		}
		for _, h := range held {
			cells = append(cells, number(r.count(h, t.ID)))
		}
		rows = append(rows, html.El("tr", cells...))
	}
	more := html.Node{}
	if token := tokenOf(next); token != "" {
		more = html.El("p", html.Class("pager"), html.A(r.Here("page", token), html.Text("More twins")))
	}
	return html.El("section", html.Attr("aria-labelledby", "here"),
		html.El("h2", html.Attr("id", "here"), html.Text("Contents")),
		dataTable("Twins and their contents", heads, rows, "There are no twins, or none that are visible to you. "+
			"Start the server with -seed FILE to create some, or with -import FILE for schedules of planner files."), more), nil
}

func other(s, than string) string {
	if s == than {
		return ""
	}
	return s
}

// holding is a list of what a twin holds.
type holding struct{ heading, area, path, member, page, top string }

// heldByTwins are the areas of which the page counts what a twin holds, those that are
// served alone.
func (r *request) heldByTwins() (out []holding) {
	for _, h := range []holding{
		{"Schedules", "schedules", "/schedules", "schedules", "/schedules", "1000"},
		{"Forms", "forms", "/forms", "forms.formDataInstances", "/browse/forms", "50"},
		{
			"Reality data", "reality data", "/reality-management/reality-data", "realityData",
			"/browse/reality-management/reality-data", "100",
		},
	} {
		if r.console.areas[h.area] {
			out = append(out, h)
		}
	}
	return out
}

// count is how many records a twin holds, as a link to them.
func (r *request) count(h holding, twin string) html.Node {
	n := 0
	for _, err := range records[struct{}](r, h.path+"?"+queryOf([]string{"twinId", twin, "$top", h.top}), h.member) {
		if refusedWith(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound) {
			return html.El("span", html.Class("muted"), html.Text("no permission"))
		}
		if err != nil {
			return html.El("span", html.Class("muted"), html.Text("?"))
		}
		if n++; n == mostCounted {
			return html.Textf("%d or more", n)
		}
	}
	if n == 0 {
		return html.El("span", html.Class("muted"), html.Text("0"))
	}
	return html.A(r.Link(h.page, "twinId", twin), html.Int(n))
}

// noteOf reports an error of the API within a page.
func (r *request) noteOf(err error) html.Node {
	if e, ok := asRefusal(err); ok {
		return refusalNote(e)
	}
	return html.P("Not available.")
}

// lastHour are the requests of the last hour as charts.
func (r *request) lastHour() html.Node {
	j := r.console.cfg.Journal
	if j == nil {
		return html.Node{}
	}
	may, whose := r.may(), "yours"
	if r.operator() {
		may, whose = nil, "of everybody"
	}
	minutes := j.Minutes(may)
	sum := journal.Minute{}
	most := 0
	for _, m := range minutes {
		sum.Requests, sum.Refused, sum.Failed = sum.Requests+m.Requests, sum.Refused+m.Refused, sum.Failed+m.Failed
		most = max(most, m.Requests)
	}
	link := func(text string, query ...string) html.Node {
		return html.A(r.Link("/requests", query...), html.Text(text))
	}
	return html.El("section", html.Attr("id", "hour"), html.Attr("aria-labelledby", "hour-title"),
		html.El("h2", html.Attr("id", "hour-title"), html.Text("The last hour's requests, "+whose)),
		html.El("ul", html.Class("cards"),
			html.El("li", html.Class("card"), html.El("strong", html.Int(sum.Requests)), link("requests")),
			html.El("li", html.Class("card"), html.El("strong", html.Int(sum.Refused)), link("refused (4xx)", "status", "4xx")),
			html.El("li", html.Class("card"), html.El("strong", html.Int(sum.Failed)), link("failed (5xx)", "status", "5xx")),
			html.El("li", html.Class("card"), html.El("strong", html.Int(most)), html.Text("in the busiest minute")),
		),
		minuteChart(minutes, most, sum),
		html.El("p", html.Class("legend"),
			html.El("span", html.El("span", html.Class("key")), html.Text("answered")),
			html.El("span", html.El("span", html.Class("key refused-part")), html.Text("refused")),
			html.El("span", html.El("span", html.Class("key failed")), html.Text("failed")),
			html.El(
				"span",
				html.Text("one bar a minute, the present at the right; the highest is "+strconv.Itoa(max(most, 1))),
			)),
	)
}

// minuteChart is a bar for each minute: what failed at the bottom, then what was
// refused, then the rest.
func minuteChart(minutes []journal.Minute, most int, sum journal.Minute) html.Node {
	const width, high = 10, 80
	label := strconv.Itoa(sum.Requests) + " requests, " + strconv.Itoa(sum.Refused) + " refused, " +
		strconv.Itoa(sum.Failed) + " failed, in " + strconv.Itoa(len(minutes)) + " minutes"
	parts := []html.Part{
		html.Class("chart"), html.Attr("viewBox", "0 0 "+strconv.Itoa(width*len(minutes))+" "+strconv.Itoa(high)),
		html.Attr("preserveAspectRatio", "none"),
		html.Attr("role", "img"), html.Attr("aria-label", label),
	}
	for i, m := range minutes {
		if m.Requests == 0 {
			continue
		}
		group := []html.Part{
			html.El(
				"title",
				html.Text(
					m.Began.UTC().Format("15:04")+" UTC: "+strconv.Itoa(m.Requests)+" requests, "+strconv.Itoa(m.Refused)+
						" refused, "+strconv.Itoa(m.Failed)+" failed",
				),
			),
		}
		foot := high
		for _, part := range []struct {
			class string
			n     int
		}{{"failed", m.Failed}, {"refused-part", m.Refused}, {"asked", m.Requests - m.Failed - m.Refused}} {
			if part.n <= 0 {
				continue
			}
			h := max(2, part.n*(high-4)/most)
			foot -= h
			group = append(
				group,
				html.El(
					"rect", html.Class(part.class), html.Attr("x", strconv.Itoa(i*width+1)),
					html.Attr("y", strconv.Itoa(max(0, foot))), html.Attr("width", strconv.Itoa(width-2)),
					html.Attr("height", strconv.Itoa(h)),
				),
			)
		}
		parts = append(parts, html.El("g", group...))
	}
	return html.El("svg", parts...)
}

// probes are questions of the areas that cost little and need the store, in the order of
// the navigation. A twin stands for one that the viewer may see.
var probes = []struct{ name, area, target string }{
	{"Twins", "twins", "/twins?$top=1"},
	{"Access control", "accessControl", "/access-control/twins/{twin}/permissions"},
	{"Schedules", "schedules", "/schedules?$top=1&twinId={twin}"},
	{"Forms", "forms", "/forms?$top=1&twinId={twin}"},
	{"Models", "models", "/models?$top=1&twinId={twin}"},
	{"Transformations", "transformations", "/transformations/configurations?$top=1&projectId={twin}"},
	{"Reality data", "reality data", "/reality-management/reality-data?$top=1"},
	{"Detectors", "detectors", "/reality-analysis/detectors"},
	{"Webhooks", "webhooks", "/webhooks"},
}

// health is how each area answers the viewer, and what the server knows of itself.
func (r *request) health() html.Node {
	twin := ""
	if r.console.areas["twins"] {
		if first, _, err := r.objects("/twins?$top=1", "twins"); err == nil && len(first) > 0 {
			twin = first[0].text("id")
		}
	}
	var rows []html.Node
	for _, p := range probes {
		if r.console.areas[p.area] {
			rows = append(rows, r.probe(p.name, p.target, twin))
		}
	}
	return html.El("section", html.Attr("aria-labelledby", "health"),
		html.El("h2", html.Attr("id", "health"), html.Text("Health")),
		dataTable("Health of each area of the API", []string{"Area", "State", "#Took"}, rows, "No area is served."),
		r.serverHealth())
}

// probe asks an area, and reports how it answers.
func (r *request) probe(name, target, twin string) html.Node {
	row := func(state html.Node, time html.Node) html.Node {
		return html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text(name)), cell(state), number(time))
	}
	if strings.Contains(target, "{twin}") && twin == "" {
		return row(html.El("span", html.Class("muted"), html.Text("not checked: no twin is visible to you")), html.Node{})
	}
	began := time.Now()
	a, err := r.send(http.MethodGet, strings.ReplaceAll(target, "{twin}", url.PathEscape(twin)), nil)
	state := html.El("span", html.Class("tag bad"), html.Text("does not answer"))
	switch {
	case err != nil:
	case a.status < 300:
		state = html.El("span", html.Class("tag good"), html.Text("answers"))
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status == http.StatusNotFound:
		state = html.El("span", html.Class("tag"), html.Text("answers, not for you"))
	case a.status == http.StatusTooManyRequests:
		state = html.El("span", html.Class("tag warn"), html.Text("too many requests"))
	case a.status < http.StatusInternalServerError: // it does not take the twin, as forms take those with a GUID alone
		state = html.El("span", html.Class("tag"), html.Text("answers, not about this twin"))
	}
	return row(state, html.Text(took(time.Since(began))))
}

// serverHealth is how the parts of the server are that no area reports.
func (r *request) serverHealth() html.Node {
	if r.console.cfg.Health == nil {
		return html.El(
			"p", html.Class("muted"),
			html.Text(
				"This console is not configured to show whether the store accepts writes, operations run and events are delivered.",
			),
		)
	}
	var rows []html.Node
	for _, p := range r.console.cfg.Health(r.Context()) {
		state := html.El("span", html.Class("tag bad"), html.Text("not well"))
		if p.Well {
			state = html.El("span", html.Class("tag good"), html.Text("well"))
		}
		rows = append(rows, html.El("tr", html.El("th", html.Attr("scope", "row"), html.Text(p.Name)), cell(state)))
	}
	return dataTable("Health of the server", []string{"Part", "State"}, rows, "The server reports nothing.")
}
