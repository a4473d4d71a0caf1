package filestore

import (
	"io/fs"
	"net/http"
	"path"
	"time"
)

// download answers a file, or a range of it.
func (s *Store) download(w http.ResponseWriter, r *http.Request, g *grant, name string) error {
	leave, err := s.enter(s.downloads, g.caller(), maxDownloads)
	if err != nil {
		return err
	}
	defer leave()
	file, err := s.root.Open(path.Join(folderName(g.containerID), name))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fs.ErrNotExist
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Type", "application/octet-stream")
	out := &pacedWriter{ResponseWriter: w, control: http.NewResponseController(w), pace: s.pace()}
	http.ServeContent(out, r, "", info.ModTime(), file)
	out.finish()
	return nil
}

// pacedWriter writes what a client reads, and gives up one that is too slow.
type pacedWriter struct {
	http.ResponseWriter

	control *http.ResponseController
	pace    pace
}

// Unwrap lets a ResponseController through.
func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *pacedWriter) Write(b []byte) (n int, err error) {
	began := time.Now()
	_ = p.control.SetWriteDeadline(p.pace.deadline())
	n, err = p.ResponseWriter.Write(b)
	p.pace.moved(n, began)
	return n, err
}

// finish sends what waits, and leaves the next request of the connection its time.
func (p *pacedWriter) finish() {
	_ = p.control.SetWriteDeadline(p.pace.deadline())
	_ = p.control.Flush()
	_ = p.control.SetWriteDeadline(time.Time{})
}
