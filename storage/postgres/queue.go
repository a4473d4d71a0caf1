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
	turn  engine.Mutex
	users int // guarded by queue.mu
}

// enter waits for the turn of a transaction with a key and returns what ends it. The
// empty key waits for nobody.
func (q *queue) enter(ctx context.Context, key string) (leave func(), err error) {
	if key == "" {
		return func() {}, nil
	}
	l := q.join(key)
	if err := l.turn.LockContext(ctx); err != nil {
		q.part(key, l)
		return nil, err
	}
	return func() {
		l.turn.Unlock()
		q.part(key, l)
	}, nil
}

func (q *queue) join(key string) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[key]
	if l == nil {
		if q.lines == nil {
			q.lines = make(map[string]*line)
		}
		l = &line{turn: engine.NewMutex()}
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
