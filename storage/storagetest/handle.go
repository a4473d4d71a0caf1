package storagetest

import (
	"io"
	"io/fs"
	"syscall"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
)

// handle is an open file of a Disk.
type handle struct {
	disk   *Disk
	file   *inode
	name   string
	locked bool
	closed bool
}

var _ disk.File = (*handle)(nil)

// ReadAt implements disk.File.
func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.closed {
		return 0, fs.ErrClosed
	}
	if _, verdict := h.disk.call("read", h.name); verdict.Err != nil {
		return 0, verdict.Err
	}
	if off >= int64(len(h.file.data)) {
		return 0, io.EOF
	}
	n := copy(p, h.file.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements disk.File.
func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	return h.change("write", func(verdict Verdict) (int, error) {
		n := len(p)
		if grow := off + int64(n) - int64(len(h.file.data)); grow > 0 && !h.disk.fits(grow) {
			verdict = Verdict{
				Err:   &fs.PathError{Op: "write", Path: h.name, Err: syscall.ENOSPC},
				Short: h.disk.fits(grow / 2),
			}
		}
		switch {
		case verdict.Err == nil || verdict.Done:
		case verdict.Short:
			n /= 2
		default:
			n = 0
		}
		if n > 0 {
			h.file.edit(edit{at: off, bytes: append([]byte(nil), p[:n]...)})
		}
		return n, verdict.Err
	})
}

// Truncate implements disk.File.
func (h *handle) Truncate(size int64) error {
	_, err := h.change("truncate", func(verdict Verdict) (int, error) {
		if verdict.Err == nil {
			h.file.edit(edit{at: size, cut: true})
		}
		return 0, verdict.Err
	})
	return err
}

// Reserve implements disk.File.
func (h *handle) Reserve(size int64) error {
	_, err := h.change("reserve", func(verdict Verdict) (int, error) {
		grow := size - int64(len(h.file.data))
		if grow > 0 && !h.disk.fits(grow) {
			return 0, &fs.PathError{Op: "reserve", Path: h.name, Err: syscall.ENOSPC}
		}
		if verdict.Err == nil && grow > 0 {
			h.file.edit(edit{at: size, cut: true})
		}
		return 0, verdict.Err
	})
	return err
}

// Sync implements disk.File.
func (h *handle) Sync() error {
	_, err := h.change("sync", func(verdict Verdict) (int, error) {
		if verdict.Err != nil {
			// What the system was to write may be lost, and it forgets that.
			return 0, verdict.Err
		}
		h.file.synced = append([]byte(nil), h.file.data...)
		h.file.pending = nil
		return 0, nil
	})
	return err
}

// Size implements disk.File.
func (h *handle) Size() (int64, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return int64(len(h.file.data)), nil
}

// Close implements disk.File.
func (h *handle) Close() error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.closed {
		return fs.ErrClosed
	}
	h.closed = true
	if h.locked {
		h.file.locked = false
	}
	return nil
}

// Lock implements disk.File.
func (h *handle) Lock() error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.file.locked {
		return disk.ErrLocked
	}
	h.file.locked, h.locked = true, true
	return nil
}

// change makes a call that alters the file.
func (h *handle) change(op string, do func(Verdict) (int, error)) (int, error) {
	h.disk.hold(op, h.name)
	h.disk.mu.Lock()
	if h.closed {
		h.disk.mu.Unlock()
		return 0, fs.ErrClosed
	}
	c, verdict := h.disk.call(op, h.name)
	n, err := do(verdict)
	h.disk.mu.Unlock()
	h.disk.changed(c)
	return n, err
}

// edit makes a change that is not durable yet.
func (f *inode) edit(e edit) {
	f.data = e.apply(f.data)
	f.pending = append(f.pending, e)
}

func (e edit) apply(data []byte) []byte {
	end := e.at + int64(len(e.bytes))
	if e.cut && int64(len(data)) > end {
		return data[:end:end]
	}
	if grow := end - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	copy(data[e.at:], e.bytes)
	return data
}
