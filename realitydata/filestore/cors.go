package filestore

import (
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/cors"
)

// exposed are the headers of answers that pages of other origins may read, besides those of
// metadata.
var exposed = []string{
	"Accept-Ranges", "Content-Disposition", "Content-Encoding", "Content-MD5", "Content-Range", "Date", "ETag",
	"Last-Modified", "Retry-After",
	"x-ms-blob-content-length", "x-ms-blob-content-md5", "x-ms-blob-type", "x-ms-client-request-id",
	"x-ms-content-crc64", "x-ms-error-code",
	"x-ms-lease-state", "x-ms-lease-status", "x-ms-request-id", "x-ms-request-server-encrypted", "x-ms-version",
}

// share lets pages of other origins read the answer, and answers their browsers, which ask
// before anybody looks at a right whether they may send a request: the address is the right.
func (s *Store) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(s.cfg.Origins) == 0 {
		return false
	}
	pages := cors.Policy{
		Origins: s.cfg.Origins,
		Methods: []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPut}, Exposed: exposed,
	}
	if !pages.Share(w.Header(), r) {
		return false
	}
	err := s.takePreflight(r)
	if err == nil {
		err = pages.Allow(w, r)
	}
	if err != nil {
		s.fail(w, r, err)
	}
	return true
}

// takePreflight takes a preflight from the allowance of its address, or of its network.
func (s *Store) takePreflight(r *http.Request) error {
	containerID, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	g, err := s.grantIn(containerID, r.URL.Query())
	if err != nil {
		g = nil // for any caller
	}
	return s.take(r, g)
}
