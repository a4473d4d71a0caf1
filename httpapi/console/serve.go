package console

import (
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
)

// Headers of everything that the console answers.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; " +
		"img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cache-Control":                "no-store",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

// ServeHTTP answers a request below the console's path.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.served.ServeHTTP(w, r) }

// serve is ServeHTTP before anything is compressed.
func (c *Console) serve(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	if p := c.refused(r); p != nil {
		c.fail(&request{Request: r, console: c, w: w}, p)
		return
	}
	c.mux.ServeHTTP(w, r)
}

// refused is why a request is refused before its sender is known.
func (c *Console) refused(r *http.Request) error {
	if len(c.cfg.Demo) > 0 && !local(r) {
		return &problem{
			http.StatusMisdirectedRequest, "This console is available on this machine only",
			"It needs no sign-in, so it answers only requests " +
				"sent directly to a loopback name of this machine, such as localhost. " +
				"Start the server with -tokens to use it from elsewhere.",
		}
	}
	if err := c.guard.Check(r); err != nil {
		return &problem{
			http.StatusForbidden, "The request was not sent from the console",
			"Changes are accepted from the console's own pages only. Open the page again, and send the form there.",
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") &&
		r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return &problem{
			http.StatusForbidden, "This page cannot be embedded in another site",
			"Open it by a link or by its address.",
		}
	}
	return nil
}

// local reports whether a request came from this machine, through no proxy, by a name
// that leads nowhere else.
func local(r *http.Request) bool {
	for _, forwarded := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"} {
		if r.Header.Get(forwarded) != "" {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && loopback(r.Host)
}

// loopback reports whether a host is this machine, whatever a resolver says.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(host, "]"), "["), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// toOverview sends a browser from the console's path to its first page.
func (c *Console) toOverview(w http.ResponseWriter, _ *http.Request) {
	redirect(w, c.cfg.Path[strings.LastIndex(c.cfg.Path, "/")+1:]+"/")
}

// redirect sends a browser to a relative address, which package http would make an
// absolute one that is wrong behind a proxy.
func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// shown is a row as the mux sees it.
type shown struct {
	c   *Console
	row row
}

// ServeHTTP implements http.Handler.
func (s shown) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := &request{Request: r, console: s.c, w: w, title: s.row.title}
	defer func() {
		if v := recover(); v != nil {
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			s.c.log().ErrorContext(
				r.Context(), "a page panicked", slog.String("page", s.row.pattern), slog.Any("panic", v),
				slog.String("stack", string(debug.Stack())),
			)
			s.c.fail(req, errFailed)
		}
	}()
	if err := s.answer(req); err != nil {
		s.c.fail(req, err)
	}
}

// answer identifies the caller first, so that only pages that are open to all are shown
// without a session, and refuses forms of a read-only console before it reads their
// bodies.
func (s shown) answer(r *request) error {
	if err := r.identify(); err != nil && !s.row.open {
		return err
	}
	switch {
	case s.row.stream != nil:
		if err := s.row.stream(r); !errors.Is(err, errStreamed) {
			return err
		}
		return nil
	case s.row.page != nil:
		return s.run(r, s.row.page)
	case s.row.file != nil:
		return r.pass(s.row.file(r))
	}
	if s.c.cfg.ReadOnly && !s.row.harmless {
		return &problem{http.StatusForbidden, "This console is read-only", "It was configured to make no changes."}
	}
	limit := s.row.maxBody
	if limit == 0 {
		limit = defaultBody
	}
	r.Body = http.MaxBytesReader(r.w, r.Body, limit)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		if err := r.ParseForm(); err != nil {
			return unreadable(err)
		}
	}
	if s.row.run != nil {
		return s.run(r, s.row.run)
	}
	to, err := s.row.act(r)
	if err != nil {
		return err
	}
	redirect(r.w, r.leads(to))
	return nil
}

// leads is the address of a page after an act, with its notice.
func (r *request) leads(to target) string {
	if to.notice != "" {
		to.query = append(to.query, "notice", r.console.notices.sign(r.who.principal.ID, to.notice))
	}
	return r.Link(to.path, to.query...)
}

// run answers with a page, or leads to another one.
func (s shown) run(r *request, page func(*request) (view, error)) error {
	v, err := page(r)
	if to, ok := errors.AsType[redirected](err); ok {
		redirect(r.w, string(to))
		return nil
	}
	if err != nil {
		return err
	}
	return r.write(http.StatusOK, v)
}

// unreadable is why a form could not be read.
func unreadable(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{
			http.StatusRequestEntityTooLarge, "The request is too large",
			"It is larger than this page accepts.",
		}
	}
	return &problem{http.StatusBadRequest, "The request cannot be read", "It is not the content of a form."}
}

// write answers with a page.
func (r *request) write(status int, v view) error {
	main, err := v.html()
	if err != nil {
		return err
	}
	page, err := view{"layout", frame{r, main}}.html()
	if err != nil {
		return err
	}
	r.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	r.w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	r.w.WriteHeader(status)
	_, _ = io.WriteString(r.w, string(page))
	return nil
}

// log is the API's logger, which the console uses.
func (c *Console) log() *slog.Logger { return c.cfg.API.Env.WithDefaults().Logger }

// readFile is a file that a form has sent, which its size bounds.
func readFile(f *multipart.FileHeader) ([]byte, error) {
	file, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(file)
}
