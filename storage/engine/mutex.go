package engine

import "context"

// Mutex is a lock that one can stop waiting for. It is made by NewMutex.
type Mutex chan struct{}

// NewMutex returns an unlocked Mutex.
func NewMutex() Mutex { return make(Mutex, 1) }

// Lock waits for the lock.
func (m Mutex) Lock() { m <- struct{}{} }

// LockContext waits for the lock, or until ctx is done and returns its error.
func (m Mutex) LockContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.TryLock() {
		return nil // a context is not asked for its Done channel
	}
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TryLock takes the lock unless a goroutine holds it, and reports whether it did.
func (m Mutex) TryLock() bool {
	select {
	case m <- struct{}{}:
		return true
	default:
		return false
	}
}

// Unlock gives the lock back.
func (m Mutex) Unlock() { <-m }
