package realitydata

import "sync"

// keyedMutex locks by name, so that work on one key waits for no work that
// works on another. The zero value is ready.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]*heldMutex
}

type heldMutex struct {
	sync.Mutex
	users int // guarded by keyedMutex.mu
}

// lock locks a name and returns what unlocks it.
func (k *keyedMutex) lock(name string) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = make(map[string]*heldMutex)
	}
	h := k.held[name]
	if h == nil {
		h = new(heldMutex)
		k.held[name] = h
	}
	h.users++
	k.mu.Unlock()
	h.Lock()
	return func() {
		h.Unlock()
		k.mu.Lock()
		defer k.mu.Unlock()
		if h.users--; h.users == 0 {
			delete(k.held, name)
		}
	}
}
