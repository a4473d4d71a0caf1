//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock implements FS. The lock belongs to the open file, so it keeps out other
// openers of this process as well.
func (System) Lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	held := heldLock{f}
	err = held.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	if err == nil {
		return held, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, &os.PathError{Op: "flock", Path: name, Err: err}
}

type heldLock struct{ *os.File }

// Close gives the lock back by name: a child that is being started holds a copy
// of the open file for a moment, and the lock with it.
func (l heldLock) Close() error {
	return errors.Join(l.flock(syscall.LOCK_UN), l.File.Close())
}

func (l heldLock) flock(how int) error {
	for {
		err := syscall.Flock(int(l.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
