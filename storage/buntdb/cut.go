package buntdb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
)

// cuts are the files in which what opening cuts off is kept.
type cuts struct {
	fs     disk.FS
	path   string // of the store
	files  int    // how many are kept; negative for all
	bytes  int64  // how much they may hold; negative for anything
	logger *slog.Logger
}

// cutTime is how the name of such a file says when it was made: names in order are times
// in order.
const cutTime = "20060102T150405.000000000Z"

// keepTail copies the end of a file that is about to be cut off to a separate file and
// returns the name. On a full disk the reserve file makes room for it.
func (s *store) keepTail(f disk.File, from, size int64) (name string, err error) {
	name, err = s.cuts.keep(f, from, size)
	if diskFull(err) {
		s.full.Store(true)
		s.reserve.release()
		name, err = s.cuts.keep(f, from, size)
	}
	return name, err
}

// keep makes a durable copy of a part of a file.
func (c *cuts) keep(f disk.File, from, size int64) (name string, err error) {
	if name, err = c.name(time.Now()); err != nil {
		return "", err
	}
	out, err := c.fs.Create(name)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.NewOffsetWriter(out, 0), io.NewSectionReader(f, from, size-from))
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = c.fs.SyncDir(filepath.Dir(name))
	}
	if err != nil {
		return "", errors.Join(err, c.fs.Remove(name))
	}
	c.forget(name)
	return name, nil
}

// name returns a name that no file has.
func (c *cuts) name(now time.Time) (string, error) {
	name := c.path + ".cut-" + now.UTC().Format(cutTime)
	for n := 1; ; n++ {
		free := name
		if n > 1 {
			free = fmt.Sprintf("%s-%d", name, n)
		}
		f, err := c.fs.OpenToRead(free)
		if errors.Is(err, fs.ErrNotExist) {
			return free, nil
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return "", err
		}
	}
}

// forget removes the oldest files until the others are within bounds. The newest stays.
func (c *cuts) forget(newest string) {
	names, err := c.fs.List(c.path + ".cut-")
	if err != nil {
		c.logger.Warn("buntdb: the files of earlier cuts cannot be listed", "path", c.path, "error", err)
		return
	}
	files, bytes := 1, c.size(newest)
	for _, name := range slices.Backward(names) {
		if name == newest {
			continue
		}
		files, bytes = files+1, bytes+c.size(name)
		if (c.files < 0 || files <= c.files) && (c.bytes < 0 || bytes <= c.bytes) {
			continue
		}
		if err := c.fs.Remove(name); err != nil {
			c.logger.Warn("buntdb: a file of an earlier cut cannot be removed", "path", name, "error", err)
		}
	}
}

// size returns the length of a file in bytes, 0 for one that cannot be read.
func (c *cuts) size(name string) int64 {
	f, err := c.fs.OpenToRead(name)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // nothing was written
	size, err := f.Size()
	if err != nil {
		return 0
	}
	return size
}
