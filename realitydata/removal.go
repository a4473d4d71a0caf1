package realitydata

import (
	"context"
	"errors"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// removal is a container whose record is deleted and whose bytes are still to be
// removed. It is recorded in the transaction that deletes the record, so that no
// bytes outlive their record by more than a crash.
type removal struct {
	ContainerID string `json:"containerId"`
}

var removals = records.Collection[removal]{
	Name: "removals", Unlisted: true,
	ID: func(r *removal) string { return r.ContainerID },
}

// owe records that the bytes of a container are to be removed.
func (s *Service) owe(u *records.Update, containerID string) error {
	if s.containers == (nowhere{}) {
		return nil
	}
	_, err := removals.Put(u, area, &removal{containerID})
	return err
}

// empty fails with errOwed while bytes of a container that was deleted are there.
func empty(tx records.Reading, containerID string) error {
	is, err := removals.Has(tx, area, containerID)
	if err == nil && is {
		err = errOwed
	}
	return err
}

// errOwed says that a record cannot be made yet, because its container still has
// the bytes of one that was deleted.
var errOwed = errors.New("realitydata: the container still has bytes of what was deleted")

// emptied runs fn, which fails with errOwed while the container that it names has
// bytes of what was deleted, again after they are removed.
func (s *Service) emptied(ctx context.Context, containerID *string, fn func() error) error {
	err := fn()
	if errors.Is(err, errOwed) {
		if err = s.remove(ctx, *containerID); err == nil {
			err = fn()
		}
	}
	return err
}

// settle removes the bytes of containers whose records are deleted. What cannot be
// removed now is removed by FinishRemovals.
func (s *Service) settle(ctx context.Context, containerIDs ...string) {
	ctx = context.WithoutCancel(ctx)
	for _, id := range containerIDs {
		if err := s.remove(ctx, id); err != nil {
			s.env.Logger.WarnContext(ctx, "the bytes of what was deleted remain", "container", id, "error", err)
		}
	}
}

// remove removes the bytes of one container if that is still owed: a container that
// is in use again is left alone.
func (s *Service) remove(ctx context.Context, containerID string) error {
	defer s.removing.lock(containerID)()
	err := s.db.View(ctx, func(v *records.View) error { return empty(v, containerID) })
	if !errors.Is(err, errOwed) {
		return err
	}
	if err := s.containers.RemoveContainer(ctx, containerID); err != nil {
		return err
	}
	return s.db.Update(ctx, func(u *records.Update) error { return removals.Erase(u, area, containerID) })
}

// FinishRemovals removes the bytes of deleted containers that a crash or a failure
// left. It is called before addresses are served.
func (s *Service) FinishRemovals(ctx context.Context) error {
	var ids []string
	err := s.db.View(ctx, func(v *records.View) error {
		ids = ids[:0]
		for r, err := range removals.All(v, area, "") {
			if err != nil {
				return err
			}
			ids = append(ids, r.ContainerID)
		}
		return nil
	})
	for _, id := range ids {
		if err == nil {
			err = s.remove(ctx, id)
		}
	}
	return err
}

// keyedMutex locks by name, so that who works on one thing waits for nobody who
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
