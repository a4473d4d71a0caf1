package filestore

import (
	"io/fs"
	"net/http"
	"path"
	"time"
)

// download answers a file, or a range of it.
func (s *Store) download(w http.ResponseWriter, r *http.Request, g *grant, name string) error {
	end, err := s.beginDownload(g.caller())
	if err != nil {
		return err
	}
	defer end()
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

func (s *Store) beginDownload(caller string) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.downloads[caller] >= maxDownloads {
		return nil, errBusy
	}
	s.downloads[caller]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.downloads[caller]--; s.downloads[caller] == 0 {
			delete(s.downloads, caller)
		}
	}, nil
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
