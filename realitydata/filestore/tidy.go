package filestore

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
)

// partPrefix begins the names of files that were being written, when they were
// still written beside those that they replaced. No other file has such a name.
const partPrefix = ".part-"

func isPart(name string) bool { return strings.HasPrefix(name, partPrefix) }

// tidy removes what a dead process left, and finds out what the containers hold.
func (s *Store) tidy() error {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if name == uploadsFolder || strings.HasPrefix(name, removedPrefix) {
			if err := s.root.RemoveAll(name); err != nil {
				return err
			}
			continue
		}
		if id, ok := containerIn(name); ok {
			if err := s.tidyContainer(id, name); err != nil {
				return err
			}
		}
	}
	return errors.Join(s.root.Mkdir(uploadsFolder, 0o700), s.sync("."))
}

func (s *Store) tidyContainer(id, folder string) error {
	var parts []string
	err := fs.WalkDir(s.root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isPart(path.Base(name)) {
			parts = append(parts, name)
		}
		return err
	})
	for _, name := range parts {
		if err == nil {
			err = s.root.Remove(name)
		}
	}
	if err != nil {
		return err
	}
	c := new(container)
	if c.bytes, c.files, err = s.measure(folder); err != nil {
		return err
	}
	s.containers[id] = c
	return nil
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

// mkdirs makes a folder with those above it, to last.
func (s *Store) mkdirs(folder string) error {
	switch err := s.root.Mkdir(folder, 0o700); {
	case err == nil:
		return s.sync(path.Dir(folder))
	case errors.Is(err, fs.ErrExist):
		return nil
	case !errors.Is(err, fs.ErrNotExist) || folder == ".":
		return err
	}
	if err := s.mkdirs(path.Dir(folder)); err != nil {
		return err
	}
	return s.mkdirs(folder)
}

// prune removes folders that are empty, from the innermost outwards.
func (s *Store) prune(folder string) {
	for folder != "." && s.root.Remove(folder) == nil {
		folder = path.Dir(folder)
	}
}

// sync makes the names in a folder last.
func (s *Store) sync(folder string) error {
	if runtime.GOOS == "windows" {
		return nil // which has no way to say it
	}
	f, err := s.root.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// size is that of a file, and whether there is one.
func (s *Store) size(name string) (bytes int64, ok bool, err error) {
	info, err := s.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case info.IsDir():
		return 0, false, &os.PathError{Op: "stat", Path: name, Err: errInTheWay}
	}
	return info.Size(), true, nil
}
