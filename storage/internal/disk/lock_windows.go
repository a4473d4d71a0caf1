package disk

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is Windows' answer while another handle holds the file.
const errSharing = syscall.Errno(32)

// held reports whether another handle keeps a file from being opened.
func held(err error) bool { return errors.Is(err, errSharing) }

// Lock implements FS: while the file is open without sharing, no other process can
// open it, and the system closes it with the process.
func (System) Lock(name string) (File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharing) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return &systemFile{File: os.NewFile(uintptr(handle), name)}, nil
}
