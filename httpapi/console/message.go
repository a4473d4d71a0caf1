package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// messageView is a request or an answer of the API.
type messageView journal.Message

// JSON is the body: JSON as people read it, its numbers as they are; anything else as it is.
func (m messageView) JSON() string { return indented([]byte(m.Body)) }

// httpStatus is that of an answer; 0 where there was none.
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
