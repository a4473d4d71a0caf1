package storetest

import (
	"context"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// notifying is a store of several processes, which are notified at once.
type notifying struct {
	storage.Store
	mu      sync.Mutex
	watches map[chan struct{}][]string
}

// Notifying returns a store over another that others may be writing to, and that notifies
// its watchers at once.
func Notifying(store storage.Store) storage.Watcher {
	return &notifying{Store: store, watches: make(map[chan struct{}][]string)}
}

// Watch implements storage.Watcher.
func (s *notifying) Watch(ctx context.Context, topics ...string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens := make(chan struct{}, 1)
	s.watches[tokens] = topics
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watches, tokens)
	})
	return tokens
}

// Notify implements storage.Watcher.
func (s *notifying) Notify(topics ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tokens, watched := range s.watches {
		if slices.ContainsFunc(topics, func(topic string) bool { return slices.Contains(watched, topic) }) {
			select {
			case tokens <- struct{}{}:
			default:
			}
		}
	}
}
