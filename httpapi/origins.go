package httpapi

import (
	"net/http"
	"slices"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/internal/cors"
)

// CheckOrigins fails unless each of them may be one of Config.Origins: what browsers call an
// origin, such as https://app.example, or "*".
func CheckOrigins(origins []string) error { return cors.Check(origins) }

// pagesOf returns what pages of other origins may do; nil: nothing.
func pagesOf(origins []string, routes func() cycle.Routes, d *vocabulary.Dialect) *cors.Policy {
	if len(origins) == 0 {
		return nil
	}
	p := &cors.Policy{
		Origins: origins,
		Exposed: []string{"Allow", "Content-Disposition", "Retry-After", "WWW-Authenticate", RequestIDHeader},
	}
	for _, r := range routes() {
		p.Methods = append(p.Methods, r.Method)
		for _, a := range r.Replies {
			p.Exposed = append(append(p.Exposed, a.Headers...), a.Perhaps...)
		}
	}
	if d != nil {
		for i, name := range p.Exposed {
			p.Exposed[i] = d.Header(name)
		}
	}
	for _, list := range []*[]string{&p.Methods, &p.Exposed} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return p
}

// Share lets a page of one of Config.Origins read an answer to r that another handler gives in
// place of this one, as one around it does that refuses requests. It sets headers of w, and
// none without origins.
func (h *Handler) Share(w http.ResponseWriter, r *http.Request) {
	if h.pages != nil {
		h.pages.Share(w.Header(), r)
	}
}

// preflight lets pages of known origins read the answer to a request, and answers their
// browsers, which ask without a token whether a page may send another one.
func (h *Handler) preflight(w http.ResponseWriter, r *http.Request) (answered bool) {
	if h.pages == nil || !h.pages.Share(w.Header(), r) {
		return false
	}
	w.Header().Set(h.dialect.Header(RequestIDHeader), cycle.RequestID(r))
	var err error
	if h.server.Limit != nil {
		err = h.server.Limit.Take(r.Context(), allowance.OfNetwork(r.RemoteAddr))
	}
	if err == nil {
		err = h.pages.Allow(w, r)
	}
	if err != nil {
		WriteError(w, err)
	}
	return true
}
