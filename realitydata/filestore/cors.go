package filestore

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// anyOrigin in Config.Origins stands for all.
const anyOrigin = "*"

// exposed are the headers of answers that pages of other origins may read, besides those of
// metadata.
var exposed = strings.Join([]string{
	"Accept-Ranges", "Content-Disposition", "Content-Encoding", "Content-MD5", "Content-Range", "Date", "ETag", "Last-Modified", "Retry-After",
	"x-ms-blob-content-length", "x-ms-blob-content-md5", "x-ms-blob-type", "x-ms-client-request-id", "x-ms-content-crc64", "x-ms-error-code",
	"x-ms-lease-state", "x-ms-lease-status", "x-ms-request-id", "x-ms-request-server-encrypted", "x-ms-version",
}, ", ")

// preflightAge is for how long browsers remember what they may send, in seconds.
const preflightAge = "3600"

// CheckOrigins fails unless each of them may be one of Config.Origins: what browsers call an
// origin, or "*".
func CheckOrigins(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if o != anyOrigin && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != o || strings.ToLower(o) != o) {
			return fmt.Errorf("Config.Origins has %q, and wants the likes of https://app.example", o)
		}
	}
	return nil
}

// allowedOrigin is what pages of the origin of a request are told, or empty. No answer allows
// credentials of browsers: the address is the right.
func (s *Store) allowedOrigin(r *http.Request) string {
	origin := r.Header.Get("Origin")
	switch {
	case origin == "":
		return ""
	case slices.Contains(s.cfg.Origins, anyOrigin):
		return anyOrigin
	case slices.Contains(s.cfg.Origins, origin):
		return origin
	}
	return ""
}

// share lets pages of other origins read the answer, and answers their browsers, which ask
// before anybody looks at a right whether they may send a request.
func (s *Store) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(s.cfg.Origins) == 0 {
		return false
	}
	header := w.Header()
	header.Add("Vary", "Origin")
	origin := s.allowedOrigin(r)
	if origin != "" {
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers", exposed)
	}
	if r.Method != http.MethodOptions || r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	if err := s.preflight(w, r, origin); err != nil {
		s.fail(w, r, err)
	}
	return true
}

var errOrigin = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "CorsPreflightFailure", Message: "Pages of this origin may not send this request.",
}

func (s *Store) preflight(w http.ResponseWriter, r *http.Request, origin string) error {
	containerID, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	g, err := s.grantIn(containerID, r.URL.Query())
	if err != nil {
		g = nil // whoever it is, from a network's allowance
	}
	if err := s.take(r, g); err != nil {
		return err
	}
	methods := []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPut}
	if origin == "" || !slices.Contains(methods, r.Header.Get("Access-Control-Request-Method")) {
		return errOrigin
	}
	header := w.Header()
	header.Del("Access-Control-Expose-Headers")
	header.Add("Vary", "Access-Control-Request-Headers")
	header.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
	if asked := r.Header.Values("Access-Control-Request-Headers"); len(asked) > 0 {
		header.Set("Access-Control-Allow-Headers", strings.Join(asked, ", "))
	}
	header.Set("Access-Control-Max-Age", preflightAge)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
