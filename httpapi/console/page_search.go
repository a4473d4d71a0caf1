package console

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

var searchPages = table{{pattern: "GET /search", title: "Search", page: searchPage}}

// Bounds of the search for everything: how long it takes at most, in how many twins and schedules
// it looks, and how much it shows of each kind.
const (
	searchTime     = 3 * time.Second
	twinsSearched  = 10
	plansSearched  = 20
	shownOfAKind   = 20
	twinsToChoose  = 100
	minSearchRunes = 2
)

// everythingView is what was found of everything.
type everythingView struct {
	*request
	Find     string
	Short    bool // too short to search for
	Twins    []optionView
	Groups   []foundGroup
	Left     bool // twins or schedules that were not looked into
	Searched int  // twins
}

// foundGroup is what was found of one kind.
type foundGroup struct {
	Title string
	Found []foundView
	More  bool // than are shown, or than were looked through
}

// foundView is a record that was found.
type foundView struct{ Name, Code, ID, Where, Link string }

// foundIn is a list that is searched: of a twin where its address has {}.
type foundIn struct{ title, area, list, member, one string }

// foundEverywhere and foundInTwins are the lists. Where the API can search one, it does.
var (
	foundEverywhere = []foundIn{
		{"Twins", "twins", "/twins?$search={find}&includeInactive=true&$top=50", "twins", "/twins/{id}"},
		{
			"Reality data", "reality data", "/reality-management/reality-data?$search={find}&$top=50", "realityData",
			"/reality-management/reality-data/{id}",
		},
		{"Webhooks", "webhooks", "/webhooks", "webhooks", "/webhooks/{id}"},
	}
	foundInTwins = []foundIn{
		{"Forms", "forms", "/forms?twinId={}&$top=50", "forms.formDataInstances", "/forms/{id}"},
		{"Issues", "forms", "/issues?twinId={}&$top=50", "issues", "/issues/{id}"},
		{"Models", "models", "/models?twinId={}&$top=200", "models", "/models/{id}"},
		{"Saved views", "models", "/saved-views?twinId={}&$top=200", "savedViews", "/saved-views/{id}"},
		{
			"Members", "accessControl", "/access-control/twins/{}/members?$top=200", "members",
			"/access-control/twins/{}/members/{id}",
		},
	}
)

// foundOrder is the order of kinds on the page.
var foundOrder = []string{
	"Twins", "Schedules", "Tasks", "Forms", "Issues", "Models", "Saved views", "Members", "Reality data", "Operations",
	"Webhooks",
}

// search looks for a text, as the viewer.
type search struct {
	*request
	find string // in lower case
	text string // as it was typed

	mu     sync.Mutex
	groups map[string]*foundGroup
	plans  []object // schedules, with the names of their twins
}

// searchPage searches everything for a text of its query, in one twin or in the first ones.
func searchPage(r *request) (view, error) {
	v := everythingView{request: r, Find: strings.TrimSpace(r.Query("q"))}
	ctx, stop := context.WithTimeout(r.Context(), searchTime)
	defer stop()
	within := *r
	within.Request = r.WithContext(ctx)
	s := &search{request: &within, find: strings.ToLower(v.Find), text: v.Find, groups: make(map[string]*foundGroup)}
	var twins []object
	var next string
	var err error
	if r.console.areas["twins"] {
		twins, next, err = s.objects("/twins?"+queryOf([]string{"$top", fmt.Sprint(twinsToChoose)}), "twins")
		if err != nil && !refusedWith(err, http.StatusForbidden, http.StatusTooManyRequests) {
			return view{}, err
		}
	}
	chosen := r.Query("twinId")
	places := []string{"", "All twins"}
	for _, t := range twins {
		places = append(places, t.text("id"), nameOf(t))
	}
	var one object
	if chosen != "" {
		if one = r.twinWith(chosen, twins); !slices.Contains(places, chosen) {
			places = append(places, chosen, nameOf(one))
		}
	}
	v.Twins = options(chosen, places...)
	if v.Short = len([]rune(v.Find)) < minSearchRunes; v.Short {
		return r.show("search", v)
	}
	v.Left = next != "" || len(twins) > twinsSearched
	if chosen != "" {
		twins, v.Left = []object{one}, false
	}
	twins = twins[:min(len(twins), twinsSearched)]
	v.Searched = len(twins)
	s.inTwins(twins)
	if len(s.plans) > plansSearched {
		s.plans, v.Left = s.plans[:plansSearched], true
	}
	s.inPlans()
	v.Left = v.Left || ctx.Err() != nil
	for _, title := range foundOrder {
		if g := s.groups[title]; g != nil && (len(g.Found) > 0 || g.More) {
			g.More = g.More || len(g.Found) > shownOfAKind
			g.Found = g.Found[:min(len(g.Found), shownOfAKind)]
			v.Groups = append(v.Groups, *g)
		}
	}
	return r.show("search", v)
}

// inTwins looks into the lists of all areas, and keeps the schedules for what lies below them.
func (s *search) inTwins(twins []object) {
	var jobs []func()
	for _, in := range foundEverywhere {
		jobs = append(jobs, func() { s.list(in, object{}) })
	}
	jobs = append(jobs, s.twinByID)
	plans := make([][]object, len(twins))
	for i, t := range twins {
		if s.console.areas["schedules"] {
			jobs = append(jobs, func() { plans[i] = s.schedules(t) })
		}
		for _, in := range foundInTwins {
			jobs = append(jobs, func() { s.list(in, t) })
		}
	}
	s.together(jobs)
	s.plans = slices.Concat(plans...)
}

// together does jobs, some at a time.
func (s *search) together(jobs []func()) {
	_, _ = askAll(len(jobs), func(i int) (done struct{}, err error) { // jobs say themselves what failed
		if s.Context().Err() == nil {
			jobs[i]()
		}
		return done, nil
	})
}

// found adds what was found of a kind, and whether there may be more.
func (s *search) found(title string, more bool, found ...foundView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[title]
	if g == nil {
		g = &foundGroup{Title: title}
		s.groups[title] = g
	}
	g.Found, g.More = append(g.Found, found...), g.More || more
	slices.SortStableFunc(g.Found, func(a, b foundView) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Link, b.Link))
	})
	g.Found = slices.CompactFunc(g.Found, func(a, b foundView) bool { return a.Link == b.Link })
}

// failed notes that a list was not searched. What the viewer may not see has nothing to find.
func (s *search) failed(title string, err error) {
	if !refusedWith(
		err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest,
		http.StatusUnprocessableEntity,
	) {
		s.found(title, true)
	}
}

// list searches one list.
func (s *search) list(in foundIn, twin object) {
	if !s.console.areas[in.area] {
		return
	}
	id := url.PathEscape(twin.text("id"))
	target := strings.NewReplacer("{find}", url.QueryEscape(s.find), "{}", id).Replace(in.list)
	all, next, err := s.objects(target, in.member)
	if err != nil {
		s.failed(in.title, err)
		return
	}
	searched := strings.Contains(in.list, "{find}")
	for _, o := range all {
		if searched || s.matches(o) {
			one := strings.NewReplacer("{}", id, "{id}", url.PathEscape(o.text("id"))).Replace(in.one)
			s.found(in.title, false, foundView{nameOf(o), codeOf(o), o.text("id"), nameOf(twin), s.pageOf(one)})
		}
	}
	if next != "" {
		s.found(in.title, true)
	}
}

// twinByID finds a twin whose id is searched for, which the API does not search by.
func (s *search) twinByID() {
	if !s.console.areas["twins"] || strings.ContainsAny(s.text, "/\\") || strings.Trim(s.text, ".") == "" {
		return
	}
	var body object
	if _, err := s.get(at("twins", s.text), &body); err == nil {
		t := body.object("twin")
		s.found("Twins", false, foundView{nameOf(t), codeOf(t), t.text("id"), "", s.pageOf(at("twins", t.text("id")))})
	}
}

// schedules searches those of a twin, and returns all of them.
func (s *search) schedules(twin object) []object {
	all, next, err := s.objects("/schedules?"+queryOf([]string{"twinId", twin.text("id"), "$top", "100"}), "schedules")
	if err != nil {
		s.failed("Schedules", err)
		return nil
	}
	for _, o := range all {
		if s.matches(o) {
			s.found("Schedules", false, foundView{
				nameOf(o), codeOf(o), o.text("id"), nameOf(twin), s.Link(at("schedules", o.text("id"))),
			})
		}
	}
	if next != "" {
		s.found("Schedules", true)
	}
	return all
}

// inPlans looks for tasks and operations of the schedules.
func (s *search) inPlans() {
	var jobs []func()
	for _, p := range s.plans {
		jobs = append(jobs, func() { s.tasks(p) }, func() { s.operations(p) })
	}
	s.together(jobs)
}

// tasks are those of a schedule, which the API searches, except in schedules that it does not draw.
func (s *search) tasks(plan object) {
	path := at("schedules", plan.text("id"))
	var all []object
	more := false
	if plan.text("type") == "v6.5" {
		list, next, err := s.objects(path+"/tasks?$top=1000", "tasks")
		if err != nil {
			s.failed("Tasks", err)
		}
		all, more = slices.DeleteFunc(list, func(o object) bool { return !s.matches(o) }), next != ""
	} else {
		var drawn object
		if _, err := s.get(path+"/gantt.json?"+queryOf([]string{"rows", "50", "search", s.find}), &drawn); err != nil {
			s.failed("Tasks", err)
			return
		}
		rows := drawn.objects("gantt.rows")
		all = slices.DeleteFunc(rows, func(o object) bool { return !o.is("isMatch") })
		more = drawn.object("gantt").int("pageCount") > 1
	}
	for _, o := range all {
		id := cmp.Or(o.text("taskId"), o.text("id"))
		s.found("Tasks", false, foundView{nameOf(o), codeOf(o), id, nameOf(plan), s.Link(path + at("tasks", id))})
	}
	if more {
		s.found("Tasks", true)
	}
}

// operations are the latest of a schedule.
func (s *search) operations(plan object) {
	path := at("schedules", plan.text("id"))
	all, next, err := s.objects(path+"/operations?$top=50", "operations")
	if err != nil {
		s.failed("Operations", err)
		return
	}
	found := false
	for _, o := range all {
		if s.matches(o) {
			found = true
			s.found("Operations", false, foundView{
				o.text("kind"), o.text("status"), o.text("id"), nameOf(plan),
				s.Link(path + at("operations", o.text("id"))),
			})
		}
	}
	if found && next != "" {
		s.found("Operations", true)
	}
}

// searchedMembers are what a record is known by.
var searchedMembers = strings.Fields(
	"id name displayName subject number code userDefinedId email surname givenName callbackUrl kind failureCode",
)

// matches reports whether a record is known by the text.
func (s *search) matches(o object) bool {
	return slices.ContainsFunc(searchedMembers, func(member string) bool {
		return strings.Contains(strings.ToLower(o.text(member)), s.find)
	})
}

// nameOf is what people call a record.
func nameOf(o object) string {
	name := cmp.Or(o.text("displayName"), o.text("name"), o.text("subject"))
	return cmp.Or(name, o.text("callbackUrl"), o.text("email"), o.text("id"))
}

// codeOf is what a record is called in the trade, or by another system.
func codeOf(o object) string {
	return cmp.Or(o.text("userDefinedId"), o.text("number"), o.text("code"), o.text("email"))
}
