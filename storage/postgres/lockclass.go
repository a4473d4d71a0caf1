package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// lockClasses is the number of empty tables whose locks make processes queue: each key
// belongs to one of them. Unlike an advisory lock, the lock of a table can be had before
// the snapshot of its transaction is taken; it ends with the transaction, and so with a
// process that dies, and it works behind a pooler.
const lockClasses = 1024

// firstLockClasses is how many classes have tables from the beginning, made with the
// schema. Another is made when a key of it becomes hot; until then, and where it cannot be
// made, the key belongs to the first class of the same remainder. Who takes which is a
// matter of speed alone.
const firstLockClasses = 64

const (
	// heated is for how long the Updates of a key queue after one has waited or lost a
	// race.
	heated = 10 * time.Second
	// lockClassTimeout is how long a call waits for a lock class. Its holder may have
	// been suspended: nothing waits for it then until it can be had again.
	lockClassTimeout = time.Second
	// lockClassPause is between two attempts to have a lock class again, and half of what
	// each of them waits: long enough to be next where others take it by turns.
	lockClassPause = 50 * time.Millisecond
	// mostHeat is how many keys are remembered.
	mostHeat = 4096
)

// lockClass is the class of a key.
func lockClass(key string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // never fails
	return int(h.Sum32() % lockClasses)
}

// heat knows which keys other processes are at too.
type heat struct {
	mu    sync.Mutex
	until map[string]time.Time // by key
	late  map[int]bool         // the lock classes that could not be had
}

// of reports whether the Updates of a key are to queue.
func (h *heat) of(key string) bool {
	if key == "" {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	end, ok := h.until[key]
	return ok && time.Now().Before(end)
}

// isLate reports whether a lock class could not be had.
func (h *heat) isLate(class int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.late[class]
}

// note notes that others are at a key.
func (h *heat) note(key string) {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.until) >= mostHeat {
		maps.DeleteFunc(h.until, func(_ string, end time.Time) bool { return !now.Before(end) })
		if len(h.until) >= mostHeat {
			return // they race
		}
	}
	if h.until == nil {
		h.until = make(map[string]time.Time)
	}
	h.until[key] = now.Add(heated)
}

// miss notes that a lock class could not be had, and reports whether that is news.
func (h *heat) miss(class int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.late[class] {
		return false
	}
	if h.late == nil {
		h.late = make(map[int]bool)
	}
	h.late[class] = true
	return true
}

// had notes that a lock class can be had.
func (h *heat) had(class int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.late, class)
}

// learn notes what came of an Update of a key.
func (s *store) learn(key string, err error) {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || !contended(pg) || key == "" {
		return
	}
	s.heat.note(key)
	if class := s.classOf(key); pg.Code == lockNotAvailable && s.heat.miss(class) {
		s.background.Go(func() { s.regain(class) })
	}
}

// regain waits until a lock class can be had again, so that those who race meanwhile take
// turns from then on, and most of all with the one that held it: a process that was
// suspended would lose every race against those that were not.
func (s *store) regain(class int) {
	defer s.heat.had(class)
	ctx, cancel := context.WithTimeout(s.life, heated)
	defer cancel()
	pause := time.NewTicker(lockClassPause)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return // the next Update looks
		}
		if s.canLock(ctx, class) {
			return
		}
	}
}

// canLock reports whether a lock class can be had within moments.
func (s *store) canLock(ctx context.Context, class int) bool {
	if !s.mayLockClass(ctx) {
		return false
	}
	defer s.inLockClasses.Unlock()
	t := s.transaction(ctx, s.sql.view)
	t.first = s.sql.lockClass(class, 2*lockClassPause)
	defer t.end()
	return t.read() == nil
}

// classTables knows which tables there are beyond the first.
type classTables struct {
	mu    sync.Mutex
	there map[int]bool // by class; false: it is being made, or cannot be
}

// classOf is the class of a key whose lock is to be taken.
func (s *store) classOf(key string) int {
	class := lockClass(key)
	if class < firstLockClasses || s.tables.has(class, func() { s.background.Go(func() { s.makeTable(class) }) }) {
		return class
	}
	return class % firstLockClasses
}

// has reports whether there is a table for a class, and lets it be made, once.
func (t *classTables) has(class int, begin func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	there, asked := t.there[class]
	if !asked {
		if t.there == nil {
			t.there = make(map[int]bool)
		}
		t.there[class] = false
		begin()
	}
	return there
}

// makeTable makes the table of a class where it is missing, and finds out whether its lock can
// be had. A role without the right to uses the first tables.
func (s *store) makeTable(class int) {
	ctx, cancel := context.WithTimeout(s.life, s.options.Patience)
	defer cancel()
	look := func() bool {
		t := s.transaction(ctx, s.sql.view)
		t.first = s.sql.lockClass(class, time.Millisecond)
		defer t.end()
		err := t.read()
		pg, ok := errors.AsType[*pgconn.PgError](err)
		return err == nil || ok && pg.Code == lockNotAvailable // it is taken
	}
	there := look()
	if !there && s.createTable(ctx, class) {
		there = look()
	}
	s.tables.mu.Lock()
	defer s.tables.mu.Unlock()
	s.tables.there[class] = there
}

// createTable creates the table of a class, unless another process does.
func (s *store) createTable(ctx context.Context, class int) bool {
	c, err := s.acquire(ctx)
	if err != nil {
		return false
	}
	defer c.release()
	create := &statement{sql: "create table if not exists " + s.sql.laneOf(class) + " ()"}
	for range 2 { // a process that makes it at the same moment lets the first attempt fail
		if err = c.run(ctx, call{statement: create}); err == nil {
			return true
		}
	}
	return false
}

// lockNotAvailable is the code of a lock that was not to be had in time.
const lockNotAvailable = "55P03"

// contended reports whether an error says that others were at the same.
func contended(err *pgconn.PgError) bool {
	return err.Code == "40001" || err.Code == "40P01" || err.Code == lockNotAvailable
}

// makeLockClasses makes the first tables that are missing, and reports whether their locks can be
// had: not every database that speaks the protocol has them.
func (s *store) makeLockClasses(ctx context.Context, c *pgx.Conn) bool {
	schema := pgx.Identifier{s.options.Schema}.Sanitize()
	can := func(table string) bool {
		_, err := c.Exec(ctx, "begin; lock table "+schema+"."+table+" in exclusive mode nowait; rollback")
		if err == nil {
			return true
		}
		_, _ = c.Exec(ctx, "rollback") // what has failed
		pg, ok := errors.AsType[*pgconn.PgError](err)
		return ok && pg.Code == lockNotAvailable // it is taken
	}
	last := fmt.Sprintf("lane_%d", firstLockClasses-1)
	if can(last) {
		return true
	}
	if !can("version") {
		return false
	}
	_, wanted := schemaStatements(schema)
	_, _ = c.Exec(ctx, wanted[len(wanted)-1]) // or another process makes them, or the right to is missing
	return can(last)
}
