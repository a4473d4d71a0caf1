//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package server

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lockFile waits until no one else has a file locked, which it makes where there is none.
// The lock ends with the process, too.
func lockFile(name string) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "flock", Path: name, Err: err}, f.Close())
	}
	return f.Close, nil
}

// ownAs gives a file to the owner and the group of another.
func ownAs(f ownFile, other fs.FileInfo) error {
	theirs, ok := other.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if ours, ok := info.Sys().(*syscall.Stat_t); ok && ours.Uid == theirs.Uid && ours.Gid == theirs.Gid {
		return nil
	}
	return f.Chown(int(theirs.Uid), int(theirs.Gid))
}

// openToOthers reports whether others than its owner can change a file, or others than its
// owner and its group can read it.
func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o026 != 0 }
