package filestore

import (
	"context"
	"io"
)

// ListFiles calls yield with the files of a container whose names come behind one, in an
// order that stays, until it returns false. Folders are none. It fails with NotImplemented
// over a backend that is no [Shelf]. It checks no permissions, like the other methods for
// files: the caller does.
func (s *Store) ListFiles(ctx context.Context, containerID, after string,
	yield func(name string, size int64) bool,
) error {
	if s.shelf == nil {
		return errNotHere
	}
	for e, err := range s.shelf.List(ctx, containerID, Listing{After: after}) {
		if err != nil {
			return unavailable(err)
		}
		if !isFolderMark(e.Name) && !yield(e.Name, e.Size) {
			break
		}
	}
	return nil
}

// OpenFile opens a file of a container as it is now.
func (s *Store) OpenFile(ctx context.Context, containerID, name string) (io.ReadCloser, error) {
	file, err := s.backend.Open(ctx, containerID, name)
	if isNoFile(err) {
		return nil, errNoFile.Err()
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return file.Content, nil
}

// WriteFile writes a file whole or not at all, in place of another, within the limits of the
// container and of the account whose bytes they are. It has no metadata.
func (s *Store) WriteFile(ctx context.Context, containerID, accountID, name string, content io.Reader) error {
	c, err := s.counted(ctx, containerID, accountID)
	if err != nil {
		return unavailable(err)
	}
	room := &reservation{s: s, c: c}
	defer room.release()
	if err := s.reserve(ctx, room, 0); err != nil {
		return asRefusal(err)
	}
	draft, err := s.backend.Create(ctx, containerID, name)
	if err != nil {
		return unavailable(err)
	}
	defer draft.Discard()
	if err := room.copy(draft, content); err != nil {
		return asRefusal(err)
	}
	if err := draft.Close(); err != nil {
		return unavailable(err)
	}
	ctx = context.WithoutCancel(ctx)
	replaces, err := s.place(ctx, containerID, name, room, draft)
	if err == nil && replaces {
		s.dropReplaced(ctx, containerID, accountID, name, draft)
	}
	return err
}

// place puts a file that no request sends in place of another, and reports whether there was
// one.
func (s *Store) place(ctx context.Context, containerID, name string, room *reservation, draft Draft) (replaces bool,
	err error,
) {
	defer s.changing(room.c)()
	replaced, replaces, err := s.backend.Size(ctx, containerID, name)
	if err != nil {
		return false, unavailable(err)
	}
	size, there := room.bytes, true
	failed := draft.Commit(ctx)
	if failed != nil {
		if size, there, err = s.backend.Size(ctx, containerID, name); err != nil {
			return replaces, unavailable(failed)
		}
	}
	room.release()
	s.add(room.c, size-replaced, count(there)-count(replaces))
	return replaces, unavailable(failed)
}
