package buntdb

import "time"

// flushEverySecond flushes until Close.
func (s *store) flushEverySecond() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
			s.flushFile()
		}
	}
}

// flushFile makes durable what is in the file now. Writers continue meanwhile.
func (s *store) flushFile() {
	s.flushing.Lock()
	f, upTo := s.file, s.file.pos.Offset
	if f.durable >= upTo || s.failed() != nil {
		s.flushing.Unlock()
		return
	}
	f.flushing = true
	s.flushing.Unlock()

	began := time.Now()
	err := f.disk.Sync()

	s.flushing.Lock()
	defer s.flushing.Unlock()
	f.flushing = false
	switch {
	case f.dropped:
		// What it held is durable elsewhere.
		_ = f.disk.Close()
	case err != nil:
		_ = s.markFailed(err)
	default:
		s.counts.flushed(began)
		f.durable = max(f.durable, upTo)
		_ = s.stayAttached()
	}
}
