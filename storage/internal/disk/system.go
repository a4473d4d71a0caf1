package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrLocked reports that another process holds a lock.
var ErrLocked = errors.New("the file is in use by another store")

// System is the file system of the machine.
type System struct{}

var _ FS = System{}

// Open implements FS.
func (System) Open(name string) (File, error) { return asFile(openSystem(name, os.O_RDWR)) }

// OpenToRead implements FS.
func (System) OpenToRead(name string) (File, error) {
	f, err := openSystem(name, os.O_RDONLY)
	if held(err) {
		return nil, ErrLocked
	}
	return asFile(f, err)
}

// List implements FS.
func (System) List(prefix string) ([]string, error) {
	dir, begin := filepath.Split(prefix)
	entries, err := os.ReadDir(filepath.Clean(dir))
	var names []string
	for _, entry := range entries { // in order
		if strings.HasPrefix(entry.Name(), begin) {
			names = append(names, dir+entry.Name())
		}
	}
	return names, err
}

// Create implements FS.
func (System) Create(name string) (File, error) {
	return asFile(openSystem(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC))
}

// asFile keeps a nil file from becoming a File.
func asFile(f *systemFile, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func openSystem(name string, flags int) (*systemFile, error) {
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return &systemFile{File: f}, nil
}

// Names implements FS.
func (System) Names(name string, f File) (bool, error) {
	open, ok := f.(*systemFile)
	if !ok {
		return false, nil
	}
	if open.identity == nil {
		info, err := open.Stat()
		if err != nil {
			return false, err
		}
		open.identity = info
	}
	now, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(open.identity, now), err
}

// Rename implements FS.
func (System) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FS.
func (System) Remove(name string) error { return os.Remove(name) }

// SyncDir implements FS.
func (System) SyncDir(dir string) error { return syncDir(dir) }

type systemFile struct {
	*os.File
	identity fs.FileInfo // distinguishes the file from others; set by Names
	locked   bool
}

// Size implements File.
func (f *systemFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// fill takes disk space by writing zeros, where the system has no shorter way.
func (f *systemFile) fill(size int64) error {
	zeros := make([]byte, 64<<10)
	for at := int64(0); at < size; {
		n, err := f.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at)
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}
