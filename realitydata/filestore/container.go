package filestore

import (
	"context"
	"encoding/base64"
	"strings"
	"sync"
	"time"
)

// container is what is known of a container.
type container struct {
	// commit is held while a file appears or goes, for reading where the backend
	// is Shared, and while all of them go. It is taken before Store.mu.
	commit sync.RWMutex
	// counting is held while a container of a Shared backend is counted.
	counting sync.Mutex

	// own reports that it has the objects of an account, and no reality data.
	own bool

	// Guarded by Store.mu.
	account *account // nil until it is known
	bytes   int64    // of its files
	files   int64
	held    int64 // of bytes that are on their way into it

	// When what is here is to be counted again, which is never but in a Shared backend, and
	// what has come while that is done. Zero: it was not counted. Guarded by Store.mu.
	stale              time.Time
	newBytes, newFiles int64
}

// account is what the containers of an account take up, guarded by Store.mu.
type account struct {
	bytes  int64     // of files, and on their way
	looked time.Time // when it was last asked whether its containers are still there
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

// occupy counts bytes of an account; s.mu is held.
func (s *Store) occupy(a *account, bytes int64) {
	a.bytes += bytes
	s.bytes += bytes
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
	c := s.knownOrNew(containerID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.account == nil {
		c.account = s.accountCalled(accountID)
		s.occupy(c.account, c.bytes)
	}
	return c
}

// counted is container of one whose bytes and files are known as well as they must be.
// The first who asks for one of a Shared backend counts it while the others wait; when
// that is long ago, the first who notices does while the others continue.
func (s *Store) counted(ctx context.Context, containerID, accountID string) (*container, error) {
	c := s.container(containerID, accountID)
	if s.shared == nil {
		if known, _ := s.freshness(c); c.own && !known {
			_, err := s.measure(ctx, containerID, c)
			return c, err
		}
		return c, nil
	}
	switch known, fresh := s.freshness(c); {
	case fresh:
		return c, nil
	case !known:
		c.counting.Lock()
	case !c.counting.TryLock():
		return c, nil
	}
	defer c.counting.Unlock()
	if _, fresh := s.freshness(c); fresh {
		return c, nil
	}
	return c, s.recount(ctx, containerID, c)
}

// freshness is whether a container was ever counted, and whether that still holds.
func (s *Store) freshness(c *container) (known, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !c.stale.IsZero(), s.cfg.Now().Before(c.stale)
}

// rest is how many times as long as a container was counted it is not counted again, so
// that large ones do not keep the backend busy.
const rest = 20

// recount counts a container of a Shared backend; c.counting is held.
func (s *Store) recount(ctx context.Context, containerID string, c *container) error {
	s.mu.Lock()
	c.newBytes, c.newFiles = 0, 0
	s.mu.Unlock()
	began := s.cfg.Now()
	bytes, files, err := s.backend.Measure(ctx, containerID)
	if err != nil {
		return err
	}
	ended := s.cfg.Now()
	s.mu.Lock()
	// Whether it has what came meanwhile is not known; the limits are held either way.
	bytes += max(c.newBytes, 0)
	files += max(c.newFiles, 0)
	c.stale = ended.Add(max(s.shared.Fresh(), rest*ended.Sub(began)))
	s.setLocked(c, bytes, files)
	s.mu.Unlock()
	return nil
}

// changing begins a change of the files of a container.
func (s *Store) changing(c *container) (end func()) {
	if s.shared != nil {
		c.commit.RLock()
		return c.commit.RUnlock
	}
	c.commit.Lock()
	return c.commit.Unlock
}

// known returns what is known of a container, or nil.
func (s *Store) known(containerID string) *container {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.containers[containerID]
}

func (s *Store) knownOrNew(containerID string) *container {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.containers[containerID]
	if c == nil {
		c = &container{own: strings.HasPrefix(containerID, ownPrefix)}
		s.containers[containerID] = c
	}
	return c
}

// set sets what a container has; c.commit is held.
func (s *Store) set(c *container, bytes, files int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setLocked(c, bytes, files)
}

// setLocked sets what a container has; s.mu is held.
func (s *Store) setLocked(c *container, bytes, files int64) {
	if c.account != nil {
		s.occupy(c.account, bytes-c.bytes)
	}
	c.bytes, c.files = bytes, files
}

// add changes what a container has; c.commit is held.
func (s *Store) add(c *container, bytes, files int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.occupy(c.account, bytes)
	c.bytes += bytes
	c.files += files
	c.newBytes += bytes
	c.newFiles += files
}

// countAll counts all containers, and assigns them to their accounts.
func (s *Store) countAll(ctx context.Context, r Records) error {
	strays := 0
	for id, err := range s.backend.Containers(ctx) {
		if err != nil {
			return err
		}
		c := s.knownOrNew(id)
		if _, err := s.measure(ctx, id, c); err != nil {
			return err
		}
		accountID, ok, err := accountOf(ctx, r, id)
		if err != nil {
			return err
		}
		if ok {
			s.container(id, accountID)
		} else {
			strays++
		}
	}
	s.warnOfStrays(ctx, strays)
	return nil
}

// warnOfStrays reports containers that nothing has a record of. They may belong to
// another store, and so are not removed.
func (s *Store) warnOfStrays(ctx context.Context, strays int) {
	if strays > 0 {
		s.cfg.Logger.WarnContext(ctx, "files without a record in the store", "containers", strays)
	}
}

// measure counts a container while none of its files appears.
func (s *Store) measure(ctx context.Context, containerID string, c *container) (int64, error) {
	c.commit.Lock()
	defer c.commit.Unlock()
	bytes, files, err := s.backend.Measure(ctx, containerID)
	if err == nil {
		s.set(c, bytes, files)
	}
	if err == nil && s.shared == nil {
		s.mu.Lock()
		c.stale = s.cfg.Now()
		s.mu.Unlock()
	}
	return bytes, err
}

// ContainerSize returns the number of bytes in a container. It waits for a file that is
// just appearing, and counts again.
func (s *Store) ContainerSize(ctx context.Context, containerID string) (int64, error) {
	if c := s.known(containerID); c != nil {
		return s.measure(ctx, containerID, c)
	}
	bytes, _, err := s.backend.Measure(ctx, containerID)
	return bytes, err
}

// CountedSize returns the number of bytes in a container as this Store has counted them, without reading it. It is
// false where another Store may have written some, or nothing is known of the container.
func (s *Store) CountedSize(containerID string) (bytes int64, ok bool) {
	if s.shared != nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.containers[containerID]
	if c == nil {
		return 0, false
	}
	return c.bytes, true
}

// RemoveContainer deletes a container with all that is in it. What is being sent to
// it comes to nothing.
func (s *Store) RemoveContainer(ctx context.Context, containerID string) error {
	if s.shelf != nil {
		for _, prefix := range []string{blocksPrefix, attributesPrefix} {
			if err := s.removeContainer(ctx, prefix+containerID); err != nil {
				return err
			}
		}
	}
	return s.removeContainer(ctx, containerID)
}

func (s *Store) removeContainer(ctx context.Context, containerID string) error {
	if c := s.known(containerID); c != nil {
		c.commit.Lock()
		defer c.commit.Unlock()
		defer s.forget(containerID, c)
	}
	return s.backend.RemoveAll(ctx, containerID)
}

// forget gives back what a container took up.
func (s *Store) forget(containerID string, c *container) {
	s.set(c, 0, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.containers, containerID)
}
