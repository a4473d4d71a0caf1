package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// disk is the few calls through which a server writes files of its own next to the store, so
// that tests can put one there that fails.
type disk interface {
	// Create opens a file for writing that is not there yet.
	Create(name string, mode fs.FileMode) (ownFile, error)
	Rename(from, to string) error
	Remove(name string) error
}

// ownFile is a file that is being written.
type ownFile interface {
	io.WriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
}

// systemDisk is the disk of the machine.
type systemDisk struct{}

// Create implements disk.
func (systemDisk) Create(name string, mode fs.FileMode) (ownFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Rename implements disk.
func (systemDisk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements disk.
func (systemDisk) Remove(name string) error { return os.Remove(name) }

// replaceFile writes a file of a mode. It appears with all of it or not at all. One that is
// there already keeps its owner and its group, and what the group may read; no one else may
// read it afterwards.
func replaceFile(d disk, file string, text []byte, mode fs.FileMode) error {
	part := file + ".part"
	_ = d.Remove(part) // with whatever mode it was left
	out, err := d.Create(part, mode)
	if err != nil {
		return err
	}
	if before, e := os.Stat(file); e == nil {
		mode = before.Mode().Perm()&groupReads | 0o600
		err = ownAs(out, before)
	}
	if err == nil {
		err = out.Chmod(mode)
	}
	if err == nil {
		_, err = out.Write(text)
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = d.Rename(part, file)
	}
	if err != nil {
		_ = d.Remove(part)
	}
	return err
}

// groupReads is the mode of a file that its owner changes and its group reads.
const groupReads fs.FileMode = 0o640

// secretMode is the mode of a new file with secrets: its owner alone reads it, and its group
// too in a folder whose files are for a group, as the set-group-ID bit says.
func secretMode(file string) fs.FileMode {
	info, err := os.Stat(filepath.Dir(file))
	if err == nil && info.Mode()&fs.ModeSetgid != 0 && info.Mode().Perm()&0o040 != 0 {
		return groupReads
	}
	return 0o600
}

// curable is an error of the file system with what to do about it.
type curable struct {
	error
	cure string
}

// Error implements error.
func (e curable) Error() string { return e.error.Error() + ": " + e.cure }

// Unwrap returns the error alone.
func (e curable) Unwrap() error { return e.error }

// withCure adds to an error of the file system what to do about it.
func withCure(err error) error {
	if cure := cureOf(err); cure != "" {
		return curable{err, cure}
	}
	return err
}

func cureOf(err error) string {
	if _, has := errors.AsType[curable](err); has || err == nil {
		return ""
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room there"
	case errors.Is(err, syscall.EROFS):
		return "it can only be read: mount it for writing, or name another place"
	case errors.Is(err, syscall.EFBIG):
		return "files may not grow so long: raise the limit (ulimit -f)"
	case errors.Is(err, syscall.EIO):
		return "the disk fails: see the log of the kernel, and copy what can be read to another one"
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("give the user that runs this (uid %d) the right to it", os.Getuid())
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(path, fs.ErrNotExist) {
		folder := filepath.Dir(path.Path)
		if path.Op == "lstat" { // on the way to the file
			folder = path.Path
		}
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return "make the folder " + folder
		}
	}
	return ""
}
