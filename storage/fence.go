package storage

// Fenced is implemented by engines that several processes may have open, of which one may
// have stood still while the others continued.
type Fenced interface {
	// Fence makes every later Update read a key within its transaction, in the journey that
	// begins it, before its function runs or any of what it writes is. Where holds returns an
	// error for the value, which is nil where there is none, the Update returns an error
	// that is [ErrUnavailable] and that one, and has written nothing. There is one fence; it
	// is set before the store is used by others.
	Fence(key string, holds func(value []byte) error)
}
