package filestore

import (
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// pace is how fast clients must be.
func (s *Store) pace() pace.Pace { return pace.New(s.cfg.Grace, s.cfg.MinRate) }

// download answers a file, or a range of it.
func (s *Store) download(w http.ResponseWriter, r *http.Request, g *grant, name string) error {
	leave, err := s.enter(s.downloads, g.caller(), maxDownloads)
	if err != nil {
		return err
	}
	defer leave()
	file, err := s.backend.Open(r.Context(), g.containerID, name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Content.Close() }()
	if sent, err := s.redirect(w, r, g, name); sent || err != nil {
		return err
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Type", "application/octet-stream")
	if file.ETag != "" {
		w.Header().Set("ETag", file.ETag)
	}
	out := &pacedWriter{w, pace.Writer{To: w, Control: http.NewResponseController(w), Pace: s.pace()}}
	http.ServeContent(out, r, "", file.Modified, file.Content)
	out.finish()
	return nil
}

// redirect sends who reads a file to where it is, if clients can go there. An address
// is for GET alone, so HEAD is answered here.
func (s *Store) redirect(w http.ResponseWriter, r *http.Request, g *grant, name string) (sent bool, err error) {
	elsewhere, ok := s.backend.(Redirector)
	if !ok || r.Method != http.MethodGet {
		return false, nil
	}
	url, ok, err := elsewhere.ReadURL(r.Context(), g.containerID, name)
	if !ok || err != nil {
		return false, err
	}
	header := w.Header()
	header.Set("Location", url)
	header.Set("Cache-Control", "no-store") // the address is a right, and ends
	header.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true, nil
}

// pacedWriter writes what a client reads, and gives up one that is too slow.
type pacedWriter struct {
	http.ResponseWriter

	paced pace.Writer
}

// Unwrap lets a ResponseController through.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *pacedWriter) Write(b []byte) (n int, err error) { return p.paced.Write(b) }

// finish sends what waits, and leaves the next request of the connection its time.
func (p *pacedWriter) finish() {
	_ = p.paced.Control.SetWriteDeadline(p.paced.Pace.Deadline())
	_ = p.paced.Control.Flush()
	_ = p.paced.Control.SetWriteDeadline(time.Time{})
}
