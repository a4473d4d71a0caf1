package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A statement writes as many records as fit into these, so that no message is large.
const (
	statementRows  = 1000
	statementBytes = 4 << 20
)

// changed is what transactions have decided.
type changed interface {
	Changes() iter.Seq2[string, []byte]
}

// commit sends what the transaction has written along with its end, in one journey that
// does not heed the context any more, and makes sure of what came of it.
func (t *transaction) commit(w changed) error {
	if t.conn == nil {
		if err := t.read(); err != nil {
			return err
		}
	}
	s := t.store
	id := s.ledger.next()
	calls := append(s.changes(w), call{statement: s.sql.note, args: [][]byte{id}}, call{statement: s.sql.commit})
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), s.options.Patience)
	defer cancel()
	err := t.conn.write(ctx, calls...)
	switch {
	case err == nil:
		s.commits.Add(1)
		s.ledger.acknowledged(id)
		return nil
	case definite(err):
		return breakage(err)
	}
	made, unknown := s.resolve(t.ctx, id)
	switch {
	case unknown != nil:
		return fmt.Errorf("%w: %w, after %w", storage.ErrUnknown, unknown, err)
	case made:
		s.broken.Add(1)
		s.commits.Add(1)
		return nil
	}
	return breakage(err)
}

// changes are the statements that write what a transaction has decided.
func (s *store) changes(w changed) []call {
	c := changes{sql: s.sql}
	for key, value := range w.Changes() {
		if value == nil {
			c.remove(key)
		} else {
			c.put(key, value)
		}
	}
	first, then := &c.puts[0], &c.puts[1]
	if len(first.values)+len(then.values) <= statementRows && first.size+then.size <= statementBytes {
		first.scopes, first.rests = append(first.scopes, then.scopes...), append(first.rests, then.rests...)
		first.values, then.values = append(first.values, then.values...), nil
	}
	c.flush(first)
	c.flush(then)
	c.flushRemove()
	return slices.Concat(c.puts[0].calls, c.puts[1].calls, c.calls)
}

// changes collects statements.
type changes struct {
	sql         *statements
	puts        [2]puts // that are written one after the other
	removedFrom []byte  // the scope of gone
	gone        [][]byte
	calls       []call // that remove
}

// puts are records that are written.
type puts struct {
	scopes, rests, values [][]byte
	size                  int
	calls                 []call
}

// secondShare is which share of the keys, of 16, is written last.
const secondShare = 7

// put writes a record. Keys come in their order, in which the database would split the pages
// of its index in halves and never fill the first of these. So somewhat less than half of the keys, which
// their hashes choose, are written after the others, into the room that is left.
func (c *changes) put(key string, value []byte) {
	scope, rest := divide([]byte(key))
	value = encode(value)
	h := fnv.New32a()
	_, _ = h.Write(rest) // never fails
	p := &c.puts[0]
	if isCommon(key) {
		c.calls = append(c.calls, call{statement: c.sql.common.put, args: [][]byte{
			array([][]byte{scope}), array([][]byte{rest}), array([][]byte{value}),
		}})
		return
	}
	if h.Sum32()>>7%16 < secondShare {
		p = &c.puts[1]
	}
	p.scopes, p.rests, p.values = append(p.scopes, scope), append(p.rests, rest), append(p.values, value)
	if p.size += len(key) + len(value); len(p.values) == statementRows || p.size >= statementBytes {
		c.flush(p)
	}
}

func (c *changes) flush(p *puts) {
	if len(p.values) > 0 {
		p.calls = append(p.calls, call{
			statement: c.sql.records.put,
			args:      [][]byte{array(p.scopes), array(p.rests), array(p.values)},
		})
	}
	p.scopes, p.rests, p.values, p.size = p.scopes[:0], p.rests[:0], p.values[:0], 0
}

// fewRemoved is how many records of a scope are deleted one by one.
const fewRemoved = 64

// remove deletes a record. A statement deletes from one scope.
func (c *changes) remove(key string) {
	scope, rest := divide([]byte(key))
	if !bytes.Equal(scope, c.removedFrom) {
		c.flushRemove()
		c.removedFrom = scope
	}
	if c.gone = append(c.gone, rest); len(c.gone) == statementRows {
		c.flushRemove()
	}
}

func (c *changes) flushRemove() {
	table := c.sql.of(isCommon(c.removedFrom))
	if len(c.gone) > fewRemoved { // which come in the order of their keys, and are next to each other for the most part
		last := len(c.gone) - 1
		c.calls = append(c.calls, call{
			statement: table.removeAll,
			args:      [][]byte{c.removedFrom, c.gone[0], c.gone[last], array(c.gone)},
		})
	} else {
		for _, k := range c.gone {
			c.calls = append(c.calls, call{statement: table.remove, args: [][]byte{c.removedFrom, k}})
		}
	}
	c.gone = c.gone[:0]
}

// errUnresolved reports that a row which was just written is not there.
var errUnresolved = errors.New("postgres: the row of the transaction is missing")

// unknownPatience is for how many times the patience of a call the outcome of its commit is asked for, as
// long as the caller waits: to come again would cost it more, since it does not know what was done.
const unknownPatience = 4

// resolve finds out whether the transaction with an id was committed. From then on it
// never will be unless it was. It fails when the database cannot be asked in time.
func (s *store) resolve(ctx context.Context, id []byte) (made bool, err error) {
	r := s.retries()
	r.patience *= unknownPatience
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.patience)
	defer cancel()
	timer := time.AfterFunc(s.options.Patience, func() { context.AfterFunc(ctx, cancel) })
	defer timer.Stop()
	for {
		if made, err = s.ask(asking, id); err == nil {
			s.options.Logger.WarnContext(ctx, "postgres: a connection was lost in a commit", "committed", made)
			return made, nil
		}
		if errors.Is(err, errBusy) {
			err = &broken{err} // those that hold the connections may give them back yet
		}
		if err := r.again(asking, err); err != nil {
			return false, err
		}
	}
}

// ask writes the row of a transaction, which waits for one that is writing it and keeps
// out one that still would, and reads whose it is.
func (s *store) ask(ctx context.Context, id []byte) (made bool, err error) {
	c, err := s.acquire(ctx)
	if err != nil {
		return false, breakage(err)
	}
	defer c.release()
	ctx, cancel := context.WithTimeout(ctx, s.options.Patience)
	defer cancel()
	if err := c.write(ctx, call{statement: s.sql.fence, args: [][]byte{id}}); err != nil {
		return false, breakage(err)
	}
	found := false
	err = c.run(ctx, call{statement: s.sql.resolve, args: [][]byte{id}, row: func(v [][]byte) {
		found, made = true, binary.BigEndian.Uint64(v[0]) == 0
	}})
	if err == nil && !found {
		err = errUnresolved
	}
	return made, breakage(err)
}

// ledger numbers the transactions of a store and forgets the rows of those whose outcome
// is known.
type ledger struct {
	store *store
	mu    sync.Mutex // guards the fields below
	name  []byte     // of this opening
	last  uint64
	known [][]byte
}

// ledgerRows is how many rows are forgotten at once.
const ledgerRows = 256

func newLedger(s *store) *ledger {
	l := &ledger{store: s, name: make([]byte, 12)}
	_, _ = rand.Read(l.name) // never fails
	return l
}

// next returns an id that no transaction has had.
func (l *ledger) next() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	return binary.BigEndian.AppendUint64(append([]byte(nil), l.name...), l.last)
}

// acknowledged notes that the outcome of a transaction will not be asked for.
func (l *ledger) acknowledged(id []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known = append(l.known, id); len(l.known) < ledgerRows {
		return
	}
	known := l.known
	l.known = nil
	l.store.background.Go(func() { l.forget(known) })
}

// forget deletes rows. Those that stay are deleted by an opening a day later.
func (l *ledger) forget(known [][]byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := l.store.acquire(ctx)
	if err == nil {
		err = c.run(ctx, call{statement: l.store.sql.forget, args: [][]byte{array(known)}})
		c.release()
	}
	if err != nil {
		l.store.options.Logger.Debug("postgres: rows of commits are removed a day later", "rows", len(known), "error",
			err)
	}
}

// close forgets what is left.
func (l *ledger) close() {
	l.mu.Lock()
	known := l.known
	l.known = nil
	l.mu.Unlock()
	if len(known) > 0 {
		l.forget(known)
	}
}
