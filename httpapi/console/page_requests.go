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

	"github.com/seed-933f9a09/twinplatform"
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

// requestsView is the list of requests, with what narrows it.
type requestsView struct {
	*request

	Journal   *journal.Journal
	Operator  bool
	Live      bool // the list is read again as it changes
	Filters   []filterView
	Exchanges []exchangeView
	Older     string // the address of those before; empty where there are none
}

// filterView is a choice that narrows a list.
type filterView struct {
	Name, Label string
	Options     []optionView
}

// exchangeView is a request with its answer.
type exchangeView struct {
	journal.Exchange
	Status httpStatus
}

// requests are the last exchanges of the journal, those of the viewer alone unless the
// program says that the viewer operates the server.
func requests(r *request) (view, error) {
	j := r.console.cfg.Journal
	if j == nil {
		return r.show("requests", requestsView{request: r})
	}
	before, _ := strconv.ParseUint(r.Query("before"), 10, 64)
	found, more := j.Exchanges(journal.Query{
		Operation: r.Query("operation"), Status: r.Query("status"), Principal: r.Query("principal"),
		Text:   r.Query("text"),
		Method: r.Query("method"),
		Unread: r.Query("unread") != "", Before: before, Top: pageOfRequests, May: r.may(),
	})
	page := requestsView{
		request: r, Journal: j, Operator: r.operator(), Live: before == 0 && j.Recording(),
		Filters: []filterView{
			r.filter("operation", "Operation", j.Operations(r.may())),
			r.filter("status", "Status", []string{"2xx", "3xx", "4xx", "5xx"}),
			r.filter("method", "Method", []string{"GET", "POST", "PATCH", "PUT", "DELETE"}),
		},
	}
	for _, e := range found {
		page.Exchanges = append(page.Exchanges, exchangeView{e, httpStatus(e.Status)})
	}
	if more {
		page.Older = r.Here("before", strconv.FormatUint(found[len(found)-1].Number, 10))
	}
	return r.show("requests", page)
}

// filter is a choice of one value, or of all. What the address asks for is among them.
func (r *request) filter(name, label string, values []string) filterView {
	now := r.Query(name)
	if now != "" && !slices.Contains(values, now) {
		values = append(values, now)
	}
	all := []optionView{{"", "all", false}}
	for _, v := range values {
		all = append(all, optionView{v, v, v == now})
	}
	return filterView{name, label, all}
}

// Number is as it is in paths.
func (e exchangeView) Number() string { return strconv.FormatUint(e.Exchange.Number, 10) }

// Path is that of its page.
func (e exchangeView) Path() string { return at("requests", e.Number()) }

// Short is what was asked for, in a line of a table.
func (e exchangeView) Short() string { return e.Method + " " + shortened(e.Target, 120) }

// Unknown names what no operation has read.
func (e exchangeView) Unknown() string { return strings.Join(e.Unread, ", ") }

// When is the time of the answer.
func (e exchangeView) When() time.Time { return e.At.UTC() }

// Caller is who has asked.
func (e exchangeView) Caller() string { return callerName(e.Principal) }

// Took is how long the answer took.
func (e exchangeView) Took() string { return took(e.Duration) }

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

// requestView is an exchange with both of its messages.
type requestView struct {
	*request

	Exchange exchangeView
	Curl     curlView
}

// oneRequest is an exchange with both of its messages. One that has left the journal is not
// found for every caller, so that a number reveals nothing about the requests of others.
func oneRequest(r *request) (view, error) {
	number, err := strconv.ParseUint(r.PathValue("number"), 10, 64)
	j := r.console.cfg.Journal
	if err != nil || j == nil {
		return view{}, errNowhere
	}
	e, ok := j.Exchange(number, r.may())
	if !ok {
		return view{}, &problem{
			http.StatusNotFound, "Request not found",
			"It was replaced by later ones, was deleted, or belongs to another caller.",
		}
	}
	r.below("/requests", "Requests")
	r.title = e.Method + " " + shortened(e.Target, 60)
	return r.show("request", requestView{
		request: r, Exchange: exchangeView{e, httpStatus(e.Status)},
		Curl: curl{
			method: e.Method, address: r.apiRoot(e.Host) + e.Target, headers: e.Request.Header, body: e.Request.Body,
			part: e.Request.Left,
		}.view(),
	})
}

// Sent is the request as the journal has kept it, secrets masked.
func (v requestView) Sent() messageView { return messageView(v.Exchange.Request) }

// Answered is the answer as the journal has kept it, secrets masked.
func (v requestView) Answered() messageView { return messageView(v.Exchange.Answer) }

// messageView is a request or an answer of the API.
type messageView journal.Message

// JSON is the body: JSON as people read it, its numbers as they are; anything else as it is.
func (m messageView) JSON() string { return indented([]byte(m.Body)) }

// httpStatus is the status of an answer; 0 where there was none.
type httpStatus int

// Tone is its class.
func (s httpStatus) Tone() string {
	switch {
	case s == 0, s >= 500:
		return "bad"
	case s >= 400:
		return "warn"
	case s >= 300:
		return ""
	}
	return "good"
}

// Name is the status in words.
func (s httpStatus) Name() string { return http.StatusText(int(s)) }

// curl is a call as a command.
type curl struct {
	method, address string
	headers         []journal.Header
	body, part      string
	file            string // that has the body; empty where body has it
}

// curlView is the command that sends a call again. Masked is what of it has to be filled in.
type curlView struct{ Command, Masked string }

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

// view is the command that sends the request again. What was masked in the journal has to
// be filled in.
func (c curl) view() (v curlView) {
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
	if c.file != "" {
		b.WriteString(" \\\n  --data-binary " + shellWord("@"+c.file))
	}
	b.WriteString(" \\\n  " + shellWord(c.address))
	v.Command = b.String()
	if c.part != "" || strings.Contains(v.Command, journal.Mask) {
		v.Masked = cmp.Or(c.part, journal.Mask)
	}
	return v
}

// shellWord is a text as one word of a shell.
func shellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("-_./:=,@%+", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
