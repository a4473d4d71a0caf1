package buntdb

import (
	"errors"
	"time"
)

// errGone reports that what is written is written to a file that has lost its name.
var errGone = errors.New("the file was removed, moved or replaced by another while it was open")

// attached fails when the file is no longer the one at the store's path. The
// caller holds flushing or is the only one who knows the store.
func (s *store) attached() error {
	if s.file == nil {
		return nil
	}
	ok, err := s.fs.Names(s.path, s.file.disk)
	if err == nil && !ok {
		err = errGone
	}
	s.checked = time.Now()
	return err
}

// stayAttached ends the store when its file is gone. The caller holds flushing.
func (s *store) stayAttached() error {
	if err := s.attached(); err != nil {
		return s.markFailed(err)
	}
	return nil
}

// syncFile makes what was written durable, where it will be found. The caller
// holds flushing.
func (s *store) syncFile() error {
	began := time.Now()
	if err := s.file.sync(); err != nil {
		return s.markFailed(err)
	}
	s.counts.flushed(began)
	if err := s.stayAttached(); err != nil {
		return err
	}
	s.watermark.advance(s.file.pos)
	return nil
}
