package console

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// request is what a browser asks for, and who asks.
type request struct {
	*http.Request

	console *Console
	w       http.ResponseWriter
	who     caller
	title   string            // of the page
	trail   []step            // from the section to the page, above its title
	looks   map[string]object // records that were looked up for their names, by their paths

	linked   map[string]object // tasks that were looked up at the ends of links, by their ids
	workdays map[string]int64  // seconds of work in a day, by the calendars that were looked up
	settings object            // by what the schedule of the page is scheduled; nil until it was looked up
	location *time.Location    // of the clocks of the schedule; nil until it was looked up
	undrawn  bool              // the schedule of the page is of v6.5, of which the API draws and judges no plan
}

// caller is who asks for a page.
type caller struct {
	principal twinplatform.Principal
	token     string
	session   string // id; empty where the caller acts without one
}

func (c caller) known() bool { return c.principal.ID != "" }

// target is where a browser goes after an act.
type target struct {
	path   string   // below the console's
	query  []string // name, value, …
	notice string
}

// to is the page where a browser goes after an act.
func to(path string, query ...string) target { return target{path: path, query: query} }

// withNotice is the page with a sentence on what was done, which is above it once.
func (t target) withNotice(notice string) target {
	t.notice = notice
	return t
}

// step is a page above another.
type step struct{ Path, Name string }

// below reports that the page lies below another.
func (r *request) below(path, name string) { r.trail = append(r.trail, step{path, name}) }

// at is the path of a page: of literal segments, and of values that are escaped.
//
//	at("schedules", id, "tasks")
func at(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(s))
	}
	return b.String()
}

// Link is the address of a page of the console, or of an asset, from this one: relative,
// so that it holds below whatever prefix the console is reached. path begins with a slash
// and is escaped, see at; query are names and values. Empty values are left out.
func (r *request) Link(path string, query ...string) string {
	here := strings.TrimPrefix(r.URL.EscapedPath(), r.console.cfg.Path+"/")
	out := strings.Repeat("../", strings.Count(here, "/")) + strings.TrimPrefix(path, "/")
	if first, _, _ := strings.Cut(out, "/"); first == "" || strings.ContainsFunc(first, ambiguous) {
		// With ./ before it no browser takes the first segment for a scheme or a host.
		out = "./" + strings.TrimLeft(out, "/")
	}
	if q := queryOf(query); q != "" {
		out += "?" + q
	}
	return out
}

// ambiguous reports whether a character may make the first segment of a relative address
// more than a segment: browsers take a colon for the end of a scheme, a backslash for a
// slash, and leave out tabs and line ends.
func ambiguous(r rune) bool { return r == ':' || r == '\\' || r <= ' ' || r == 0x7f }

// queryOf encodes alternating names and values, and leaves out those without a value.
func queryOf(pairs []string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(pairs[i]) + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

// Here is the address of this page with some values of its query changed; empty ones are
// left out.
func (r *request) Here(changed ...string) string {
	q := r.URL.Query()
	q.Del("notice")
	for i := 0; i+1 < len(changed); i += 2 {
		if q.Set(changed[i], changed[i+1]); changed[i+1] == "" {
			q.Del(changed[i])
		}
	}
	return "?" + q.Encode()
}

// Query is a value of the page's query.
func (r *request) Query(name string) string { return r.URL.Query().Get(name) }

// Writable reports whether the console changes anything for the viewer.
func (r *request) Writable() bool { return !r.console.cfg.ReadOnly }
