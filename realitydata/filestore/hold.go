package filestore

import (
	"errors"
	"io"
	"syscall"

	"github.com/seed-933f9a09/twinplatform"
)

// hold is the room that a file takes up while it is on its way.
type hold struct {
	s     *Store
	c     *container
	bytes int64 // received
	room  int64 // held, of the container and its account
}

// open holds room for a file of a length, where that is known.
func (h *hold) open(length int64) error {
	if err := h.another(); err != nil {
		return err
	}
	length = max(length, 0)
	if err := h.grow(length); err != nil {
		return err
	}
	return h.free(length)
}

// grow holds room for a file of so many bytes, unless it holds as much.
func (h *hold) grow(size int64) error {
	cfg := &h.s.cfg
	if size > cfg.MaxFile {
		return errTooLarge
	}
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	more := size - h.room
	switch {
	case more <= 0:
		return nil
	case more > cfg.MaxContainer-h.c.bytes-h.c.held:
		return errContainerFull
	case more > cfg.MaxAccount-h.c.account.bytes:
		return errAccountFull
	}
	h.room += more
	h.c.held += more
	h.c.account.bytes += more
	return nil
}

// another fails where the container has as many files as it may.
func (h *hold) another() error {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if h.c.files >= h.s.cfg.MaxFiles {
		return errContainerFull
	}
	return nil
}

// free fails where so many bytes would leave too little of the disk to others.
func (h *hold) free(bytes int64) error {
	free, err := h.s.cfg.Free()
	if err != nil {
		return unavailable(err)
	}
	if free-bytes < h.s.cfg.MinFree {
		return errDiskFull
	}
	return nil
}

// release gives the room back.
func (h *hold) release() {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.c.held -= h.room
	h.c.account.bytes -= h.room
	h.room = 0
}

// copy writes what comes, for as long as there is room for it.
func (h *hold) copy(to io.Writer, from io.Reader) error {
	buf := make([]byte, chunk)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			h.bytes += int64(n)
			if err := h.grow(h.bytes); err != nil {
				return err
			}
			if err := h.free(int64(n)); err != nil {
				return err
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return unavailable(err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unavailable is a failure of the file system that is not the client's.
func unavailable(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return errDiskFull.Because(err)
	}
	return (&twinplatform.Error{
		Kind: twinplatform.Unavailable, Code: errNotServed.Code, Message: errNotServed.Message, RetryAfter: errNotServed.RetryAfter,
	}).Because(err)
}
