package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

var requestPages = table{
	{pattern: "GET /requests", title: "Requests", page: requests},
	{pattern: "GET /requests/{number}", page: oneRequest},
	{pattern: "POST /requests/recording", act: record},
	{pattern: "POST /requests/clear", act: clearRequests},
}

// pageOfRequests is how many are on a page.
const pageOfRequests = 50

// operator reports whether the viewer sees the requests of everybody.
func (r *request) operator() bool {
	return r.console.cfg.Operator != nil && r.console.cfg.Operator(r.who.principal)
}

// may says whose requests are shown.
func (r *request) may() func(twinplatform.Principal) bool {
	if r.operator() {
		return journal.Everybody
	}
	return journal.Own(r.who.principal)
}

// requests are the last exchanges of the journal, those of the viewer alone unless the
// program says that the viewer operates the server.
func requests(r *request) (html.Node, error) {
	j := r.console.cfg.Journal
	if j == nil {
		return html.Group(heading("Requests"), html.El("p", html.Class("empty"), html.Text("No journal is kept. "+
			"A program gives the console one (console.Config.Journal); the server keeps one with -journal 500."))), nil
	}
	before, _ := strconv.ParseUint(r.Query("before"), 10, 64)
	q := journal.Query{
		Operation: r.Query("operation"), Status: r.Query("status"), Principal: r.Query("principal"), Text: r.Query("text"),
		Method: r.Query("method"),
		Unread: r.Query("unread") != "", Before: before, Top: pageOfRequests, May: r.may(),
	}
	found, more := j.Exchanges(q)
	rows := make([]html.Node, len(found))
	for i, e := range found {
		rows[i] = r.requestRow(e)
	}
	heads := []string{"Time", "Status", "Request", "Operation", "Caller", "#Took"}
	live := html.Part(html.Attr("data-live", "3"))
	if before > 0 || !j.Recording() {
		live = nil
	}
	none := "There were no requests since the server was started, or none that match."
	pager := html.Node{}
	if more {
		pager = html.El(
			"p", html.Class("pager"),
			html.A(r.Here("before", strconv.FormatUint(found[len(found)-1].Number, 10)), html.Text("Older")),
		)
	}
	return html.Group(
		heading(
			"Requests",
			html.El(
				"div", html.Class("row"), html.El("span", html.Attr("data-live-controls", "list")),
				html.A(r.Here("before", ""), html.Class("button"), html.Text("Reload")),
			),
		),
		r.requestFilter(j),
		html.El("section", html.Attr("id", "list"), html.Attr("aria-label", "The latest requests"), live,
			dataTable("The latest requests, without their secrets", heads, rows, none), pager),
		r.journalState(j),
	), nil
}

// requestFilter narrows the list. Fields that are empty leave nothing out.
func (r *request) requestFilter(j *journal.Journal) html.Node {
	choose := func(name, label string, values []string) html.Node {
		now := r.Query(name)
		if now != "" && !slices.Contains(values, now) {
			values = append(values, now)
		}
		return html.El("div", html.Class("field"), html.El("label", html.Attr("for", name), html.Text(label)),
			html.El("select", html.Attr("id", name), html.Attr("name", name),
				html.El("option", html.Attr("value", ""), html.Text("all")),
				html.Each(values, func(v string) html.Node {
					return html.El("option", html.Attr("value", v), html.If(v == now, html.Flag("selected")), html.Text(v))
				})))
	}
	principal := html.Node{}
	if r.operator() {
		principal = r.input("principal", "Caller", "id or name")
	}
	unread := html.El(
		"label", html.Class("check"),
		html.El(
			"input", html.Attr("type", "checkbox"), html.Attr("name", "unread"), html.Attr("value", "1"),
			html.If(r.Query("unread") != "", html.Flag("checked")),
		),
		html.Text(" with something unread"),
	)
	return r.search(
		r.input("text", "Find", "path or request id"),
		choose("operation", "Operation", j.Operations(r.may())),
		choose("status", "Status", []string{"2xx", "3xx", "4xx", "5xx"}),
		choose("method", "Method", []string{"GET", "POST", "PATCH", "PUT", "DELETE"}),
		principal, unread,
		html.El("button", html.Text("Show")),
	)
}

// input is a field of a search with what was searched for.
func (r *request) input(name, label, hint string) html.Node {
	return html.El("div", html.Class("field"), html.El("label", html.Attr("for", name), html.Text(label)),
		html.El(
			"input", html.Attr("id", name), html.Attr("name", name), html.Attr("type", "search"),
			html.Attr("placeholder", hint), html.Attr("value", r.Query(name)),
		))
}

// requestRow is an exchange in the list, with the number of parts that no operation has
// read.
func (r *request) requestRow(e journal.Exchange) html.Node {
	n := strconv.FormatUint(e.Number, 10)
	unread := html.Node{}
	if len(e.Unread) > 0 {
		unread = html.Group(
			html.Text(" "),
			html.El(
				"span", html.Class("tag warn"), html.Attr("title", "Unknown: "+strings.Join(e.Unread, ", ")),
				html.Textf("%d unread", len(e.Unread)),
			),
		)
	}
	return html.El("tr",
		html.El(
			"td", html.Class("nowrap tabular"),
			html.El(
				"time", html.Attr("datetime", e.At.UTC().Format(time.RFC3339Nano)),
				html.Text(e.At.UTC().Format("15:04:05.000")),
			),
		),
		cell(statusTag(e.Status)),
		html.El(
			"td", html.Class("wide id"),
			html.A(r.Link(at("requests", n)), html.Attr("id", "request-"+n), html.Text(e.Method+" "+shortened(e.Target, 120))),
			unread,
		),
		html.El(
			"td", html.Class("nowrap"), html.Text(e.Operation),
			html.If(e.Code != "", html.Group(html.El("br"), html.El("small", html.Text(e.Code)))),
		),
		html.El("td", html.Class("nowrap"), html.Text(callerName(e.Principal))),
		number(html.Text(took(e.Duration))),
	)
}

func callerName(p twinplatform.Principal) string {
	return cmp.Or(p.DisplayName, p.ID, "no known caller")
}

// shortened is a text cut to a number of characters, with an ellipsis where it was cut.
func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// took is a duration in the unit in which it has few digits.
func took(d time.Duration) string {
	if d < time.Millisecond {
		return fmt.Sprintf("%d µs", d.Microseconds())
	}
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return d.Round(time.Second / 10).String()
}

// statusTag is a status of HTTP, in words for those who do not know the numbers.
func statusTag(status int) html.Node {
	kind := "good"
	switch {
	case status == 0:
		return html.El("span", html.Class("tag bad"), html.Text("no answer"))
	case status >= 500:
		kind = "bad"
	case status >= 400:
		kind = "warn"
	case status >= 300:
		kind = ""
	}
	return html.El("span", html.Class("tag "+kind), html.Attr("title", http.StatusText(status)), html.Int(status))
}

// journalState reports whether requests are recorded, and switches that for operators
// alone: what is recorded is of all callers.
func (r *request) journalState(j *journal.Journal) html.Node {
	text := fmt.Sprintf(
		"The last %d requests are kept in memory, without their secrets; those of these pages are not included.",
		j.Size(),
	)
	if !r.operator() {
		text += " You see your own."
	}
	if !j.Recording() {
		text = "The journal is off: requests are not recorded."
	}
	switches := html.Node{}
	if r.operator() {
		label, value := "Switch the journal off", "off"
		if !j.Recording() {
			label, value = "Switch the journal on", "on"
		}
		switches = r.form(
			"/requests/recording",
			html.El("button", html.Attr("name", "recording"), html.Attr("value", value), html.Text(label)),
		)
	}
	return html.Group(html.El("p", html.Class("muted"), html.Text(text)), html.El("div", html.Class("actions"), switches,
		r.form(
			"/requests/clear", html.Attr("data-confirm", "Delete these requests?"),
			html.El("button", html.Text("Delete these requests")),
		)))
}

func record(r *request) (target, error) {
	j := r.console.cfg.Journal
	if j == nil || !r.operator() {
		return target{}, &problem{
			http.StatusForbidden, "You do not have permission",
			"Only operators of the server switch the journal on and off.",
		}
	}
	on := r.PostForm.Get("recording") == "on"
	j.Record(on)
	if on {
		return to("/requests").withNotice("Requests are now recorded."), nil
	}
	return to("/requests").withNotice("Requests are no longer recorded."), nil
}

// clearRequests deletes the exchanges that the viewer may see: its own, or all of them
// where it operates the server.
func clearRequests(r *request) (target, error) {
	if j := r.console.cfg.Journal; j != nil {
		j.Clear(r.may())
	}
	return to("/requests").withNotice("The requests were deleted."), nil
}

// oneRequest is an exchange with both of its messages. One that has left the journal is not
// found for every caller, so that a number reveals nothing about the requests of others.
func oneRequest(r *request) (html.Node, error) {
	number, err := strconv.ParseUint(r.PathValue("number"), 10, 64)
	j := r.console.cfg.Journal
	if err != nil || j == nil {
		return html.Node{}, errNowhere
	}
	e, ok := j.Exchange(number, r.may())
	if !ok {
		return html.Node{}, &problem{
			http.StatusNotFound, "Request not found",
			"It was replaced by later ones, was deleted, or belongs to another caller.",
		}
	}
	r.below("/requests", "Requests")
	r.title = e.Method + " " + shortened(e.Target, 60)
	failure := html.Node{}
	if e.Code != "" {
		failure = fact("Error", html.El("code", html.Text(e.Code)))
	}
	try := html.Node{}
	if e.Operation != "" {
		try = html.Group(html.Text(" · "), html.A(r.Link(at("try", e.Operation)), html.Text("Try it")))
	}
	return html.Group(
		heading(e.Method+" "+e.Target),
		facts(
			fact("Answer", statusTag(e.Status), html.Text(" "+http.StatusText(e.Status))), failure,
			fact("Operation", html.Text(cmp.Or(e.Operation, "none has this method and path")), try),
			fact(
				"Caller", html.Text(callerName(e.Principal)),
				html.If(e.Principal.ID != "", html.El("small", html.Text(" "+e.Principal.ID+" of "+e.Principal.AccountID))),
			),
			fact(
				"When",
				html.El(
					"time", html.Attr("datetime", e.At.UTC().Format(time.RFC3339Nano)),
					html.Text(e.At.UTC().Format("2 Jan 2006 15:04:05.000 UTC")),
				),
			),
			fact("Took", html.Text(took(e.Duration))),
			fact("Request id", html.El("code", html.Text(e.RequestID))),
		),
		unreadNote(e.Unread),
		html.El("div", html.Class("columns"),
			html.El(
				"section", html.Attr("aria-labelledby", "sent"),
				html.El("h2", html.Attr("id", "sent"), html.Text("Sent")), messageOf(e.Request),
			),
			html.El(
				"section", html.Attr("aria-labelledby", "answered"),
				html.El("h2", html.Attr("id", "answered"), html.Text("Answered")), messageOf(e.Answer),
			),
		),
		curlOf(curl{
			method: e.Method, address: r.apiRoot(e.Host) + e.Target, headers: e.Request.Header, body: e.Request.Body,
			part: e.Request.Left,
		}),
	), nil
}

// unreadNote names what a client sent and nothing read.
func unreadNote(names []string) html.Node {
	if len(names) == 0 {
		return html.Node{}
	}
	return html.El("div", html.Class("warning"), html.El("p", html.El("strong", html.Text("Unknown: ")),
		html.Each(
			names, func(name string) html.Node { return html.Group(html.El("code", html.Text(name)), html.Text(" ")) },
		)),
		html.El("p", html.Text("It may be misspelled, or belong to another operation.")))
}

// messageOf is a request or an answer as the journal has kept it, secrets masked.
func messageOf(m journal.Message) html.Node {
	return html.Group(
		headerList(m.Header), bodyOf(m.Body),
		html.If(m.Left != "", html.El("p", html.Class("muted"), html.Text(m.Left))),
		html.If(m.Size == 0, html.El("p", html.Class("muted"), html.Text("No body."))),
	)
}

func headerList(all []journal.Header) html.Node {
	if len(all) == 0 {
		return html.Node{}
	}
	return html.El("dl", html.Class("facts small"), html.Each(all, func(h journal.Header) html.Node {
		return fact(h.Name, html.El("code", html.Text(h.Value)))
	}))
}

// bodyOf is JSON as people read it, its numbers as they are; anything else as it is.
func bodyOf(s string) html.Node {
	if s == "" {
		return html.Node{}
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(s), "", "  ") == nil {
		s = b.String()
	}
	return html.El("pre", html.Class("wrap"), html.Attr("tabindex", "0"), html.El("code", html.Text(s)))
}

// curl is a call as a command.
type curl struct {
	method, address string
	headers         []journal.Header
	body, part      string
}

// apiRoot is where the API is reached, from the host that a request named.
func (r *request) apiRoot(host string) string {
	if base := r.console.cfg.API.BaseURL; base != "" {
		return strings.TrimSuffix(base, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: host}).String()
}

// curlOf is the command that sends the request again. What was masked in the journal has to
// be filled in, which a note says.
func curlOf(c curl) html.Node {
	var b strings.Builder
	b.WriteString("curl -s")
	if c.method != http.MethodGet {
		b.WriteString(" -X " + shellWord(c.method))
	}
	b.WriteString(` -H "Authorization: Bearer $TOKEN"`)
	for _, h := range c.headers {
		switch h.Name {
		case "Accept", "Content-Type", "If-Match", "If-None-Match", "Prefer":
			b.WriteString(" \\\n  -H " + shellWord(h.Name+": "+h.Value))
		}
	}
	if c.body != "" {
		b.WriteString(" \\\n  --data-raw " + shellWord(c.body))
	}
	b.WriteString(" \\\n  " + shellWord(c.address))
	note := html.Node{}
	if c.part != "" || strings.Contains(b.String(), journal.Mask) {
		note = html.El("p", html.Class("muted"), html.Text("Fill in what was masked: "+cmp.Or(c.part, journal.Mask)+"."))
	}
	return html.El("section", html.Attr("aria-labelledby", "curl"),
		html.El(
			"div", html.Class("heading"), html.El("h2", html.Attr("id", "curl"), html.Text("The same with curl")),
			html.El(
				"button", html.Attr("type", "button"), html.Attr("data-copy", "curl-command"), html.Flag("hidden"),
				html.Text("Copy"),
			),
		),
		note,
		html.El(
			"pre", html.Class("wrap"), html.Attr("id", "curl-command"), html.Attr("tabindex", "0"),
			html.Text(b.String()),
		))
}

// shellWord is a text as one word of a shell.
func shellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./:=,@%+", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
