package filestore

import "time"

// pace is how fast a client must be: it has the grace, and a second for each so many
// bytes. Only the time spent waiting for it counts.
type pace struct {
	left    time.Duration
	perByte float64 // seconds
}

func (s *Store) pace() pace {
	return pace{left: s.cfg.Grace, perByte: 1 / float64(s.cfg.MinRate)}
}

// deadline is when the client has used up its time.
func (p *pace) deadline() time.Time { return time.Now().Add(p.left) }

// moved accounts for bytes that took the client from began until now.
func (p *pace) moved(n int, began time.Time) {
	p.left += time.Duration(float64(n)*p.perByte*float64(time.Second)) - time.Since(began)
}
