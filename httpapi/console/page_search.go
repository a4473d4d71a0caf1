package console

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

var searchPages = table{{pattern: "GET /search", title: "Search", page: searchPage}}

// Bounds of the search for everything: how long it looks through plans and how long it takes at most, of how many twins
// and schedules, and how much it shows of each kind.
const (
	planTime       = 2 * time.Second
	searchTime     = 3 * time.Second
	plansSearched  = 200
	shownOfAKind   = 20
	keptOfAKind    = 200
	minSearchRunes = 2
)

// everythingView is what was found of everything.
type everythingView struct {
	*request
	Find   string
	Short  bool // too short to search for
	Twins  []optionView
	Groups []foundGroup
	Left   []string // what was not looked through
}

// foundGroup is what was found of one kind.
type foundGroup struct {
	Title string
	Found []foundView
	More  bool // than are shown, or than were looked through
}

// foundView is a record that was found.
type foundView struct {
	Name, Code, ID, Where, Link string

	rank int // of what it is in: the lower the more recent
}

// search looks for a text, as the viewer.
type search struct {
	*request
	find string // in lower case
	text string // as it was typed

	mu     sync.Mutex
	groups map[string]*foundGroup
	plans  []searchedPlan // the one that was changed last is the first
	unseen []string       // the names of plans that were not looked through
	missed int            // lists of twins that were not
}

// searchedPlan is a schedule, with its twin and when its latest operation changed.
type searchedPlan struct {
	object

	twin    object
	changed string
}

// searchPage searches everything for a text of its query, in one twin or in all: at first schedules, then what is in
// those that were changed last, and then everything else.
func searchPage(r *request) (view, error) {
	v := everythingView{request: r, Find: strings.TrimSpace(r.Query("q"))}
	s := &search{find: strings.ToLower(v.Find), text: v.Find, groups: make(map[string]*foundGroup)}
	over, stop := context.WithTimeout(r.Context(), searchTime)
	defer stop()
	plans, stopPlans := context.WithTimeout(over, planTime)
	defer stopPlans()
	s.request = r.until(plans)
	var twins []object
	var left bool
	var err error
	if r.console.areas["twins"] {
		twins, left, err = s.twinsOf("")
		if err != nil && !refusedWith(err, http.StatusForbidden, http.StatusTooManyRequests) {
			return view{}, err
		}
	}
	places := append([]string{"", "All twins"}, twinPairs(twins)...)
	if chosen := r.Query("twinId"); chosen != "" {
		one := r.twinWith(chosen, twins)
		if !slices.Contains(places, chosen) {
			places = append(places, chosen, nameOf(one))
		}
		twins, left = []object{one}, false
	}
	v.Twins = options(r.Query("twinId"), places...)
	if v.Short = len([]rune(v.Find)) < minSearchRunes; v.Short {
		return r.show("search", v)
	}
	s.everywhere()
	twins = s.findPlans(twins)
	s.inPlans()
	s.request = r.until(over)
	s.inTwins(twins)
	v.Groups, v.Left = s.shown(), s.left(left)
	return r.show("search", v)
}

// until is the request for as long as a context lasts.
func (r *request) until(ctx context.Context) *request {
	within := *r
	within.Request = r.WithContext(ctx)
	return &within
}

// shown are the groups with what the page shows of them: twins, schedules and tasks first.
func (s *search) shown() (all []foundGroup) {
	first := []string{"Twins", "Schedules", "Tasks"}
	titles := append(first, slices.DeleteFunc(slices.Sorted(maps.Keys(s.groups)), func(title string) bool {
		return slices.Contains(first, title)
	})...)
	for _, title := range titles {
		if g := s.groups[title]; g != nil && (len(g.Found) > 0 || g.More) {
			g.More = g.More || len(g.Found) > shownOfAKind
			g.Found = g.Found[:min(len(g.Found), shownOfAKind)]
			all = append(all, *g)
		}
	}
	return all
}

// left says what was not looked through. twins reports that there are more twins than that are looked into.
func (s *search) left(twins bool) (all []string) {
	if n := len(s.unseen); n > 0 {
		named := s.unseen[:min(n, maxNamed)]
		text := "The tasks of " + plural(n, "schedule") + " were not searched: " + strings.Join(named, ", ")
		if n > len(named) {
			text += " and others"
		}
		all = append(all, text+".")
	}
	if s.missed > 0 {
		all = append(all, plural(s.missed, "list")+" of other records could not be searched in time.")
	}
	if twins {
		all = append(all, fmt.Sprintf("Only the first %d twins were searched.", maxTwins))
	}
	return all
}

// findPlans searches the schedules of all twins, and keeps them: those first that were changed last. It returns the
// twins, those first that have these.
func (s *search) findPlans(twins []object) []object {
	if !s.console.areas["schedules"] {
		return twins
	}
	plans := make([][]searchedPlan, len(twins))
	s.together(len(twins), func(i int) { plans[i] = s.schedules(twins[i]) }, func(i int) {
		s.unseen = append(s.unseen, "those of "+nameOf(twins[i]))
	})
	s.plans = slices.Concat(plans...)
	slices.SortStableFunc(s.plans, func(a, b searchedPlan) int { // ids that the platform chooses grow
		return cmp.Or(cmp.Compare(b.changed, a.changed), cmp.Compare(b.text("id"), a.text("id")))
	})
	rank := make(map[string]int)
	for i, p := range slices.Backward(s.plans) {
		rank[p.twin.text("id")] = i - len(s.plans)
		if s.matches(p.object) {
			s.found("Schedules", false, foundView{
				nameOf(p.object), codeOf(p.object), p.text("id"), nameOf(p.twin),
				s.Link(at("schedules", p.text("id"))), i,
			})
		}
	}
	return slices.SortedStableFunc(slices.Values(twins), func(a, b object) int {
		return cmp.Compare(rank[a.text("id")], rank[b.text("id")])
	})
}

// inPlans looks for tasks and operations of the schedules.
func (s *search) inPlans() {
	unseen := func(i int) { s.unseen = append(s.unseen, nameOf(s.plans[i].object)) }
	most := min(len(s.plans), plansSearched)
	s.together(most, func(i int) {
		s.tasks(s.plans[i].object, i)
		s.operations(s.plans[i].object, i)
	}, unseen)
	for i := most; i < len(s.plans); i++ {
		unseen(i)
	}
}

// inTwins looks into the lists of what belongs to twins.
func (s *search) inTwins(twins []object) {
	var lists []*place
	for i := range s.console.places {
		if p := &s.console.places[i]; p.searched() && p.list != "/schedules" && s.listOf(p, "x") != "" {
			lists = append(lists, p)
		}
	}
	s.together(len(twins)*len(lists), func(i int) {
		twin := i / len(lists)
		s.list(lists[i%len(lists)], twins[twin], twin)
	}, func(int) { s.missed++ })
}

// everywhere looks into the lists that are of no twin, and for the twin with the id that is searched for.
func (s *search) everywhere() {
	s.twinByID()
	for i := range s.console.places {
		if p := &s.console.places[i]; p.searched() && len(namesIn(p.List)) == 0 && s.listOf(p, "x") == "" {
			s.list(p, object{}, 0)
		}
	}
}

// searched reports whether a list is searched: that of records that people call something, which no other has.
func (p *place) searched() bool {
	return p.List != "" && p.Label != "" && strings.HasPrefix(p.One, p.List+"/{")
}

// listOf is the list of a twin, as the API has it; empty for what belongs to no twin, or to something else.
func (s *search) listOf(p *place, twin string) string {
	if names := namesIn(p.List); len(names) > 0 {
		return known{"twinId": url.PathEscape(twin)}.fill(p.List)
	}
	for _, of := range p.Query {
		if strings.HasPrefix(of.Refers, "/twins/{") && p.isOf(of) && p.list != "/webhooks" {
			return p.List + "?" + queryOf([]string{of.Name, twin})
		}
	}
	return ""
}

// together does n things, some at a time, and notes those for which there was no time.
func (s *search) together(n int, do, missed func(i int)) {
	_, _ = askAll(n, func(i int) (done struct{}, err error) { // they say themselves what failed
		if s.Context().Err() == nil {
			do(i)
		} else {
			s.mu.Lock()
			defer s.mu.Unlock()
			missed(i)
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
		exact := func(v foundView) int {
			if strings.EqualFold(v.Name, s.text) {
				return 0
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(exact(a), exact(b)), cmp.Compare(a.rank, b.rank),
			cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID),
		)
	})
	g.Found = slices.CompactFunc(g.Found, func(a, b foundView) bool { return a.ID == b.ID && a.Where == b.Where })
	if len(g.Found) > keptOfAKind {
		g.Found, g.More = g.Found[:keptOfAKind], true
	}
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

// list searches one list, which the API does where it can.
func (s *search) list(p *place, twin object, rank int) {
	target, q := p.List, []string{}
	if id := twin.text("id"); id != "" {
		target = s.listOf(p, id)
	}
	by := p.takes("$search", "search")
	if by != "" {
		q = append(q, by, s.find)
	}
	for _, of := range p.Query {
		if of.All != "" {
			q = append(q, of.Name, of.All)
		}
	}
	if p.takes("$top") != "" {
		q = append(q, "$top", "50")
	}
	switch query := queryOf(q); {
	case query == "":
	case strings.Contains(target, "?"):
		target += "&" + query
	default:
		target += "?" + query
	}
	all, next, err := s.objects(target, p.Records, header{"Prefer", "return=representation"})
	if err != nil {
		s.failed(p.Title, err)
		return
	}
	in := known{"twinId": url.PathEscape(twin.text("id"))}
	for _, o := range all {
		if by != "" || s.matches(o) {
			one := in.with(p.One, o.text(p.ID)).fill(p.One)
			name := cmp.Or(o.text(p.Label), nameOf(o))
			s.found(p.Title, false, foundView{name, codeOf(o), o.text(p.ID), nameOf(twin), s.pageOf(one), rank})
		}
	}
	if next != "" {
		s.found(p.Title, true)
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
		s.found("Twins", false, foundView{
			nameOf(t), codeOf(t), t.text("id"), "", s.pageOf(at("twins", t.text("id"))), 0,
		})
	}
}

// schedules are those of a twin.
func (s *search) schedules(twin object) (plans []searchedPlan) {
	target := "/schedules?" + queryOf([]string{"twinId", twin.text("id"), "$top", strconv.Itoa(schedulesOfATwin)})
	for o, err := range records[object](s.request, target, "schedules") {
		if err != nil {
			s.failed("Schedules", err)
			return plans
		}
		if len(plans) == maxSchedules {
			s.found("Schedules", true)
			return plans
		}
		p := searchedPlan{object: o, twin: twin}
		path := at("schedules", o.text("id"))
		if latest, _, err := s.objects(path+"/operations?$top=1", "operations"); err == nil && len(latest) > 0 {
			p.changed, _ = latest[0].at("updatedAt").(string)
		}
		plans = append(plans, p)
	}
	return plans
}

// tasks are those of a schedule, which the API searches, except in schedules that it does not draw.
func (s *search) tasks(plan object, rank int) {
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
		s.found("Tasks", false, foundView{
			nameOf(o), codeOf(o), id, nameOf(plan), s.Link(path + at("tasks", id)), rank,
		})
	}
	if more {
		s.found("Tasks", true)
	}
}

// operations are the latest of a schedule.
func (s *search) operations(plan object, rank int) {
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
				s.Link(path + at("operations", o.text("id"))), rank,
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
