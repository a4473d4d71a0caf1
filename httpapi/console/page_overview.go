package console

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

var overviewPages = table{
	{pattern: "GET /", title: "Overview", page: overview},
}

// Bounds of the overview: how many twins are on a page, how far what they hold is counted,
// and of how many webhooks it is looked up whether they fail.
const (
	pageOfTwins      = 20
	mostCounted      = 1000
	webhooksLookedAt = 20
)

// overviewView is the first page.
type overviewView struct {
	*request
	Attention []attentionView
	Hour      *hourView
	Twins     *twinsView
	Rooms     []roomView
	Areas     []probeView
	Known     bool // the program reports how the server is
	Parts     []Part
}

// attentionView is something that is not as it should be, and the address of the page where
// there is more of it.
type attentionView struct{ Text, Tone, Link string }

// overview is the first page, which one opens when something is wrong: what cannot be
// read of the twins is noted within it, so that the health of the areas is shown all the
// same. What needs attention comes first.
func overview(r *request) (view, error) {
	page := overviewView{request: r, Hour: r.lastHour(), Rooms: r.rooms()}
	var err error
	if page.Twins, err = r.twinsHere(); err != nil {
		return view{}, err
	}
	page.Areas = r.probed()
	if report := r.console.cfg.Health; report != nil {
		page.Known, page.Parts = true, slices.Clone(report(r.Context()))
		slices.SortStableFunc(page.Parts, func(a, b Part) int { return rank(a.Well, b.Well) })
	}
	webhooks, err := r.failingWebhooks()
	if err != nil {
		return view{}, err
	}
	page.Attention = slices.Concat(page.unwell(), webhooks)
	return r.show("overview", page)
}

// rank orders what is not well before what is.
func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// unwell is what of the page needs attention.
func (v *overviewView) unwell() (all []attentionView) {
	for _, p := range v.Parts {
		if !p.Well {
			all = append(all, attentionView{Text: p.Name + ": not well", Tone: "bad"})
		}
	}
	for _, p := range v.Areas {
		if p.Tone == "bad" || p.Tone == "warn" {
			all = append(all, attentionView{Text: p.Name + ": " + p.State, Tone: p.Tone})
		}
	}
	for _, m := range v.Rooms {
		if m.Tone == "bad" || m.Tone == "warn" {
			all = append(all, attentionView{Text: m.Name + ": " + m.State, Tone: m.Tone})
		}
	}
	if v.Hour != nil && v.Hour.Failed > 0 {
		all = append(all, attentionView{
			plural(v.Hour.Failed, "request") + " failed in the last hour", "bad", v.Link("/requests", "status", "5xx"),
		})
	}
	return all
}

// Well reports whether all areas and all parts of the server are.
func (v overviewView) Well() bool {
	return !slices.ContainsFunc(v.Areas, func(p probeView) bool { return p.Tone == "bad" || p.Tone == "warn" }) &&
		!slices.ContainsFunc(v.Parts, func(p Part) bool { return !p.Well })
}

// RoomLeft reports whether no budget is nearly used up.
func (v overviewView) RoomLeft() bool {
	return !slices.ContainsFunc(v.Rooms, func(m roomView) bool { return m.Tone == "bad" || m.Tone == "warn" })
}

// failingWebhooks are those of the first that fail, or have no right to what they are of.
// What cannot be read of them is left to the health of their area.
func (r *request) failingWebhooks() ([]attentionView, error) {
	if !r.console.areas["webhooks"] {
		return nil, nil
	}
	list, _, err := r.objects("/webhooks", "webhooks")
	if _, refused := asRefusal(err); refused {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list = list[:min(len(list), webhooksLookedAt)]
	found, err := askAll(len(list), func(i int) ([]attentionView, error) {
		id := list[i].text("id")
		st, err := r.deliveryState(id)
		if _, refused := asRefusal(err); refused {
			return nil, nil
		}
		troubles := webhookView{State: st}.Troubles()
		if err != nil || len(troubles) == 0 {
			return nil, err
		}
		text := "Webhook " + list[i].text("callbackUrl") + ": " + strings.Join(troubles, ", ")
		return []attentionView{{text, "bad", r.Link(at("webhooks", id))}}, nil
	})
	return slices.Concat(found...), err
}

// overviewTwin is what the overview shows of a twin.
type overviewTwin struct {
	ID, DisplayName, Class, SubClass string
	TwinAccountID                    *string
}

// twinsView are the twins that were created last, with what each holds, as far as the caller
// may see.
type twinsView struct {
	Refusal *refusal // why there are none
	Holds   []holding
	Twins   []twinView
	More    string
	Empty   *emptyView
}

// twinView is a twin in that table.
type twinView struct {
	Path, Name, Kind string
	Account          valueView
	Counts           []countView
}

// countView is how many records a twin holds, with the address of the page that has them.
type countView struct{ Text, Link string }

// twinsHere are the twins of the page, newest first; nil where no twins are served.
func (r *request) twinsHere() (*twinsView, error) {
	if !r.console.areas["twins"] {
		return nil, nil
	}
	var page []overviewTwin
	next, err := r.list("/twins?"+queryOf([]string{
		"$top", strconv.Itoa(pageOfTwins), "$orderby", "createdDateTime desc",
		"$continuationToken", r.Query("page"), "$skip", r.Query("skip"),
	}), "twins", &page)
	v := &twinsView{Holds: r.heldByTwins()}
	if refused, ok := asRefusal(err); ok { // whatever it is, the rest of the page shows more
		v.Refusal = refused
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	counts, err := askAll(len(page)*len(v.Holds), func(i int) (countView, error) {
		return r.count(v.Holds[i%len(v.Holds)], page[i/len(v.Holds)].ID), nil
	})
	if err != nil {
		return nil, err
	}
	for i, t := range page {
		v.Twins = append(v.Twins, twinView{
			Path: at("browse", "twins", t.ID), Name: cmp.Or(t.DisplayName, t.ID), Account: r.accountOf(&t),
			Kind:   strings.TrimSpace(t.Class + " " + other(t.SubClass, t.Class)),
			Counts: counts[i*len(v.Holds) : (i+1)*len(v.Holds)],
		})
	}
	if len(page) == 0 {
		v.Empty = r.empty(r.console.placeOf("/twins"), "/twins", false)
		v.Empty.Text = "There are no twins, or none that are visible to you. Start the server with -seed FILE to " +
			"create " +
			"some, or with -import FILE for schedules of planner files."
	}
	if u, err := url.Parse(next); err == nil && next != "" {
		v.More = r.Here("page", u.Query().Get("$continuationToken"), "skip", u.Query().Get("$skip"))
	}
	return v, nil
}

// accountOf is the account of a twin by its name, which everybody may know who sees the twin.
// An account that was given no name is called by its id, or is yours.
func (r *request) accountOf(t *overviewTwin) valueView {
	if t.TwinAccountID == nil {
		return valueView{}
	}
	id := *t.TwinAccountID
	path := at("twins", id)
	account := r.look(path, "twin")
	if account == nil {
		if account = r.look(at("twins", t.ID, "account"), "twin"); account != nil {
			r.looks[path] = account
		}
	}
	name := cmp.Or(account.text("displayName"), id)
	if name == id && id == r.who.principal.AccountID {
		name = "Your account"
	}
	return valueView{Text: name}
}

// holding is a list of what a twin holds.
type holding struct{ Heading, area, path, member, page, top string }

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
func (r *request) count(h holding, twin string) countView {
	n := 0
	for _, err := range records[struct{}](r, h.path+"?"+queryOf([]string{"twinId", twin, "$top", h.top}), h.member) {
		if refusedWith(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound) {
			return countView{Text: "no permission"}
		}
		if err != nil {
			return countView{Text: "?"}
		}
		if n++; n == mostCounted {
			break
		}
	}
	v := countView{Text: strconv.Itoa(n)}
	switch n {
	case 0:
		return v
	case mostCounted:
		v.Text += " or more"
	}
	v.Link = r.Link(h.page, "twinId", twin)
	return v
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

// probeView is how an area answers the viewer. Tone is the class of its state, empty where
// that says nothing of the area.
type probeView struct {
	Name, State, Tone, Took string
	Plain                   bool // it says nothing of the area, which was not asked
}

// probed asks each area. Those that are not well come first.
func (r *request) probed() (all []probeView) {
	twin := ""
	if r.console.areas["twins"] {
		if first, _, err := r.objects("/twins?$top=1", "twins"); err == nil && len(first) > 0 {
			twin = first[0].text("id")
		}
	}
	for _, p := range probes {
		if r.console.areas[p.area] {
			all = append(all, r.probe(p.name, p.target, twin))
		}
	}
	slices.SortStableFunc(all, func(a, b probeView) int { return rank(a.Tone != "bad", b.Tone != "bad") })
	return all
}

// probe asks an area, and reports how it answers.
func (r *request) probe(name, target, twin string) probeView {
	v := probeView{Name: name}
	if strings.Contains(target, "{twin}") && twin == "" {
		v.State, v.Plain = "not checked: no twin is visible to you", true
		return v
	}
	began := time.Now()
	a, err := r.send(http.MethodGet, strings.ReplaceAll(target, "{twin}", url.PathEscape(twin)), nil)
	v.State, v.Tone, v.Took = "does not answer", "bad", took(time.Since(began))
	switch {
	case err != nil:
	case a.status < 300:
		v.State, v.Tone = "answers", "good"
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status == http.StatusNotFound:
		v.State, v.Tone = "answers, not for you", ""
	case a.status == http.StatusTooManyRequests:
		v.State, v.Tone = "too many requests", "warn"
	case a.status < http.StatusInternalServerError: // it does not take the twin, as forms take those with a GUID alone
		v.State, v.Tone = "answers, not about this twin", ""
	}
	return v
}

// cardView is a first step with the page where it is done.
type cardView struct{ Title, Text, Path string }

// Tour are the first steps on the first page, as long as the viewer sees nothing in the platform:
// no twin and no webhook. After that, and where the API does not say, there are none.
func (r *request) Tour() (cards []cardView) {
	served := r.console.areas
	for _, list := range []struct{ area, target, member string }{
		{"twins", "/twins?$top=1&includeInactive=true", "twins"}, {"webhooks", "/webhooks", "webhooks"},
	} {
		if !served[list.area] {
			continue
		}
		if found, _, err := r.objects(list.target, list.member); err != nil || len(found) > 0 {
			return nil
		}
	}
	if served["twins"] && served["schedules"] && r.Writable() {
		cards = append(cards, cardView{
			"Import a plan", "Make a twin, then a schedule in it, and give it a file of Primavera P6 or Microsoft " +
				"Project.",
			"/edit/twins.create?next=/schedules",
		})
	}
	if served["webhooks"] && r.Writable() {
		text := "Have events sent to an address of yours."
		if r.console.cfg.Inbox != nil {
			text = "Have events sent to an address of yours, or receive them here and see what comes."
		}
		cards = append(cards, cardView{"Make a webhook", text, "/edit/webhooks.create"})
	}
	if r.console.cfg.Journal != nil {
		cards = append(cards, cardView{
			"Look at requests", "See what your client sent last, what was answered, and what nothing has read.",
			"/requests",
		})
	}
	return append(cards, cardView{"Run a test", "Send any operation by a form, and see what it answers.", "/try"})
}

// hourView are the requests of the last hour.
type hourView struct {
	journal.Minute // all of them

	Whose   string
	Busiest int // requests in the busiest minute
	Width   int // of the chart
	Height  int
	Label   string
	Bars    []minuteView
}

// minuteView is the bar of a minute in the chart.
type minuteView struct {
	Title string
	Parts []rectView
}

// rectView is a part of a bar.
type rectView struct {
	Class               string
	X, Y, Width, Height int
}

// Size of the chart of the last hour, in units of its picture.
const (
	minuteWidth = 10
	hourHeight  = 80
)

// lastHour are the requests of the last hour; nil where no journal is kept.
func (r *request) lastHour() *hourView {
	j := r.console.cfg.Journal
	if j == nil {
		return nil
	}
	may, whose := r.may(), "yours"
	if r.operator() {
		may, whose = nil, "of everybody"
	}
	minutes := j.Minutes(may)
	v := &hourView{Whose: whose, Width: minuteWidth * len(minutes), Height: hourHeight}
	for _, m := range minutes {
		v.Requests, v.Refused, v.Failed = v.Requests+m.Requests, v.Refused+m.Refused, v.Failed+m.Failed
		v.Busiest = max(v.Busiest, m.Requests)
	}
	v.Label = counts(v.Minute) + ", in " + strconv.Itoa(len(minutes)) + " minutes"
	for i, m := range minutes {
		if m.Requests > 0 {
			v.Bars = append(v.Bars, v.bar(i*minuteWidth, m))
		}
	}
	return v
}

func counts(m journal.Minute) string {
	return fmt.Sprintf("%d requests, %d refused, %d failed", m.Requests, m.Refused, m.Failed)
}

// Highest is how many requests the highest bar stands for.
func (v *hourView) Highest() int { return max(v.Busiest, 1) }

// bar is that of a minute: what failed at the bottom, then what was refused, then the rest.
func (v *hourView) bar(left int, m journal.Minute) minuteView {
	bar := minuteView{Title: m.Began.UTC().Format("15:04") + " UTC: " + counts(m)}
	foot := hourHeight
	for _, part := range []struct {
		class string
		n     int
	}{{"failed", m.Failed}, {"refused-part", m.Refused}, {"asked", m.Requests - m.Failed - m.Refused}} {
		if part.n <= 0 {
			continue
		}
		high := max(2, part.n*(hourHeight-4)/v.Busiest)
		foot -= high
		bar.Parts = append(bar.Parts, rectView{part.class, left + 1, max(0, foot), minuteWidth - 2, high})
	}
	return bar
}

// nearlyFull is the share of a budget from which on it is shown as a warning, which is also
// the one from which the platform logs it.
const nearlyFull = 0.8

// roomView is how much of a budget of bytes is used. Tone is the class of its state.
type roomView struct {
	Name, Used, Allowed, State, Tone string
	Plain                            bool // there is no budget to be full
}

// rooms are the budgets that the viewer may know of.
func (r *request) rooms() (all []roomView) {
	if r.console.cfg.Room == nil {
		return nil
	}
	for _, m := range r.console.cfg.Room(r.who.principal, r.operator()) {
		v := roomView{m.Name, bytesText(m.Used), bytesText(m.Allowed), "room left", "good", m.Allowed == 0}
		switch share := float64(m.Used) / float64(max(m.Allowed, 1)); {
		case m.Allowed == 0:
			v.Allowed, v.State, v.Tone = "any number", "no budget", ""
		case share >= 1:
			v.State, v.Tone = "full: deletions make room", "bad"
		case share > nearlyFull:
			v.State, v.Tone = fmt.Sprintf("%.0f %% used", 100*share), "warn"
		}
		all = append(all, v)
	}
	return all
}

// bytesText is a number of bytes as people read it.
func bytesText(n int64) string {
	const unit = 1 << 10
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, at := float64(n)/unit, 0
	for ; value >= unit && at < 4; at++ {
		value /= unit
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[at])
}
