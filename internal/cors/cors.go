// Package cors lets pages of other origins use what a handler serves, in browsers.
package cors

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Any among the origins allows all.
const Any = "*"

// preflightAge is for how long browsers remember what they may send, in seconds.
const preflightAge = "3600"

// Refused is what the browser of a page is answered that may not send its request.
var Refused = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "CorsPreflightFailure",
	Message: "Pages of this origin may not send this request.",
}

// Check fails unless each of the origins is what browsers call one, or Any.
func Check(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if o != Any && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != o || strings.ToLower(o) != o) {
			return fmt.Errorf("Config.Origins has %q, and wants the likes of https://app.example", o)
		}
	}
	return nil
}

// Policy decides which pages may do what. No answer allows credentials of browsers, such
// as cookies: who calls is in the request.
type Policy struct {
	Origins []string
	Methods []string // of requests that pages may send
	Exposed []string // headers of answers that they may read
}

// Share lets the page that has sent a request read the answer, if its origin is known. It
// reports whether the request is a preflight, by which a browser asks whether the page may
// send another one; Allow answers that.
func (p *Policy) Share(header http.Header, r *http.Request) (preflight bool) {
	header.Add("Vary", "Origin")
	if origin := p.allowed(r); origin != "" {
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers", strings.Join(p.Exposed, ", "))
	}
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" &&
		r.Header.Get("Access-Control-Request-Method") != ""
}

// allowed is the allowed origin for pages of the origin of a request, or empty.
func (p *Policy) allowed(r *http.Request) string {
	origin := r.Header.Get("Origin")
	switch {
	case origin == "":
		return ""
	case slices.Contains(p.Origins, Any):
		return Any
	case slices.Contains(p.Origins, origin):
		return origin
	}
	return ""
}

// Allow answers a preflight behind Share, or returns Refused.
func (p *Policy) Allow(w http.ResponseWriter, r *http.Request) error {
	if p.allowed(r) == "" || !slices.Contains(p.Methods, r.Header.Get("Access-Control-Request-Method")) {
		return Refused
	}
	header := w.Header()
	header.Del("Access-Control-Expose-Headers")
	header.Add("Vary", "Access-Control-Request-Headers")
	header.Set("Access-Control-Allow-Methods", strings.Join(p.Methods, ", "))
	if asked := r.Header.Values("Access-Control-Request-Headers"); len(asked) > 0 {
		header.Set("Access-Control-Allow-Headers", strings.Join(asked, ", "))
	}
	header.Set("Access-Control-Max-Age", preflightAge)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
