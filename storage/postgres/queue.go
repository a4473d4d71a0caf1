package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// queue lets the transactions of a hot key run one after the other within this process.
type queue struct {
	mu    sync.Mutex
	lines map[string]*line
}

type line struct {
	one, two engine.Mutex // that one holds at a time, and that two do
	users    int          // guarded by queue.mu
}

// slot is the place of an Update in the queue of its key, if the key is hot.
type queueSlot struct {
	store   *store
	key     string
	line    *line
	lock    engine.Mutex // that it holds; nil while it has none
	classed bool         // it may lock the class of its key
}

// await waits for the slot of a hot key. Where the Update locks the class of the key, the
// next one may already wait for that at the database, which saves it the round trip.
func (t *queueSlot) await(ctx context.Context) error {
	s := t.store
	hot, classed := s.heat.of(t.key)
	if t.lock != nil || !hot {
		return nil
	}
	classed = classed && s.classed
	t.line = s.queue.join(t.key)
	lock := t.line.one
	if classed {
		lock = t.line.two
	}
	if !lock.TryLock() {
		s.heat.note(t.key, false)
		began := time.Now()
		err := lock.LockContext(ctx)
		s.waits.Add(1)
		s.waited.Add(int64(time.Since(began)))
		if err != nil {
			s.queue.part(t.key, t.line)
			return err
		}
	}
	t.lock = lock
	t.classed = classed && s.mayLockClass(ctx)
	return nil
}

// mayLockClass waits for one of the connections that are used to wait for lock classes, but
// no longer than for any connection that does not come back: others wait for the transaction
// then.
func (s *store) mayLockClass(ctx context.Context) bool {
	if s.inLockClasses.TryLock() {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, stuck)
	defer cancel()
	return s.inLockClasses.LockContext(ctx) == nil
}

// locksClass reports whether the Update locks the class of its key at its next run.
func (t *queueSlot) locksClass() bool {
	if !t.classed {
		return false
	}
	_, classed := t.store.heat.of(t.key) // which another may have found held meanwhile
	return classed
}

// end lets the next one in.
func (t *queueSlot) end() {
	if t.classed {
		t.store.inLockClasses.Unlock()
	}
	if t.lock != nil {
		t.lock.Unlock()
		t.store.queue.part(t.key, t.line)
	}
}

func (q *queue) join(key string) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[key]
	if l == nil {
		if q.lines == nil {
			q.lines = make(map[string]*line)
		}
		l = &line{one: engine.NewMutex(), two: make(engine.Mutex, 2)}
		q.lines[key] = l
	}
	l.users++
	return l
}

func (q *queue) part(key string, l *line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(q.lines, key)
	}
}
