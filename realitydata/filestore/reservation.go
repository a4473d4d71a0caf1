package filestore

import (
	"errors"
	"io"
	"syscall"

	"github.com/seed-933f9a09/twinplatform"
)

// reservation is the room that a file takes up while it is on its way.
type reservation struct {
	s     *Store
	c     *container
	bytes int64 // received
	held  int64 // of the container and its account
	goes  int64 // bytes of the account that continuece the file is there
}

// open reserves room for a file of a length, where that is known.
func (r *reservation) open(length int64) error {
	if err := r.another(); err != nil {
		return err
	}
	length = max(length, 0)
	if err := r.grow(length); err != nil {
		return err
	}
	return r.free(length)
}

// grow reserves room for a file of so many bytes, unless it has as much.
func (r *reservation) grow(size int64) error {
	cfg := &r.s.cfg
	if size > cfg.MaxFile {
		return errTooLarge
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	more := size - r.held
	switch {
	case more <= 0:
		return nil
	case !r.c.own && more > cfg.MaxContainer-r.c.bytes-r.c.held:
		return errContainerFull
	case more-r.goes > cfg.MaxAccount-r.c.account.bytes:
		return errAccountFull
	case more-r.goes > cfg.MaxTotal-r.s.bytes:
		return errDiskFull
	}
	r.held += more
	r.c.held += more
	r.s.occupy(r.c.account, more)
	return nil
}

// another fails where the container has as many files as it may.
func (r *reservation) another() error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	switch {
	case r.c.own && r.c.files >= r.s.cfg.MaxObjects:
		return errAccountFull
	case !r.c.own && r.c.files >= r.s.cfg.MaxFiles:
		return errContainerFull
	}
	return nil
}

// free fails where so many bytes would leave too little of the disk to others.
func (r *reservation) free(bytes int64) error {
	free, err := r.s.cfg.Free()
	if err != nil {
		return unavailable(err)
	}
	if free-bytes < r.s.cfg.MinFree {
		return errDiskFull
	}
	return nil
}

// release gives the room back.
func (r *reservation) release() {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.c.held -= r.held
	r.s.occupy(r.c.account, -r.held)
	r.held = 0
}

// copy writes what comes, for as long as there is room for it.
func (r *reservation) copy(to io.Writer, from io.Reader) error {
	buf := make([]byte, chunk)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			r.bytes += int64(n)
			if err := r.grow(r.bytes); err != nil {
				return err
			}
			if err := r.free(int64(n)); err != nil {
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

// unavailable is a failure of the backend that is not the client's.
func unavailable(err error) error {
	if _, ok := errors.AsType[*twinplatform.Error](err); ok || err == nil {
		return err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return errDiskFull.Because(err)
	}
	return (&twinplatform.Error{
		Kind: twinplatform.Unavailable, Code: errNotServed.Code, Message: errNotServed.Message,
		RetryAfter: errNotServed.RetryAfter,
	}).Because(err)
}
