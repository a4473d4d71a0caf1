package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// group makes Updates of one key in one transaction. At first all functions run until each wants to
// read, and that is read in one journey. Then one after the other has its answer and runs to its
// end, over what those before it have written: so one that reads once, what it has declared, runs once.
// When one wants more, those behind it run with it, so that what they want goes in common journeys;
// what they write is given up, and they run again when it is their turn, and find what they read.
// What one has written is left out when it fails, and none has a result before that on which it
// is founded is committed.
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
	layers  *engine.Layers
	written int         // how many members have written
	running int         // how many functions run
	asked   []*question // what functions wait for that have read something before
	failure error
}

const (
	// mostGroupBytes and mostGroupKeys are how much a group writes before it is committed
	// without the members that have not run yet.
	mostGroupBytes = 4 << 20
	mostGroupKeys  = storage.MaxTxWrites
)

var (
	// errLeft reports that a member has left whose writes others have seen.
	errLeft = errors.New("postgres: a caller has left its group")
	// errAbandoned reports to a function that it will run again.
	errAbandoned = errors.New("postgres: the attempt of the group is over")
)

// event is what a member reports while its function runs: that it wants to read, that it
// does not want to any more, or that the function has ended.
type event struct {
	asks, gone *question
}

// question is what a function wants to read.
type question struct {
	by     *member
	keys   []string
	ranges []storage.Range
	done   chan struct{} // closed when the function may continue
	err    error         // why there is no answer, set before that
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

// attempt runs all and commits what they wrote.
func (g *group) attempt(c *classes, members []*member) error {
	g.t, g.recall, g.failure = g.store.transaction(g.ctx, g.store.sql.update), engine.NewRecall(), nil
	g.layers, g.written = new(engine.Layers), 0
	c.lock(g.t)
	defer g.t.end()
	defer g.abandon(members)
	if g.begin(members); g.failure != nil {
		return g.failure
	}
	for i, m := range members {
		if err := g.take(m, members[i+1:]); err != nil {
			return err
		}
		if rest := members[i+1:]; len(rest) > 0 &&
			(g.layers.Bytes() > mostGroupBytes || g.layers.Len() > mostGroupKeys) {
			g.abandon(rest)
			g.putBack(rest)
			members = members[:i+1]
			break
		}
	}
	return g.commit(members)
}

// begin lets all functions run until each wants to read, and reads that in the journey with which the
// transaction begins.
func (g *group) begin(members []*member) {
	for _, m := range members {
		m.first, m.over = nil, 0
		g.start(m)
	}
	g.pause()
	for _, q := range g.asked {
		q.by.first = q
	}
	g.fetch(g.asked)
	g.asked = nil
}

// take lets the function of a member come to its end over what those before it have written, and
// adds what it has written.
func (g *group) take(m *member, behind []*member) error {
	switch {
	case m.first != nil:
		g.proceed(m)
		if g.pause(); len(g.asked) > 0 {
			for _, other := range behind {
				g.proceed(other)
			}
		}
		g.settle()
	case m.over != g.written && (m.verdict == nil || m.over > 0): // it has seen less
		m.over = g.written
		g.start(m)
		g.settle()
	}
	switch {
	case g.failure != nil:
		return g.failure
	case m.verdict == nil:
		if m.writer.Len() > 0 {
			g.written++
		}
		g.layers.Add(&m.writer.RemoteWriter)
	case m.over == 0: // of the snapshot, as if it had run before all others
		g.finish(m, m.verdict)
	}
	return nil
}

// commit commits what all have written, and gives them their results.
func (g *group) commit(members []*member) error {
	if !g.decide(members) {
		return errLeft
	}
	err := g.write()
	g.mu.Lock()
	g.committing = false
	g.mu.Unlock()
	if err != nil {
		return err
	}
	g.store.commits.Add(int64(max(g.written-1, 0))) // beyond the one that it is at the database
	g.store.combined.Add(int64(len(members)))
	for _, m := range members {
		g.finish(m, m.verdict)
	}
	return nil
}

// write ends the transaction.
func (g *group) write() error {
	if g.layers.Len() > 0 {
		return g.t.commit(g.layers)
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

// start has the function of a member run from its beginning.
func (g *group) start(m *member) {
	m.verdict = errLeft
	g.running++
	go g.let(m)
}

// proceed gives a function that has read nothing yet its first answer.
func (g *group) proceed(m *member) {
	if m.first != nil {
		m.over = g.written
		g.answer(m.first, nil)
	}
}

// answer lets a function continue: with what was read, or with an error.
func (g *group) answer(q *question, err error) {
	if q.by.first == q {
		q.by.first = nil
	}
	g.running++
	q.err = err
	close(q.done)
}

// pause waits until no function runs: each has ended or waits for an answer.
func (g *group) pause() {
	for g.running > 0 {
		switch e := <-g.events; {
		case e.asks != nil:
			g.asked = append(g.asked, e.asks)
			g.running--
		case e.gone == nil:
			g.running--
		case e.gone.by.first == e.gone:
			e.gone.by.first = nil
			g.running++
		default:
			if i := slices.Index(g.asked, e.gone); i >= 0 {
				g.asked = slices.Delete(g.asked, i, i+1)
				g.running++
			}
		}
	}
}

// settle lets functions that run come to their ends, and reads in common journeys what they want.
func (g *group) settle() {
	for g.pause(); len(g.asked) > 0; g.pause() {
		asked := g.asked
		g.asked = nil
		g.fetch(asked)
		for _, q := range asked {
			g.answer(q, g.failure)
		}
	}
}

// abandon ends the functions that still wait for their first answer.
func (g *group) abandon(members []*member) {
	for _, m := range members {
		if m.first != nil {
			g.answer(m.first, errAbandoned)
		}
	}
	for g.pause(); len(g.asked) > 0; g.pause() {
		asked := g.asked
		g.asked = nil
		for _, q := range asked {
			g.answer(q, errAbandoned)
		}
	}
}

// fetch reads what functions want by one journey. That it fails ends the attempt.
func (g *group) fetch(asked []*question) {
	var keys []string
	var ranges []storage.Range
	for _, q := range asked {
		keys, ranges = append(keys, q.keys...), append(ranges, q.ranges...)
	}
	if g.failure == nil {
		g.failure = g.recall.Fetch(g.t, keys, ranges)
	}
}

// let has a member run its function, unless it has left. An event without anything follows.
func (g *group) let(m *member) {
	do := func() {
		m.writer = &writer{RemoteWriter: *g.layers.Writer(memberLine{g, m}), t: g.t}
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
	if err := l.ask(keys, ranges); err != nil {
		return nil, nil, err
	}
	values, pages, _ = g.recall.Find(keys, ranges)
	return values, pages, nil
}

// ask waits until the group lets it continue with what it wants to read.
func (l memberLine) ask(keys []string, ranges []storage.Range) error {
	q := &question{by: l.member, keys: keys, ranges: ranges, done: make(chan struct{})}
	l.group.events <- event{asks: q}
	select {
	case <-q.done:
		return q.err
	case <-l.member.ctx.Done():
		l.group.events <- event{gone: q}
		return l.member.ctx.Err()
	}
}
