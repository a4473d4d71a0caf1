package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// Reserve implements File.
func (f *systemFile) Reserve(size int64) error {
	err := f.control("fallocate", func(fd int) error { return syscall.Fallocate(fd, 0, 0, size) })
	if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return f.fill(size)
	}
	return err
}

// Sync implements File. The time of the last change need not be durable, so
// that one flush of the disk suffices.
func (f *systemFile) Sync() error { return f.control("fdatasync", syscall.Fdatasync) }

// control runs a system call until no signal interrupts it. Its error names the file.
func (f *systemFile) control(name string, call func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var callErr error
	err = conn.Control(func(fd uintptr) {
		for {
			if callErr = call(int(fd)); !errors.Is(callErr, syscall.EINTR) {
				return
			}
		}
	})
	if callErr != nil {
		callErr = &fs.PathError{Op: name, Path: f.Name(), Err: callErr}
	}
	return errors.Join(err, callErr)
}
