package storage

import "time"

// Timed is implemented by engines of several processes that have one clock for all of them,
// such as the clock of a database: leases go by it, since the clocks of the processes may
// differ.
type Timed interface {
	// Clock returns the present by that clock, as far as this process knows it; nil where there
	// is none. What it returns is called often, and neither waits nor fails.
	Clock() func() time.Time
}

// TimeOf returns the clock of an engine that is [Timed], and nil for any other.
func TimeOf(s Store) func() time.Time {
	if engine, ok := s.(Timed); ok {
		return engine.Clock()
	}
	return nil
}
