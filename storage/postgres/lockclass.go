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
	// been suspended: for as long as heated, nothing waits for it then.
	lockClassTimeout = time.Second
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
	until map[string]heatOf
}

// heatOf is what is known of a key for a while.
type heatOf struct {
	end  time.Time
	late bool // its lock class could not be had
}

// of reports whether the Updates of a key are to queue, and to lock its class.
func (h *heat) of(key string) (hot, classed bool) {
	if key == "" {
		return false, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := h.until[key]
	hot = ok && time.Now().Before(at.end)
	return hot, hot && !at.late
}

// learn notes what came of an Update of a key.
func (h *heat) learn(key string, err error) {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && contended(pg) && key != "" {
		h.note(key, pg.Code == lockNotAvailable)
	}
}

// note notes that others are at a key, or that its lock class could not be had.
func (h *heat) note(key string, late bool) {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.until[key]; at.late && now.Before(at.end) {
		return
	}
	if len(h.until) >= mostHeat {
		maps.DeleteFunc(h.until, func(_ string, at heatOf) bool { return !now.Before(at.end) })
		if len(h.until) >= mostHeat {
			return // they race
		}
	}
	if h.until == nil {
		h.until = make(map[string]heatOf)
	}
	h.until[key] = heatOf{now.Add(heated), late}
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
