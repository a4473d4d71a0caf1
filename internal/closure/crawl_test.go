package closure_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// read is what a GET has answered.
type read struct {
	op     *operation
	target string // with the query
	path   string
	answer answer
	many   string // member that has the items of a list; empty: no list
	items  []map[string]any
	delta  string // token of a list
}

// reads are what all GETs have answered, in the order in which they were asked.
type reads struct {
	all []*read
	by  map[string]*read // by target
}

// mostBelow is how many records of a list are read one by one.
const mostBelow = 12

// crawl reads everything that can be reached.
func (w *world) crawl() *reads {
	w.Helper()
	out := &reads{by: make(map[string]*read)}
	chosen := make(map[string][]string)
	for more := true; more; {
		more = false
		for _, op := range w.contract.operations {
			if op.method != http.MethodGet || op.path == "/openapi.json" {
				continue
			}
			for _, path := range w.paths(op.segments, "", chosen) {
				for _, target := range w.targets(op, path) {
					if out.by[target] == nil {
						r := w.visit(op, target)
						out.by[target], more = r, true
						out.all = append(out.all, r)
					}
				}
			}
		}
	}
	return out
}

// paths are those that segments have in this world.
func (w *world) paths(segments []string, from string, chosen map[string][]string) (out []string) {
	for i, segment := range segments {
		param, ok := parameterName(segment)
		if !ok {
			from += "/" + segment
			continue
		}
		for _, id := range w.some(from, param, chosen) {
			out = append(out, w.paths(segments[i+1:], from+"/"+id, chosen)...)
		}
		return out
	}
	return []string{from}
}

// some are values of a parameter: all of them, or as many as are read of one list. Those that
// were chosen once stay chosen.
func (w *world) some(path, param string, chosen map[string][]string) []string {
	ids := w.known.below(path, param)
	if strings.HasPrefix(param, "twin") || param == "scheduleId" {
		return ids
	}
	kept := chosen[path]
	for _, i := range w.r.Perm(len(ids)) {
		if len(kept) >= mostBelow*scale() {
			break
		}
		if !slices.Contains(kept, ids[i]) {
			kept = append(kept, ids[i])
		}
	}
	chosen[path] = kept
	return kept
}

// targets are a path with the queries that a list may need.
func (w *world) targets(op *operation, path string) []string {
	out := []string{path}
	if slices.ContainsFunc(op.parameters, func(p parameter) bool { return p.name == "time" }) {
		out[0] += "?time=2026-03-02T08:00:00Z" // of what is answered for a moment
	}
	if strings.Contains(op.path, "{") {
		return out
	}
	for _, p := range op.parameters {
		if p.in != "query" || !strings.HasSuffix(p.name, "Id") {
			continue
		}
		if p.required {
			out = nil
		}
		for _, id := range w.known.values("", p.name) {
			out = append(out, path+"?"+url.Values{p.name: {id}}.Encode())
		}
	}
	return out
}

// visit reads one target, a list with all its pages.
func (w *world) visit(op *operation, target string) *read {
	w.Helper()
	path, _, _ := strings.Cut(target, "?")
	r := &read{op: op, target: target, path: path}
	for next := target; next != ""; {
		a := w.ask(request{method: http.MethodGet, target: next, header: whole(op)})
		if next == target {
			r.answer = a
		}
		if a.status != http.StatusOK {
			r.answer = a
			return r
		}
		w.learn(path, a)
		r.take(a)
		next = nextOf(a)
		r.delta = a.header.Get("Delta-Token")
	}
	return r
}

// whole asks for whole records where lists may have less of them.
func whole(op *operation) http.Header {
	for _, p := range op.parameters {
		if p.in == "header" && p.name == "Prefer" {
			return http.Header{"Prefer": {"return=representation"}}
		}
	}
	return http.Header{}
}

// take adds the items of a page.
func (r *read) take(a answer) {
	for name, items := range a.lists() {
		r.many = name
		for _, item := range items {
			if item, ok := item.(map[string]any); ok {
				r.items = append(r.items, item)
			}
		}
	}
}

// lists are those of an answer, by their members: at its top, or right below a member that has
// nothing else. A record that is answered as it is has lists too, and an id.
func (a answer) lists() map[string][]any {
	out := make(map[string][]any)
	if a.value["id"] != nil {
		return out
	}
	for name, v := range a.value {
		inner, _ := v.(map[string]any)
		if items, ok := v.([]any); ok {
			out[name] = items
		}
		for below, v := range inner {
			if items, ok := v.([]any); ok && alone(inner) {
				out[below] = items
			}
		}
	}
	return out
}

// alone reports whether an object has one member besides links.
func alone(o map[string]any) bool {
	n := len(o)
	if o["_links"] != nil {
		n--
	}
	return n == 1
}

// nextOf is the target of the next page; empty behind the last one.
func nextOf(a answer) string {
	links := object(a.value["_links"])
	for _, v := range a.value {
		if inner := object(v); links == nil && alone(inner) {
			links = object(inner["_links"])
		}
	}
	href, _ := object(links["next"])["href"].(string)
	return strings.TrimPrefix(href, baseURL)
}

// one is the record of an answer, and the member that it is in; empty where the answer is the
// record.
func (a answer) one() (member string, record map[string]any) {
	n := 0
	for name, v := range a.value {
		if name == "_links" {
			continue
		}
		n++
		if inner, ok := v.(map[string]any); ok {
			member, record = name, inner
		}
	}
	if n != 1 || record == nil {
		return "", a.value
	}
	return member, record
}
