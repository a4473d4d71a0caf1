package filestore

import (
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"time"
)

// chunk is how much of a file is read at a time, in bytes.
const chunk = 128 << 10

// upload writes a file whole or not at all. It appears once all of it is there, and
// the caller may still write.
func (s *Store) upload(w http.ResponseWriter, r *http.Request, g *grant, accountID, name string) error {
	end, err := s.begin(g.caller(), accountID)
	if err != nil {
		return err
	}
	defer end()
	h := &hold{s: s, c: s.container(g.containerID, accountID)}
	defer h.release()
	if err := h.open(r.ContentLength); err != nil {
		return err
	}
	part := path.Join(uploadsFolder, rand.Text())
	defer func() { _ = s.root.Remove(part) }() // there only after a failure
	if err := s.receive(w, r, part, h); err != nil {
		return err
	}
	if err := s.appear(r, g, h, part, path.Join(folderName(g.containerID), name)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusCreated)
	return nil
}

// begin counts an upload, if the principal and the account may have another.
func (s *Store) begin(caller, accountID string) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accountCalled(accountID)
	if int64(s.uploads[caller]) >= s.cfg.MaxUploads || a.uploads >= s.cfg.MaxAccountUploads {
		return nil, errBusy
	}
	s.uploads[caller]++
	a.uploads++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		a.uploads--
		if s.uploads[caller]--; s.uploads[caller] == 0 {
			delete(s.uploads, caller)
		}
	}, nil
}

// receive reads the body of a request into a new file, at the pace of the client.
func (s *Store) receive(w http.ResponseWriter, r *http.Request, part string, h *hold) error {
	file, err := s.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return unavailable(err)
	}
	in := &pacedReader{from: r.Body, control: http.NewResponseController(w), pace: s.pace()}
	err = h.copy(file, in)
	if err == nil {
		err = unavailable(file.Sync())
	}
	return errors.Join(err, file.Close())
}

// pacedReader reads what a client sends, and gives up one that is too slow.
type pacedReader struct {
	from    io.Reader
	control *http.ResponseController
	pace    pace
}

func (p *pacedReader) Read(b []byte) (n int, err error) {
	began := time.Now()
	_ = p.control.SetReadDeadline(p.pace.deadline())
	n, err = p.from.Read(b)
	p.pace.moved(n, began)
	switch {
	case err == nil && p.pace.left < 0:
		return n, os.ErrDeadlineExceeded
	case errors.Is(err, io.EOF):
		_ = p.control.SetReadDeadline(time.Time{})
		return n, err
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		return n, errBroken.Because(err)
	}
	return n, err
}

// appear puts a file in the place of another, or where there was none.
func (s *Store) appear(r *http.Request, g *grant, h *hold, part, name string) error {
	h.c.commit.Lock()
	defer h.c.commit.Unlock()
	// While it is judged and put in place, the container is neither closed nor
	// removed: both wait for the lock after they are on record.
	if _, err := s.judge(r.Context(), g, true); err != nil {
		return err
	}
	replaced, replaces, err := s.size(name)
	if err != nil {
		return err
	}
	if !replaces {
		if err := h.another(); err != nil {
			return err
		}
	}
	folder := path.Dir(name)
	if err = s.mkdirs(folder); err == nil {
		err = s.root.Rename(part, name)
	}
	if err != nil {
		s.prune(folder)
		return err
	}
	size := h.bytes
	h.release()
	if replaces {
		s.add(h.c, size-replaced, 0)
	} else {
		s.add(h.c, size, 1)
	}
	return unavailable(s.sync(folder))
}

// remove removes a file.
func (s *Store) remove(w http.ResponseWriter, r *http.Request, g *grant, accountID, file string) error {
	c := s.container(g.containerID, accountID)
	c.commit.Lock()
	defer c.commit.Unlock()
	if _, err := s.judge(r.Context(), g, true); err != nil {
		return err
	}
	name := path.Join(folderName(g.containerID), file)
	bytes, there, err := s.size(name)
	if err == nil && !there {
		err = errNoFile.Err()
	}
	if err == nil {
		err = s.root.Remove(name)
	}
	if err != nil {
		return err
	}
	s.add(c, -bytes, -1)
	if err := unavailable(s.sync(path.Dir(name))); err != nil {
		return err
	}
	s.prune(path.Dir(name))
	w.WriteHeader(http.StatusNoContent)
	return nil
}
