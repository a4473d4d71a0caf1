package postgres

import (
	"bytes"
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// transaction is one of the database. It begins with the first journey, if there is one.
type transaction struct {
	store   *store
	ctx     context.Context
	begin   *statement
	conn    *conn  // nil until it has begun
	history string // that it is assumed to be in, and is once it has begun
	asked   bool   // somebody was told of the history
}

var _ engine.Source = (*transaction)(nil)

func (s *store) transaction(ctx context.Context, begin *statement) *transaction {
	return &transaction{store: s, ctx: ctx, begin: begin, history: *s.history.Load()}
}

// read makes a journey, the first of which begins the transaction.
func (t *transaction) read(calls ...call) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(t.ctx, journeyTimeout)
	defer cancel()
	if t.conn != nil {
		return breakage(t.conn.run(ctx, calls...))
	}
	c, err := t.store.acquire(ctx)
	if err != nil {
		return breakage(err)
	}
	t.conn = c
	begin := make([]call, 0, 3+len(calls))
	begin = append(begin, call{statement: t.begin})
	if t.store.options.Pooler && t.store.tuned {
		begin = append(begin, call{statement: t.store.sql.tune})
	}
	history := ""
	begin = append(begin, call{t.store.sql.get, [][]byte{[]byte(storage.HistoryKey)}, func(v [][]byte) { history = string(v[0]) }})
	if err := c.run(ctx, append(begin, calls...)...); err != nil {
		return breakage(err)
	}
	if history != t.history {
		t.store.history.Store(&history)
		if t.asked {
			return errMoved
		}
		t.history = history
	}
	return nil
}

// Get implements engine.Source.
func (t *transaction) Get(key string) (value []byte, err error) {
	found := false
	err = t.read(call{t.store.sql.get, [][]byte{[]byte(key)}, func(v [][]byte) { value, found = bytes.Clone(v[0]), true }})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, storage.NotFound(key)
	}
	return value, nil
}

// The pages of a scan.
const (
	firstPage = 64
	lastPage  = 8192
	pageBytes = 1 << 20
)

// Scan implements engine.Source.
func (t *transaction) Scan(prefix, after string, visit func(string, []byte) bool) error {
	from, to := []byte(prefix), beyond(prefix)
	if after >= prefix {
		from = append([]byte(after), 0)
	}
	for rows := firstPage; ; {
		var page [][][]byte
		size := 0
		err := t.read(call{t.store.sql.scan, [][]byte{from, to, int8Param(rows)}, func(v [][]byte) {
			page = append(page, clone(v))
			size += len(v[0]) + len(v[1])
		}})
		if err != nil {
			return err
		}
		for _, row := range page {
			if !visit(string(row[0]), row[1]) {
				return nil
			}
		}
		if len(page) < rows {
			return nil
		}
		from = append(page[len(page)-1][0], 0)
		rows = max(1, min(rows*4, lastPage, pageBytes*len(page)/(size+1)))
	}
}

// beyond is a key greater than every one that begins with prefix.
func beyond(prefix string) []byte {
	end := []byte(prefix)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) == 0 {
		return bytes.Repeat([]byte{0xff}, storage.MaxKeyBytes+1)
	}
	end[len(end)-1]++
	return end
}

// tell names the history.
func (t *transaction) tell() string {
	t.asked = true
	return t.history
}

// verify makes sure of a history that somebody was told of.
func (t *transaction) verify() error {
	if t.conn != nil || !t.asked {
		return nil
	}
	return t.read()
}

// end gives up what was not committed. Nobody waits for it.
func (t *transaction) end() {
	c := t.conn
	if c == nil {
		return
	}
	t.conn = nil
	if c.pg.IsClosed() || c.pg.TxStatus() == 'I' {
		c.release()
		return
	}
	t.store.background.Go(func() {
		defer c.release()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = c.run(ctx, call{statement: t.store.sql.rollback}) // or the connection is given up
	})
}
