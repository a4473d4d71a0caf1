package signin

import (
	_ "embed"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page.html
var page string

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
	_, _ = io.WriteString(w, v.html()) // who has gone sees no page
}

// html is the page. All that is put into it is text or the value of an attribute in quotes,
// where escaping is enough; html/template would make the program half as large again, since
// the linker keeps every exported method where a template may call one.
func (v view) html() string {
	var main strings.Builder
	put := func(markup, value string) {
		main.WriteString(strings.Replace(markup, "{}", html.EscapeString(value), 1))
	}
	if v.Problem != "" {
		put(`<p role="alert">{}</p>`+"\n", v.Problem)
	}
	if v.Done != "" {
		put("<p>{}</p>\n", v.Done)
	}
	if v.Form() {
		put("<p>This provider is for tests. The password is a token of the tokens file.</p>\n", "")
		if v.Asks != "" {
			put("<p>The program asks for: {}</p>\n", v.Asks)
		}
		put(`<form method="post">`+"\n", "")
		if v.Device {
			put(`<label for="code">Code that the device shows</label>
<input id="code" name="code" value="{}" required autocomplete="off">
`, v.Code)
		}
		put(`<label for="user">User: id, address or name</label>
<input id="user" name="user" value="{}" required autocomplete="username">
<label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password">
<button name="answer" value="allow">Sign in</button>
<button name="answer" value="deny" formnovalidate>Cancel</button>
</form>
`, v.Name)
	}
	return strings.NewReplacer("{title}", html.EscapeString(v.Title), "{main}", main.String()).Replace(page)
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
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action "+leads)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}
