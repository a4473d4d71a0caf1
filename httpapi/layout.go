package httpapi

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// layout is what all handlers have in common that serve the same areas under the same
// vocabulary: where their routes are. It takes a hundred times as long to make as all
// else of a handler, so a program that makes a handler for each of its tests makes one
// layout. It knows the routes by their numbers, not what is behind them.
type layout struct {
	mux     *http.ServeMux
	dialect *vocabulary.Dialect // nil: the specification's
	firsts  []int               // the number of the first route of each area
	above   string              // as clients send it, see caseless
	parts   []string            // as clients send them
	methods []string            // of any route, in order
	// apart lists, by the route that was first with a pattern, the numbers of later routes
	// with the same pattern. Each of those has a segment that sets it apart.
	apart map[numbered][]numbered
	// lacking are the operations of the areas that nothing serves, with their paths as
	// clients send them.
	lacking []Operation

	listed     sync.Once
	operations []Operation // once they are listed

	described sync.Once
	document  []byte // once it is asked for
}

// maxLayouts bounds those that are kept, for programs that make vocabularies without
// end.
const maxLayouts = 64

var layouts = struct {
	sync.Mutex
	made map[string]func() (*layout, error) // by vocabulary and areas
}{made: make(map[string]func() (*layout, error))}

// layoutOf returns the layout of the areas, whose names say which routes they have. It
// fails when the vocabulary is not one for them.
func layoutOf(areas []cycle.Area, v Vocabulary) (*layout, error) {
	names := []string{v.words().Key()}
	for _, a := range areas {
		names = append(names, a.Name)
	}
	key := strings.Join(names, "\n")
	layouts.Lock()
	made, ok := layouts.made[key]
	if !ok {
		if len(layouts.made) == maxLayouts {
			clear(layouts.made)
		}
		made = sync.OnceValues(func() (*layout, error) { return layOut(areas, v) })
		layouts.made[key] = made
	}
	layouts.Unlock()
	return made()
}

func layOut(areas []cycle.Area, v Vocabulary) (l *layout, err error) {
	l = &layout{mux: http.NewServeMux(), apart: make(map[numbered][]numbered)}
	var table cycle.Routes
	for _, a := range areas {
		l.firsts = append(l.firsts, len(table))
		table = append(table, a.Table()...)
	}
	if l.dialect, err = v.speaking(table); err != nil {
		return nil, err
	}
	l.name(table, 0)
	l.above, l.parts = caseless(l.dialect)
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("paths contradict each other: %v", v)
		}
	}()
	taken := make(map[string]numbered)
	for i, r := range table {
		l.register(r, numbered(i), taken)
		if !slices.Contains(l.methods, r.Method) {
			l.methods = append(l.methods, r.Method)
		}
	}
	slices.Sort(l.methods)
	l.reserve(areas, table)
	l.mux.Handle("/", unknown)
	return l, nil
}

// reserve keeps the words of operations that nothing serves from being taken for ids.
func (l *layout) reserve(areas []cycle.Area, table cycle.Routes) {
	reserved := make(map[string]bool)
	for _, o := range unserved {
		if !slices.ContainsFunc(areas, func(a cycle.Area) bool { return a.Name == o.Area }) {
			continue
		}
		at := o.Path
		if l.dialect != nil {
			at = l.dialect.Of(o.Area).Path(o.Path)
		}
		l.lacks(o, at)
		for _, r := range table {
			takesAny := path.Dir(r.Path) == path.Dir(o.Path) && strings.HasPrefix(path.Base(r.Path), "{") &&
				!strings.HasPrefix(path.Base(o.Path), "{")
			if pattern := r.Method + " " + at; takesAny && !reserved[pattern] {
				reserved[pattern] = true
				l.mux.Handle(pattern, unknown)
				l.mux.Handle(pattern+"/{$}", unknown)
			}
		}
	}
}

// lacks notes an operation that nothing serves, with its path in the words of the dialect.
func (l *layout) lacks(o Operation, at string) {
	o.Path = at
	l.lacking = append(l.lacking, o)
}

// unserved is what a request asks for of what nothing serves; empty for anything else.
func (l *layout) unserved(r *http.Request) string {
	i := slices.IndexFunc(l.lacking,
		func(o Operation) bool { return o.Method == r.Method && leadsTo(o.Path, r.URL.Path) })
	if i < 0 {
		return ""
	}
	return l.lacking[i].Summary
}

// leadsTo reports whether a path is one of a pattern, in any case as those of routes are.
func leadsTo(pattern, path string) bool {
	wanted, got := strings.Split(pattern, "/"), strings.Split(strings.TrimSuffix(path, "/"), "/")
	return slices.EqualFunc(wanted, got, func(w, g string) bool {
		return strings.EqualFold(w, g) || strings.HasPrefix(w, "{") && g != ""
	})
}

// register adds a route to the mux. taken are the patterns so far of routes that are set
// apart.
func (l *layout) register(r *cycle.Route, n numbered, taken map[string]numbered) {
	for _, pattern := range r.Patterns() {
		first, shared := taken[pattern]
		switch {
		case !shared || r.Apart == "":
			l.mux.Handle(pattern, n)
		case !slices.Contains(l.apart[first], n):
			l.apart[first] = append(l.apart[first], n)
		}
		if r.Apart != "" && !shared {
			taken[pattern] = n
		}
	}
}

// name makes routes speak the dialect; first is the number of the first of them.
func (l *layout) name(table cycle.Routes, first int) {
	if l.dialect == nil {
		return
	}
	for i, r := range table {
		r.Speak(l.dialect.Wordings[first+i])
	}
}

// served are areas with their services behind a layout. The routes of each are made
// when they are first asked for, since most handlers of tests are asked for few.
type served struct {
	*layout
	tables []func() cycle.Routes // by the number of the area
}

// laidOut puts areas behind their layout.
func laidOut(areas []cycle.Area, v Vocabulary) (s served, err error) {
	if s.layout, err = layoutOf(areas, v); err != nil {
		return served{}, err
	}
	for i, a := range areas {
		s.tables = append(s.tables, sync.OnceValue(func() cycle.Routes {
			table := a.Table()
			s.name(table, s.firsts[i])
			return table
		}))
	}
	return s, nil
}

// route is the route of a number.
func (s served) route(n int) *cycle.Route {
	area := len(s.firsts) - 1
	for s.firsts[area] > n {
		area--
	}
	return s.tables[area]()[n-s.firsts[area]]
}

// routes are all routes.
func (s served) routes() (all cycle.Routes) {
	for _, table := range s.tables {
		all = append(all, table()...)
	}
	return all
}

// find is the number of the route for a request; unknown when there is none.
func (s served) find(r *http.Request) numbered {
	next, _ := s.mux.Handler(r)
	if n, ok := next.(numbered); ok && n != unknown {
		if n = s.meant(n, r); s.route(int(n)).Matches(r) {
			return n
		}
	}
	return unknown
}

// meant is the number of the route for a request among those that the mux does not
// distinguish from one that it found.
func (s served) meant(n numbered, r *http.Request) numbered {
	for _, other := range s.apart[n] {
		if s.route(int(other)).Matches(r) {
			return other
		}
	}
	return n
}

// allowed are the methods that the path of a request has, separated by commas.
func (s served) allowed(r *http.Request) string {
	var allow []string
	for _, method := range s.methods {
		probe := *r
		if probe.Method = method; s.find(&probe) != unknown {
			allow = append(allow, method)
		}
	}
	return strings.Join(allow, ", ")
}

// numbered is a route of whatever handler a request came through.
type numbered int

// unknown is the number of no route.
const unknown numbered = -1

// match takes down which route a mux finds for a request. The mux finds one for every path,
// and answers nothing.
type match struct {
	http.ResponseWriter
	n numbered
}

// ServeHTTP implements http.Handler.
func (n numbered) ServeHTTP(w http.ResponseWriter, _ *http.Request) { w.(*match).n = n }

// matched is the route for a request, to which it gives the values of its path; nil where
// there is none.
func (s served) matched(r *http.Request) *cycle.Route {
	if !canonical(r) {
		return nil // the mux would redirect to a path that the client did not ask for
	}
	m := match{n: unknown}
	overridden(r)
	s.mux.ServeHTTP(&m, r)
	return s.found(s.meant(m.n, r))
}

// overridden gives a request of the upload protocol the method that it means: clients send POST where what is
// between lets no PATCH or DELETE through (tus 1.0.0, X-HTTP-Method-Override).
func overridden(r *http.Request) {
	if r.Method != http.MethodPost || r.Header.Get("Tus-Resumable") == "" {
		return
	}
	switch method := r.Header.Get("X-Http-Method-Override"); method {
	case http.MethodPatch, http.MethodDelete:
		r.Method = method
	}
}

// found returns the route with a number, nil for unknown.
func (s served) found(n numbered) *cycle.Route {
	if n == unknown {
		return nil
	}
	return s.route(int(n))
}
