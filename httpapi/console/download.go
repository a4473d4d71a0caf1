package console

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// download is a file that the API answers with.
type download struct {
	path    string       // in the API, or in from
	from    http.Handler // what has the file; nil for the API
	image   string       // the media type of one that is shown
	err     error        // why there is none
	name    string       // of the file; empty for that which the API gives it
	unnamed string       // the name where the API gives none
}

// pass answers with a file of the API as it comes in, however large it is. It is a download:
// nothing that people put into the platform is shown as a page of the console.
func (r *request) pass(d download) error {
	w := &passed{taken: taken{header: make(http.Header)}, to: r.w, download: d}
	api := d.from
	if api == nil {
		api = r.console.api
	}
	if d.err != nil {
		return d.err
	}
	if err := r.serveBy(api, w, http.MethodGet, d.path, nil, r.fileHeaders(d)...); err != nil || w.begun {
		return err
	}
	a, err := w.answer()
	if err != nil {
		return err
	}
	return refusalOf(a)
}

// fileHeaders are the headers with which a file of reality data is asked for: for a part of it, or unless the browser has it.
// The blob protocol sends images through the platform also where others are read from a bucket, which the policy of a
// page shows nothing of.
func (r *request) fileHeaders(d download) (headers []header) {
	if d.from == nil {
		return nil
	}
	for _, name := range []string{"Range", "If-Range", "If-None-Match", "If-Modified-Since"} {
		headers = append(headers, header{name, r.Header.Get(name)})
	}
	if d.image != "" {
		headers = append(headers, header{"x-ms-version", "2021-12-02"})
	}
	return headers
}

// passed passes the answer on if it is a file, and takes it if it is a refusal.
type passed struct {
	taken
	download

	to    http.ResponseWriter
	begun bool
}

// Unwrap lets the API give a slow reader more time.
func (w *passed) Unwrap() http.ResponseWriter { return w.to }

// WriteHeader implements http.ResponseWriter.
func (w *passed) WriteHeader(status int) {
	if w.status != 0 || status < 200 {
		return
	}
	w.taken.WriteHeader(status)
	h := w.to.Header()
	if elsewhere := w.header.Get("Location"); status == http.StatusTemporaryRedirect && elsewhere != "" {
		w.begun = true
		h.Set("Location", elsewhere)
		w.to.WriteHeader(status)
		return
	}
	if status != http.StatusOK && status != http.StatusPartialContent && status != http.StatusNotModified {
		return
	}
	w.begun = true
	for _, name := range []string{
		"Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified",
	} {
		if v := w.header.Get(name); v != "" {
			h.Set(name, v)
		}
	}
	if w.image != "" {
		h.Set("Content-Type", w.image)
		h.Set("Cache-Control", "private, no-cache")
	}
	if status == http.StatusNotModified {
		w.to.WriteHeader(status)
		return
	}
	_, named, _ := mime.ParseMediaType(w.header.Get("Content-Disposition"))
	kind := "attachment"
	if strings.HasPrefix(h.Get("Content-Type"), "image/") {
		kind = "inline"
	}
	h.Set("Content-Disposition", disposition(kind, cmp.Or(w.name, named["filename"], w.unnamed)))
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.to.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *passed) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	switch {
	case w.begun && w.status == http.StatusNotModified:
		return len(b), nil
	case w.begun:
		return w.to.Write(b)
	}
	return w.taken.Write(b)
}

// disposition says under which name a file is saved: under one that every system takes, and as it is called where that
// is another one.
func disposition(kind, name string) string {
	plain := fileName(name)
	kind += `; filename="` + plain + `"`
	if plain != name {
		kind += "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	return kind
}

// fileName is a name that every system takes.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}
