package storetest

import (
	"context"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// telling is a store of several processes, who are told at once.
type telling struct {
	storage.Store
	mu      sync.Mutex
	watches map[chan struct{}][]string
}

// Telling returns a store over another that others may be writing to, and that tells those
// who watch it at once.
func Telling(store storage.Store) storage.Watcher {
	return &telling{Store: store, watches: make(map[chan struct{}][]string)}
}

// Watch implements storage.Watcher.
func (s *telling) Watch(ctx context.Context, topics ...string) <-chan struct{} {
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
func (s *telling) Notify(topics ...string) {
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
