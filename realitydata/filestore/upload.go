package filestore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/pace"
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
	c, err := s.counted(r.Context(), g.containerID, accountID)
	if err != nil {
		return err
	}
	room := &reservation{s: s, c: c}
	defer room.release()
	if err := s.reserve(r.Context(), room, r.ContentLength); err != nil {
		return err
	}
	draft, err := s.backend.Create(r.Context(), g.containerID, name)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if err := s.receive(w, r, draft, room); err != nil {
		return s.revoked(r, g, err)
	}
	if err := s.commit(r, g, room, draft, name); err != nil {
		return err
	}
	w.WriteHeader(http.StatusCreated)
	return nil
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
func (s *Store) receive(w http.ResponseWriter, r *http.Request, draft Draft, room *reservation) error {
	in := &sending{pace.Reader{From: r.Body, Control: http.NewResponseController(w), Pace: s.pace()}}
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

// commit puts a file in the place of another, or where there was none.
func (s *Store) commit(r *http.Request, g *grant, room *reservation, draft Draft, name string) error {
	defer s.changing(room.c)()
	// While it is judged and put in place, the container is neither closed nor
	// removed by this Store: both wait for the lock after they are on record.
	if _, err := s.judge(r.Context(), g, true); err != nil {
		return err
	}
	replaced, replaces, err := s.backend.Size(r.Context(), g.containerID, name)
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
		if size, there, err = s.backend.Size(ctx, g.containerID, name); err != nil {
			return failed
		}
	}
	room.release()
	s.add(room.c, size-replaced, count(there)-count(replaces))
	if failed != nil {
		return failed
	}
	return s.outlived(ctx, g, room.c, name, size)
}

func count(there bool) int64 {
	if there {
		return 1
	}
	return 0
}

// outlived removes a file again that appeared in a container that another Store was
// just removing.
func (s *Store) outlived(ctx context.Context, g *grant, c *container, name string, size int64) error {
	if s.shared == nil {
		return nil
	}
	_, there, err := s.following().ContainerAccount(ctx, g.containerID)
	if there || err != nil {
		return err
	}
	if err := s.backend.Remove(ctx, g.containerID, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.add(c, -size, -1)
	_, err = s.judge(ctx, g, true)
	return cmp.Or(err, error(errAddress))
}

// remove removes a file.
func (s *Store) remove(w http.ResponseWriter, r *http.Request, g *grant, accountID, name string) error {
	c := s.container(g.containerID, accountID)
	defer s.changing(c)()
	if _, err := s.judge(r.Context(), g, true); err != nil {
		return err
	}
	bytes, there, err := s.backend.Size(r.Context(), g.containerID, name)
	if err == nil && !there {
		err = errNoFile.Err()
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
	if failed != nil {
		return failed
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
