package filestore

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// partPrefix begins the names of files that were being written, when they were
// still written beside those that they replaced. No other file has such a name.
const partPrefix = ".part-"

func isPart(name string) bool { return strings.HasPrefix(name, partPrefix) }

// recoverFolder removes what a dead process left, and finds out what the containers hold.
func (s *Store) recoverFolder() error {
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
			if err := s.recoverContainer(id, name); err != nil {
				return err
			}
		}
	}
	return errors.Join(s.root.Mkdir(uploadsFolder, 0o700), s.sync("."))
}

func (s *Store) recoverContainer(id, folder string) error {
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
