//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lockPatience is how long another process may have a file locked.
const lockPatience = 10 * time.Second

// lockFile waits until no one else has made a file, and makes it.
func lockFile(name string) (unlock func() error, err error) {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case err == nil:
			return func() error { return errors.Join(f.Close(), os.Remove(name)) }, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, err
		case time.Since(began) > lockPatience:
			return nil, fmt.Errorf("%w: remove it if no other command of twinplatform runs", err)
		}
	}
}

// ownAs does nothing: a new file is owned as the folder says.
func ownAs(ownFile, fs.FileInfo) error { return nil }

// openToOthers is not known from the mode of a file.
func openToOthers(fs.FileInfo) bool { return false }
