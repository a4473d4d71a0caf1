package storage

// Exclusive is implemented by engines that no other process can write to while they
// are open: the file is locked, or the data are this process's alone.
type Exclusive interface {
	// Epoch names this opening of the store, its incarnation, and no other ever.
	// What an earlier opening left behind, such as a lease that it never gave
	// back, belongs to no living process.
	Epoch() string
}

// Epoch returns the name of the present opening of s, or "" when others may be
// writing to it too, as far as is known.
func Epoch(s Store) string {
	if engine, ok := s.(Exclusive); ok {
		return engine.Epoch()
	}
	return ""
}
