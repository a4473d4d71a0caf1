package filestore

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// container is what is known of a folder of bytes.
type container struct {
	// commit is held while a file appears or goes, and while all of them go. It is
	// taken before Store.mu.
	commit sync.Mutex

	// Guarded by Store.mu.
	account *account // nil until it is known
	bytes   int64    // of its files
	files   int64
	held    int64 // of bytes that are on their way into it
}

// account is what the containers of an account take up, guarded by Store.mu.
type account struct {
	bytes   int64 // of files, and on their way
	uploads int64 // under way
}

const containerPrefix = "c-"

// folderName is the folder of a container.
func folderName(containerID string) string {
	return containerPrefix + base64.RawURLEncoding.EncodeToString([]byte(containerID))
}

func containerIn(folder string) (containerID string, ok bool) {
	encoded, ok := strings.CutPrefix(folder, containerPrefix)
	id, err := base64.RawURLEncoding.DecodeString(encoded)
	return string(id), ok && err == nil && len(id) > 0
}

// accountCalled returns an account; s.mu is held.
func (s *Store) accountCalled(id string) *account {
	a := s.accounts[id]
	if a == nil {
		a = new(account)
		s.accounts[id] = a
	}
	return a
}

// container returns what is known of a container of an account.
func (s *Store) container(containerID, accountID string) *container {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.containers[containerID]
	if c == nil {
		c = new(container)
		s.containers[containerID] = c
	}
	if c.account == nil {
		c.account = s.accountCalled(accountID)
		c.account.bytes += c.bytes
	}
	return c
}

// known returns a container that has something in it, or nil.
func (s *Store) known(containerID string) *container {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.containers[containerID]
}

// set sets what a container has; c.commit is held.
func (s *Store) set(c *container, bytes, files int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.account != nil {
		c.account.bytes += bytes - c.bytes
	}
	c.bytes, c.files = bytes, files
}

// add changes what a container has; c.commit is held.
func (s *Store) add(c *container, bytes, files int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.account.bytes += bytes
	c.bytes += bytes
	c.files += files
}

// count assigns the containers in the folder to their accounts.
func (s *Store) count(ctx context.Context, r Records) error {
	s.mu.Lock()
	ids := make([]string, 0, len(s.containers))
	for id := range s.containers {
		ids = append(ids, id)
	}
	s.mu.Unlock()
	strays := 0
	for _, id := range ids {
		accountID, ok, err := r.ContainerAccount(ctx, id)
		if err != nil {
			return err
		}
		if ok {
			s.container(id, accountID)
		} else {
			strays++
		}
	}
	if strays > 0 {
		// They may belong to another store, and so are nobody's to remove.
		s.cfg.Logger.WarnContext(ctx, "the folder for files has containers that the store has no record of", "containers", strays)
	}
	return nil
}

// measure counts the bytes and the files of a folder, without what was cut off.
func (s *Store) measure(folder string) (bytes, files int64, err error) {
	err = s.walk(folder, func(_ string, info fs.FileInfo) error {
		bytes += info.Size()
		files++
		return nil
	})
	return bytes, files, err
}

// walk yields the files of a folder; one that is not there has none.
func (s *Store) walk(folder string, fn func(name string, info fs.FileInfo) error) error {
	err := fs.WalkDir(s.root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil && !isPart(path.Base(name)) {
			err = fn(name, info)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ContainerSize returns the number of bytes in a container. It waits for a file that
// is just appearing, and counts anew.
func (s *Store) ContainerSize(_ context.Context, containerID string) (int64, error) {
	c := s.known(containerID)
	if c == nil {
		bytes, _, err := s.measure(folderName(containerID))
		return bytes, err
	}
	c.commit.Lock()
	defer c.commit.Unlock()
	bytes, files, err := s.measure(folderName(containerID))
	if err == nil {
		s.set(c, bytes, files)
	}
	return bytes, err
}
