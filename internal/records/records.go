// Package records turns a storage.Store into typed collections with revisions,
// pages, deltas, tombstones, indexes and an outbox. A domain declares its
// types and never builds a key.
//
// Records live in a scope: a schedule, a twin, the account. A scope has one
// growing revision, and every write of a record takes the next one: it is the
// record's ETag, the precondition of If-Match and its place in the order of
// changes.
//
// The keys of a collection named C in scope S:
//
//	S/0rev           revision of the scope
//	S/C/r/<id>       record
//	S/C/c/<rev>      change order: the id of the record last written at rev
//	S/C/t/<id>       tombstone of a deleted record, with its last fields
//	S/C/i/<n>/<v>/<id>  index n: records whose value is v
//	S/C/l/<n>/<v>/<id>  when a record left the value v of index n
//	S/C/s/<stage>/<place>  what a stage holds, see stage.go
//	S/C/purged/      latest revision of which a tombstone was forgotten
//
// What is to be forgotten one day stands in one queue, in the order of time:
//
//	zended/<time>/<key>  the tombstone, the indexTombstone or the finished record
package records

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/steady"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// What a domain translates into its documented errors.
var (
	// ErrNotFound says that there is no such record.
	ErrNotFound = errors.New("records: not found")
	// ErrExists says that a record with this id is there already.
	ErrExists = errors.New("records: exists")
	// ErrPrecondition says that If-Match names another version.
	ErrPrecondition = errors.New("records: version differs")
	// ErrRuledOut says that If-None-Match names the version that a record has.
	ErrRuledOut = errors.New("records: version is ruled out")
	// ErrTop says that a page size is out of its bounds.
	ErrTop = errors.New("records: page size out of bounds")
	// ErrContinuation says that a continuation token is not one of this list.
	ErrContinuation = errors.New("records: bad continuation token")
	// ErrContinuationExpired says that a continuation token is from before the
	// store went back to an earlier state: the list must be read again.
	ErrContinuationExpired = errors.New("records: continuation token expired")
	// ErrDelta says that a delta token is not one of this list.
	ErrDelta = errors.New("records: bad delta token")
	// ErrDeltaExpired says that a delta token is older than the deletions
	// that are still known, or from before the store went back to an earlier
	// state: the list must be read again.
	ErrDeltaExpired = errors.New("records: delta token expired")
)

// DB is a store seen as typed collections. It is safe for concurrent use.
type DB struct {
	store    storage.Store
	keys     atomic.Pointer[keys] // of the history that was read last
	onEvents func()               // of recorded events; may be nil
	clock    func() time.Time
	wall     *steady.Wall
	orders   orders
	perDB    sync.Map    // of *PerDB[T] to *T
	far      atomic.Bool // the store is over a network
	heard    atomic.Bool // something took up events when that was last looked at
	ledger   *Ledger     // nil where nothing is counted
	polls    *polls      // nil: each looks alone
}

// New returns the typed view of a store. Every DB over the same store sees the
// same records and accepts the same tokens.
func New(store storage.Store) *DB {
	db := &DB{store: store}
	db.Clock(twinplatform.Env{Now: time.Now})
	if b, ok := store.(*budgeted); ok {
		db.store, db.ledger, db.polls = b.Store, b.ledger, b.polls
	}
	return db
}

// Epoch returns the epoch of the store, see [storage.Epoch]: "" when other processes may be
// writing to it too.
func (db *DB) Epoch() string { return storage.Epoch(db.store) }

// Watch notifies the caller of topics of the store, see [storage.Watch].
func (db *DB) Watch(ctx context.Context, topics ...string) <-chan struct{} {
	return storage.Watch(ctx, db.store, topics...)
}

// Notify wakes those who watch topics of the store, see [storage.Notify].
func (db *DB) Notify(topics ...string) { storage.Notify(db.store, topics...) }

// Clock makes db tell by the clock of env when something ends, instead of by time.Now. It is
// set before the first transaction.
func (db *DB) Clock(env twinplatform.Env) { db.clock, db.wall = env.Now, steady.NewWall(env) }

// Believed is the present for what is forgotten for good, see [steady.Wall].
func (db *DB) Believed() time.Time { return db.wall.Now() }

// Time returns the clock of the store, see [storage.TimeOf]: nil where it has none.
func (db *DB) Time() func() time.Time { return storage.TimeOf(db.store) }

// OnEvents makes db call fn after every transaction that recorded events, once
// they are committed. fn must not block. It is set before the first
// transaction.
func (db *DB) OnEvents(fn func()) { db.onEvents = fn }

// Reading is a transaction that reads: a *View or an *Update.
type Reading interface{ view() *View }

// View is a transaction that reads one committed state.
type View struct {
	r    storage.Reader
	keys *keys
	db   *DB
	ctx  context.Context // of the transaction

	reads   *readSet // nil where there is no network
	perStep int      // how many records a scan is likely to come by there; 0: a few

	committed bool // nothing that it reads is its own

	learned func() // keeps what was found out, once it is known that nothing was missed; may be nil

	texts texts // keys that it asks for and writes
	tags  texts // of the records that it hands out

	staged scoped // the stage that was looked for last

	brief bool // it holds the writer, and is made ahead when it turns out to be long
	looks int  // how often Interrupted was asked

	spent effort.Spent
}

func (v *View) view() *View { return v }

// Update is a transaction that reads and writes.
type Update struct {
	View
	w         storage.Writer
	revisions map[Scope]standing      // of the scopes written to
	emitted   bool                    // at least one event
	after     []func(context.Context) // called once it is committed
	began     time.Time
	chunks    map[string]*portion // what was staged, by what begins the keys
	run       int                 // how often fn has lost a race, as far as steps are concerned: see WithPace
	stepped   bool                // it is a step

	reserving int64 // bytes for which Reserve has made room

	removes, adds bool // records that are not Upkeep
	makesRoom     bool // it is declared

	values []string // room for those that a record has in the indexes
}

// Spent is what the transaction has read and written so far.
func (u *Update) Spent() effort.Spent { return u.spent }

// Committed has fn called once the transaction is committed, before DB.Update returns, in
// the order of the calls and in a context that is never canceled. It is not called where
// the transaction fails, where it runs again, or where its outcome is not known.
func (u *Update) Committed(fn func(context.Context)) { u.after = append(u.after, fn) }

// outcome is what is to be done once a transaction is committed.
type outcome struct {
	emitted bool // at least one event
	after   []func(context.Context)
	spent   effort.Spent
}

func (u *Update) outcome() outcome { return outcome{u.emitted, u.after, u.spent} }

// follow does it.
func (o outcome) follow(ctx context.Context, db *DB) {
	if o.emitted && db.onEvents != nil {
		db.onEvents()
	}
	if len(o.after) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for _, fn := range o.after {
		fn(ctx)
	}
}

// View runs fn over one committed state. In a context that is within a
// transaction over the same store, fn reads through that transaction.
func (db *DB) View(ctx context.Context, fn func(*View) error) error {
	if v := db.enclosing(ctx); v != nil {
		return fn(v)
	}
	l := &look{View: View{db: db, ctx: ctx, committed: true}, fn: fn}
	run := l.run
	var err error
	for again := true; again; again, err = db.makeKeys(l.ctx, err) {
		err = db.store.View(l.ctx, run)
	}
	if err == nil && l.learned != nil {
		l.learned()
	}
	effort.Add(l.ctx, l.spent)
	return wrap(err)
}

// look is a call of DB.View, with its transaction.
type look struct {
	View
	fn func(*View) error
}

// run runs it in a transaction.
func (l *look) run(r storage.Reader) error {
	l.View = View{db: l.db, ctx: l.ctx, committed: true}
	keys, err := l.db.keysOf(r)
	if err != nil {
		return err
	}
	l.r, l.keys = r, keys
	l.connect()
	return l.fn(&l.View)
}

// Update runs fn in a transaction. fn may run again, and has no effect outside
// it. It fails in a context that is within a transaction over the same
// store: an engine has one writer. A transaction that declares that it is [Large], or turns
// out to be, does its work ahead of its turn at the writer.
func (db *DB) Update(ctx context.Context, fn func(*Update) error) error {
	if db.enclosing(ctx) != nil {
		return errNested
	}
	c := &change{db: db, ctx: db.contending(ctx), fn: fn, pace: paceOf(ctx)}
	c.lost = int(c.pace.lost.Load())
	run := c.run
	var err error
	for again := true; again; again, err = db.makeKeys(c.ctx, err) {
		err = db.store.Update(c.ctx, run)
	}
	if errors.Is(err, errLarge) {
		c.long = true
		if c.way, err = db.ahead(c.ctx, fn); errors.Is(err, errOvertaken) {
			err = db.store.Update(c.ctx, run)
		}
	}
	effort.Add(c.ctx, c.way.spent) // what was refused has been done, too
	if err == nil {
		if c.stepped {
			c.pace.won(c.lost, c.runs-1)
		}
		c.way.follow(c.ctx, db)
		db.ledger.Tell()
	}
	return wrap(err)
}

// change is a call of DB.Update.
type change struct {
	db   *DB
	ctx  context.Context
	fn   func(*Update) error
	long bool    // it was found out to be long
	runs int     // how often it has run
	way  outcome // of the last run

	pace    *pace
	lost    int  // races, as far as the length of a step is concerned, before it first ran
	stepped bool // it is a step
}

// run runs it in a transaction that holds the writer.
func (c *change) run(w storage.Writer) error {
	keys, err := c.db.keysOf(w)
	if err != nil {
		return err
	}
	u := &Update{
		View: View{r: w, keys: keys, db: c.db, ctx: c.ctx, brief: !c.long}, w: w, began: c.db.clock(),
		run: c.lost + c.runs,
	}
	c.runs++
	if u.connect(); u.remote() {
		u.w = &tally{Writer: w, reads: u.reads}
		Declare(u, Need{at: listened}) // many changes emit an event in the end
	}
	err = c.fn(u)
	if c.stepped = u.stepped; err != nil {
		c.way = outcome{spent: u.spent}
		return err
	}
	c.way = u.outcome()
	if err := u.flush(); err != nil {
		return err
	}
	if u.freeing() {
		storage.UseReserve(w)
	}
	return c.db.ledger.ask(w, u.reserving)
}

// MakesRoom declares that the transaction is a step of a deletion, whichever of it: it may use
// the space that an engine has set aside for a full disk.
func (u *Update) MakesRoom() { u.makesRoom = true }

// freeing reports whether the transaction makes room: it is declared to, or it removes records
// and adds none. What it leaves of them, such as tombstones and events, goes later.
func (u *Update) freeing() bool { return u.makesRoom || u.removes && !u.adds }

// contending says of the transactions of a caller that they meet at what its account has
// one of: revisions, the order of changes and of events. Who knows better has said so.
func (db *DB) contending(ctx context.Context) context.Context {
	if db.Epoch() != "" || storage.Contention(ctx) != "" {
		return ctx
	}
	if p, named := twinplatform.PrincipalFrom(ctx); named && p.AccountID != "" {
		return storage.WithContention(ctx, accountContention+p.AccountID)
	}
	return ctx
}

// WithContention says of the transactions made with the context what they contend by: nothing in
// a store that this process alone writes to.
func (db *DB) WithContention(ctx context.Context, key string) context.Context {
	if db.Epoch() != "" {
		return ctx
	}
	return storage.WithContention(ctx, key)
}

// accountContention begins the keys of accounts by which transactions contend.
const accountContention = "accounts/"

// WithContention says of the transactions made with the context that they write in the
// scope, or, where that is the part of an account, to what the account has one of.
func (s Scope) WithContention(ctx context.Context) context.Context {
	if _, part := s.place(); part != "" {
		return storage.WithContention(ctx, accountContention+part)
	}
	return storage.WithContention(ctx, string(s))
}

// wrap gives the errors of the engine, met here on their way out, their place
// among the platform's.
func wrap(err error) error {
	switch {
	case errors.Is(err, storage.ErrUnknown):
		return (&twinplatform.Error{
			Kind: twinplatform.Unavailable, Code: "OutcomeUnknown",
			Message: "The connection to the store broke while the change was being made. It is not known whether the " +
				"change was made: read before you send it again.",
		}).Because(err)
	case errors.Is(err, storage.ErrUnavailable):
		return (&twinplatform.Error{
			Kind: twinplatform.Unavailable, Code: "StoreUnavailable",
			Message: "The store accepts no changes at present.", RetryAfter: time.Second,
		}).Because(err)
	case errors.Is(err, storage.ErrTooLarge):
		return (&twinplatform.Error{
			Kind: twinplatform.Unprocessable, Code: "RequestTooLarge",
			Message: "The request is too large to be stored.",
		}).Because(err)
	}
	if e := refused(err); e != nil {
		return e
	}
	return err
}

func isMissing(err error) bool { return errors.Is(err, storage.ErrNotFound) }
