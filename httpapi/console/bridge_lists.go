package console

import (
	"cmp"
	"html/template"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// moment is a time of the API, for people and for programs.
func moment(s string) html.Node {
	text := momentText(s)
	if text == "" {
		return html.Text(s)
	}
	return html.El("time", html.Attr("datetime", s), html.Text(text))
}

// tabsOfSchedule are the pages of a schedule, as a part of a template.
func (r *request) tabsOfSchedule(here string) (template.HTML, error) {
	b, err := html.Render(r.scheduleTabs(here))
	return template.HTML(b), err
}

// curlView is the command that sends a call again. Masked is what of it has to be filled in.
type curlView struct{ Command, Masked string }

// command is what was sent as a command.
func (r *request) command(o operation, target string, sent []header, body []byte) curlView {
	command := curl{method: o.Method, address: r.apiRoot(r.Host) + target}
	for _, h := range sent {
		if h.value != "" {
			command.headers = append(command.headers, journal.Header{Name: h.name, Value: h.value})
		}
	}
	if utf8.Valid(body) && len(body) < maxShown && o.media == "application/json" {
		command.body = string(body)
	}
	return command.view()
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
	b.WriteString(" \\\n  " + shellWord(c.address))
	v.Command = b.String()
	if c.part != "" || strings.Contains(v.Command, journal.Mask) {
		v.Masked = cmp.Or(c.part, journal.Mask)
	}
	return v
}
