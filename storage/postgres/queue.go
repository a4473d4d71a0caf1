package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// queue lets the Updates of a hot key within this process run one after the other, and those
// that wait meanwhile together: see group.
type queue struct {
	mu    sync.Mutex
	lines map[string]*line // those at which an Update or a group is at work
}

// line is who waits at a key.
type line struct {
	waiting []*member     // guarded by queue.mu, as are the others
	wanted  int           // how many are gathered
	enough  chan struct{} // closed when as many wait; nil while none are gathered
}

// mostMembers is how many Updates run together.
const mostMembers = 64

// member is an Update that waits at a hot key.
type member struct {
	store *store
	key   string
	ctx   context.Context
	fn    func(storage.Writer) error

	alone  chan struct{} // closed when it is to run by itself
	work   chan func()   // what its goroutine is to do for its group
	result chan error    // what has come of it
	left   chan struct{} // closed when it has left its group
	group  *group        // guarded by queue.mu; nil while it waits in line

	// Of its function in the attempt under way of its group.
	first   *question // for whose answer it waits before it has read anything; nil once it has that
	over    int       // how many others had written over what it has read: see group.written
	writer  *writer   // what came of it
	verdict error
}

// gathering is the share of its own time for which an Update or a group lets the next one
// wait for callers who come back with their next Update.
const gathering = 8

// join waits at a hot key. It reports true for an Update that is to run by itself, and then
// lets others in by over. Else err is what has come of it, together with others.
func (s *store) join(ctx context.Context, key string, fn func(storage.Writer) error) (alone bool, err error) {
	s.queue.mu.Lock()
	l := s.queue.lines[key]
	if l == nil {
		if s.queue.lines == nil {
			s.queue.lines = make(map[string]*line)
		}
		s.queue.lines[key] = new(line)
		s.queue.mu.Unlock()
		return true, nil
	}
	m := &member{
		store: s, key: key, ctx: ctx, fn: fn,
		alone: make(chan struct{}), work: make(chan func()), result: make(chan error, 1), left: make(chan struct{}),
	}
	l.waiting = append(l.waiting, m)
	if l.enough != nil && len(l.waiting) >= l.wanted {
		close(l.enough)
		l.enough = nil
	}
	s.queue.mu.Unlock()
	s.heat.note(key)
	return m.wait()
}

// over lets those in who wait at a key, after so many have run together for a while. Those
// who come back at once are to be of the next group, and not of the one after it.
func (s *store) over(key string, n int, took time.Duration) {
	s.queue.mu.Lock()
	l := s.queue.lines[key]
	wanted := min(len(l.waiting)+n, mostMembers)
	if len(l.waiting) >= wanted || n == 1 && len(l.waiting) == 0 {
		s.queue.mu.Unlock()
		s.next(key)
		return
	}
	enough := make(chan struct{})
	l.wanted, l.enough = wanted, enough
	s.queue.mu.Unlock()
	s.background.Go(func() {
		timer := time.NewTimer(took / gathering)
		defer timer.Stop()
		select {
		case <-enough:
		case <-timer.C:
		}
		s.next(key)
	})
}

// next lets those in who wait at a key: one by itself, or several together.
func (s *store) next(key string) {
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	l := s.queue.lines[key]
	n := min(len(l.waiting), mostMembers)
	members := l.waiting[:n:n]
	l.waiting, l.enough = l.waiting[n:], nil
	switch n {
	case 0:
		delete(s.queue.lines, key)
	case 1:
		close(members[0].alone)
	default:
		g := newGroup(s, key, members)
		for _, m := range members {
			m.group = g
		}
		s.background.Go(g.run)
	}
}

// wait does what its group has for it to do until there is a result.
func (m *member) wait() (alone bool, err error) {
	began, done := time.Now(), m.ctx.Done()
	defer m.store.waits.Add(1)
	counted := false
	count := func() {
		if !counted {
			m.store.waited.Add(int64(time.Since(began)))
		}
		counted = true
	}
	defer count()
	for {
		select {
		case <-m.alone:
			return true, nil
		case do := <-m.work:
			count()
			do()
		case err := <-m.result:
			return false, err
		case <-done:
			if m.leave() {
				return false, m.ctx.Err()
			}
			done = nil // it is being committed, or has its turn
		}
	}
}

// leave ends the waiting of a member, unless it is too late for that.
func (m *member) leave() bool {
	q := &m.store.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if m.group != nil {
		return m.group.leave(m)
	}
	l := m.store.queue.lines[m.key]
	for i, other := range l.waiting {
		if other == m {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			return true
		}
	}
	return false // it is its turn
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

// classes is whether Updates of a key may lock its class.
type classes struct {
	store *store
	key   string
	may   bool
}

// begin asks for the right to, if the key is hot and others are at it.
func (c *classes) begin(ctx context.Context) {
	if _, ok := c.wanted(); ok {
		c.may = c.store.mayLockClass(ctx)
	}
}

// wanted is the class that is to be locked, unless it could not be had.
func (c *classes) wanted() (class int, ok bool) {
	s := c.store
	if !s.classed || !s.heat.of(c.key) {
		return 0, false
	}
	class = s.classOf(c.key)
	return class, !s.heat.isLate(class)
}

// lock lets a transaction lock the class.
func (c *classes) lock(t *transaction) {
	if !c.may {
		return
	}
	if class, ok := c.wanted(); ok { // which another may have found held meanwhile
		t.first = c.store.sql.lockClass(class, lockClassTimeout)
	}
}

func (c *classes) end() {
	if c.may {
		c.store.inLockClasses.Unlock()
	}
}
