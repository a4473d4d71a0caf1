package postgres

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// queue lets the transactions of a key run one after the other within this process.
type queue struct {
	mu    sync.Mutex
	lines map[string]*line
}

type line struct {
	one, two engine.Mutex // that one holds at a time, and two
	users    int          // guarded by queue.mu
}

// enter waits for the turn of a transaction with a key, and returns what ends it and
// whether others were before it. Where it takes a lane, the next one may already wait for
// that at the database, which spares it the way there. The empty key waits for nobody.
func (q *queue) enter(ctx context.Context, key string, lane bool) (leave func(), waited bool, err error) {
	if key == "" {
		return func() {}, false, nil
	}
	l := q.join(key)
	turn := l.one
	if lane {
		turn = l.two
	}
	if waited = !turn.TryLock(); waited {
		if err := turn.LockContext(ctx); err != nil {
			q.part(key, l)
			return nil, true, err
		}
	}
	return func() {
		turn.Unlock()
		q.part(key, l)
	}, waited, nil
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
