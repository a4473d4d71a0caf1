package postgres

import (
	"context"
	"sync"

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

// turn is that of an Update in the line of its key, if the key is hot.
type turn struct {
	store *store
	key   string
	line  *line
	lock  engine.Mutex // that it holds; nil while it has none
	laned bool         // it is one of those who may take a lane
}

// await waits for the turn of a key that is hot. Where it takes a lane, the next one may
// already wait for that at the database, which spares it the way there.
func (t *turn) await(ctx context.Context) error {
	s := t.store
	hot, lane := s.heat.of(t.key)
	if t.lock != nil || !hot {
		return nil
	}
	lane = lane && s.laned
	t.line = s.queue.join(t.key)
	lock := t.line.one
	if lane {
		lock = t.line.two
	}
	if !lock.TryLock() {
		s.heat.note(t.key, false)
		if err := lock.LockContext(ctx); err != nil {
			s.queue.part(t.key, t.line)
			return err
		}
	}
	t.lock = lock
	t.laned = lane && s.mayTakeLane(ctx)
	return nil
}

// mayTakeLane waits for one of the connections that lanes are waited for with, but no longer
// than for any connection that does not come back: others wait for the transaction then.
func (s *store) mayTakeLane(ctx context.Context) bool {
	if s.inLanes.TryLock() {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, stuck)
	defer cancel()
	return s.inLanes.LockContext(ctx) == nil
}

// takesLane reports whether the Update takes a lane at its next run.
func (t *turn) takesLane() bool {
	if !t.laned {
		return false
	}
	_, lane := t.store.heat.of(t.key) // which another may have found held meanwhile
	return lane
}

// end lets the next one in.
func (t *turn) end() {
	if t.laned {
		t.store.inLanes.Unlock()
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
