//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// held reports whether another handle keeps a file from being opened.
func held(error) bool { return false }

// Lock implements FS. The lock belongs to the open file, so it keeps out other
// openers of this process as well.
func (System) Lock(name string) (File, error) {
	f, err := openSystem(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := f.Lock(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Lock implements File.
func (f *systemFile) Lock() error {
	err := f.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "flock", Path: f.Name(), Err: err}
	}
	f.locked = true
	return nil
}

// Close gives the lock back by name: a child that is being started holds a copy
// of the open file for a moment, and the lock with it.
func (f *systemFile) Close() error {
	var err error
	if f.locked {
		err = f.flock(syscall.LOCK_UN)
		f.locked = false
	}
	return errors.Join(err, f.File.Close())
}

func (f *systemFile) flock(how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
