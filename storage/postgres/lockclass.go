package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// lockClasses is the number of empty tables whose locks make processes queue: each key
// belongs to one of them. Unlike an advisory lock, the lock of a table can be had before
// the snapshot of its transaction is taken; it ends with the transaction, and so with a
// process that dies, and it works behind a pooler.
const lockClasses = 64

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

// of reports whether the Updates of a key are to queue, and to lock its class.
func (h *heat) of(key string) (hot, classed bool) {
	if key == "" {
		return false, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	end, ok := h.until[key]
	hot = ok && time.Now().Before(end)
	return hot, hot && !h.late[lockClass(key)]
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
	if class := lockClass(key); pg.Code == lockNotAvailable && s.heat.miss(class) {
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
	t.first = s.sql.probes[class]
	defer t.end()
	return t.read() == nil
}

// lockNotAvailable is the code of a lock that was not to be had in time.
const lockNotAvailable = "55P03"

// contended reports whether an error says that others were at the same.
func contended(err *pgconn.PgError) bool {
	return err.Code == "40001" || err.Code == "40P01" || err.Code == lockNotAvailable
}

// makeLockClasses makes the tables that are missing, and reports whether their locks can be
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
	last := fmt.Sprintf("lane_%d", lockClasses-1)
	if can(last) {
		return true
	}
	if !can("version") {
		return false
	}
	var sql strings.Builder
	for i := range lockClasses {
		fmt.Fprintf(&sql, "create table if not exists %s.lane_%d ();", schema, i)
	}
	_, _ = c.Exec(ctx, sql.String()) // or another process makes them, or the right to is missing
	return can(last)
}
