package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
)

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
