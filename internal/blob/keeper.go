package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// DraftTime is how long an object may take to be written and put in force. After that its
// process counts as dead, unless that is known sooner.
const DraftTime = 24 * time.Hour

// Object is bytes outside the store.
type Object struct {
	AccountID string `json:"accountId"` // whose quota it counts to
	Name      string `json:"name"`
	Size      int64  `json:"size"`  // in bytes
	Start     int64  `json:"start"` // of its first byte in the content
}

// Pending is an object that may be there and is not in force: not yet, or no more.
type Pending struct {
	AccountID string `json:"accountId"`
	Name      string `json:"name"`
	// Since is when its writing began, and null once it is to be removed.
	Since twinplatform.DateTime `json:"since"`
	// Epoch is the opening of the store at which it began; empty where several are at it.
	Epoch string `json:"tenure"`
}

// Objects holds the objects that are pending.
var Objects = records.Collection[Pending]{
	Name: "objects", Unversioned: true,
	ID: func(p *Pending) string { return p.Name },
}

// inObjects is where they are kept, whatever domain they are of.
const inObjects records.Scope = "bytes"

// Keeper keeps the contents of a domain. It is safe for concurrent use.
type Keeper struct {
	db  *records.DB
	env twinplatform.Env
}

// keepers has the Keeper of each DB.
var keepers records.PerDB[atomic.Pointer[Keeper]]

// NewKeeper returns the keeper of a DB. It is called once, before the first transaction.
func NewKeeper(db *records.DB, env twinplatform.Env) *Keeper {
	k := &Keeper{db, env.WithDefaults()}
	keepers.In(db).Store(k)
	return k
}

// Outside reports whether new contents go to objects outside the store.
func (k *Keeper) Outside() bool { return k.env.Bytes != nil }

// errUnkept refuses what needs bytes that are kept somewhere unknown.
var errUnkept = &twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: "StorageUnavailable",
	Message: "The bytes are kept in a place that the platform does not reach at present.",
}

// ErrOutside is errUnkept, for a caller that would write behind bytes that are there.
var ErrOutside error = errUnkept

// placeOutside begins the places of pieces that are objects, which come behind all others.
const placeOutside = "o"

// outside is the place of an object whose first byte is at start.
func outside(start int64) string { return fmt.Sprintf("%s%014d", placeOutside, start) }

func (p *Piece) start() int64 { return p.Object.Start }

func (p *Piece) end() int64 { return p.Object.Start + p.Object.Size }

// objectsOf yields the pieces of a scope that are outside, in their order.
func objectsOf(tx records.Reading, s records.Scope) func(yield func(*Piece, error) bool) {
	return Pieces.All(tx, s, placeOutside)
}

// Inside reports whether all bytes of a scope are in the store.
func Inside(tx records.Reading, s records.Scope) (bool, error) {
	for _, err := range objectsOf(tx, s) {
		return false, err
	}
	return true, nil
}

// open opens an object where the content continues.
func open(ctx context.Context, db *records.DB, p *Piece, at int64) (io.ReadCloser, error) {
	k := keepers.In(db).Load()
	if k == nil || !k.Outside() {
		return nil, errUnkept
	}
	content, err := k.env.Bytes.OpenBytes(ctx, p.Object.AccountID, p.Object.Name)
	if err == nil && at > p.start() {
		_, err = content.Seek(at-p.start(), io.SeekStart)
		if err != nil {
			err = errors.Join(err, content.Close())
		}
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}

// removeObjects takes pieces outside out of force. The objects are removed once the
// transaction is committed, or by Sweep.
func removeObjects(u *records.Update, pieces func(func(*Piece, error) bool)) error {
	var names []string
	for p, err := range pieces {
		if err != nil {
			return err
		}
		if _, err := Objects.Put(u, inObjects,
			&Pending{AccountID: p.Object.AccountID, Name: p.Object.Name}); err != nil {
			return err
		}
		names = append(names, p.Object.Name)
	}
	if k := keepers.Of(u).Load(); len(names) > 0 && k != nil && k.Outside() {
		u.Committed(func(ctx context.Context) { k.removeNow(ctx, names...) })
	}
	return nil
}

// removeNow removes pending objects. What cannot be removed now is left to Sweep.
func (k *Keeper) removeNow(ctx context.Context, names ...string) {
	for _, name := range names {
		if err := k.remove(ctx, name); err != nil {
			k.env.Logger.WarnContext(ctx, "removing unused bytes failed; it is tried again later", "object", name,
				"error", twinplatform.Cause(err))
			return
		}
	}
}

// remove removes an object if it is still pending.
func (k *Keeper) remove(ctx context.Context, name string) error {
	var p *Pending
	err := k.db.View(ctx, func(v *records.View) (err error) {
		p, err = Objects.Lookup(v, inObjects, name)
		return err
	})
	if p == nil || err != nil {
		return err
	}
	if err := k.env.Bytes.RemoveBytes(ctx, p.AccountID, p.Name); err != nil {
		return errRemaining{err}
	}
	return k.db.Update(ctx, func(u *records.Update) error { return Objects.Erase(u, inObjects, name) })
}

// errRemaining is a failure of the place outside, not of the store.
type errRemaining struct{ error }

func (e errRemaining) Unwrap() error { return e.error }

// sweptAtOnce is how many objects one step of Sweep removes.
const sweptAtOnce = 64

// Sweep removes some of the objects that are pending and abandoned: what a process left
// that died, and what could not be removed before. It is a jobs.GC.
func (k *Keeper) Sweep(ctx context.Context) (more bool, err error) {
	if !k.Outside() {
		return false, nil
	}
	var due []Pending
	err = k.db.View(ctx, func(v *records.View) error {
		due = nil
		for p, err := range Objects.All(v, inObjects, "") {
			if err != nil {
				return err
			}
			if k.due(p) {
				due = append(due, *p)
			}
			if len(due) == sweptAtOnce {
				return nil
			}
		}
		return nil
	})
	for i := range due {
		if err == nil && !due[i].Since.IsZero() {
			err = k.takeOver(ctx, due[i].Name)
		}
		if err == nil {
			err = k.remove(ctx, due[i].Name)
		}
		if remaining, is := errors.AsType[errRemaining](err); is {
			k.env.Logger.WarnContext(ctx, "removing unused bytes failed; it is tried again later", "object",
				due[i].Name, "error", twinplatform.Cause(remaining.error))
			return false, nil
		}
	}
	return len(due) == sweptAtOnce, err
}

// due reports whether an object was abandoned.
func (k *Keeper) due(p *Pending) bool {
	now := k.db.Epoch()
	return p.Since.IsZero() || p.Epoch != "" && now != "" && p.Epoch != now ||
		!k.db.Believed().Before(p.Since.Add(DraftTime))
}

// takeOver sees to it that a draft is never put in force.
func (k *Keeper) takeOver(ctx context.Context, name string) error {
	return k.db.Update(ctx, func(u *records.Update) error {
		p, err := Objects.Lookup(u, inObjects, name)
		if p == nil || err != nil {
			return err
		}
		p.Since = twinplatform.DateTime{}
		_, err = Objects.Put(u, inObjects, p)
		return err
	})
}

// newName makes a random name, so that no object has had it before.
func newName() string { return rand.Text() }
