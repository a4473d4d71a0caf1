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
	leave, err := s.enter(s.uploads, g.caller(), s.cfg.MaxUploads)
	if err != nil {
		return err
	}
	defer leave()
	leaveAccount, err := s.enter(s.accountUploads, accountID, s.cfg.MaxAccountUploads)
	if err != nil {
		return err
	}
	defer leaveAccount()
	room := &reservation{s: s, c: s.container(g.containerID, accountID)}
	defer room.release()
	if err := room.open(r.ContentLength); err != nil {
		return err
	}
	part := path.Join(uploadsFolder, rand.Text())
	defer func() { _ = s.root.Remove(part) }() // there only after a failure
	if err := s.receive(w, r, part, room); err != nil {
		return err
	}
	if err := s.commit(r, g, room, part, path.Join(folderName(g.containerID), name)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusCreated)
	return nil
}

// enter counts what somebody does at once, unless it is as much as is allowed.
func (s *Store) enter(counts map[string]int64, who string, limit int64) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts[who] >= limit {
		return nil, errBusy
	}
	counts[who]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if counts[who]--; counts[who] == 0 {
			delete(counts, who)
		}
	}, nil
}

// receive reads the body of a request into a new file, at the pace of the client.
func (s *Store) receive(w http.ResponseWriter, r *http.Request, part string, room *reservation) error {
	file, err := s.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return unavailable(err)
	}
	in := &pacedReader{from: r.Body, control: http.NewResponseController(w), pace: s.pace()}
	err = room.copy(file, in)
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

// commit puts a file in the place of another, or where there was none.
func (s *Store) commit(r *http.Request, g *grant, room *reservation, part, name string) error {
	room.c.commit.Lock()
	defer room.c.commit.Unlock()
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
		if err := room.another(); err != nil {
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
	size := room.bytes
	room.release()
	if replaces {
		s.add(room.c, size-replaced, 0)
	} else {
		s.add(room.c, size, 1)
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
