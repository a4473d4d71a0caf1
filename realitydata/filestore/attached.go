package filestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"
)

// What belongs to the files of a container and is none of them is in containers whose ids
// begin with these, in a folder for each file. No address leads to them: a slash ends the id in
// one. They count to the account, and each has the limits of any container.
const (
	blocksPrefix     = "blocks/"     // a folder for each length of ids, and a file for each block
	attributesPrefix = "attributes/" // a file for each mark that the file has had
)

// plainContainer is the container that one belongs to.
func plainContainer(containerID string) string {
	for _, prefix := range []string{blocksPrefix, attributesPrefix} {
		if id, ok := strings.CutPrefix(containerID, prefix); ok {
			return id
		}
	}
	return containerID
}

// attachedFolder is the folder of what belongs to a file.
func attachedFolder(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// attributes is what is known of a file besides its bytes. They are of the file with one mark,
// and are written before that appears: who finds the file finds its own.
type attributes struct {
	Revision   int64             `json:"revision,omitempty"` // how often they were changed
	Changed    time.Time         `json:"changed,omitzero"`   // when, if they were
	Metadata   map[string]string `json:"metadata,omitempty"`
	Properties map[string]string `json:"properties,omitempty"` // by the names of headers
	Blocks     []block           `json:"blocks,omitempty"`
}

func (a *attributes) empty() bool {
	return a.Revision == 0 && len(a.Metadata) == 0 && len(a.Properties) == 0 && len(a.Blocks) == 0
}

// attributesName is where the attributes are of the file with a mark.
func attributesName(name, mark string) string { return path.Join(attachedFolder(name), mark) }

// attributes reads those of a file.
func (s *Store) attributes(ctx context.Context, containerID, name, mark string) (a attributes, ok bool, err error) {
	if s.marking == nil || mark == "" {
		return a, false, nil
	}
	file, err := s.backend.Open(ctx, attributesPrefix+containerID, attributesName(name, mark))
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	err = json.NewDecoder(file.Content).Decode(&a)
	return a, err == nil, errors.Join(err, file.Content.Close())
}

// keepAttributes writes those of a file that has, or will have, a mark, and with which so many
// bytes of the account go.
func (s *Store) keepAttributes(ctx context.Context, containerID, accountID, name, mark string, a *attributes,
	goes int64,
) error {
	content, err := json.Marshal(a)
	if err != nil {
		return err
	}
	id, at := attributesPrefix+containerID, attributesName(name, mark)
	c, err := s.counted(ctx, id, accountID)
	if err != nil {
		return err
	}
	room := &reservation{s: s, c: c, goes: goes}
	defer room.release()
	if err := room.grow(int64(len(content))); err != nil {
		return err
	}
	draft, err := s.backend.Create(ctx, id, at)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if _, err := draft.Write(content); err != nil {
		return unavailable(err)
	}
	if err := draft.Close(); err != nil {
		return unavailable(err)
	}
	defer s.changing(c)()
	replaced, replaces, err := s.backend.Size(ctx, id, at)
	if err != nil {
		return err
	}
	if err := draft.Commit(ctx); err != nil {
		return err
	}
	room.release()
	s.add(c, int64(len(content))-replaced, 1-count(replaces))
	return nil
}

// cleanUp removes the attributes of the files that one took the place of.
func (s *Store) cleanUp(ctx context.Context, x *writing, draft Draft) {
	if x.containerID == x.g.containerID {
		s.dropReplaced(ctx, x.containerID, x.accountID, x.name, draft)
	}
}

// dropReplaced removes the attributes of the files that a draft took the place of.
func (s *Store) dropReplaced(ctx context.Context, containerID, accountID, name string, draft Draft) {
	if s.marking == nil {
		return
	}
	mark, err := s.marking.Mark(draft)
	if err == nil {
		err = s.dropAttached(ctx, attributesPrefix+containerID, accountID, attachedFolder(name),
			attributesName(name, mark))
	}
	s.warnOfRest(ctx, err)
}

// forgetAttributes removes those of a file that is gone.
func (s *Store) forgetAttributes(ctx context.Context, containerID, accountID, name string) {
	if s.marking != nil {
		s.warnOfRest(ctx, s.dropAttached(ctx, attributesPrefix+containerID, accountID, attachedFolder(name), ""))
	}
}

// warnOfRest reports what is left next to a file, which is harmless.
func (s *Store) warnOfRest(ctx context.Context, err error) {
	if err != nil {
		s.cfg.Logger.WarnContext(ctx, "removing the companions of a file failed", "error", err)
	}
}

// dropAttached removes a folder of what is next to a file, except for one that is kept.
func (s *Store) dropAttached(ctx context.Context, id, accountID, folder, keep string) error {
	if gone, _, err := s.attached(ctx, id, folder, keep); err != nil || len(gone) == 0 {
		return err
	}
	c := s.container(id, accountID)
	defer s.changing(c)()
	gone, kept, err := s.attached(ctx, id, folder, keep)
	if err != nil {
		return err
	}
	if !kept {
		if err := s.shelf.RemoveFolder(ctx, id, folder); err != nil {
			return err
		}
	}
	for _, e := range gone {
		if kept {
			if err := s.backend.Remove(ctx, id, e.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		s.add(c, -e.Size, -1)
	}
	return nil
}

// attached lists a folder, without one that is kept, and reports whether that is there.
func (s *Store) attached(ctx context.Context, id, folder, keep string) (gone []Entry, kept bool, err error) {
	for e, err := range s.shelf.List(ctx, id, Listing{Prefix: folder + "/"}) {
		if err != nil {
			return nil, false, err
		}
		if e.Name == keep {
			kept = true
		} else {
			gone = append(gone, e)
		}
	}
	return gone, kept, nil
}
