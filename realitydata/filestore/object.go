package filestore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

var _ twinplatform.ByteStore = (*Store)(nil)

// ownPrefix begins the ids of the containers that have the objects of accounts. No address
// leads to such a container: a slash ends the id in one.
const ownPrefix = "account/"

// accountOf is the account of a container, and whether there is one.
func accountOf(ctx context.Context, r Records, containerID string) (accountID string, ok bool, err error) {
	if accountID, own := strings.CutPrefix(containerID, ownPrefix); own {
		return accountID, true, nil
	}
	return r.ContainerAccount(ctx, plainContainer(containerID))
}

// objectName is the file of an object. They are spread over folders, of which none has too
// many names.
func objectName(name string) string { return name[:min(2, len(name))] + "/" + name }

// WriteBytes implements twinplatform.ByteStore: MaxFile, MaxAccount, MaxObjects, MaxTotal
// and MinFree bound what is written.
func (s *Store) WriteBytes(ctx context.Context, accountID, name string, content io.Reader) (size int64, _ error) {
	id := ownPrefix + accountID
	c, err := s.counted(ctx, id, accountID)
	if err != nil {
		return 0, unavailable(err)
	}
	room := &reservation{s: s, c: c}
	defer room.release()
	if err := s.reserve(ctx, room, 0); err != nil {
		return 0, asRefusal(err)
	}
	draft, err := s.backend.Create(ctx, id, objectName(name))
	if err != nil {
		return 0, unavailable(err)
	}
	defer draft.Discard()
	if err := room.copy(draft, content); err != nil {
		return 0, err
	}
	if err := draft.Close(); err != nil {
		return 0, unavailable(err)
	}
	defer s.changing(c)()
	ctx = context.WithoutCancel(ctx)
	there := true
	size = room.bytes
	failed := draft.Commit(ctx)
	if failed != nil {
		_, there, _ = s.backend.Size(ctx, id, objectName(name))
	}
	room.release()
	if there {
		s.add(c, size, 1) // until it is removed, also where it is not known to last
	}
	return size, unavailable(failed)
}

// OpenBytes implements twinplatform.ByteStore.
func (s *Store) OpenBytes(ctx context.Context, accountID, name string) (io.ReadSeekCloser, error) {
	file, err := s.backend.Open(ctx, ownPrefix+accountID, objectName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return file.Content, nil
}

// RemoveBytes implements twinplatform.ByteStore.
func (s *Store) RemoveBytes(ctx context.Context, accountID, name string) error {
	id := ownPrefix + accountID
	c := s.container(id, accountID)
	defer s.changing(c)()
	size, there, err := s.backend.Size(ctx, id, objectName(name))
	if err != nil || !there {
		return unavailable(err)
	}
	err = s.backend.Remove(ctx, id, objectName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another Store was faster
	}
	if err == nil {
		s.add(c, -size, -1)
	}
	return unavailable(err)
}
