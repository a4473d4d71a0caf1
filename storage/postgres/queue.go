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
}

// await waits for the turn of a key that is hot. Where it takes a lane, the next one may
// already wait for that at the database, which spares it the way there.
func (t *turn) await(ctx context.Context) error {
	s := t.store
	hot, lane := s.heat.of(t.key)
	if t.lock != nil || !hot {
		return nil
	}
	t.line = s.queue.join(t.key)
	lock := t.line.one
	if lane && s.laned {
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
	return nil
}

// end lets the next one in.
func (t *turn) end() {
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
