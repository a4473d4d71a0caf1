//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package disk

import (
	"errors"
	"io/fs"
	"os"
)

// held reports whether another handle keeps a file from being opened.
func held(error) bool { return false }

// Lock implements FS by the existence of the file, for want of anything that
// ends with the process: after a crash, it must be removed by hand.
func (System) Lock(name string) (File, error) {
	f, err := openSystem(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return removing{f}, nil
}

type removing struct{ *systemFile }

// Close gives the lock back.
func (f removing) Close() error { return errors.Join(f.systemFile.Close(), os.Remove(f.Name())) }
