package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// group makes Updates of one key in one transaction. Their functions run twice. At first all run at
// once over the snapshot, each by itself: what they read goes in common journeys, and what
// they write is given up. Then they run one after the other, each over what those before it
// have written, and find what they read. What one has written is left out when it fails, and
// none has a result before that on which it is founded is committed.
//
// Functions run in the goroutines of their callers, so that a panic goes where it belongs.
type group struct {
	store  *store
	key    string
	ctx    context.Context // done when all members have left
	cancel context.CancelFunc
	events chan event
	size   int // of the members that it began with

	mu         sync.Mutex // guards the fields below
	members    []*member  // that have neither left nor a result
	committing bool

	// Of the attempt under way.
	t       *transaction
	recall  *engine.Recall
	serial  bool // one function runs at a time
	failure error
}

const (
	// mostGroupBytes and mostGroupKeys are how much a group writes before it is committed
	// without the members that have not run yet.
	mostGroupBytes = 4 << 20
	mostGroupKeys  = storage.MaxTxWrites
)

// errLeft reports that a member has left whose writes others have seen.
var errLeft = errors.New("postgres: a caller has left its group")

// event is what a member reports while its function runs: that it wants to read, that it
// does not want to any more, or that the function has ended.
type event struct {
	asks, gone *question
}

// question is what a function wants to read.
type question struct {
	keys   []string
	ranges []storage.Range
	done   chan struct{}
}

func newGroup(s *store, key string, members []*member) *group {
	g := &group{store: s, key: key, members: members, events: make(chan event), size: len(members)}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	return g
}

// run makes the Updates, and lets the next ones in.
func (g *group) run() {
	s, began := g.store, time.Now()
	defer func() { s.over(g.key, g.size, time.Since(began)) }()
	defer g.cancel()
	c := classes{store: s, key: g.key}
	c.begin(g.ctx)
	defer c.end()
	for r := s.retries(); ; {
		members := g.present()
		if len(members) == 0 {
			return
		}
		err := g.attempt(&c, members)
		if err == nil || errors.Is(err, errLeft) {
			continue
		}
		s.count(g.ctx, err)
		s.learn(g.key, err)
		if err := r.again(g.ctx, err); err != nil {
			g.fail(err)
			return
		}
	}
}

// present are the members whose contexts are not done; the others get their result.
func (g *group) present() (members []*member) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.members {
		if err := m.ctx.Err(); err != nil {
			m.result <- err
			continue
		}
		members = append(members, m)
	}
	g.members = members
	return append([]*member(nil), members...)
}

// fail gives all members that are left the error of the transaction. Of those whose functions
// have failed nothing was to be written.
func (g *group) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.members {
		if m.verdict != nil && errors.Is(err, storage.ErrUnknown) {
			err := fmt.Errorf("%w: what its outcome is founded on may not be committed", storage.ErrUnavailable)
			m.result <- err
			continue
		}
		m.result <- err
	}
	g.members = nil
}

// leave lets a member leave that waits. It reports false while its fate is being decided.
func (g *group) leave(m *member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.committing || !g.drop(m) {
		return false
	}
	close(m.left)
	if len(g.members) == 0 {
		g.cancel()
	}
	return true
}

// drop removes a member, with mu held, and reports whether it was one.
func (g *group) drop(m *member) bool {
	for i, other := range g.members {
		if other == m {
			g.members = append(g.members[:i:i], g.members[i+1:]...)
			return true
		}
	}
	return false
}

// finish gives a member its result.
func (g *group) finish(m *member, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.drop(m) {
		m.result <- err
	}
}

// attempt runs all once and commits what they wrote.
func (g *group) attempt(c *classes, members []*member) error {
	g.t, g.recall, g.failure = g.store.transaction(g.ctx, g.store.sql.update), engine.NewRecall(), nil
	c.lock(g.t)
	defer g.t.end()
	if g.scout(members); g.failure != nil {
		return g.failure
	}
	var layers engine.Layers
	writes := 0
	for i, m := range members {
		if err := g.take(m, &layers); err != nil {
			return err
		}
		if m.verdict == nil && m.writer.Len() > 0 {
			writes++
		}
		if rest := members[i+1:]; len(rest) > 0 && (layers.Bytes() > mostGroupBytes || layers.Len() > mostGroupKeys) {
			g.putBack(rest)
			members = members[:i+1]
			break
		}
	}
	return g.commit(members, &layers, writes)
}

// take runs a member over what those before it have written, and adds what it writes.
func (g *group) take(m *member, layers *engine.Layers) error {
	if m.verdict != nil { // of the snapshot, as if it had run before all others
		g.finish(m, m.verdict)
		return nil
	}
	if layers.Len() > 0 {
		g.serial = true
		go g.let(m, layers)
		<-g.events // that its function has ended
		if g.failure != nil {
			return g.failure
		}
	}
	if m.verdict == nil {
		layers.Add(&m.writer.RemoteWriter)
	}
	return nil
}

// commit commits what all have written, and gives them their results.
func (g *group) commit(members []*member, layers *engine.Layers, writes int) error {
	if !g.decide(members) {
		return errLeft
	}
	err := g.write(layers)
	g.mu.Lock()
	g.committing = false
	g.mu.Unlock()
	if err != nil {
		return err
	}
	g.store.commits.Add(int64(max(writes-1, 0))) // beyond the one that it is at the database
	g.store.combined.Add(int64(len(members)))
	for _, m := range members {
		g.finish(m, m.verdict)
	}
	return nil
}

// write ends the transaction.
func (g *group) write(layers *engine.Layers) error {
	if layers.Len() > 0 {
		return g.t.commit(layers)
	}
	if err := g.t.verify(); err != nil || g.t.conn == nil {
		return err
	}
	return g.t.read(call{statement: g.store.sql.commit})
}

// decide begins the commit unless one has left, or is to, of what others may have seen.
func (g *group) decide(members []*member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range members {
		if m.verdict != nil {
			continue // it has shown nothing
		}
		select {
		case <-m.left:
			return false
		default:
		}
		if m.ctx.Err() != nil {
			return false
		}
	}
	g.committing = true
	return true
}

// putBack lets members wait for the next group.
func (g *group) putBack(members []*member) {
	q := &g.store.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	var waiting []*member
	for _, m := range members {
		if g.drop(m) {
			m.group = nil
			waiting = append(waiting, m)
		}
	}
	l := q.lines[g.key]
	l.waiting = append(waiting, l.waiting...)
}

// scout runs all functions at once, and sends what they want to read when none of them can
// continue without.
func (g *group) scout(members []*member) {
	g.serial = false
	running := 0
	var none engine.Layers
	for _, m := range members {
		m.verdict = errLeft
		go g.let(m, &none)
		running++
	}
	var asked []*question
	for running > 0 {
		switch e := <-g.events; {
		case e.asks != nil:
			asked = append(asked, e.asks)
			running--
		case e.gone == nil:
			running--
		default:
			for i, q := range asked {
				if q == e.gone {
					asked = append(asked[:i:i], asked[i+1:]...)
					running++
					break
				}
			}
		}
		if running == 0 {
			running = g.answer(asked)
			asked = nil
		}
	}
}

// answer reads what functions want in one journey, and reports how many of them continue.
func (g *group) answer(asked []*question) int {
	var keys []string
	var ranges []storage.Range
	for _, q := range asked {
		keys, ranges = append(keys, q.keys...), append(ranges, q.ranges...)
	}
	g.fetch(keys, ranges)
	for _, q := range asked {
		close(q.done)
	}
	return len(asked)
}

// fetch reads by the transaction. That it fails ends the attempt.
func (g *group) fetch(keys []string, ranges []storage.Range) {
	if g.failure == nil {
		g.failure = g.recall.Fetch(g.t, keys, ranges)
	}
}

// let has a member run its function, unless it has left. An event without anything follows.
func (g *group) let(m *member, layers *engine.Layers) {
	do := func() {
		m.verdict = errLeft
		m.writer = &writer{RemoteWriter: *layers.Writer(memberLine{g, m}), t: g.t}
		defer func() {
			m.writer.End()
			if m.verdict == errLeft { //nolint:errorlint // the function panicked: its goroutine ends
				g.mu.Lock()
				g.drop(m)
				close(m.left)
				g.mu.Unlock()
			}
			g.events <- event{}
		}()
		m.verdict = m.writer.Outcome(m.ctx, m.fn(m.writer))
	}
	select {
	case m.work <- do:
	case <-m.left:
		m.verdict = errLeft
		g.events <- event{}
	}
}

// memberLine is what a function of a group reads by.
type memberLine struct {
	group  *group
	member *member
}

var _ engine.Line = memberLine{}

// Fetch implements engine.Line.
func (l memberLine) Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []engine.Page, err error) {
	g := l.group
	if err := l.member.ctx.Err(); err != nil {
		return nil, nil, err
	}
	if values, pages, ok := g.recall.Find(keys, ranges); ok {
		return values, pages, nil
	}
	if g.serial {
		g.fetch(keys, ranges)
	} else if err := l.ask(keys, ranges); err != nil {
		return nil, nil, err
	}
	if g.failure != nil {
		return nil, nil, g.failure
	}
	values, pages, _ = g.recall.Find(keys, ranges)
	return values, pages, nil
}

// ask waits until the group has read what is wanted.
func (l memberLine) ask(keys []string, ranges []storage.Range) error {
	q := &question{keys, ranges, make(chan struct{})}
	l.group.events <- event{asks: q}
	select {
	case <-q.done:
		return nil
	case <-l.member.ctx.Done():
		l.group.events <- event{gone: q}
		return l.member.ctx.Err()
	}
}
