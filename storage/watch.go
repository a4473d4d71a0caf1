package storage

import "context"

// Watcher is implemented by engines of several processes where one can be notified at once
// of what another has done. It is a hint only: a notice may be lost, or never sent, as
// behind some poolers, so a watcher also polls now and then.
type Watcher interface {
	Store

	// Watch returns a channel that has a token after Notify was called with one of the
	// topics, on this handle or another; a View that begins then sees what had been
	// acknowledged before that call. Notices that come while there is a token are one with
	// it. There may be a token for no reason, as after a time in which notices may
	// have been lost. It ends with ctx or the store: there are no tokens any more.
	Watch(ctx context.Context, topics ...string) <-chan struct{}

	// Notify wakes those who watch one of the topics, soon. It waits for nothing, and is
	// called after the Update that it is about has returned. A topic has up to 1 KiB.
	Notify(topics ...string)
}

// Watch calls Watch of an engine that is a [Watcher]. For any other it returns nil, a
// channel that never delivers.
func Watch(ctx context.Context, s Store, topics ...string) <-chan struct{} {
	if w, ok := s.(Watcher); ok {
		return w.Watch(ctx, topics...)
	}
	return nil
}

// Notify calls Notify of an engine that is a [Watcher]. For any other it does nothing.
func Notify(s Store, topics ...string) {
	if w, ok := s.(Watcher); ok {
		w.Notify(topics...)
	}
}
