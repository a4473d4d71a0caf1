package filestore

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
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
	bytes int64 // of files, and on their way
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

// RemoveContainer deletes a container with all that is in it. What is being sent to
// it comes to nothing.
func (s *Store) RemoveContainer(_ context.Context, containerID string) error {
	if c := s.known(containerID); c != nil {
		c.commit.Lock()
		defer c.commit.Unlock()
		defer s.forget(containerID, c)
	}
	// Renamed, all of it is gone at once, whenever this process ends.
	gone := removedPrefix + rand.Text()
	err := s.root.Rename(folderName(containerID), gone)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = s.sync(".")
	}
	if err == nil {
		err = s.root.RemoveAll(gone)
	}
	return err
}

// forget gives back what a container took up.
func (s *Store) forget(containerID string, c *container) {
	s.set(c, 0, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.containers, containerID)
}
