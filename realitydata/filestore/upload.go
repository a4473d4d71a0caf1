package filestore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// chunk is how much of a file is read at a time, in bytes.
const chunk = 128 << 10

// measuring is for how long a request may wait for the size of its container to be noted.
const measuring = time.Minute

// writing is a file on its way into a container, or next to one.
type writing struct {
	g           *grant
	accountID   string
	containerID string
	name        string
	length      int64 // negative where it is not known
	// fill writes the draft and closes it.
	fill func(Draft, *reservation) error
	// ready, when given, may still refuse the file, and done is called once it is there.
	// Only changes by another Store come between them.
	ready, done func(context.Context, Draft) error
}

// upload writes a file whole or not at all; under If-None-Match: * only where there is none.
func (s *Store) upload(w http.ResponseWriter, r *http.Request, g *grant, accountID, name string) error {
	x := &writing{
		g: g, accountID: accountID, containerID: g.containerID, name: name, length: r.ContentLength,
		fill: func(draft Draft, room *reservation) error { return s.receive(w, r, r.Body, draft, room) },
	}
	if strings.TrimSpace(r.Header.Get("If-None-Match")) == "*" {
		if err := s.absent(r.Context(), g.containerID, name); err != nil {
			return err // before its bytes are sent
		}
		x.ready = func(ctx context.Context, _ Draft) error { return s.absent(ctx, g.containerID, name) }
	}
	if err := s.write(r, x); err != nil {
		return err
	}
	w.WriteHeader(http.StatusCreated)
	return nil
}

// absent fails where a file is there.
func (s *Store) absent(ctx context.Context, containerID, name string) error {
	_, there, err := s.backend.Size(ctx, containerID, name)
	if there && err == nil {
		return errFileThere
	}
	return err
}

// write writes a file whole or not at all. It appears once all of it is there, and
// the caller may still write.
func (s *Store) write(r *http.Request, x *writing) error {
	leave, err := s.enter(s.uploads, x.g.caller(), s.cfg.MaxUploads)
	if err != nil {
		return err
	}
	defer leave()
	leaveAccount, err := s.enter(s.accountUploads, x.accountID, s.cfg.MaxAccountUploads)
	if err != nil {
		return err
	}
	defer leaveAccount()
	c, err := s.counted(r.Context(), x.containerID, x.accountID)
	if err != nil {
		return err
	}
	room := &reservation{s: s, c: c}
	defer room.release()
	if err := s.reserve(r.Context(), room, x.length); err != nil {
		return err
	}
	draft, err := s.backend.Create(r.Context(), x.containerID, x.name)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if err := x.fill(draft, room); err != nil {
		return s.revoked(r, x.g, err)
	}
	if err := s.commit(r, room, draft, x); err != nil {
		return err
	}
	if x.containerID == x.g.containerID {
		s.tellMeasured(r.Context(), x.containerID)
	}
	return nil
}

// tellMeasured reports that files of a container were written or removed, which is done.
func (s *Store) tellMeasured(ctx context.Context, containerID string) {
	m, ok := s.following().(Measured)
	if !ok {
		return
	}
	// The right of the caller was judged, and what was done is counted also when the client has left.
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), measuring)
	defer cancel()
	if err := m.ContainerChanged(bounded, containerID); err != nil {
		s.cfg.Logger.WarnContext(ctx, "the size of a container was not noted",
			"container", containerID, "error", err)
	}
}

// reserve reserves the room for a file of a length, where that is known.
func (s *Store) reserve(ctx context.Context, room *reservation, length int64) error {
	err := room.open(length)
	if s.shared == nil || !errors.Is(err, errAccountFull) {
		return err
	}
	// Another Store may have removed what takes up the room.
	if err := s.forgetRemoved(ctx, s.unlooked(room.c.account)); err != nil {
		return err
	}
	return room.open(length)
}

// enter counts what a caller does at once, unless it is as much as is allowed.
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

// receive reads the body of a request into a draft, at the pace of the client.
func (s *Store) receive(w http.ResponseWriter, r *http.Request, from io.Reader, draft Draft, room *reservation) error {
	in := &sending{pace.Reader{From: from, Control: http.NewResponseController(w), Pace: s.pace()}}
	if err := room.copy(draft, in); err != nil {
		return err
	}
	return unavailable(draft.Close())
}

// revoked is why a file could not be received: another Store that removes its container
// also ends what is being sent to it.
func (s *Store) revoked(r *http.Request, g *grant, err error) error {
	if s.shared == nil || !errors.Is(err, twinplatform.Unavailable) {
		return err
	}
	_, why := s.judge(r.Context(), g, true)
	return cmp.Or(why, err)
}

// sending reads what a client sends.
type sending struct{ pace.Reader }

// Read implements io.Reader. What breaks the connection is the client's.
func (s *sending) Read(b []byte) (n int, err error) {
	if n, err = s.Reader.Read(b); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, errBroken.Because(err)
	}
	return n, err
}

// commit puts a file in place of another, or where there was none.
func (s *Store) commit(r *http.Request, room *reservation, draft Draft, x *writing) error {
	if x.ready == nil {
		defer s.changing(room.c)()
	} else {
		room.c.commit.Lock()
		defer room.c.commit.Unlock()
	}
	// While it is judged and put in place, the container is neither closed nor
	// removed by this Store: both wait for the lock after they are on record.
	if _, err := s.judge(r.Context(), x.g, true); err != nil {
		return err
	}
	if x.ready != nil {
		if err := x.ready(r.Context(), draft); err != nil {
			return err
		}
	}
	replaced, replaces, err := s.backend.Size(r.Context(), x.containerID, x.name)
	if err != nil {
		return err
	}
	if !replaces {
		if err := room.another(); err != nil {
			return err
		}
	}
	// It is done to its end, also when the client has left.
	ctx := context.WithoutCancel(r.Context())
	size, there := room.bytes, true
	failed := draft.Commit(ctx)
	if failed != nil {
		if size, there, err = s.backend.Size(ctx, x.containerID, x.name); err != nil {
			return failed
		}
	}
	room.release()
	s.add(room.c, size-replaced, count(there)-count(replaces))
	if failed != nil {
		return failed
	}
	if err := s.outlived(ctx, room.c, x, size); err != nil {
		return err
	}
	if replaces {
		s.cleanUp(ctx, x, draft)
	}
	if x.done != nil {
		return x.done(ctx, draft)
	}
	return nil
}

func count(there bool) int64 {
	if there {
		return 1
	}
	return 0
}

// outlived removes a file again that appeared in a container that another Store was
// just removing.
func (s *Store) outlived(ctx context.Context, c *container, x *writing, size int64) error {
	if s.shared == nil {
		return nil
	}
	_, there, err := s.following().ContainerAccount(ctx, x.g.containerID)
	if there || err != nil {
		return err
	}
	if err := s.backend.Remove(ctx, x.containerID, x.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.add(c, -size, -1)
	_, err = s.judge(ctx, x.g, true)
	return cmp.Or(err, error(errAddress))
}

// remove removes a file, unless ready, when given, refuses it at the last moment.
func (s *Store) remove(r *http.Request, g *grant, accountID, name string, ready func(context.Context) error) error {
	c := s.container(g.containerID, accountID)
	if ready == nil {
		defer s.changing(c)()
	} else {
		c.commit.Lock()
		defer c.commit.Unlock()
	}
	if _, err := s.judge(r.Context(), g, true); err != nil {
		return err
	}
	bytes, there, err := s.backend.Size(r.Context(), g.containerID, name)
	if err == nil && !there {
		err = errNoFile.Err()
	}
	if err == nil && ready != nil {
		err = ready(r.Context())
	}
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(r.Context())
	failed := s.backend.Remove(ctx, g.containerID, name)
	if failed != nil {
		if _, there, err = s.backend.Size(ctx, g.containerID, name); there || err != nil {
			return failed
		}
	}
	s.add(c, -bytes, -1)
	s.forgetAttributes(ctx, g.containerID, accountID, name)
	return failed
}
