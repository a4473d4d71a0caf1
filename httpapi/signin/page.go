package signin

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// view is what a page shows: a form, or that it is done.
type view struct {
	Title   string
	Asks    string // scopes
	Back    string // the address of the client
	Name    string // who may be about to sign in
	Code    string // that of a device
	Device  bool
	Problem string
	Done    string
}

// Form reports whether there is something to fill in.
func (v view) Form() bool { return v.Device || v.Back != "" }

func (p *Provider) show(w http.ResponseWriter, status int, v view) {
	protect(w.Header(), v.Back)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = page.Execute(w, v) // who has gone sees no page
}

// protect lets nothing but its form and the client that it leads to happen on a page, which
// no other page may frame, and which no cache keeps.
func protect(h http.Header, back string) {
	leads := "'self'"
	if u, err := url.Parse(back); err == nil && u.Scheme != "" {
		leads += " " + u.Scheme + ":"
		if u.Host != "" {
			leads += "//" + u.Host
		}
	}
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action "+leads)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}
